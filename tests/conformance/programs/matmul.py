# Matrix products, einsum and linear algebra, with gradients.

# --- matmul_options
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
b = tf.constant([[5.0, 6.0], [7.0, 8.0]])
print(tf.matmul(a, b), tf.matmul(a, b, transpose_a=True), tf.matmul(a, b, transpose_b=True), tf.matmul(a, b, adjoint_a=True))

# --- matmul_shapes
print(outcome(lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))), outcome(lambda: tf.matmul(tf.zeros([3]), tf.zeros([3, 1]))), tf.matmul(tf.zeros([2, 0]), tf.zeros([0, 3])))

# --- matmul_shape_error_phrase
try:
    tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
except tf.errors.InvalidArgumentError as e:
    print("[2,3]" in str(e))

# --- matmul_batched
a = tf.reshape(tf.range(12.0), [2, 2, 3])
b = tf.reshape(tf.range(6.0), [3, 2])
print(tf.matmul(a, b), tf.matmul(a, a, transpose_b=True).shape, tf.matmul(tf.ones([4, 1, 2, 3]), tf.ones([5, 3, 1])).shape)

# --- matmul_integers
print(tf.matmul([[1, 2], [3, 4]], [[1], [1]]), outcome(lambda: tf.matmul(tf.constant([[1]], tf.int8), tf.constant([[1]], tf.int8))))

# --- matmul_gradients
a = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
b = tf.Variable([[1.0, -1.0], [0.5, 2.0], [3.0, 0.0]])
w = tf.constant([[1.0, 2.0], [3.0, 4.0]])
for ta, tb, x, y in ((False, False, a, b), (True, True, tf.Variable(tf.transpose(a)), tf.Variable(tf.transpose(b)))):
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(tf.matmul(x, y, transpose_a=ta, transpose_b=tb) * w)
    print(*tape.gradient(z, [x, y]))

# --- matmul_batched_gradients
a = tf.Variable(tf.reshape(tf.range(8.0), [2, 2, 2]))
b = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.matmul(a, b) ** 2)
print(*tape.gradient(y, [a, b]))

# --- matvec
m = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
v = tf.Variable([1.0, -1.0])
with tf.GradientTape() as tape:
    y = tf.linalg.matvec(m, v) ** 2
print(y, *tape.gradient(y, [m, v]), tf.linalg.matvec(m, v, transpose_a=True))

# --- tensordot
a = tf.reshape(tf.range(6.0), [2, 3])
b = tf.reshape(tf.range(6.0), [3, 2])
print(tf.tensordot(a, b, 1), tf.tensordot(a, b, [[1], [0]]), tf.tensordot(a, a, 2), tf.tensordot([1.0, 2.0], [3.0, 4.0], 0), tf.tensordot(a, b, axes=[[0, 1], [1, 0]]))

