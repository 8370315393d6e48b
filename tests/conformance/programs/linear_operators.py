# tf.linalg.LinearOperator and its kinds.

# --- all_methods
rng = np.random.RandomState(0)
def normal(*shape):
    return tf.constant(rng.randn(*shape).astype("float32"))
def spd(n):
    a = rng.randn(n, n)
    return tf.constant((a @ a.T / n + np.eye(n)).astype("float32"))
lin = tf.linalg
full, pd = lin.LinearOperatorFullMatrix(normal(3, 3) + 3 * tf.eye(3)), lin.LinearOperatorFullMatrix(spd(3), is_self_adjoint=True, is_positive_definite=True)
diag, tril = lin.LinearOperatorDiag([1.0, 2.0, 3.0]), lin.LinearOperatorLowerTriangular(normal(3, 3) + 2 * tf.eye(3))
small = lin.LinearOperatorFullMatrix(normal(2, 2) + 2 * tf.eye(2))
operators = [full, pd, diag, tril, lin.LinearOperatorIdentity(3), lin.LinearOperatorScaledIdentity(3, 2.5), lin.LinearOperatorInversion(full), lin.LinearOperatorAdjoint(full), lin.LinearOperatorComposition([full, diag]), lin.LinearOperatorKronecker([small, diag]), lin.LinearOperatorBlockDiag([small, diag]), lin.LinearOperatorLowRankUpdate(diag, normal(3, 1), diag_update=[0.5]), lin.LinearOperatorLowRankUpdate(diag, normal(3, 2), v=normal(3, 2)), lin.LinearOperatorHouseholder([1.0, 2.0, 2.0]), lin.LinearOperatorPermutation([2, 0, 1]), lin.LinearOperatorToeplitz([4.0, 2.0, 1.0], [4.0, -1.0, 0.5]), lin.LinearOperatorTridiag(tf.constant([[1.0, 1.0, 0.0], [4.0, 5.0, 6.0], [0.0, 0.5, 0.5]])), lin.LinearOperatorBlockLowerTriangular([[diag], [lin.LinearOperatorFullMatrix(normal(2, 3)), small]])]
for op in operators:
    n = op.shape[-1]
    x, v = normal(n, 2), normal(n)
    print(op.name, op.shape, op.dtype, op.batch_shape, op.tensor_rank, op.range_dimension, op.domain_dimension, op.is_square, op.is_non_singular, op.is_self_adjoint, op.is_positive_definite)
    print(op.to_dense(), op.matmul(x), op.matmul(x, adjoint=True), op.matvec(v), op.matmul(tf.transpose(x), adjoint_arg=True))
    print(op.solve(x), op.solve(x, adjoint=True), op.solvevec(v))
    print(op.determinant(), op.log_abs_determinant(), op.trace(), op.diag_part(), op.add_to_tensor(tf.ones([n, n])))
    print(op.shape_tensor(), op.batch_shape_tensor(), op.range_dimension_tensor(), op.domain_dimension_tensor(), op.tensor_rank_tensor())
    print(op.inverse().to_dense(), op.adjoint().to_dense(), op.H.to_dense(), (op @ x).shape)

# --- hints_and_refusals
lin = tf.linalg
d = lin.LinearOperatorDiag([1.0, 2.0])
for call in (lambda: lin.LinearOperatorDiag([1.0], is_self_adjoint=False), lambda: lin.LinearOperatorFullMatrix([1.0]), lambda: lin.LinearOperatorFullMatrix([[1, 2]]), lambda: lin.LinearOperatorFullMatrix([[1.0, 2.0]]).solve([[1.0]]), lambda: lin.LinearOperatorFullMatrix([[1.0, 2.0]]).determinant(), lambda: d.matmul([[1.0]]), lambda: d.cholesky(), lambda: lin.LinearOperatorIdentity(2, is_square=False), lambda: lin.LinearOperatorIdentity(-1), lambda: lin.LinearOperatorIdentity(2.5), lambda: lin.LinearOperatorZeros(2).solve([[1.0], [1.0]]), lambda: lin.LinearOperatorDiag([1.0], is_positive_definite=True, is_non_singular=False), lambda: d.matmul(tf.constant([[1], [2]])), lambda: lin.LinearOperatorComposition([]), lambda: lin.LinearOperatorComposition([d, lin.LinearOperatorDiag(tf.constant([1.0, 2.0], tf.float64))]), lambda: lin.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]]).eigvals(), lambda: lin.LinearOperatorHouseholder([1.0], is_positive_definite=True), lambda: lin.LinearOperatorLowerTriangular([[1.0]], is_square=False), lambda: lin.LinearOperatorTridiag([[1.0]], diagonals_format="x"), lambda: lin.LinearOperatorDiag([0.0, 1.0]).assert_non_singular(), lambda: d.assert_positive_definite(), lambda: lin.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]]).assert_self_adjoint()):
    print(outcome(call))

