# Functions that few programs use, each at least once, with gradients where there are any.

# --- lu
a = tf.constant([[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]])
lu, p = tf.linalg.lu(a)
print(lu, p, tf.linalg.lu_reconstruct(lu, p), tf.linalg.lu_solve(lu, p, [[1.0], [2.0], [3.0]]), tf.linalg.lu_matrix_inverse(lu, p))

# --- eig
w, v = tf.linalg.eig(tf.constant([[2.0, 0.0], [0.0, 3.0]]))
print(w, tf.abs(v), tf.linalg.eigvals(tf.constant([[0.0, 2.0], [1.0, 1.0]])))

# --- matrix_functions
# tol: 1e-4
a = tf.constant([[2.0, 0.5], [0.5, 1.0]])
print(tf.linalg.sqrtm(a), tf.linalg.logm(tf.cast(a, tf.complex64)), tf.linalg.expm(a))

# --- matrix_rank
print(tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]), tf.linalg.matrix_rank(tf.eye(3)), tf.linalg.matrix_rank(tf.zeros([2, 2])))

# --- tensor_diag
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    d = tf.linalg.tensor_diag(x)
    p = tf.linalg.tensor_diag_part(d * d)
print(d, p, tape.gradient(d, x), tape.gradient(p, x))

# --- tridiagonal
# needs: tf.linalg.tridiagonal_solve tf.linalg.tridiagonal_matmul
d = tf.constant([[2.0, 1.0, 0.0], [4.0, 4.0, 4.0], [0.0, 1.0, 2.0]])
rhs = tf.constant([1.0, 2.0, 3.0])
print(tf.linalg.tridiagonal_solve(d, rhs), tf.linalg.tridiagonal_matmul(d, rhs[:, None]))

# --- banded_triangular_solve
# needs: tf.linalg.banded_triangular_solve
bands = tf.constant([[2.0, 3.0, 4.0], [0.0, 1.0, 1.0]])
print(tf.linalg.banded_triangular_solve(bands, tf.constant([[2.0], [7.0], [6.0]])))

# --- gamma_functions
a, x = tf.Variable([0.5, 2.0]), tf.Variable([1.0, 0.5])
with tf.GradientTape(persistent=True) as tape:
    p, q = tf.math.igamma(a, x), tf.math.igammac(a, x)
print(p, q, tape.gradient(p, x), tape.gradient(q, x))

# --- betainc
a, b, x = tf.constant([1.0, 2.0]), tf.constant([2.0, 3.0]), tf.Variable([0.3, 0.6])
with tf.GradientTape() as tape:
    y = tf.math.betainc(a, b, x)
print(y, tape.gradient(y, x))

# --- inverse_error_functions
x = tf.Variable([0.2, 0.9])
with tf.GradientTape(persistent=True) as tape:
    a, b, c = tf.math.erfcinv(x), tf.math.erfinv(x), tf.math.ndtri(x)
print(a, b, c, tape.gradient(a, x), tape.gradient(b, x), tape.gradient(c, x))

# --- bessel
x = tf.Variable([0.5, 2.0])
with tf.GradientTape(persistent=True) as tape:
    outs = [tf.math.bessel_i0(x), tf.math.bessel_i1(x), tf.math.bessel_i0e(x), tf.math.bessel_i1e(x)]
for o in outs:
    print(o, tape.gradient(o, x))

# --- special_namespace
x = tf.constant([0.5, 2.0])
s = tf.math.special
print(s.bessel_j0(x), s.bessel_k0(x), s.dawsn(x), s.expint(x), s.fresnel_cos(x), s.spence(x))

# --- reciprocal_no_nan
x = tf.Variable([2.0, 0.0, -4.0])
with tf.GradientTape() as tape:
    y = tf.math.reciprocal_no_nan(x)
print(y, tape.gradient(y, x))

# --- accumulate_n
a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.math.accumulate_n([a, b, a])
print(y, tape.gradient(y, [a, b]))

# --- invert_permutation
print(tf.math.invert_permutation([2, 0, 1]), outcome(lambda: tf.math.invert_permutation([0, 0])))

# --- unsorted_segment_min
x = tf.Variable([3.0, 1.0, 1.0, 5.0])
with tf.GradientTape() as tape:
    y = tf.math.unsorted_segment_min(x, [0, 1, 1, 0], 3)
print(y, tape.gradient(y, x))

# --- histogram
x = tf.constant([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0])
print(tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5), tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=5))

