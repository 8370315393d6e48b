# Small programs as people write them: training loops, solvers, physics, meta-learning ...

# --- linear_regression
x_data = tf.constant([1.0, 2.0, 3.0, 4.0])
y_data = tf.constant([5.0, 8.0, 11.0, 14.0])
W, b = tf.Variable(0.0), tf.Variable(0.0)
for epoch in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y_data - (W * x_data + b)))
    dW, db = tape.gradient(loss, [W, b])
    W.assign_sub(0.05 * dW)
    b.assign_sub(0.05 * db)
    if epoch % 25 == 0:
        print(f"Epoch {epoch}: Loss = {loss.numpy():.4f}, W = {W.numpy():.4f}, b = {b.numpy():.4f}")

# --- logistic_regression
X = tf.constant([[0.5, 1.2], [1.0, -0.3], [-1.5, 0.7], [2.0, 2.0]])
y = tf.constant([[1.0], [0.0], [0.0], [1.0]])
w, b = tf.Variable(tf.zeros([2, 1])), tf.Variable(0.0)
for _ in range(50):
    with tf.GradientTape() as tape:
        logits = X @ w + b
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    for v, g in zip([w, b], tape.gradient(loss, [w, b])):
        v.assign_sub(0.5 * g)
print(loss, w, b, tf.round(tf.sigmoid(X @ w + b)))

# --- softmax_classifier_module
class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable([[0.1, -0.2, 0.3], [0.2, 0.4, -0.5]])
        self.b1 = tf.Variable(tf.zeros([3]))
        self.w2 = tf.Variable([[0.3, -0.1], [0.2, 0.5], [-0.4, 0.1]])
    def __call__(self, x):
        return tf.nn.relu(x @ self.w1 + self.b1) @ self.w2
net = Net()
X, t = tf.constant([[1.0, 0.5], [-0.5, 1.0], [0.3, -1.2]]), tf.constant([0, 1, 1])
for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(t, net(X)))
    grads = tape.gradient(loss, net.trainable_variables)
    for v, g in zip(net.trainable_variables, grads):
        v.assign_sub(0.3 * g)
print(loss, tf.argmax(net(X), axis=1), net.w2)

# --- momentum_and_adam_by_hand
x = tf.Variable([2.0, -3.0])
m, v = tf.Variable(tf.zeros(2)), tf.Variable(tf.zeros(2))
for t in range(1, 21):
    with tf.GradientTape() as tape:
        f = tf.reduce_sum(x ** 2 * [1.0, 10.0])
    g = tape.gradient(f, x)
    m.assign(0.9 * m + 0.1 * g)
    v.assign(0.999 * v + 0.001 * g ** 2)
    x.assign_sub(0.1 * (m / (1 - 0.9 ** t)) / (tf.sqrt(v / (1 - 0.999 ** t)) + 1e-8))
print(x, f)

# --- newton_root
x = tf.Variable(1.0)
for _ in range(8):
    with tf.GradientTape() as tape:
        f = x ** 3 - 2 * x - 5
    x.assign_sub(f / tape.gradient(f, x))
print(x.numpy())

# --- newton_minimise
x = tf.Variable([-1.2, 1.0], dtype=tf.float64)
for _ in range(6):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            f = 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2
        g = t1.gradient(f, x)
    H = t2.jacobian(g, x)
    x.assign_sub(tf.squeeze(tf.linalg.solve(H, g[:, tf.newaxis]), 1))
print(x.numpy(), f.numpy())

# --- policy_gradient
logits = tf.Variable([0.1, 0.2, -0.1])
actions, rewards = [0, 2, 1, 2, 0], [1.0, 0.0, 2.0, 0.5, 1.0]
for a, r in zip(actions, rewards):
    with tf.GradientTape() as tape:
        logp = tf.nn.log_softmax(logits)[a]
        loss = -logp * r
    logits.assign_sub(0.5 * tape.gradient(loss, logits))
print(tf.nn.softmax(logits))

