# tf.experimental.numpy without experimental_enable_numpy_behavior, which is a setting for a whole process.

# --- arrays
tnp = tf.experimental.numpy
for x in (1, 1.0, True, 1 + 2j, [1, 2.5], [1, 2], [True, 2], [[1, 2], [3, 4]], np.float32(3), np.arange(3, dtype=np.uint8), [], tf.constant([1.0]), tf.Variable(2), "ab", 2 ** 40, [1, 2 ** 40], (1, 2.0), [tf.constant(1.0), 2]):
    print(repr(tnp.array(x)), repr(tnp.asarray(x)))
print(tnp.array(5.7, int), tnp.array([1, 2], tnp.float32), tnp.array([1.5], dtype=tf.int32), tnp.array(300, np.uint8), tnp.array([1], ndmin=3).shape, tnp.asarray(tf.constant(1.0), float), tnp.ascontiguousarray(1.0), tnp.array([0.5, 0], bool))
x = tf.constant([1.0])
print(tnp.asarray(x) is x, tnp.array(x) is x, tnp.copy(x) is x, tnp.ndarray is tf.Tensor)

# --- promotion
tnp = tf.experimental.numpy
values = [1, 1.5, True, 2j, np.float32(2), np.float64(3), np.int16(4), tf.constant(1), tf.constant(1.0), tf.constant(1, tf.uint8), tf.constant(1, tf.int64), tf.constant(1, tf.float16), tf.constant([1.0], tf.float64), tf.constant(True), np.array([1.0, 2], np.float32), tf.Variable(1.0), tf.constant(1j, tf.complex64)]
for a in values:
    print([tnp.add(a, b).dtype.name for b in values], [tnp.result_type(a, b).name for b in values])
print(tnp.result_type(), tnp.result_type(float), tnp.result_type(int, tf.float32), tnp.result_type([1, 2.0]), tnp.promote_types(tf.int32, tf.float32), tnp.promote_types("int8", bool), tnp.result_type("float32"))

# --- dtypes
tnp = tf.experimental.numpy
print(tnp.float32 is np.float32, tnp.int_ is np.int_, tnp.bool_ is np.bool_, tnp.float_ is np.float64, tnp.complex_ is np.complex128, tnp.string_ is np.bytes_, tnp.unicode_ is np.str_, tnp.newaxis, tnp.pi, tnp.e, tnp.inf, tnp.issubdtype(tnp.float32, tnp.inexact))
print(tnp.finfo(tf.float32).eps, tnp.finfo(float).max, tnp.iinfo(tnp.int8).max, tnp.finfo(tnp.float16).tiny)

# --- creation
tnp = tf.experimental.numpy
for x in (tnp.zeros([2]), tnp.zeros(2, tnp.int32), tnp.ones((1, 2)), tnp.ones([2], int), tnp.empty([1]), tnp.eye(2), tnp.eye(2, 3, 1), tnp.eye(3, 2, -1, dtype=int), tnp.eye(2, k=5), tnp.identity(2), tnp.full(2, 1.5), tnp.full([2, 2], [1, 2]), tnp.full((1,), 7, tnp.float32), tnp.full_like([1, 2], 2.7), tnp.full_like([1.0], 2, dtype=int), tnp.zeros_like([1, 2]), tnp.ones_like(tf.constant([1.0]), dtype=tnp.int8), tnp.empty_like([[1.0]]), tnp.tri(2), tnp.tri(2, 3, 1, int), tnp.tri(3, k=-1), tnp.tril([[1, 2], [3, 4]]), tnp.triu([[1.0, 2], [3, 4]], 1), tnp.broadcast_to([1, 2], (2, 2))):
    print(repr(x))
print(outcome(lambda: tnp.full_like([1], 1, order="C")), outcome(lambda: tnp.tril([1])), outcome(lambda: tnp.triu(3)))