# --- unravel_index
print(tf.unravel_index([2, 5, 7], [3, 3]), tf.unravel_index(4, [2, 3]))

# --- space_to_batch
x = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
y = tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]])
print(y.shape, tf.reshape(y, [-1]), tf.batch_to_space(y, [2, 2], [[0, 0], [0, 0]]).shape)

# --- normalize_moments
print(tf.nn.sufficient_statistics(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [0])[:3])
print(tf.nn.normalize_moments(tf.constant(2.0), tf.constant([4.0, 6.0]), tf.constant([10.0, 20.0]), None))

# --- realdiv_and_truediv
print(tf.realdiv(7.0, 2.0), tf.truediv(7, 2), tf.math.truediv(tf.constant(7, tf.int8), tf.constant(2, tf.int8)))

# --- error_hierarchy
for name in ("AbortedError", "AlreadyExistsError", "CancelledError", "DataLossError", "DeadlineExceededError", "InternalError", "PermissionDeniedError", "UnauthenticatedError", "UnavailableError", "UnknownError", "OperatorNotAllowedInGraphError"):
    c = getattr(tf.errors, name)
    print(name, [b.__name__ for b in c.__mro__[1:3]])

# --- error_codes
for name in ("CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"):
    print(name, getattr(tf.errors, name))

# --- stateless_distributions
# tol: 1e-5
print(tf.random.stateless_gamma([3], seed=[1, 2], alpha=2.0), tf.random.stateless_poisson([4], seed=[1, 2], lam=3.0), tf.random.stateless_binomial([4], seed=[1, 2], counts=10.0, probs=0.3))
print(tf.random.stateless_parameterized_truncated_normal([3], seed=[1, 2], means=0.0, stddevs=1.0, minvals=-1.0, maxvals=1.0))

# --- generator_state_functions
# tol: 1e-6
g = tf.random.Generator.from_state(tf.random.create_rng_state(7, alg="philox"), alg="philox")
print(g.state, g.normal([2]))
g.skip(4)
print(g.state, g.uniform([2]))
h = tf.random.Generator.from_key_counter(key=3, counter=[1, 2], alg="philox")
print(h.state, h.normal([2]))

# --- generator_binomial
g = tf.random.Generator.from_seed(4)
print(g.binomial([5], counts=10.0, probs=0.5))

# --- random_fold_in
print(tf.random.fold_in([1, 2], 5), tf.random.fold_in(tf.constant([3, 4]), 0), tf.random.split([1, 2], 3))

# --- random_algorithms
# tol: 1e-6
for alg in ("philox", "threefry", "auto_select"):
    print(alg, outcome(lambda: tf.random.stateless_uniform([2], seed=[1, 2], alg=alg)))

# --- built_with
print(tf.test.is_built_with_cuda(), tf.test.is_built_with_rocm())

# --- cross_gradient
a, b = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([0.5, -1.0, 2.0])
with tf.GradientTape() as tape:
    c = tf.linalg.cross(a, b)
    y = tf.reduce_sum(c * [1.0, 10.0, 100.0])
print(c, tape.gradient(y, [a, b]))

# --- svd_with_vectors
# tol: 1e-4
a = tf.Variable([[3.0, 1.0], [1.0, 2.0], [0.5, 0.5]])
with tf.GradientTape() as tape:
    s, u, v = tf.linalg.svd(a)
    y = tf.reduce_sum(tf.matmul(u * s, v, adjoint_b=True) ** 2)
print(s, y, tape.gradient(y, a))

# --- qr_gradient
# tol: 1e-4
a = tf.Variable([[3.0, 1.0], [1.0, 2.0]])
with tf.GradientTape() as tape:
    q, r = tf.linalg.qr(a)
    y = tf.reduce_sum(tf.matmul(q, r) ** 2)
print(y, tape.gradient(y, a))

# --- eigh_gradient
# tol: 1e-4
a = tf.Variable([[2.0, 0.3], [0.3, 1.0]])
with tf.GradientTape() as tape:
    e, v = tf.linalg.eigh(a)
    y = tf.reduce_sum((v * tf.exp(e)) @ tf.transpose(v))
print(y, tape.gradient(y, a))