# --- discounted_returns_and_baseline
rewards = tf.constant([1.0, 0.0, 2.0, 3.0])
returns = tf.scan(lambda acc, r: r + 0.9 * acc, rewards, reverse=True)
w = tf.Variable([0.1, 0.2, 0.3, 0.4])
with tf.GradientTape() as tape:
    advantage = tf.stop_gradient(returns - tf.reduce_mean(returns))
    loss = -tf.reduce_sum(tf.nn.log_softmax(w) * advantage)
print(returns, loss, tape.gradient(loss, w))

# --- q_learning_step
q = tf.Variable([[0.1, 0.5], [0.3, 0.2]])
with tf.GradientTape() as tape:
    target = 1.0 + 0.9 * tf.reduce_max(q[1])
    td = tf.stop_gradient(target) - q[0, 1]
    loss = tf.where(tf.abs(td) < 1.0, 0.5 * td ** 2, tf.abs(td) - 0.5)
print(loss, tape.gradient(loss, q))

# --- physics_informed_loss
w1 = tf.Variable([[0.5, -0.3, 0.8]])
b1 = tf.Variable([0.1, 0.2, -0.1])
w2 = tf.Variable([[0.4], [0.7], [-0.6]])
def u(t):
    return tf.tanh(t @ w1 + b1) @ w2
