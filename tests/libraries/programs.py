"""Short programs with libraries of TensorFlow's world, and the numbers that TensorFlow gave.

`make libraries` runs them on tapeflow, in a virtualenv of its own that has the libraries but not
TensorFlow: `tapeflow run tests/libraries/programs.py`. With TensorFlow installed,
`python tests/libraries/programs.py --record` writes `outcomes.json`. Names of programs choose among
them. `test_libraries.py` runs them all.
"""

import json
import os
import pathlib
import sys
import time

os.environ.setdefault("DDE_BACKEND", "tensorflow")

import numpy as np
import tensorflow as tf

OUTCOMES = pathlib.Path(__file__).with_name("outcomes.json")


def chain(kernel, start, steps, seed):
    """Samples of a Markov chain, traced."""
    import tensorflow_probability as tfp

    @tf.function(autograph=False)
    def run():
        return tfp.mcmc.sample_chain(steps, start, kernel=kernel, num_burnin_steps=5,
                                     trace_fn=None, seed=seed)

    return run().numpy()


def density(x):
    import tensorflow_probability as tfp

    return tfp.distributions.MultivariateNormalDiag([0., 1.], [1., 2.]).log_prob(x)


def hamiltonian():
    import tensorflow_probability as tfp

    kernel = tfp.mcmc.HamiltonianMonteCarlo(density, step_size=0.3, num_leapfrog_steps=5)
    adapting = tfp.mcmc.SimpleStepSizeAdaptation(kernel, 20)
    return chain(adapting, tf.zeros([3, 2]), 40, [3, 4])[-1]


def no_u_turns():
    import tensorflow_probability as tfp

    kernel = tfp.mcmc.NoUTurnSampler(density, step_size=0.3)
    return chain(kernel, tf.zeros([2]), 20, [3, 4])[-3:]


def variational():
    import tensorflow_probability as tfp
    import tf_keras

    tfd = tfp.distributions
    model = tfd.JointDistributionSequential([tfd.Normal(0., 1.), lambda z: tfd.Normal(z, .5)])
    posterior = tfp.experimental.vi.build_factored_surrogate_posterior(event_shape=[], seed=[5, 6])
    tf.random.set_seed(1)
    losses = tfp.vi.fit_surrogate_posterior(
        lambda z: model.log_prob([z, 1.2]), posterior, num_steps=30, sample_size=5, seed=[7, 8],
        optimizer=tf_keras.optimizers.Adam(0.1))
    return losses.numpy()[[0, 10, 29]]


def distributions():
    import tensorflow_probability as tfp

    tfd = tfp.distributions
    found = []
    for one in (tfd.Gamma(2., 3.), tfd.Beta(2., 3.), tfd.StudentT(3., 0., 1.),
                tfd.Dirichlet([1., 2., 3.]), tfd.VonMises(0., 2.), tfd.Poisson(3.),
                tfd.NegativeBinomial(3., .5), tfd.Categorical([0., 1., 2.]), tfd.LKJ(3, 2.),
                tfd.WishartTriL(4., scale_tril=np.eye(3, dtype="f")),
                tfd.TruncatedNormal(0., 1., -1., 2.)):
        sample = one.sample(2, seed=[9, 8])
        found += [np.ravel(sample), np.ravel(one.log_prob(sample))]
    return np.concatenate([part.astype("f") for part in found])


def joint():
    import tensorflow_probability as tfp

    tfd = tfp.distributions

    @tfd.JointDistributionCoroutineAutoBatched
    def model():
        a = yield tfd.Gamma(2., 2., name="a")
        b = yield tfd.Normal(0., a, name="b")
        yield tfd.Normal(b, 1., name="c")

    sample = model.sample(seed=[1, 2])
    return np.array([*[one.numpy() for one in sample], model.log_prob(sample).numpy()])


def minimisers():
    import tensorflow_probability as tfp

    def loss(x):
        return tfp.math.value_and_gradient(
            lambda x: tf.reduce_sum((x - [1., 2., 3.])**4 + x**2), x)

    return np.concatenate([minimise(loss, tf.zeros([3]), max_iterations=20).position.numpy()
                           for minimise in (tfp.optimizer.lbfgs_minimize,
                                            tfp.optimizer.bfgs_minimize)])


def curve(count):
    rng = np.random.RandomState(0)
    x = rng.rand(count, 1)
    return x, np.sin(6 * x) + .1 * rng.randn(count, 1)


def gaussian_process():
    import gpflow

    model = gpflow.models.GPR(curve(30), gpflow.kernels.SquaredExponential())
    done = gpflow.optimizers.Scipy().minimize(
        model.training_loss, model.trainable_variables, options={"maxiter": 30})
    mean, variance = model.predict_f(np.array([[.5]]))
    return np.array([done.fun, mean.numpy()[0, 0], variance.numpy()[0, 0]])


def sparse_process():
    import gpflow
    import tf_keras

    x, y = curve(100)
    model = gpflow.models.SVGP(gpflow.kernels.Matern52(), gpflow.likelihoods.Gaussian(),
                               x[:10].copy(), num_data=100)
    optimizer, loss = tf_keras.optimizers.Adam(0.05), model.training_loss_closure((x, y))

    @tf.function
    def step():
        optimizer.minimize(loss, model.trainable_variables)

    for _ in range(20):
        step()
    return model.elbo((x, y)).numpy()