# --- ranges
tnp = tf.experimental.numpy
for x in (tnp.arange(3), tnp.arange(3.0), tnp.arange(1, 4), tnp.arange(1, 2, 0.25), tnp.arange(5, 0, -2), tnp.arange(0, -3), tnp.arange(3, dtype=tnp.float32), tnp.arange(-2), tnp.linspace(0, 1, 3), tnp.linspace(0.0, 1.0, 4, endpoint=False), tnp.linspace(tf.constant([0.0, 1]), tf.constant([1.0, 3]), 3, axis=1), tnp.linspace(tf.constant(0.0), tf.constant(1.0), 3), tnp.linspace(0, 10, 1), tnp.logspace(0, 2, 3), tnp.logspace(0.0, 1.0, 3, base=2.0), tnp.geomspace(1, 100, 3), tnp.geomspace(-1.0, -100.0, 3), tnp.vander([1, 2, 3]), tnp.vander([1.0, 2], 3, increasing=True)):
    print(repr(x))
print(tnp.linspace(0, 1, 3, retstep=True), outcome(lambda: tnp.arange(1, 2, 0)), outcome(lambda: tnp.linspace(0, 1, -1)), outcome(lambda: tnp.vander([[1]])), tnp.meshgrid([1, 2], [3]), tnp.meshgrid([1, 2], [3, 4], indexing="ij"), outcome(lambda: tnp.meshgrid([1], sparse=True)))

# --- diagonals
tnp = tf.experimental.numpy
m = np.arange(6).reshape(2, 3)
for x in (tnp.diag([1, 2]), tnp.diag([1, 2], 1), tnp.diag(m), tnp.diag(m, 1), tnp.diag(m, -1), tnp.diag(m, 7), tnp.diagflat([[1, 2], [3, 4]], -1), tnp.diagonal(m), tnp.diagonal(np.arange(8).reshape(2, 2, 2)), tnp.diagonal(np.arange(8).reshape(2, 2, 2), 1, 0, 2), tnp.trace(m), tnp.trace(m, 1), tnp.trace(np.ones([2, 2, 3])), tnp.diag_indices(2), tnp.diag_indices(2, 3)):
    print(repr(x))
print(outcome(lambda: tnp.diag_indices(-1)))

# --- unary
tnp = tf.experimental.numpy
x = tf.constant([-1.5, 0.0, 0.5, 2.0])
z = tf.constant([1 + 2j, -1j])
for name in ("abs", "absolute", "fabs", "arcsinh", "arctan", "cbrt", "ceil", "conj", "conjugate", "cos", "cosh", "deg2rad", "exp", "exp2", "expm1", "fix", "floor", "isfinite", "isnan", "isinf", "isposinf", "isneginf", "isreal", "iscomplex", "logical_not", "negative", "positive", "rad2deg", "real", "imag", "sign", "signbit", "sin", "sinc", "sinh", "square", "tan", "tanh", "angle", "arcsin", "sqrt", "log", "log1p", "log2", "log10", "arccosh", "arctanh", "reciprocal", "arccos"):
    print(name, repr(getattr(tnp, name)(x)))
for name in ("abs", "conj", "real", "imag", "exp", "angle", "isreal", "iscomplex", "sqrt", "negative", "square"):
    print(name, repr(getattr(tnp, name)(z)))
for name in ("abs", "negative", "square", "sign", "signbit", "positive", "bitwise_not", "logical_not", "iscomplexobj", "isrealobj", "real"):
    print(name, getattr(tnp, name)([-1, 2]))
print(tnp.angle(z, deg=True), tnp.bitwise_not([True, False]), tnp.signbit(True), tnp.diff([1, 4, 9]), tnp.diff([[1.0, 4], [9, 16]], axis=0), tnp.diff([1, 4, 9, 16], 2), tnp.diff([True, False]), outcome(lambda: tnp.diff([1], axis=3)), outcome(lambda: tnp.sign(1, out=3)))

