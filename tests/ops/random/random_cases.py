"""Programs whose random numbers must be TensorFlow's, run by record.py and test_recorded.py.

A case is a name and a program over `tf`, `np` and `show`. What is shown is compared bit for bit; in
cases named `libm_...` the float64 numbers come from the platform's mathematical library, which may
differ in the last place.
"""

SIZES = (0, 1, 3, 5, 17, 1001, 40_003)
SEEDS = ([1, 2], [0, 0], [-5, 2**31 - 1], [2**40 + 3, -(2**50)])
FLOATS = ("float16", "bfloat16", "float32")

CASES: dict[str, str] = {}


def _case(name: str, program: str) -> None:
    assert name not in CASES, name
    CASES[name] = program


for _i, _seed in enumerate(SEEDS):
    for _draw in ("uniform", "normal", "truncated_normal"):
        for _dtype in (*FLOATS, "float64"):
            _libm = "libm_" if _dtype == "float64" and _draw != "uniform" else ""
            _case(f"{_libm}stateless_{_draw}_{_dtype}_{_i}", "".join(
                f"show(tf.random.stateless_{_draw}([{n}], seed={_seed}, dtype=tf.{_dtype}))\n"
                for n in SIZES))
    _case(f"stateless_ints_{_i}", f"""
for n in {SIZES}:
    for dtype, low, high in (("int32", 0, 10), ("int32", -2**31, 2**31 - 1), ("int64", -5, 2**62),
                             ("int64", -2**63, 2**63 - 1)):
        show(tf.random.stateless_uniform([n], {_seed}, low, high, dtype))
    for dtype in ("int32", "int64", "uint32", "uint64"):
        show(tf.random.stateless_uniform([n], {_seed}, None, None, dtype))
""")
    _case(f"libm_stateless_gamma_{_i}", f"""
for alpha in ([0.1, 0.5, 1.0, 1.5, 30.0], [[2.0], [0.7]]):
    for n in ([], [7], [301]):
        for dtype in ("float16", "float32", "float64"):
            shape = n + list(np.shape(alpha))
            show(tf.random.stateless_gamma(shape, {_seed}, alpha, dtype=dtype))
            show(tf.random.stateless_gamma(shape, {_seed}, alpha, beta=3.0, dtype=dtype))
""")
    _case(f"stateless_poisson_{_i}", f"""
for lam in ([0.5, 3.0, 9.99, 10.0, 200.0, 3e4], [[0.3], [40.0]]):
    for n in ([], [7], [301]):
        for dtype in ("float16", "float32", "float64", "int32", "int64"):
            show(tf.random.stateless_poisson(n + list(np.shape(lam)), {_seed}, lam, dtype))
""")
    _case(f"stateless_binomial_{_i}", f"""
for counts, probs in (([10.0, 20, 1000, 5, 5, 5], [0.8, 0.3, 0.4, 0.0, 1.0, 0.5]),
                      ([[100.0], [3.0]], [0.25, 0.75])):
    for n in ([], [7], [301]):
        for dtype in ("int32", "float16", "float32", "int64"):
            for kind in ("float16", "float32", "float64"):
                shape = n + list(np.broadcast_shapes(np.shape(counts), np.shape(probs)))
                show(tf.random.stateless_binomial(shape, {_seed}, np.array(counts, kind),
                                                  np.array(probs, kind), dtype))
""")
    _case(f"stateless_categorical_{_i}", f"""
rng = np.random.RandomState(0)
for rows, classes, samples in ((1, 2, 1), (1, 5, 10), (3, 4, 7), (40, 3, 33), (64, 10, 1)):
    for dtype in ("float16", "float32", "float64"):
        logits = rng.randn(rows, classes).astype(dtype) * 2
        show(tf.random.stateless_categorical(logits, samples, {_seed}))
odd = np.array([[-np.inf, 0, 1], [np.inf, 0, 1], [np.nan, 1, 2], [-np.inf] * 3], "float32")
show(tf.random.stateless_categorical(odd, 5, {_seed}, tf.int32))
""")
    _case(f"libm_stateless_parameterized_truncated_normal_{_i}", f"""
for p in ((0.0, 1.0, -2.0, 2.0), (0.0, 1.0, 3.0, np.inf), (0.0, 1.0, -np.inf, -4.0),
          (1.0, 2.0, 1.1, 1.2), (5.0, 0.1, 0.0, 4.8), (0.0, 1.0, -0.5, 0.5), (0.0, 1.0, 1.0, 8.0),
          ([0.0, 1.0], [1.0, 2.0], -1.0, [[1.0], [2.0], [3.0]])):
    tail = list(np.broadcast_shapes(*map(np.shape, p)))
    for n in ([], [7], [101]):
        for dtype in ("float16", "float32", "float64"):
            show(tf.random.stateless_parameterized_truncated_normal(
                n + tail, {_seed}, *[np.array(x, dtype) for x in p]))
""")
    _case(f"shuffles_{_i}", f"""
for n in (0, 1, 2, 5, 100, 3001):
    show(tf.random.experimental.stateless_shuffle(np.arange(n), {_seed}))
show(tf.random.experimental.stateless_shuffle(np.arange(30).reshape(10, 3), {_seed}))
for top in (0, 1, 9, 100, 65535, 65536, 70000, 2**31 - 1):
    for dtype in ("int32", "uint32", "int64", "uint64"):
        index = np.arange(min(top + 1, 60)).astype(dtype)
        show(tf.random.experimental.index_shuffle(index, {_seed}, np.array(top, dtype)))
show(tf.random.experimental.index_shuffle(np.array([2**40, 5]), {_seed}, np.array([2**41, 7])))
""")
    _case(f"split_fold_{_i}", f"""
show(tf.random.split({_seed}, 3))
show(tf.random.split(np.array({_seed}), num=5))
show(tf.random.fold_in({_seed}, 7))
show(tf.random.fold_in({_seed}, np.int64(-7)))
""")