# --- tensordot_gradient
a, b = tf.Variable([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([1.0, -2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.tensordot(a, b, axes=1) ** 2)
print(*tape.gradient(y, [a, b]))

# --- einsum_forms
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
b = tf.constant([[5.0, 6.0], [7.0, 8.0]])
for eq in ("ij,jk->ik", "ij,kj->ik", "ij,ij->", "ij,ij->ij", "ij,kl->ijkl", "ij,jk", "ij,ij->i"):
    print(eq, tf.einsum(eq, a, b).numpy().tolist())
for eq in ("ij->ji", "ii->i", "ii->", "ij->j", "ij->"):
    print(eq, tf.einsum(eq, a).numpy().tolist())

# --- einsum_three_and_ellipsis
a = tf.reshape(tf.range(4.0), [2, 2])
x = tf.reshape(tf.range(8.0), [2, 2, 2])
print(tf.einsum("ij,jk,kl->il", a, a, a), tf.einsum("...ij,jk->...ik", x, a), tf.einsum("bij,bjk->bik", x, x))

# --- einsum_errors
a = tf.zeros([2, 3])
print(outcome(lambda: tf.einsum("ij,jk->ik", a, a)), outcome(lambda: tf.einsum("ijk->i", a)), outcome(lambda: tf.einsum("ij,jk", a)), outcome(lambda: tf.einsum("ij->k", a)))

# --- einsum_gradients
a, b = tf.Variable([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([[0.5, 1.0], [-1.0, 2.0]])
for eq in ("ij,jk->ik", "ij,ij->", "ij,kj->ik", "ij,kl->ijkl"):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.einsum(eq, a, b) ** 2)
    print(*tape.gradient(y, [a, b]))

# --- einsum_trace_gradient
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    t = tf.einsum("ii->", a)
    d = tf.reduce_sum(tf.einsum("ii->i", a) ** 2)
print(tape.gradient(t, a), tape.gradient(d, a))

# --- attention
q = tf.Variable([[[1.0, 0.0], [0.5, 0.5]]])
k = tf.Variable([[[0.2, 0.8], [1.0, -1.0]]])
v = tf.Variable([[[1.0, 2.0], [3.0, 4.0]]])
with tf.GradientTape() as tape:
    s = tf.einsum("bqd,bkd->bqk", q, k) / tf.sqrt(2.0)
    o = tf.einsum("bqk,bkd->bqd", tf.nn.softmax(s), v)
    y = tf.reduce_sum(o ** 2)
print(o, *tape.gradient(y, [q, k, v]))

# --- determinant_inverse
a = tf.Variable([[2.0, 1.0], [1.0, 3.0]])
with tf.GradientTape(persistent=True) as tape:
    d = tf.linalg.det(a)
    i = tf.linalg.inv(a)
    l = tf.linalg.logdet(a)
print(d, tape.gradient(d, a), i, tape.gradient(i, a), l, tape.gradient(l, a))

# --- slogdet
a = tf.Variable([[-2.0, 1.0], [1.0, 3.0]])
with tf.GradientTape() as tape:
    s, l = tf.linalg.slogdet(a)
print(s, l, tape.gradient(l, a))

# --- singular_matrix
a = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
print(outcome(lambda: tf.linalg.inv(a)), tf.linalg.det(a), outcome(lambda: tf.linalg.solve(a, [[1.0], [2.0]])))

# --- det_gradient_of_singular
a = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
with tf.GradientTape() as tape:
    d = tf.linalg.det(a)
print(outcome(lambda: tape.gradient(d, a)))

# --- solve
a, b = tf.Variable([[3.0, 1.0], [1.0, 2.0]]), tf.Variable([[9.0], [8.0]])
with tf.GradientTape() as tape:
    x = tf.linalg.solve(a, b)
    y = tf.reduce_sum(x ** 2)
print(x, *tape.gradient(y, [a, b]), tf.linalg.solve(a, b, adjoint=True))

# --- triangular_solve
l, b = tf.Variable([[2.0, 0.0], [1.0, 3.0]]), tf.Variable([[2.0], [7.0]])
with tf.GradientTape() as tape:
    x = tf.linalg.triangular_solve(l, b)
    y = tf.reduce_sum(x ** 2)
print(x, *tape.gradient(y, [l, b]), tf.linalg.triangular_solve(tf.transpose(l), b, lower=False))

# --- cholesky
a = tf.Variable([[4.0, 2.0], [2.0, 3.0]])
with tf.GradientTape() as tape:
    c = tf.linalg.cholesky(a)
    y = tf.reduce_sum(c * [[1.0, 0.0], [10.0, 100.0]])
print(c, tape.gradient(y, a), tf.linalg.cholesky_solve(c, [[1.0], [2.0]]))

# --- cholesky_of_indefinite
print(tf.math.is_nan(tf.linalg.diag_part(tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]))))

# --- eigh_values
a = tf.Variable([[2.0, 1.0], [1.0, 3.0]])
with tf.GradientTape() as tape:
    e, v = tf.linalg.eigh(a)
    y = tf.reduce_sum(e * [1.0, 10.0])
print(e, tf.abs(v), tape.gradient(y, a), tf.linalg.eigvalsh(a))

# --- svd_values
a = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    s = tf.linalg.svd(a, compute_uv=False)
    y = tf.reduce_sum(s)
print(s, tape.gradient(y, a))

# --- qr
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
q, r = tf.linalg.qr(a)
print(tf.abs(tf.matmul(q, r) - a) < 1e-5, tf.abs(r), q.shape)

# --- trace_and_norms
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    t = tf.linalg.trace(a)
    n = tf.norm(a)
    r = tf.norm(a, axis=1)
print(t, tape.gradient(t, a), n, tape.gradient(n, a), r, tape.gradient(r, a), tf.norm(a, ord=1, axis=0), tf.norm(a, ord="euclidean"))

# --- expm_and_pinv
# tol: 1e-4
a = tf.constant([[0.0, 1.0], [-1.0, 0.0]])
print(tf.linalg.expm(a), tf.linalg.pinv(tf.constant([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])))

# --- cross_and_outer
print(tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), tf.tensordot([1.0, 2.0], [3.0, 4.0], axes=0))

# --- lstsq
a = tf.constant([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
b = tf.constant([[1.0], [2.0], [2.0]])
print(tf.linalg.lstsq(a, b, fast=True))

# --- normalize
x = tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    n, norm = tf.linalg.normalize(x)
    y = tf.reduce_sum(n * [1.0, 2.0])
print(n, norm, tape.gradient(y, x))

# --- l2_normalize
x = tf.Variable([[3.0, 4.0], [0.0, 0.0]])
with tf.GradientTape() as tape:
    n = tf.math.l2_normalize(x, axis=1)
    y = tf.reduce_sum(n * [[1.0, 2.0], [1.0, 2.0]])
print(n, tape.gradient(y, x))

# --- global_norm
print(tf.linalg.global_norm([tf.constant([3.0, 4.0]), tf.constant([[12.0]])]), tf.linalg.global_norm([None, tf.constant(2.0)]))

# --- log_likelihood_of_gaussian
mu = tf.Variable([0.5, -0.5])
c = tf.Variable([[1.5, 0.0], [0.3, 0.8]])
x = tf.constant([1.0, 1.0])
with tf.GradientTape() as tape:
    l = tf.linalg.band_part(c, -1, 0)
    z = tf.linalg.triangular_solve(l, (x - mu)[:, None])
    ll = -0.5 * tf.reduce_sum(z ** 2) - tf.reduce_sum(tf.math.log(tf.linalg.diag_part(l)))
print(ll, *tape.gradient(ll, [mu, c]))

# --- power_iteration
a = tf.Variable([[2.0, 0.5], [0.5, 1.0]])
with tf.GradientTape() as tape:
    v = tf.constant([[1.0], [1.0]])
    for _ in range(10):
        v = a @ v
        v = v / tf.norm(v)
    lam = tf.squeeze(tf.transpose(v) @ a @ v)
print(lam, tape.gradient(lam, a))

# --- matmul_float64_and_half
print(tf.matmul(tf.ones([2, 2], tf.float64), tf.ones([2, 1], tf.float64)), tf.matmul(tf.ones([1, 2], tf.float16), tf.ones([2, 1], tf.float16)))

# --- complex_matmul
a = tf.constant([[1 + 1j, 2.0], [0.0, 1j]])
print(tf.matmul(a, a), tf.linalg.adjoint(a), tf.matmul(a, a, adjoint_b=True))