# --- binary
tnp = tf.experimental.numpy
a, b = tf.constant([7, -7, 3]), tf.constant([2, 2, -2])
for name in ("add", "subtract", "multiply", "true_divide", "divide", "floor_divide", "mod", "remainder", "maximum", "minimum", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm"):
    print(name, repr(getattr(tnp, name)(a, b)), getattr(tnp, name)([True, False], [True, True]) if name not in ("gcd", "lcm", "subtract") else "")
for name in ("add", "power", "float_power", "arctan2", "hypot", "logaddexp", "logaddexp2", "nextafter", "heaviside", "maximum", "minimum", "true_divide", "floor_divide", "mod"):
    print(name, repr(getattr(tnp, name)(tf.constant([1.5, 2.0, 0.0]), tf.constant([2.0, 0.5, 3.0]))))
print(tnp.divmod(7, 3), tnp.divmod(-7.5, 2.0), tnp.power(2, 3), tnp.power(2.0, [1, 2]), tnp.logaddexp(np.inf, np.inf), tnp.logaddexp(-np.inf, -np.inf), tnp.maximum(tf.constant([1, -1]), 0), tnp.maximum([1, 2], [2.0, 1]), tnp.gcd(12, [18, 0]), tnp.lcm(4, [6, 0]), outcome(lambda: tnp.gcd(1.5, 2)), tnp.clip([1, 5, 9], 2, 6), tnp.clip([1.0, 5], None, 3), tnp.clip([1.0, 5], 2, None), outcome(lambda: tnp.clip([1], None, None)))
print(tnp.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]), tnp.isclose([np.nan], [np.nan], equal_nan=True), tnp.isclose(1, 1), tnp.allclose([1.0], [1.0]), tnp.array_equal([1, 2], [1, 2]), tnp.array_equal([1, 2], [1, 2, 3]), tnp.array_equal([1], [[1]]), tnp.array_equal([1, 2], [1.0, 2.0]))

# --- products
tnp = tf.experimental.numpy
m, v = np.arange(4.0).reshape(2, 2), np.array([1.0, 2.0])
for x in (tnp.dot(m, v), tnp.dot(2, v), tnp.dot(v, v), tnp.dot(m, m), tnp.dot([1, 2], [3, 4]), tnp.matmul(m, m), tnp.matmul(v, m), tnp.matmul(m, v), tnp.matmul(v, v), tnp.matmul([[1, 2]], [[1], [2.5]]), tnp.matmul(np.ones([2, 1, 2]), m), tnp.inner(m, v), tnp.inner(2, 3), tnp.vdot([1 + 1j], [2j]), tnp.outer([1, 2], [3, 4.5]), tnp.kron([1, 2], [1, 10]), tnp.kron(m, v), tnp.tensordot(m, m, 1), tnp.tensordot(m, m, [[0], [0]]), tnp.cross([1, 2, 3], [3, 2, 1]), tnp.cross([1.0, 2], [3, 4]), tnp.cross([1, 2], [1, 2, 3]), tnp.cross(np.eye(3), np.ones([3, 3]), axis=0), tnp.polyval([1, 2, 3], 2), tnp.polyval([5.0], [1, 2]), tnp.polyval(3, [1, 2]), tnp.einsum("ij,j->i", m, v), tnp.einsum("i,i", [1, 2], [3.0, 4]), tnp.einsum("ij->ji", m, optimize=True)):
    print(repr(x))
print(outcome(lambda: tnp.matmul(m, np.ones([3, 3]))), outcome(lambda: tnp.einsum("i", [1], casting="x")), outcome(lambda: tnp.einsum("i", [1], optimize="x")))