_case("several_chunks", """
for draw in (tf.random.stateless_uniform, tf.random.stateless_normal,
             tf.random.stateless_truncated_normal):
    show(draw([300_001], seed=[3, 4]))
""")
_case("scaled", """
show(tf.random.stateless_normal([50], [1, 2], 3, 2.5))
show(tf.random.stateless_normal([50], [1, 2], 3.3, 2.5, tf.float16))
show(tf.random.stateless_normal([5, 3], [1, 2], [1.0, 2.0, 3.0], 0.1))
show(tf.random.stateless_uniform([50], [1, 2], -3.3, 7.1))
show(tf.random.stateless_uniform([50], [1, 2], -3.3, 7.1, tf.bfloat16))
show(tf.random.stateless_truncated_normal([50], [1, 2], -1, 0.3))
""")
_case("global_seed", """
for seed in (0, 1, 42, -3, 2**40, 1.5, True, np.int64(7), np.array(7)):
    tf.random.set_seed(seed)
    show(tf.random.normal([3]))
    show(tf.random.uniform([3]))
    show(tf.random.uniform([3], maxval=100, dtype=tf.int32))
    show(tf.random.truncated_normal([3], stddev=2.0))
    show(tf.random.normal([3], seed=5))
    show(tf.random.shuffle(tf.constant(np.arange(9))))
""")
_case("op_seeds_advance", """
tf.random.set_seed(1)
for seed in (5, 0, 5, 2**31 - 1, 2**31, -1, 1.0, 1.5, True, np.int32(4)):
    show(tf.random.normal([2], seed=seed))
    show(tf.random.normal([3], seed=seed))
    show(tf.random.uniform([3], seed=seed))
    show(tf.random.normal(np.array([3]), seed=seed))
    show(tf.random.normal([3], mean=1, stddev=2.0, seed=seed))
    show(tf.random.uniform([3], 5, 50, tf.int64, seed=seed))
    show(tf.random.truncated_normal([3], seed=seed))
    show(tf.random.shuffle(tf.constant(np.arange(9)), seed=seed))
    show(tf.random.categorical(np.zeros((2, 5)), 6, seed=seed))
    show(tf.random.poisson([3], [2.0, 30.0], seed=seed))
tf.random.set_seed(1)
show(tf.random.normal([2], seed=5))
""")
_case("op_seeds_without_global_seed", """
tf.random.set_seed(None)
show(tf.random.normal([3], seed=77))
show(tf.random.normal([3], seed=77))
show(tf.random.uniform([3], maxval=9, dtype=tf.int32, seed=77))
""")
_case("libm_stateful_gamma", """
tf.random.set_seed(3)
for i in range(3):
    show(tf.random.gamma([4], [0.5, 1.0, 3.0], seed=1))
    show(tf.random.gamma([], [[0.5], [2.0]], beta=[1.0, 2.0]))
    show(tf.random.gamma([3], 2.0, dtype=tf.float64))
""")
_case("generator", """
g = tf.random.Generator.from_seed(1234)
show(g.state)
show(g.normal([2, 3]))
show(g.state)
show(g.uniform([5], 1, 3))
show(g.uniform([2], maxval=5, dtype=tf.int32))
show(g.uniform([2], minval=None, dtype=tf.int64))
show(g.uniform_full_int([3]))
show(g.truncated_normal([3], 1, 2))
show(g.normal([0]))
show(g.normal([]))
show(g.skip(3))
show(g.binomial([2], [10.0, 20.0], [0.8]))
show(g.state)
show(g.binomial([3, 2], [10.0, 20.0], [0.8], dtype=tf.float32))
show(g.state)
show(g.make_seeds(3))
for one in g.split(2):
    show(one.state)
    show(one.normal([3]))
show(g.key)
g.reset_from_seed(9)
show(g.uniform([3]))
g.reset_from_key_counter(1, [2, 3])
show(g.state)
show(g.skip(-1))
show(g.state)
g.reset([1, 2, 3])
show(tf.random.Generator(copy_from=g).normal([3]))
for seed in (0, -5, 2**64 + 5, 2**200 + 1, [5, 6], [1, 2, 3, 4]):
    show(tf.random.Generator.from_seed(seed).state)
    show(tf.random.Generator.from_seed(seed).normal([3]))
show(tf.random.Generator.from_state([-2, 5, 2**64 - 7], "philox").uniform([9]))
show(tf.random.Generator.from_key_counter(7, [1, 2], "philox").uniform([9]))
show(tf.random.Generator.from_state([1, 2, 3], "auto_select").normal([2]))
show(tf.random.create_rng_state(-1, "threefry"))
""")
_case("initializers", """
tf.random.set_seed(1)
show(tf.random_normal_initializer()([2, 2]))
show(tf.random_normal_initializer(1.0, 2.0, seed=1)([3]))
show(tf.random_uniform_initializer(seed=3)([3]))
show(tf.random_uniform_initializer(1, 5, seed=3)([3], tf.int32))
show(tf.random_uniform_initializer(0, None, seed=3)([3]))
show(tf.zeros_initializer()([2], tf.int32))
show(tf.ones_initializer()([2]))
show(tf.constant_initializer([1, 2, 3, 4])([2, 2]))
""")
_case("libm_gradients", """
a, b = tf.Variable([0.5, 2.0, 10.0]), tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.random.stateless_gamma([4, 3], [1, 2], a, b)
    n = tf.random.stateless_normal([3], [1, 2], mean=b, stddev=a)
    u = tf.random.stateless_uniform([3], [1, 2], b, a)
for target in (y, n, u):
    for g in tape.gradient(target, [a, b]):
        show(g)
m, s, low, high = [tf.Variable(v) for v in (0.5, 1.5, [-1.0, 0.0, 1.0], 3.0)]
with tf.GradientTape() as tape:
    y = tf.random.stateless_parameterized_truncated_normal([2, 3], [1, 2], m, s, low, high)
    y = y * np.arange(6.0, dtype="float32").reshape(2, 3)
for g in tape.gradient(y, [m, s, low, high]):
    show(g)
""")
_case("vectorized_map", """
tf.random.set_seed(1)
for _ in range(2):
    show(tf.vectorized_map(lambda x: x + tf.random.normal([2]), tf.zeros([3, 2])))
    show(tf.vectorized_map(lambda x: x * 0 + tf.random.uniform([2], seed=5), tf.zeros([3, 2])))
    show(tf.vectorized_map(lambda x: tf.random.stateless_normal([2], seed=x),
                           tf.constant([[1, 2], [3, 4]])))
""")