# --- products
lin = tf.linalg
i, s, d, t, f = lin.LinearOperatorIdentity(2), lin.LinearOperatorScaledIdentity(2, 3.0), lin.LinearOperatorDiag([1.0, 2.0]), lin.LinearOperatorLowerTriangular([[1.0, 0.0], [2.0, 3.0]]), lin.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 5.0]])
for a in (i, s, d, t, f):
    print([(a @ b).to_dense().numpy().tolist() for b in (i, s, d, t, f)])
print([type(a @ b).__name__ for a, b in ((i, f), (f, i), (s, s), (d, d), (d, s), (f, f))], f.solve(d).to_dense(), f.matmul(d, adjoint=True).to_dense())
print([type(a.inverse()).__name__ for a in (i, s, d, f)], [type(a.adjoint()).__name__ for a in (i, s, d, f)], f.inverse().inverse() is f)

# --- cholesky
lin = tf.linalg
m = tf.constant([[4.0, 1.0], [1.0, 3.0]])
for op in (lin.LinearOperatorFullMatrix(m, is_self_adjoint=True, is_positive_definite=True), lin.LinearOperatorDiag([4.0, 9.0], is_positive_definite=True), lin.LinearOperatorIdentity(2), lin.LinearOperatorScaledIdentity(2, 4.0, is_positive_definite=True)):
    print(type(op.cholesky()).__name__, op.cholesky().to_dense(), op.eigvals(), op.cond())

# --- batches
rng = np.random.RandomState(1)
lin = tf.linalg
x = tf.constant(rng.randn(2, 3, 2).astype("float32"))
for op in (lin.LinearOperatorDiag(rng.rand(2, 3).astype("float32") + 1), lin.LinearOperatorFullMatrix(rng.randn(2, 3, 3).astype("float32")), lin.LinearOperatorScaledIdentity(3, [1.0, 2.0]), lin.LinearOperatorIdentity(3, batch_shape=[2]), lin.LinearOperatorLowerTriangular(rng.randn(2, 3, 3).astype("float32") + 2 * np.eye(3, dtype="float32")), lin.LinearOperatorHouseholder(rng.randn(2, 3).astype("float32")), lin.LinearOperatorPermutation([[0, 2, 1], [1, 0, 2]]), lin.LinearOperatorToeplitz(rng.rand(2, 3).astype("float32") + 3, rng.rand(2, 3).astype("float32"))):
    print(op.shape, op.matmul(x), op.matmul(x[0]), op.solve(x), op.determinant(), op.trace(), op.diag_part(), op.to_dense())

# --- circulant
lin = tf.linalg
c = lin.LinearOperatorCirculant(tf.constant([6.0, 4.0, 2.0]), input_output_dtype=tf.float32)
print(c.to_dense(), c.matmul(tf.eye(3)[:, :2]), c.solvevec([1.0, 2.0, 3.0]), c.determinant(), c.trace(), c.is_self_adjoint, c.convolution_kernel())
c = lin.LinearOperatorCirculant(tf.constant([1 + 2j, 3j, 2 - 1j], tf.complex64))
print(c.to_dense(), c.matvec(tf.constant([1 + 0j, 2j, 3 + 0j], tf.complex64)), c.diag_part(), c.log_abs_determinant(), c.adjoint().to_dense(), c.inverse().to_dense())
c = lin.LinearOperatorCirculant2D(tf.constant([[4.0, 2.0], [3.0, 1.0]]), input_output_dtype=tf.float32)
print(c.to_dense(), c.block_shape, c.matvec([1.0, 2.0, 3.0, 4.0]), c.solvevec([1.0, 2.0, 3.0, 4.0]), c.determinant())
print(lin.LinearOperatorCirculant3D(tf.ones([2, 1, 2])).shape)

# --- blocks
lin = tf.linalg
op = lin.LinearOperatorBlockDiag([lin.LinearOperatorDiag([1.0, 2.0]), lin.LinearOperatorFullMatrix([[3.0]])])
print(op.matmul([tf.ones([2, 1]), tf.ones([1, 1])]), op.solve([tf.ones([2, 1]), tf.ones([1, 1])]), op.matvec([[1.0, 2.0], [3.0]]), op.solvevec([[1.0, 2.0], [3.0]]), op.is_square)
op = lin.LinearOperatorBlockLowerTriangular([[lin.LinearOperatorDiag([1.0, 2.0])], [lin.LinearOperatorFullMatrix([[3.0, 4.0]]), lin.LinearOperatorFullMatrix([[5.0]])]])
print(op.to_dense(), op.matmul([tf.ones([2, 1]), tf.ones([1, 1])]), op.solve([tf.ones([2, 1]), tf.ones([1, 1])]), op.solve(tf.ones([3, 1]), adjoint=True), op.determinant())