# --- reductions
tnp = tf.experimental.numpy
i, f, b, s = tf.constant([[1, 2], [3, 4]]), tf.constant([[1.0, 2], [3, 5]]), tf.constant([True, False]), tf.constant([1, 2], tf.int8)
for name in ("sum", "prod", "mean", "amax", "amin", "max", "min", "ptp", "std", "var", "all", "any", "count_nonzero", "cumsum", "cumprod", "argmax", "argmin", "average"):
    for x in (i, f):
        if name != "average" or x is f:
            print(name, repr(getattr(tnp, name)(x)), repr(getattr(tnp, name)(x, axis=0)), getattr(tnp, name)(x, axis=-1))
for name in ("sum", "prod", "mean", "amax", "amin", "all", "any", "cumsum"):
    print(name, getattr(tnp, name)(s).dtype)
print(tnp.sum(b), tnp.sum(b, dtype=bool), tnp.prod(b), tnp.amax(b), tnp.amin(b), tnp.mean(b), tnp.sum(f, axis=(0, 1)), tnp.sum(f, keepdims=True), tnp.mean(i, axis=1, keepdims=True), tnp.mean(f, dtype=tnp.float64), tnp.var(f, ddof=1, dtype=float), tnp.var(f, dtype=tnp.float64), tnp.cumsum(f, 1, tnp.float64), tnp.nansum([1.0, np.nan]), tnp.nanmean([[1.0, np.nan], [2.0, 4.0]], axis=0), tnp.nanprod([np.nan, 3.0]), tnp.average([1.0, 2.0], weights=[3, 1]), tnp.average(f, axis=0, returned=True), tnp.average(f, axis=1, weights=[1.0, 3.0]), tnp.sum(tf.constant([1, 2], tf.uint8)).dtype)
print(outcome(lambda: tnp.mean(f, out=1)), outcome(lambda: tnp.average(f, axis=(0, 1))), tnp.std([[1, 2], [3, 4]]), tnp.size(f), tnp.size(3), tnp.shape(f), tnp.ndim(f), tnp.isscalar(1.0), tnp.isscalar([1]))

# --- shapes
tnp = tf.experimental.numpy
x = np.arange(6).reshape(1, 2, 3)
for y in (tnp.reshape(x, [3, 2]), tnp.reshape(x, -1), tnp.reshape(x, (3, 2), order="F"), tnp.ravel(x), tnp.flatten(x, "F"), tnp.expand_dims([1], 0), tnp.squeeze(x), tnp.squeeze(x, 0), tnp.transpose(x), tnp.transpose(x, (1, 0, 2)), tnp.moveaxis(x, 0, -1), tnp.moveaxis(x, (0, 1), (1, 2)), tnp.swapaxes(x, 0, 2), tnp.swapaxes(x, -1, -2), tnp.flip(x), tnp.flip(x, 1), tnp.flip([1, 2], -1), tnp.flipud([[1, 2], [3, 4]]), tnp.fliplr([[1, 2], [3, 4]]), tnp.roll([1, 2, 3], 1), tnp.roll([[1, 2], [3, 4]], 1, 1), tnp.roll([[1, 2], [3, 4]], 1), tnp.rot90([[1, 2], [3, 4]]), tnp.rot90([[1, 2], [3, 4]], 2), tnp.rot90([[1, 2], [3, 4]], 3), tnp.atleast_1d(1, [2]), tnp.atleast_2d(1), tnp.atleast_2d([1, 2]), tnp.atleast_3d(1), tnp.atleast_3d([1, 2]), tnp.atleast_3d([[1, 2]]), tnp.tile([1, 2], 2), tnp.tile([[1, 2]], (2, 1, 2)), tnp.repeat([1, 2], 2), tnp.repeat([[1, 2], [3, 4]], [1, 2], axis=0), tnp.repeat(5, 3), tnp.broadcast_arrays(1, [1, 2]), tnp.pad([1, 2], [[1, 1]], "constant"), tnp.pad([1.0, 2], [[1, 1]], "constant", constant_values=5.0), tnp.pad([1, 2, 3], [[1, 2]], "reflect"), tnp.pad([1, 2], [[1, 1]], "symmetric")):
    print(repr(y))
