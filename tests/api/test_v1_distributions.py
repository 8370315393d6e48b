"""tf.compat.v1.distributions: numbers that TensorFlow 2.21 gave, samples for seeds, and errors."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
D = v1.distributions
NAN, INF = float("nan"), float("inf")


@pytest.fixture(autouse=True)
def first_draws():
    """What a seed gives first, though others have drawn with it, or have set the global seed."""
    tf.random.set_seed(None)


def normal():
    return D.Normal([0.0, 1.0], [[1.0], [2.5]])


def student():
    return D.StudentT([0.5, 1.5, 3.0], [0.0, 1.0, 2.0], 2.0)


def dirichlet():
    return D.Dirichlet([[0.5, 3.0, 1.0], [2.0, 2.5, 1.5]])


def multinomial():
    return D.Multinomial([4.0, 7.0], probs=[[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])


def mixed():
    return D.DirichletMultinomial(4.0, [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])


CASES = {
    "normal().log_prob([0.3, -15.0])": (
        lambda: normal().log_prob([0.3, -15.0]),
        [[-0.9639385, -128.9189], [-1.842429, -22.31523]]),
    "normal().log_cdf([0.3, -15.0])": (
        lambda: normal().log_cdf([0.3, -15.0]),
        [[-0.4814102, -131.6954], [-0.601921, -23.27832]]),
    "normal().log_survival_function([0.3, -15.0])": (
        lambda: normal().log_survival_function([0.3, -15.0]),
        [[-0.9621028, -0.0], [-0.7935388, -7.768832e-11]]),
    "normal().quantile([0.2, 0.7])": (
        lambda: normal().quantile([0.2, 0.7]),
        [[-0.8416212, 1.5244], [-2.104053, 2.311001]]),
    "normal().entropy()": (
        lambda: normal().entropy(),
        [[1.418939, 1.418939], [2.335229, 2.335229]]),
    "normal().sample(seed=3)": (
        lambda: normal().sample(seed=3),
        [[1.061662, 0.1214217], [0.2796804, 1.462793]]),
    "normal().kl_divergence(D.Normal(0.5, 1.5))": (
        lambda: normal().kl_divergence(D.Normal(0.5, 1.5)),
        [[0.1832429, 0.1832429], [0.4336188, 0.4336188]]),
    "D.Laplace(1.0, 2.0).log_prob([0.3, -2.0])": (
        lambda: D.Laplace(1.0, 2.0).log_prob([0.3, -2.0]),
        [-1.736294, -2.886294]),
    "D.Laplace(1.0, 2.0).log_cdf([0.3, 3.0])": (
        lambda: D.Laplace(1.0, 2.0).log_cdf([0.3, 3.0]),
        [-1.043147, -0.2032671]),
    "D.Laplace(1.0, 2.0).stddev()": (
        lambda: D.Laplace(1.0, 2.0).stddev(),
        2.828427),
    "D.Laplace(1.0, 2.0).entropy()": (
        lambda: D.Laplace(1.0, 2.0).entropy(),
        2.386294),
    "D.Laplace(1.0, 2.0).sample(3, seed=5)": (
        lambda: D.Laplace(1.0, 2.0).sample(3, seed=5),
        [0.4943985, 1.793107, -0.9151552]),
    "student().log_prob([0.3, -2.0, 4.0])": (
        lambda: student().log_prob([0.3, -2.0, 4.0]),
        [-2.036693, -2.915161, -2.2694]),
    "student().cdf([0.3, -2.0, 4.0])": (
        lambda: student().cdf([0.3, -2.0, 4.0]),
        [0.5400068, 0.1549974, 0.8044989]),
    "student().mean()": (
        lambda: student().mean(),
        [NAN, 1.0, 2.0]),
    "student().variance()": (
        lambda: student().variance(),
        [NAN, INF, 12.0]),
    "student().entropy()": (
        lambda: student().entropy(),
        [4.359876, 2.842806, 2.466624]),
    "student().sample(seed=3)": (
        lambda: student().sample(seed=3),
        [1.706304, -1.407578, 2.130546]),
    "D.Uniform(1.0, 5.0).cdf([0.0, 2.0, 9.0])": (
        lambda: D.Uniform(1.0, 5.0).cdf([0.0, 2.0, 9.0]),
        [0.0, 0.25, 1.0]),
    "D.Uniform(1.0, 5.0).log_prob([0.0, 2.0])": (
        lambda: D.Uniform(1.0, 5.0).log_prob([0.0, 2.0]),
        [-INF, -1.386294]),
    "D.Uniform(1.0, 5.0).variance()": (
        lambda: D.Uniform(1.0, 5.0).variance(),
        1.333333),
    "D.Uniform(1.0, 5.0).sample(3, seed=5)": (
        lambda: D.Uniform(1.0, 5.0).sample(3, seed=5),
        [2.553245, 3.654731, 1.767643]),
    "D.Gamma([0.5, 3.0], 2.0).log_prob(0.3)": (
        lambda: D.Gamma([0.5, 3.0], 2.0).log_prob(0.3),
        [-0.223805, -1.621651]),
    "D.Gamma([0.5, 3.0], 2.0).cdf(0.3)": (
        lambda: D.Gamma([0.5, 3.0], 2.0).cdf(0.3),
        [0.7266783, 0.02311528]),
    "D.Gamma([0.5, 3.0], 2.0).mode()": (
        lambda: D.Gamma([0.5, 3.0], 2.0).mode(),
        [NAN, 1.0]),
    "D.Gamma([0.5, 3.0], 2.0).entropy()": (
        lambda: D.Gamma([0.5, 3.0], 2.0).entropy(),
        [-0.6025376, 1.154432]),
    "D.Gamma([0.5, 3.0], 2.0).sample(seed=3)": (
        lambda: D.Gamma([0.5, 3.0], 2.0).sample(seed=3),
        [0.001094123, 1.288167]),
    "D.Gamma([0.5, 3.0], 2.0).kl_divergence(D.Gamma(1.5, 2.0))": (
        lambda: D.Gamma([0.5, 3.0], 2.0).kl_divergence(D.Gamma(1.5, 2.0)),
        [1.270364, 0.5702468]),
    "D.Exponential(0.5).log_survival_function(2.0)": (
        lambda: D.Exponential(0.5).log_survival_function(2.0),
        -1.0),
    "D.Exponential(0.5).sample(3, seed=5)": (
        lambda: D.Exponential(0.5).sample(3, seed=5),
        [1.891896, 0.819902, 3.301450]),
    "D.Exponential(0.5).cross_entropy(D.Exponential(2.0))": (
        lambda: D.Exponential(0.5).cross_entropy(D.Exponential(2.0)),
        3.306853),
    "D.Beta([0.5, 3.0], 2.5).log_prob(0.3)": (
        lambda: D.Beta([0.5, 3.0], 2.5).log_prob(0.3),
        [-0.09692669, 0.03702569]),
    "D.Beta([0.5, 3.0], 2.5).cdf(0.3)": (
        lambda: D.Beta([0.5, 3.0], 2.5).cdf(0.3),
        [0.7968893, 0.1211409]),
    "D.Beta([0.5, 3.0], 2.5).variance()": (
        lambda: D.Beta([0.5, 3.0], 2.5).variance(),
        [0.03472222, 0.03814367]),
    "D.Beta([0.5, 3.0], 2.5).entropy()": (
        lambda: D.Beta([0.5, 3.0], 2.5).entropy(),
        [-0.9498057, -0.2414608]),
    "D.Beta([0.5, 3.0], 2.5).mode()": (
        lambda: D.Beta([0.5, 3.0], 2.5).mode(),
        [NAN, 0.5714286]),
    "D.Beta([0.5, 3.0], 2.5).sample(seed=3)": (
        lambda: D.Beta([0.5, 3.0], 2.5).sample(seed=3),
        [9.0579870e-04, 0.6953621]),
    "D.Beta([0.5, 3.0], 2.5).kl_divergence(D.Beta(1.5, 2.0))": (
        lambda: D.Beta([0.5, 3.0], 2.5).kl_divergence(D.Beta(1.5, 2.0)),
        [1.290825, 0.1717961]),
    "dirichlet().log_prob([0.3, 0.6, 0.1])": (
        lambda: dirichlet().log_prob([0.3, 0.6, 0.1]),
        [0.7685599, 1.502087]),
    "dirichlet().covariance()": (
        lambda: dirichlet().covariance(),
        [[[0.01795735, -0.01346801, -0.004489338], [-0.01346801, 0.04040404, -0.02693603],
        [-0.004489338, -0.02693603, 0.03142536]], [[0.03174603, -0.01984127, -0.01190476],
        [-0.01984127, 0.03472223, -0.01488095], [-0.01190476, -0.01488095, 0.02678572]]]),
    "dirichlet().entropy()": (
        lambda: dirichlet().entropy(),
        [-1.932242, -1.001002]),
    "dirichlet().sample(seed=3)": (
        lambda: dirichlet().sample(seed=3),
        [[8.0055220e-04, 0.9425312, 0.05666828], [0.3564928, 0.5547884, 0.08871883]]),
    "dirichlet().kl_divergence(D.Dirichlet([1.0, 2.0, 3.0]))": (
        lambda: dirichlet().kl_divergence(D.Dirichlet([1.0, 2.0, 3.0])),
        [2.236158, 1.248874]),
    "D.Dirichlet([2.0, 2.5, 1.5]).mode()": (
        lambda: D.Dirichlet([2.0, 2.5, 1.5]).mode(),
        [0.3333333, 0.5, 0.1666667]),
    "D.Bernoulli(probs=[0.5, 0.3]).log_prob([0, 1])": (
        lambda: D.Bernoulli(probs=[0.5, 0.3]).log_prob([0, 1]),
        [-0.6931472, -1.203973]),
    "D.Bernoulli(logits=[0.5, -0.3]).entropy()": (
        lambda: D.Bernoulli(logits=[0.5, -0.3]).entropy(),
        [0.6628473, 0.6820225]),
    "D.Bernoulli(logits=[0.5, -0.3]).mode()": (
        lambda: D.Bernoulli(logits=[0.5, -0.3]).mode(),
        [1, 0]),
    "D.Bernoulli(probs=0.3).sample(8, seed=5)": (
        lambda: D.Bernoulli(probs=0.3).sample(8, seed=5),
        [0, 0, 1, 0, 0, 0, 0, 0]),
    "D.Bernoulli(probs=0.3).kl_divergence(D.Bernoulli(logits=0.3))": (
        lambda: D.Bernoulli(probs=0.3).kl_divergence(D.Bernoulli(logits=0.3)),
        0.153491),
    "D.Categorical([0.5, 0.3, 0.2]).log_prob([2, 1])": (
        lambda: D.Categorical([0.5, 0.3, 0.2]).log_prob([2, 1]),
        [-1.239831, -1.139831]),
    "D.Categorical([0.5, 0.3, 0.2]).cdf([2, 1])": (
        lambda: D.Categorical([0.5, 0.3, 0.2]).cdf([2, 1]),
        [0.7105669, 0.3906938]),
    "D.Categorical([0.5, 0.3, 0.2]).entropy()": (
        lambda: D.Categorical([0.5, 0.3, 0.2]).entropy(),
        1.090636),
    "D.Categorical(probs=[[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]).sample(4, seed=3)": (
        lambda: D.Categorical(probs=[[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]).sample(4, seed=3),
        [[0, 2], [2, 2], [0, 0], [1, 2]]),
    "D.Categorical([0.5, 0.3]).kl_divergence(D.Categorical([0.1, 0.2]))": (
        lambda: D.Categorical([0.5, 0.3]).kl_divergence(D.Categorical([0.1, 0.2])),
        0.01120795),
    "multinomial().log_prob([[1.0, 2.0, 1.0], [3.0, 0.0, 4.0]])": (
        lambda: multinomial().log_prob([[1.0, 2.0, 1.0], [3.0, 0.0, 4.0]]),
        [-2.225624, -4.244981]),
    "multinomial().variance()": (
        lambda: multinomial().variance(),
        [[1.0, 0.84, 0.64], [0.63, 0.63, 1.12]]),
    "multinomial().covariance()[0]": (
        lambda: multinomial().covariance()[0],
        [[1.0, -0.6, -0.4], [-0.6, 0.84, -0.24], [-0.4, -0.24, 0.64]]),
    "multinomial().sample(seed=3)": (
        lambda: multinomial().sample(seed=3),
        [[2.0, 1.0, 1.0], [0.0, 1.0, 6.0]]),
    "mixed().log_prob([1.0, 2.0, 1.0])": (
        lambda: mixed().log_prob([1.0, 2.0, 1.0]),
        [-3.937341, -5.426151]),
    "mixed().variance()": (
        lambda: mixed().variance(),
        [[2.5, 2.1, 1.6], [0.9, 0.9, 1.6]]),
    "mixed().covariance()[0]": (
        lambda: mixed().covariance()[0],
        [[2.5, -1.5, -1.0], [-1.5, 2.1, -0.6], [-1.0, -0.6, 1.6]]),
    "mixed().sample(seed=3)": (
        lambda: mixed().sample(seed=3),
        [[2.0, 2.0, 0.0], [4.0, 0.0, 0.0]]),
}


@pytest.mark.parametrize("name", CASES)
def test_numbers(name):
    function, wanted = CASES[name]
    np.testing.assert_allclose(function(), wanted, rtol=2e-5, atol=1e-6)


def test_what_a_distribution_says_of_itself():
    found = normal()
    assert found.batch_shape == [2, 2]
    assert found.event_shape == []
    assert found.reparameterization_type is D.FULLY_REPARAMETERIZED
    assert D.Bernoulli(0.0).reparameterization_type is D.NOT_REPARAMETERIZED
    assert found.copy(loc=3.0).batch_shape == [2, 1]
    assert found.batch_shape_tensor().numpy().tolist() == [2, 2]
    assert not found.is_scalar_batch()
    assert found.is_scalar_event()
    assert sorted(found.parameters) == ["allow_nan_stats", "loc", "name", "scale", "validate_args"]
    assert D.Normal.param_static_shapes([2]) == {
        "loc": tf.TensorShape([2]), "scale": tf.TensorShape([2])}
    assert mixed().event_shape == [3]
    assert multinomial().sample([4, 2], seed=1).shape == [4, 2, 2, 3]


def test_gradients_flow_through_samples():
    scale = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        drawn = D.Normal(0.0, scale).sample(seed=3)
    np.testing.assert_allclose(tape.gradient(drawn, scale), drawn / 2.0, rtol=1e-6)


def test_divergences_are_found_by_class():
    class Tall(D.Normal):
        pass

    np.testing.assert_allclose(D.kl_divergence(Tall(0.0, 1.0), D.Normal(1.0, 1.0)), 0.5)
    with pytest.raises(NotImplementedError, match="type Normal and distribution_b type Beta"):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Beta(1.0, 1.0))
    with pytest.raises(ValueError, match=r"KL\(Normal \|\| Normal\) has already been registered"):
        D.RegisterKL(D.Normal, D.Normal)(lambda a, b, name=None: None)
    with pytest.raises(TypeError, match="kl_fn must be callable"):
        D.RegisterKL(Tall, D.Beta)(3)


def test_errors():
    with pytest.raises(NotImplementedError, match="quantile is not implemented: Gamma"):
        D.Gamma(1.0, 1.0).quantile(0.5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="mean not defined"):
        D.StudentT(0.5, 0.0, 1.0, allow_nan_stats=False).mean()
    with pytest.raises(tf.errors.InvalidArgumentError):
        D.Normal(0.0, -1.0, validate_args=True)
    with pytest.raises(ValueError, match="Must pass probs or logits, but not both"):
        D.Bernoulli(logits=0.1, probs=0.1)
    with pytest.raises(TypeError, match="floating"):
        D.Categorical(probs=[1, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="must sum to"):
        D.Multinomial(3.0, probs=[0.5, 0.5], validate_args=True).log_prob([1.0, 1.0])


def test_in_a_graph():
    with tf.Graph().as_default(), v1.Session() as session:
        assert D.Normal(0.0, 1.0).name == "Normal/"
        assert D.Normal(0.0, 1.0).name == "Normal_1/"
        rates = v1.placeholder(tf.float32, [None])
        gamma = D.Gamma(rates, 2.0)
        assert gamma.batch_shape.as_list() == [None]
        found = session.run([gamma.mean(), gamma.batch_shape_tensor(), gamma.sample(3, seed=1)],
                            {rates: [1.0, 2.0]})
        np.testing.assert_allclose(found[0], [0.5, 1.0])
        assert found[1].tolist() == [2]
        assert found[2].shape == (3, 2)


def test_a_class_of_ones_own():
    class Point(D.Distribution):
        def __init__(self):
            super().__init__(tf.float32, D.NOT_REPARAMETERIZED, False, True, name="Point")

        def _prob(self, x):
            return tf.cast(tf.equal(x, 0.0), tf.float32)

    assert Point().log_prob(0.0) == 0.0
    assert Point().prob(1.0) == 0.0
    with pytest.raises(NotImplementedError, match="sample_n is not implemented: Point"):
        Point().sample()