# --- tridiagonal
lin = tf.linalg
m = tf.constant([[4.0, 1.0, 0.0], [2.0, 5.0, 1.0], [0.0, 3.0, 6.0]])
for op in (lin.LinearOperatorTridiag(m, diagonals_format="matrix"), lin.LinearOperatorTridiag([[1.0, 1.0, 0.0], [4.0, 5.0, 6.0], [0.0, 2.0, 3.0]]), lin.LinearOperatorTridiag([tf.constant([1.0, 1.0, 0.0]), tf.constant([4.0, 5.0, 6.0]), tf.constant([0.0, 2.0, 3.0])], diagonals_format="sequence")):
    print(op.to_dense(), op.matvec([1.0, 2.0, 3.0]), op.matvec([1.0, 2.0, 3.0], adjoint=True), op.solvevec([1.0, 2.0, 3.0]), op.diag_part(), op.shape)

# --- gradients
lin = tf.linalg
v, m = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]])
u = tf.Variable([[1.0], [0.5], [-1.0]])
makers = (lambda: lin.LinearOperatorDiag(v), lambda: lin.LinearOperatorFullMatrix(m), lambda: lin.LinearOperatorLowRankUpdate(lin.LinearOperatorDiag(v), u), lambda: lin.LinearOperatorLowerTriangular(m), lambda: lin.LinearOperatorToeplitz(v, v), lambda: lin.LinearOperatorHouseholder(v), lambda: lin.LinearOperatorComposition([lin.LinearOperatorDiag(v), lin.LinearOperatorFullMatrix(m)]))
for make in makers:
    with tf.GradientTape(persistent=True) as tape:
        op = make()
        a, b, c = tf.reduce_sum(op.matmul(tf.eye(3)) ** 2), tf.reduce_sum(op.solve(tf.ones([3, 1]))), op.log_abs_determinant()
    print([tape.gradient(y, [v, m, u]) for y in (a, b, c)])
op = lin.LinearOperatorDiag(v)
print(op.trainable_variables, len(lin.LinearOperatorLowRankUpdate(op, u).variables))

# --- functions
lin = tf.linalg
@tf.function
def f(d, x):
    op = lin.LinearOperatorLowRankUpdate(lin.LinearOperatorDiag(d, is_positive_definite=True), tf.ones([3, 1]))
    return op.matmul(x), op.solve(x), op.log_abs_determinant(), op.to_dense()
print(f(tf.constant([1.0, 2.0, 3.0]), tf.ones([3, 2])))

# --- zeros
z = tf.linalg.LinearOperatorZeros(2, 3, is_square=False, is_self_adjoint=False)
print(z.to_dense(), z.matmul(tf.ones([3, 2])), z.matmul(tf.ones([2, 2]), adjoint=True), z.shape, z.is_square, z.add_to_tensor(tf.ones([2, 3])))
z = tf.linalg.LinearOperatorZeros(2, batch_shape=[2])
print(z.determinant(), z.trace(), z.diag_part(), z.is_non_singular)

# --- conjugate_gradient
lin = tf.linalg
a = tf.constant([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
op = lin.LinearOperatorFullMatrix(a, is_self_adjoint=True, is_positive_definite=True)
r = lin.experimental.conjugate_gradient(op, tf.constant([1.0, 2.0, 3.0]))
print(r.i, r.x, type(r).__name__, r._fields)
r = lin.experimental.conjugate_gradient(op, tf.constant([1.0, 2.0, 3.0]), preconditioner=lin.LinearOperatorDiag([0.25, 0.33, 0.2], is_self_adjoint=True, is_positive_definite=True), x=tf.constant([0.1, 0.2, 0.3]), tol=1e-3, max_iter=2)
print(r.i, r.x)

# --- eigh_tridiagonal
# tol: 1e-4
a, b = tf.constant([1.0, 2.0, 3.0, 0.5]), tf.constant([0.5, 0.25, 1.0])
print(tf.linalg.eigh_tridiagonal(a, b), tf.linalg.eigh_tridiagonal(a, b, select="i", select_range=(1, 2)), tf.linalg.eigh_tridiagonal(a, b, select="v", select_range=(0.0, 2.0)))
w, v = tf.linalg.eigh_tridiagonal(a, b, eigvals_only=False)
print(w, abs(v), outcome(lambda: tf.linalg.eigh_tridiagonal(a, b, select="x")))