print(outcome(lambda: tnp.reshape(x, 2, order="A")), outcome(lambda: tnp.pad([1], [[1, 1]], "edge")), outcome(lambda: tnp.flatten(x, "Z")), outcome(lambda: tnp.moveaxis(x, (0, 1), 0)), outcome(lambda: tnp.broadcast_arrays(1, subok=True)))

# --- joining
tnp = tf.experimental.numpy
for y in (tnp.concatenate([[1, 2], [3.0]]), tnp.concatenate([[[1]], [[2]]], axis=1), tnp.concatenate(([1], tf.constant([2]))), tnp.stack([[1], [2.5]]), tnp.stack([[1, 2], [3, 4]], axis=1), tnp.stack(tf.constant([[1, 2], [3, 4]]), 1), tnp.hstack([[1], [2, 3]]), tnp.hstack([[[1]], [[2]]]), tnp.vstack([[1, 2], [3, 4.0]]), tnp.dstack([[1, 2], [3, 4]]), tnp.append([1], [2.0]), tnp.append([[1]], [[2]], axis=0), tnp.split(np.arange(4), 2), tnp.split(np.arange(5), [1, 3]), tnp.split(np.arange(3), [1, 5]), tnp.split(np.ones([2, 2]), 2, axis=1), tnp.hsplit(tf.range(4), 2), tnp.vsplit(tf.ones([2, 2]), 2), tnp.hsplit(tf.ones([2, 2]), [1]), tnp.dsplit(tf.ones([1, 1, 2]), 2)):
    print(repr(y))
print(outcome(lambda: tnp.concatenate([])), outcome(lambda: tnp.hsplit(tf.range(5), 2)), outcome(lambda: tnp.split(np.arange(4), [3, 1])), outcome(lambda: tnp.split(np.arange(4), [1], axis=2)))

# --- selecting
tnp = tf.experimental.numpy
x = np.arange(6).reshape(2, 3)
for y in (tnp.where([True, False], 1, 2.5), tnp.where([True, False]), tnp.where([[1, 0], [0, 2]]), tnp.where(x > 2, x, -1.0), tnp.nonzero(x), tnp.nonzero(3), tnp.select([[True, False], [True, True]], [[1, 2], [3, 4]]), tnp.select([[True, False]], [[1, 2]], 7.5), tnp.take([1, 2, 3], [0, 7]), tnp.take([1, 2, 3], [-1, 1], mode="wrap"), tnp.take(x, [1], axis=1), tnp.take(x, 4), tnp.take_along_axis(x, np.array([[0], [2]]), 1), tnp.take_along_axis(x, np.array([[1, 0, -1]]), 0), tnp.compress([True, False], [1, 2]), tnp.compress([False, True], x, axis=0), tnp.compress([True, False, True], x, axis=-1), tnp.compress([True], x), tnp.ix_([0, 1], [2, 0]), tnp.ix_([True, False], [1]), tnp.sort([3, 1, 2]), tnp.sort([[3, 1], [2, 0]], axis=0), tnp.sort([[3, 1], [2, 0]], axis=None), tnp.argsort([3, 1, 2]), tnp.argsort([[3, 1], [2, 0]], axis=None), tnp.argsort(5)):
    print(repr(y))
for call in (lambda: tnp.where([True], 1), lambda: tnp.select([], []), lambda: tnp.select([[True]], []), lambda: tnp.take([1], [0], mode="raise"), lambda: tnp.take([1], [0], mode="x"), lambda: tnp.take([1], [0], out=1), lambda: tnp.sort([1], kind="x"), lambda: tnp.argsort([1j]), lambda: tnp.argsort([1], order="a"), lambda: tnp.compress([[True]], [1]), lambda: tnp.ix_([[1]]), lambda: tnp.ix_([1.5])):
    print(outcome(call))