# --- lstsq_gradient
# tol: 1e-4
a = tf.Variable([[1.0, 1.0], [1.0, 2.0], [1.0, 4.0]])
b = tf.Variable([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    x = tf.linalg.lstsq(a, b)
    y = tf.reduce_sum(x ** 2)
print(x, tape.gradient(y, [a, b]))

# --- matrix_diag_options
x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(tf.linalg.diag([1.0, 2.0], k=1), tf.linalg.diag_part(x, k=1), tf.linalg.diag([1.0, 2.0], num_rows=2, num_cols=3), tf.linalg.diag_part(x, k=(-1, 0), padding_value=9.0), tf.linalg.set_diag(x, [7.0, 8.0], k=1))

# --- cholesky_batch
# tol: 1e-4
a = tf.Variable([[[4.0, 1.0], [1.0, 3.0]], [[2.0, 0.5], [0.5, 1.0]]])
with tf.GradientTape() as tape:
    c = tf.linalg.cholesky(a)
    y = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(c)))
print(c, tape.gradient(y, a))

# --- adjoint_and_conj
z = tf.Variable([[1.0 + 2.0j, 3.0 - 1.0j]])
with tf.GradientTape() as tape:
    y = tf.math.real(tf.linalg.matmul(z, z, adjoint_b=True))
print(y, tape.gradient(y, z), tf.linalg.adjoint(z))

# --- complex_functions
z = tf.constant([1.0 + 1.0j, -2.0 + 0.5j])
print(tf.exp(z), tf.sqrt(z), tf.math.log(z), tf.sin(z), tf.tanh(z), z ** 2, 1.0 / z, tf.reduce_sum(z), tf.math.angle(z))

# --- complex_function_gradients
z = tf.constant([1.0 + 1.0j, -2.0 + 0.5j])
for f in (tf.exp, tf.sqrt, tf.math.log, tf.sin, tf.square, tf.math.reciprocal, tf.tanh):
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = f(z)
    print(tape.gradient(y, z))

# --- top_k_unsorted_and_index_type
v, i = tf.math.top_k([[1.0, 5.0, 3.0]], k=2, sorted=True, index_type=tf.int64)
print(v, i)

# --- divide_no_nan_and_friends
x, y = tf.constant([1.0, 0.0, -3.0]), tf.constant([0.0, 0.0, 2.0])
print(tf.math.divide_no_nan(x, y), tf.math.multiply_no_nan(x, y), tf.math.xdivy(x, y + 1.0), tf.math.xlog1py(x, y), tf.math.nextafter(x, y).dtype)

# --- reduce_with_all_forms
x = tf.constant([[True, False], [True, True]])
print(tf.math.reduce_any(x, axis=1), tf.math.reduce_all(x, axis=0, keepdims=True), tf.math.count_nonzero(x, axis=1, dtype=tf.int32, keepdims=True))

# --- sampled_shapes_of_meshgrid
a, b, c = tf.meshgrid([1, 2], [3], [4, 5, 6])
print(a.shape, b.shape, c.shape, tf.meshgrid([1, 2])[0], [t.shape for t in tf.meshgrid([1], [2, 3], indexing="ij")])

# --- public_classes_show_their_operators_and_methods
t, v = tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])
print(tf.Tensor.__add__(t, t), tf.Tensor.__getitem__(t, 0), tf.Variable.__mul__(v, t))
print(callable(tf.Variable.scatter_add), callable(tf.Variable.sparse_read))
import inspect
print([name for name in inspect.signature(tf.Variable.__init__).parameters])

# --- parts_of_variables_that_graphs_used
v = tf.Variable([1.0, 2.0], shape=[None])
print(v.initializer)
print(outcome(lambda: v.initial_value), outcome(lambda: v.op), outcome(lambda: v.graph))
v.set_shape([2])
print(v.shape, outcome(v.set_shape, [3]), outcome(tf.constant(1.0).eval))
print(outcome(tf.Variable, 1.0, name=3))
on_read = tf.VariableSynchronization.ON_READ
print(tf.Variable(1.0, synchronization=on_read, aggregation=tf.VariableAggregation.SUM).trainable)

# --- names_of_arguments_that_few_programs_spell_out
print(tf.debugging.assert_all_finite(x=tf.constant([1.0]), message="m"))
print(tf.nest.is_nested(seq=[1]), tf.TensorSpec([2]).is_compatible_with(spec_or_tensor=tf.ones(2)))

# --- narrow_dtypes_are_experimental
print(tf.dtypes.experimental.int4, tf.dtypes.experimental.float8_e5m2, hasattr(tf, "int4"))