t = tf.constant([[0.0], [0.5], [1.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(t)
        y = u(t)
    dy = inner.gradient(y, t)
    residual = dy + y
    loss = tf.reduce_mean(residual ** 2) + (u(tf.zeros([1, 1]))[0, 0] - 1.0) ** 2
print(loss, *outer.gradient(loss, [w1, b1, w2]))

# --- heat_equation_residual
x = tf.constant([[0.2], [0.6]])
t = tf.constant([[0.1], [0.3]])
with tf.GradientTape() as t2:
    t2.watch(x)
    with tf.GradientTape(persistent=True) as t1:
        t1.watch([x, t])
        u = tf.exp(-t) * tf.sin(x)
    ux = t1.gradient(u, x)
    ut = t1.gradient(u, t)
uxx = t2.gradient(ux, x)
print(ut - uxx, ut)

# --- rnn_by_hand
wx, wh, b = tf.Variable([[0.5, -0.5]]), tf.Variable([[0.1, 0.2], [-0.3, 0.4]]), tf.Variable([0.0, 0.1])
xs = tf.constant([[[1.0], [2.0], [-1.0]]])
with tf.GradientTape() as tape:
    h = tf.zeros([1, 2])
    for step in range(3):
        h = tf.tanh(xs[:, step] @ wx + h @ wh + b)
    loss = tf.reduce_sum(h ** 2)
print(loss, *tape.gradient(loss, [wx, wh, b]))

# --- lstm_cell_by_hand
units = 2
W = tf.Variable(tf.reshape(tf.linspace(-0.5, 0.5, 24), [3, 8]))
x = tf.constant([[0.7]])
with tf.GradientTape() as tape:
    h = c = tf.zeros([1, units])
    for _ in range(2):
        z = tf.concat([x, h], 1) @ W
        i, f, g, o = tf.split(z, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
    loss = tf.reduce_sum(h)
print(h, tape.gradient(loss, W))

# --- gradient_accumulation
w = tf.Variable([1.0, -1.0])
X = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
y = tf.constant([1.0, 2.0, 3.0, 4.0])
acc = [tf.zeros_like(w)]
for i in range(0, 4, 2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(X[i:i + 2], w) - y[i:i + 2]) ** 2)
    acc = [a + g for a, g in zip(acc, tape.gradient(loss, [w]))]
with tf.GradientTape() as tape:
    full = tf.reduce_sum((tf.linalg.matvec(X, w) - y) ** 2)
print(acc[0], tape.gradient(full, w))

# --- maml_step
theta = tf.Variable([0.5, 1.0])
x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner_loss = tf.reduce_mean((theta[0] + theta[1] * x - y) ** 2)
    g = inner.gradient(inner_loss, theta)
    fast = theta - 0.1 * g
    outer_loss = tf.reduce_mean((fast[0] + fast[1] * (x + 1.0) - (y + 2.0)) ** 2)
print(inner_loss, outer_loss, outer.gradient(outer_loss, theta))

# --- gan_double_optimisation
g, d = tf.Variable([0.5, 0.1]), tf.Variable([1.0, 0.0])
z, real = tf.constant([-1.0, 0.5, 1.0]), tf.constant([2.0, 2.5, 3.0])
for _ in range(5):
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = g[0] * z + g[1]
        d_real, d_fake = d[0] * real + d[1], d[0] * fake + d[1]
        g_loss = tf.reduce_mean(tf.nn.softplus(-d_fake))
        d_loss = tf.reduce_mean(tf.nn.softplus(-d_real)) + tf.reduce_mean(tf.nn.softplus(d_fake))
    g.assign_sub(0.1 * gt.gradient(g_loss, g))
    d.assign_sub(0.1 * dt.gradient(d_loss, d))
print(g, d, g_loss, d_loss)

# --- gradient_penalty
w = tf.Variable([[1.0], [2.0]])
x = tf.constant([[0.5, -0.5], [1.0, 2.0]])
with tf.GradientTape() as tape:
    with tf.GradientTape() as gp:
        gp.watch(x)
        score = tf.tanh(x @ w)
    grads = gp.gradient(score, x)
    norm = tf.sqrt(tf.reduce_sum(grads ** 2, axis=1) + 1e-12)
    penalty = tf.reduce_mean((norm - 1.0) ** 2)
print(penalty, tape.gradient(penalty, w))

# --- lotka_volterra
alpha, beta, delta, gamma = tf.Variable(1.1), tf.Variable(0.4), tf.Variable(0.1), tf.Variable(0.4)
with tf.GradientTape() as tape:
    prey, pred = tf.constant(10.0), tf.constant(5.0)
    for _ in range(50):
        dprey = alpha * prey - beta * prey * pred
        dpred = delta * prey * pred - gamma * pred
        prey, pred = prey + 0.02 * dprey, pred + 0.02 * dpred
    loss = (prey - 5.0) ** 2 + (pred - 3.0) ** 2
print(prey, pred, tape.gradient(loss, [alpha, beta, delta, gamma]))

# --- rk4_pendulum
g = tf.Variable(9.8)
def f(state):
    return tf.stack([state[1], -g * tf.sin(state[0])])
with tf.GradientTape() as tape:
    s = tf.constant([0.5, 0.0])
    for _ in range(10):
        k1 = f(s)
        k2 = f(s + 0.025 * k1)
        k3 = f(s + 0.025 * k2)
        k4 = f(s + 0.05 * k3)
        s = s + 0.05 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    angle = s[0]
print(s, tape.gradient(angle, g))

# --- hamiltonian_dynamics
q, p = tf.constant(1.0), tf.constant(0.0)
for _ in range(5):
    with tf.GradientTape() as tape:
        tape.watch([q, p])
        H = 0.5 * p ** 2 + 0.5 * q ** 2 + 0.1 * q ** 4
    dq, dp = tape.gradient(H, [q, p])
    p = p - 0.1 * dq
    with tf.GradientTape() as tape:
        tape.watch(p)
        K = 0.5 * p ** 2
    q = q + 0.1 * tape.gradient(K, p)
print(q, p)

# --- langevin_step
tf.random.set_seed(1)
x = tf.constant([1.0, -1.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        tape.watch(x)
        energy = tf.reduce_sum((x ** 2 - 1) ** 2)
    x = x - 0.01 * tape.gradient(energy, x) + 0.1 * tf.random.normal([2])
print(x)

# --- vae_elbo
tf.random.set_seed(5)
enc, dec = tf.Variable([[0.5, -0.2], [0.1, 0.3]]), tf.Variable([[0.7, -0.4]])
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as tape:
    mu, logvar = tf.split(x @ enc, 2, axis=1)
    z = mu + tf.exp(0.5 * logvar) * tf.random.normal([2, 1])
    recon = tf.reduce_sum((z @ dec - x) ** 2, axis=1)
    kl = -0.5 * tf.reduce_sum(1 + logvar - mu ** 2 - tf.exp(logvar), axis=1)
    loss = tf.reduce_mean(recon + kl)
print(loss, *tape.gradient(loss, [enc, dec]))

# --- style_gram_matrix
f = tf.Variable(tf.reshape(tf.range(8.0), [1, 2, 2, 2]) / 8)
with tf.GradientTape() as tape:
    gram = tf.linalg.einsum("bijc,bijd->bcd", f, f) / 4.0
    loss = tf.reduce_sum((gram - tf.eye(2)) ** 2)
print(gram, tape.gradient(loss, f))

# --- adversarial_example
w = tf.constant([[1.0, -2.0], [0.5, 1.5]])
x = tf.constant([[0.3, 0.7]])
with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits([0], x @ w)
signed = tf.sign(tape.gradient(loss, x))
print(signed, x + 0.1 * signed)

# --- integrated_gradients
w = tf.constant([1.0, -2.0, 0.5])
def model(x):
    return tf.sigmoid(tf.reduce_sum(x * w, axis=-1))
x, base = tf.constant([1.0, 0.5, -1.0]), tf.zeros([3])
alphas = tf.linspace(0.0, 1.0, 11)
points = base + alphas[:, tf.newaxis] * (x - base)
with tf.GradientTape() as tape:
    tape.watch(points)
    y = model(points)
g = tape.gradient(y, points)
avg = tf.reduce_mean((g[:-1] + g[1:]) / 2.0, axis=0)
print((x - base) * avg, model(x) - model(base))

# --- hessian_vector_conjugate_gradient
A = tf.constant([[4.0, 1.0], [1.0, 3.0]])
x = tf.Variable([1.0, 1.0])
def hvp(v):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            f = 0.5 * tf.reduce_sum(x * tf.linalg.matvec(A, x))
        g = inner.gradient(f, x)
    return outer.gradient(g, x, output_gradients=v)
b = tf.constant([1.0, 2.0])
s, r = tf.zeros([2]), b
p = r
for _ in range(2):
    Ap = hvp(p)
    alpha = tf.reduce_sum(r * r) / tf.reduce_sum(p * Ap)
    s, r_new = s + alpha * p, r - alpha * Ap
    p, r = r_new + tf.reduce_sum(r_new * r_new) / tf.reduce_sum(r * r) * p, r_new
print(s)

# --- curve_fit_exponential
t = tf.linspace(0.0, 2.0, 9)
y = 2.5 * tf.exp(-1.3 * t)
a, k = tf.Variable(1.0), tf.Variable(0.5)
for _ in range(200):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((a * tf.exp(-k * t) - y) ** 2)
    da, dk = tape.gradient(loss, [a, k])
    a.assign_sub(0.2 * da)
    k.assign_sub(0.2 * dk)
print(f"{a.numpy():.3f} {k.numpy():.3f}")

# --- levenberg_marquardt
p = tf.Variable([1.0, 0.5])
t = tf.linspace(0.0, 2.0, 5)
y = 2.0 * tf.exp(-1.0 * t)
for _ in range(6):
    with tf.GradientTape() as tape:
        r = p[0] * tf.exp(-p[1] * t) - y
    J = tape.jacobian(r, p)
    H = tf.matmul(J, J, transpose_a=True) + 1e-4 * tf.eye(2)
    p.assign_sub(tf.linalg.solve(H, tf.linalg.matvec(J, r, transpose_a=True)[:, None])[:, 0])
print(p)

# --- hinge_loss_svm
X = tf.constant([[2.0, 1.0], [-1.0, -1.5], [0.5, -0.5], [1.0, 2.0]])
y = tf.constant([1.0, -1.0, -1.0, 1.0])
w, b = tf.Variable(tf.zeros([2])), tf.Variable(0.0)
for _ in range(30):
    with tf.GradientTape() as tape:
        margin = y * (tf.linalg.matvec(X, w) + b)
        loss = tf.reduce_mean(tf.maximum(0.0, 1 - margin)) + 0.01 * tf.reduce_sum(w ** 2)
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
print(w, b, loss)

# --- contrastive_loss
a = tf.Variable([[1.0, 0.5], [-0.5, 1.0]])
b = tf.Variable([[0.8, 0.7], [-0.2, 0.9]])
with tf.GradientTape() as tape:
    za, zb = tf.math.l2_normalize(a, 1), tf.math.l2_normalize(b, 1)
    sim = tf.matmul(za, zb, transpose_b=True) / 0.5
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(2), sim))
print(loss, *tape.gradient(loss, [a, b]))

# --- kmeans_soft
x = tf.constant([0.0, 0.2, 1.0, 1.3])
c = tf.Variable([0.3, 0.9])
for _ in range(10):
    with tf.GradientTape() as tape:
        d = (x[:, None] - c[None, :]) ** 2
        loss = -tf.reduce_sum(tf.reduce_logsumexp(-10.0 * d, axis=1)) / 10.0
    c.assign_sub(0.2 * tape.gradient(loss, c))
print(c, loss)

# --- gaussian_process_likelihood
x = tf.constant([0.0, 0.5, 1.0])
y = tf.constant([[0.1], [0.4], [0.2]])
log_l = tf.Variable(0.0)
with tf.GradientTape() as tape:
    d2 = (x[:, None] - x[None, :]) ** 2
    K = tf.exp(-0.5 * d2 / tf.exp(2 * log_l)) + 0.1 * tf.eye(3)
    L = tf.linalg.cholesky(K)
    a = tf.linalg.cholesky_solve(L, y)
    nll = 0.5 * tf.reduce_sum(y * a) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))
print(nll, tape.gradient(nll, log_l))

# --- learning_rate_schedule
w = tf.Variable(5.0)
step = tf.Variable(0, trainable=False)
for _ in range(6):
    lr = 0.1 * 0.5 ** tf.cast(step // 2, tf.float32)
    with tf.GradientTape() as tape:
        loss = w ** 2
    w.assign_sub(lr * tape.gradient(loss, w))
    step.assign_add(1)
print(w, step, lr)

# --- early_stopping
w, best, wait = tf.Variable(3.0), float("inf"), 0
for epoch in range(100):
    with tf.GradientTape() as tape:
        loss = tf.abs(w - 1.0) + 0.1 * w ** 2
    w.assign_sub(0.3 * tape.gradient(loss, w))
    if loss < best - 1e-4:
        best, wait = float(loss), 0
    else:
        wait += 1
    if wait > 3:
        break
print(epoch, round(best, 4))

# --- weight_decay_and_regularisation
w = tf.Variable([[1.0, -2.0], [3.0, 0.5]])
x, y = tf.constant([[1.0, 1.0]]), tf.constant([[0.0, 1.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((x @ w - y) ** 2) + 0.01 * tf.nn.l2_loss(w) + 0.1 * tf.reduce_sum(tf.abs(w))
print(loss, tape.gradient(loss, w))

# --- multi_task_losses
shared, a, b = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    l1 = (shared * a - 1.0) ** 2
    l2 = (shared * b - 2.0) ** 2
print(tape.gradient(l1, [shared, a, b]), tape.gradient(l2, [shared, a, b]), tape.gradient([l1, l2], shared))
del tape

# --- feature_visualisation_ascent
img = tf.Variable(tf.fill([4], 0.5))
w = tf.constant([0.1, -0.3, 0.8, 0.2])
for _ in range(5):
    with tf.GradientTape() as tape:
        act = tf.reduce_sum(tf.nn.relu(img * w))
    g = tape.gradient(act, img)
    g /= tf.math.reduce_std(g) + 1e-8
    img.assign(tf.clip_by_value(img + 0.1 * g, 0.0, 1.0))
print(img)

# --- dataset_like_batches
X, Y = np.arange(8, dtype=np.float32).reshape(4, 2), np.array([1, 0, 1, 0], np.float32)
w = tf.Variable(tf.zeros([2]))
for i in range(0, 4, 2):
    xb, yb = tf.constant(X[i:i + 2]), tf.constant(Y[i:i + 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(xb, w) - yb) ** 2)
    w.assign_sub(0.01 * tape.gradient(loss, w))
print(w.numpy(), float(loss))

# --- keras_optimizer
# needs: tf.keras.optimizers.SGD
w = tf.Variable(3.0)
opt = tf.keras.optimizers.SGD(0.1)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = w ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
print(w.numpy())

# --- dataset_from_tensor_slices
# needs: tf.data.Dataset
ds = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])).batch(2)
w = tf.Variable(0.0)
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