# --- randoms
tnp = tf.experimental.numpy
tnp.random.seed(3)
print(tnp.random.randn(2, 2), tnp.random.standard_normal(), tnp.random.standard_normal(3), tnp.random.uniform(), tnp.random.uniform(1.0, [2.0, 3.0]), tnp.random.uniform(size=[2]), tnp.random.rand(2), tnp.random.random([2]), tnp.random.randint(5), tnp.random.randint(5, 9, size=3), tnp.random.randint(5, size=(2,), dtype=tnp.int32), tnp.random.poisson(3.0, size=2), tnp.random.poisson())
print(outcome(lambda: tnp.random.seed([1, 2])), outcome(lambda: tnp.random.randint(5, dtype=np.int8)))

# --- gradients
tnp = tf.experimental.numpy
x = tf.constant([[0.5, 1.5], [2.5, 0.25]])
for f in (lambda x: tnp.sum(tnp.exp(x)), lambda x: tnp.mean(tnp.matmul(x, x)), lambda x: tnp.max(x), lambda x: tnp.var(x), lambda x: tnp.std(x, axis=0), lambda x: tnp.kron(x, x), lambda x: tnp.logaddexp(x, 1.0), lambda x: tnp.where(x > 1, tnp.log(x), x), lambda x: tnp.sinc(x), lambda x: tnp.cbrt(x), lambda x: tnp.maximum(x, 0), lambda x: tnp.cross(x, x[::-1]), lambda x: tnp.take(x, [0, 1], axis=1), lambda x: tnp.clip(x, 0.3, 2.0), lambda x: tnp.polyval(x[0], x), lambda x: tnp.diff(x), lambda x: tnp.dot(x, x[0]), lambda x: tnp.hypot(x, x[0]), lambda x: tnp.average(x, weights=tf.constant([1.0, 3.0]), axis=1), lambda x: tnp.nanmean(x), lambda x: tnp.true_divide(x, 3), lambda x: tnp.power(x, 2), lambda x: tnp.tril(x), lambda x: tnp.roll(x, 1), lambda x: tnp.array(x, tnp.float64)):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(repr(tape.gradient(y, x)))

# --- functions
tnp = tf.experimental.numpy
@tf.function
def step(w, x, y):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tnp.mean(tnp.square(tnp.matmul(x, w) - y))
    return loss, tape.gradient(loss, w)
print(step(tf.constant([[0.5], [1.0]]), tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [2.0]])))
@tf.function(input_signature=[tf.TensorSpec([None, 2])])
def f(x):
    return tnp.sum(x, axis=0), tnp.concatenate([x, x]), tnp.vstack([x, x[0]]), tnp.tile(x, 2), tnp.expand_dims(x, 0), tnp.atleast_3d(x), tnp.take_along_axis(x, tnp.argsort(x), 1)
print(f(tf.constant([[1.0, 0.0], [2.0, 3.0]])))