def classes_of_a_process():
    import gpflow

    x, _ = curve(20)
    model = gpflow.models.VGP((x, (np.sin(6 * x) > 0).astype(float)),
                              gpflow.kernels.SquaredExponential(), gpflow.likelihoods.Bernoulli())
    return np.array([gpflow.optimizers.Scipy().minimize(
        model.training_loss, model.trainable_variables, options={"maxiter": 15}).fun])


def differential_equation():
    import keras

    keras.utils.set_random_seed(1)  # before the import: DeepXDE makes initializers there
    import deepxde as dde

    dde.config.set_random_seed(1)
    interval = dde.geometry.Interval(-1, 1)
    data = dde.data.PDE(
        interval, lambda x, y: dde.grad.hessian(y, x) + np.pi**2 * tf.sin(np.pi * x),
        dde.icbc.DirichletBC(interval, lambda x: 0, lambda x, edge: edge), 16, 2, num_test=20)
    model = dde.Model(data, dde.nn.FNN([1, 20, 20, 1], "tanh", "Glorot uniform"))
    model.compile("adam", lr=1e-3)
    history, _ = model.train(iterations=50, display_every=50, verbose=0)
    return np.array(history.loss_train[-1])


def circuit():
    import pennylane as qml

    device = qml.device("default.qubit", wires=2)

    @qml.qnode(device, interface="tf", diff_method="backprop")
    def energy(x, w):
        qml.RX(x[0], wires=0)
        qml.RY(x[1], wires=1)
        qml.CNOT([0, 1])
        qml.Rot(w[0], w[1], w[2], wires=1)
        return qml.expval(qml.PauliZ(1))

    x = tf.Variable([.3, .5], dtype=tf.float64)
    w = tf.Variable([.1, .2, .3], dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = energy(x, w)
    return np.concatenate([[y.numpy()], *[one.numpy() for one in tape.gradient(y, [x, w])]])


def perceptron():
    import sonnet as snt

    tf.random.set_seed(0)
    net, optimizer = snt.nets.MLP([8, 2]), snt.optimizers.Adam(0.01)
    x = np.linspace(0, 1, 12).reshape(4, 3).astype("f")
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x)**2)
        variables = net.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
    return loss.numpy()


def attacks():
    import foolbox
    import keras

    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.layers.Input((8, 8, 1)), keras.layers.Flatten(),
                              keras.layers.Dense(4)])
    x = tf.constant(np.random.RandomState(0).rand(4, 8, 8, 1).astype("f"))
    target, labels = foolbox.TensorFlowModel(model, bounds=(0, 1)), tf.argmax(model(x), 1)
    steps = foolbox.attacks.LinfPGD(random_start=False)(target, x, labels, epsilons=.1)[1]
    near = foolbox.attacks.L2DeepFoolAttack()(target, x, labels, epsilons=None)[1]
    return np.array([steps.numpy().sum(), near.numpy().sum()])


def keras_2():
    import tf_keras

    tf_keras.utils.set_random_seed(1)
    x = np.random.RandomState(0).rand(64, 8).astype("f")
    y = (x.sum(1, keepdims=True) > 4).astype("f")
    model = tf_keras.Sequential([
        tf_keras.layers.Input([8]), tf_keras.layers.Dense(16, activation="relu"),
        tf_keras.layers.BatchNormalization(), tf_keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    history = model.fit(x, y, batch_size=16, epochs=3, verbose=0, shuffle=False).history
    inputs = tf_keras.Input([8])
    joined = tf_keras.layers.concatenate([tf_keras.layers.Dense(4, activation="tanh")(inputs),
                                          tf_keras.layers.Dense(4)(inputs)])
    other = tf_keras.Model(inputs, tf_keras.layers.Dense(1)(joined))
    other.compile(tf_keras.optimizers.SGD(0.1), "mse")
    losses = other.fit(x, y, epochs=2, verbose=0, shuffle=False).history["loss"]
    return np.concatenate([history["loss"], history["accuracy"], losses,
                           model.evaluate(x, y, verbose=0),
                           model.predict(x[:3], verbose=0).ravel()])


PROGRAMS = (hamiltonian, no_u_turns, variational, distributions, joint, minimisers,
            gaussian_process, sparse_process, classes_of_a_process, differential_equation, circuit,
            perceptron, attacks, keras_2)


def main() -> int:
    record = "--record" in sys.argv
    recorded = {} if record else json.loads(OUTCOMES.read_text())
    wrong = 0
    only = [one for one in sys.argv[1:] if one[:1] != "-"]  # names of programs; all if none
    if record and only:
        recorded = json.loads(OUTCOMES.read_text())
    for program in [one for one in PROGRAMS if not only or one.__name__ in only]:
        name, begin = program.__name__, time.process_time()
        found = np.asarray(program(), dtype=float)
        took = time.process_time() - begin
        if record:
            recorded[name] = found.tolist()
            continue
        near = np.allclose(found, recorded[name], rtol=2e-4, atol=1e-5)
        wrong += not near
        print(f"{'right' if near else 'WRONG'}  {name}  {took:.1f} s", flush=True)
    if record:
        OUTCOMES.write_text(json.dumps(recorded, indent=1) + "\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