# --- behaviour
# alone
tnp = tf.experimental.numpy
print([hasattr(tf.constant(1), name) for name in ("T", "astype", "reshape", "size", "tolist")], outcome(lambda: tf.constant(1).T), outcome(lambda: tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="x")))
tnp.experimental_enable_numpy_behavior()
x, i, v, b, u = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 2]), tf.Variable([1.0, 2.0]), tf.constant([True, False]), tf.constant([1, 2], tf.uint8)
a3 = tf.reshape(tf.range(24), [2, 3, 4])
for text in ["x+i", "i+x", "x+1", "i+1.5", "i*2.0", "i/2", "1.5+i", "v+i", "i+v", "v*2", "v+1.5", "x==1", "i==1.0", "i<1.5", "x!=i", "b+b", "b*1", "b+1", "u+i", "u+1", "u-2.5", "x@x", "x@i", "i@x", "i@i", "x**2", "i**2.0", "2**i", "-x", "+x", "x//i", "x%2", "i//2", "7//i", "abs(x)", "x&b", "b&b", "b|True", "~b", "x+[1,2]", "x+[1.5,2]", "[1,2]+x", "x+np.array([1.,2.])", "np.array([1.,2.])+x", "x+np.float64(1)", "np.float64(1)+x", "x.T", "x.ndim", "x.size", "x.reshape(4)", "x.reshape(-1,1)", "x.reshape([1,4])", "x.ravel()", "x.flatten()", "x.astype(int)", "x.astype(tnp.float64)", "x.astype('int32')", "x.max()", "x.mean(axis=0)", "x.min(1)", "x.clip(2,3)", "x.transpose()", "a3.transpose((1,0,2)).shape", "x.tolist()", "x.data is x", "round(x)", "round(tf.constant(2.567),2)", "x[0]", "x[[1,0]]", "x[[0,1],[1,0]]", "x[b]", "x[x>2]", "x[...,0]", "x[:,[1,0,1]]", "x[None]", "x[1,0]", "a3[:,[0,2],1].shape", "a3[0,:,[1,2]]", "a3[[0,1],:,[1,2]]", "a3[[0,1],[1,2]]", "a3[...,[0,1]].shape", "a3[[[0],[1]],[1,2]].shape", "a3[-1,[-1,-2]]", "a3[tf.constant([1,0]),1:,0]", "a3[:,b.numpy()[[0,1,0]]].shape", "x[np.array([True,False])]", "x[1.5]", "x[[0.5]]", "x[5]", "x[[5]]", "x[tf.constant(1)]", "x[np.int64(1)]", "x[[0],None].shape", "a3[:, None, [0,1]].shape", "a3[None,[0,1],...,2]", "v[0]", "v[[1,0]]", "v.astype", "v.T", "tnp.exp(1)", "tnp.sqrt(4)", "tnp.around(1.55,1)", "tnp.average([1,2])", "tnp.heaviside(1,2)", "tnp.exp2(3)", "tnp.nanmean([1,2])", "tnp.hypot(x,2.0)", "tnp.array(1.0)", "tnp.ones(2)", "tnp.add(1,2.5)", "tnp.log2(8)", "tnp.log10(x)", "tnp.array([1.5])+1", "x*tnp.pi", "tnp.mean(i)", "tnp.linspace(0,1,3)", "tnp.random.randn(1).dtype", "tnp.sum(b)", "tnp.zeros(1)", "tnp.array(1j)", "tnp.std([1,2])", "tf.constant(1.5)*2", "tf.add(x,x)", "tf.add(x,1)", "tf.reduce_sum(x)", "tf.constant(1)+tf.constant(1.5)", "x.__len__()", "len(x)", "float(x[0,0])", "tf.constant(3).size", "x.shape", "np.max(x)", "np.mean(x)", "x.sum()", "x.dot(x)", "tf.constant('a')+'b'", "x<None", "x==None", "x+None"]:
    print(text, outcome(lambda: eval(text)))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = (x[[0, 1], [1, 0]] * i).mean() + x.T.reshape(-1)[[0, 0, 2]].max()
print(tape.gradient(y, x))
with tf.GradientTape() as tape:
    y = tnp.sum((v * i)[[0, 0]])
print(tape.gradient(y, v))
f = tf.function(lambda x, i: (x[:, [0]] + i, x.T, x.reshape(-1) + 1, (x + i).astype(tnp.int32)))
print(f(x, i))

# --- prefer_float32
# alone
tnp = tf.experimental.numpy
tnp.experimental_enable_numpy_behavior(prefer_float32=True)
x = tf.constant([1, 2])
print(tnp.array(1.5).dtype, tnp.ones(2).dtype, tnp.exp(1).dtype, (x + 1.5).dtype, tnp.mean(x).dtype, tnp.add(1, 2.5).dtype, tnp.array(1j).dtype, tnp.random.randn(1).dtype, tnp.linspace(0, 1, 3).dtype, (x / 2).dtype, tnp.result_type(float), tnp.zeros(1).dtype, (x + np.float64(1)).dtype)

# --- promotion_off
# alone
tnp = tf.experimental.numpy
tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="off")
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(x.T, x[[1, 0]], outcome(lambda: x + tf.constant(1)), x + 1, tnp.add(x, tf.constant(1)).dtype)

# --- guide
# alone
tnp = tf.experimental.numpy
tnp.experimental_enable_numpy_behavior()
ones = tnp.ones([5, 3], dtype=tnp.float32)
print("Created ND array with shape = %s, rank = %s, dtype = %s" % (ones.shape, ones.ndim, ones.dtype))
values = [tnp.asarray(1, dtype=d) for d in (tnp.int32, tnp.int64, tnp.float32, tnp.float64)]
for i, v1 in enumerate(values):
    for v2 in values[i + 1:]:
        print("%s + %s => %s" % (v1.dtype.name, v2.dtype.name, (v1 + v2).dtype.name))
x = tnp.ones([2, 3])
y = tnp.ones([3])
z = tnp.ones([1, 2, 1])
print((x + y + z).shape)
x = tnp.arange(24).reshape(2, 3, 4)
print(x[1, tnp.newaxis, 1:3, ...], x[:, (True, False, True)], x[1, (0, 0, 1), tnp.asarray([0, 1, 1])])
try:
    tnp.arange(6).reshape([2, 3])[1] = -1
except TypeError:
    print("Currently, TensorFlow NumPy does not support mutation.")
class Model(object):
    def __init__(self):
        self.weights = None
    def predict(self, inputs):
        if self.weights is None:
            size = inputs.shape[1]
            stddev = tnp.sqrt(size).astype(tnp.float32)
            w1 = tnp.ones([size, 4]).astype(tnp.float32) / stddev
            bias = tnp.zeros([4], dtype=tnp.float32)
            w2 = tnp.ones([4, 2]).astype(tnp.float32) / 8
            self.weights = (w1, bias, w2)
        else:
            w1, bias, w2 = self.weights
        y = tnp.matmul(inputs, w1) + bias
        y = tnp.maximum(y, 0)
        return tnp.matmul(y, w2)
model = Model()
inputs = tnp.arange(6).reshape(2, 3).astype(tnp.float32) / 6
labels = tnp.ones([2, 2], dtype=tnp.float32)
def mean_squared_error(y_true, y_pred):
    return tnp.mean(tnp.square(y_true - y_pred))
def train_step(model):
    with tf.GradientTape() as tape:
        preds = model.predict(inputs)
        tape.watch(model.weights)
        loss = mean_squared_error(labels, model.predict(inputs))
    return loss, tape.gradient(loss, model.weights)
loss, grads = train_step(model)
print(loss, grads)
compiled = tf.function(lambda: train_step(model))
print(compiled())
def single(x):
    return tnp.dot(tnp.asarray([[2.0, 3.0], [4.0, 5.0]], tnp.float32), x)
print(tf.vectorized_map(single, tnp.asarray([[1.0, 2.0], [3.0, 4.0]], tnp.float32)))
a = tnp.asarray([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(a)
    b = tnp.outer(a, a) * 2
print(tape.jacobian(b, a))
np_sum, tf_sum = np.sum(tnp.ones([2, 3])), tf.reduce_sum(tnp.ones([2, 3]))
print(np_sum, tf_sum, type(np_sum).__name__, np.ones([2]) + tnp.ones([2]), tnp.sum(np.ones([2, 3]) + tnp.ones([2, 3])), isinstance(tnp.ones(1), tf.Tensor), tf.convert_to_tensor(tnp.ones(2)).dtype)
v = tf.Variable(tnp.ones([2]))
v.assign_add(tnp.asarray([1.0, 2.0]))
print(v.numpy(), (v + 1).dtype, tnp.sum(v), v.value().T)
