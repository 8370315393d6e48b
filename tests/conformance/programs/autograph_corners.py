"""AutoGraph: returns anywhere, annotations, and code that it leaves as it is."""

# --- returns_under_python_conditions
def f1(flag, dims):
    if flag:
        if dims is None:
            return
        dims.append(1)

def f2(x, mode=None):
    if mode is None:
        return x
    elif mode == "double":
        y = x * 2.0
        return y
    for k in range(3):
        if k == mode:
            return x + k
    else:
        return -x

def f3(x, items):
    for item in items:
        if item is None:
            continue
        if item > 2:
            return x * item
        while True:
            if item == 1:
                break
            return x - item
    return x

@tf.function
def f(x):
    f1(True, None), f1(True, [1]), f1(False, None)
    return [f2(x), f2(x, "double"), f2(x, 1), f2(x, 7), f3(x, [None, 5]), f3(x, [1, 2]), f3(x, [])]

print([y.numpy() for y in f(tf.constant(3.0))])

# --- returns_from_try
def g1(d):
    try:
        return d["a"]
    except KeyError:
        pass
    return 9.0

def g2(d):
    try:
        value = d["a"]
    except KeyError:
        return 7.0
    else:
        return value
    finally:
        d["seen"] = 1

def g3(d):
    for key in ("b", "a"):
        try:
            if key in d:
                return d[key]
        finally:
            d["tried"] = d.get("tried", 0) + 1
    return -1.0

def g4(x):
    with tf.name_scope("a"):
        if x is None:
            return 0.0
        return x

@tf.function
def f(x):
    return [x * g(d) for g in (g1, g2, g3) for d in ({}, {"a": 2.0})] + [g4(x) * 1.0, x + g4(None)]

print([y.numpy() for y in f(tf.constant(1.0))])

# --- annotated_assignments
@tf.function
def f(x):
    n: int = 0
    label: str
    out: tf.Tensor = x
    for i in range(3):
        out: tf.Tensor = out + 1.0
    return out, n

print([y.numpy() for y in f(tf.constant(1.0))])

# --- annotated_attributes
class Holder:
    pass

@tf.function
def f(x):
    h = Holder()
    h.value: tf.Tensor = x
    d = {}
    d["a"]: float = 2.0
    for _ in tf.range(2):
        h.value: tf.Tensor = h.value * d["a"]
    return h.value

print(f(tf.constant(1.5)).numpy())

# --- code_without_source
import logging
logging.getLogger("tensorflow").setLevel(logging.ERROR)
space = {"tf": tf}
exec("def g(x, flag):\n    if flag:\n        return x + 1.0\n    return x\n", space)
print(tf.function(space["g"])(tf.constant(1.0), True).numpy())

@tf.function
def f(x):
    return space["g"](x, False) * 2.0

print(f(tf.constant(1.0)).numpy())
logging.getLogger("tensorflow").setLevel(logging.WARNING)

# --- generators_and_comprehensions
def numbers(n):
    for i in range(n):
        if i == 2:
            continue
        yield i

@tf.function
def f(x):
    total = x
    for i in numbers(4):
        total += float(i)
    return total + sum(x * k for k in numbers(3))

print(f(tf.constant(2.0)).numpy())

# --- nonlocal_and_global_names
counter = 0

@tf.function
def f(x):
    global counter
    total = x

    def add(y):
        nonlocal total
        if y is None:
            return
        total = total + y

    add(None)
    add(1.0)
    counter += 1
    return total

print(f(tf.constant(1.0)).numpy(), counter)

# --- calls_of_standard_library_functions
import collections
import functools
import itertools

Point = collections.namedtuple("Point", "x y")

@tf.function
def f(x):
    p = Point(x, y=x * 2.0)
    total = functools.reduce(lambda a, b: a + b, [p.x, p.y])
    for a, b in itertools.product([1.0, 2.0], [3.0]):
        total += a * b
    for i, (a, b) in enumerate(zip([1.0, 2.0], [x, x])):
        total += i * a * b
    return total, p._replace(x=x * 5.0)

print(tf.nest.map_structure(lambda y: y.numpy(), f(tf.constant(1.0))))

# --- decorated_and_wrapped_functions
import functools

def twice(g):
    @functools.wraps(g)
    def call(*args, **kwargs):
        return g(*args, **kwargs) * 2.0
    return call

@twice
def g(x):
    if x > 0.0:
        return x
    return -x

class Lazy:
    @functools.cached_property
    def value(self):
        return 3.0

    @staticmethod
    def absolute(x):
        if x < 0.0:
            return -x
        return x

    @classmethod
    def name(cls, x):
        if cls is Lazy:
            return x + 1.0
        return x

@tf.function
def f(x):
    return g(x) + Lazy().value, Lazy.absolute(x), Lazy.name(x)

print([y.numpy() for y in f(tf.constant(-2.0))])

# --- match_statements
@tf.function
def f(x, mode):
    match mode:
        case "a":
            return x + 1.0
        case {"scale": s}:
            return x * s
        case [first, *rest]:
            return x + first + len(rest)
        case None:
            pass
        case _:
            return -x
    return x

print([f(tf.constant(1.0), m).numpy() for m in ("a", {"scale": 3.0}, (1.0, 2.0), None, 5)])

# --- with_and_early_exit_in_loops
import contextlib

@contextlib.contextmanager
def scope(name, log):
    log.append("in " + name)
    yield len(log)
    log.append("out " + name)

log = []

@tf.function
def f(x):
    for k in [0, 1, 2]:
        with scope(str(k), log) as n:
            if k == 1:
                break
            x += n
    return x

print(f(tf.constant(0.0)).numpy(), log)

# --- raise_under_conditions
def check(kind):
    if kind not in ("a", "b"):
        raise ValueError(f"bad {kind}")
    return 1.0

@tf.function
def f(x, kind):
    return x * check(kind)

print(f(tf.constant(2.0), "a").numpy(), outcome(f, tf.constant(2.0), "c"))

# --- super_and_class_cells
class A:
    def scale(self, x):
        if x is None:
            return None
        return x * 2.0

class B(A):
    def scale(self, x):
        y = super().scale(x)
        if y is None:
            return tf.constant(0.0)
        return y + __class__.offset
    offset = 1.0

@tf.function
def f(x):
    return B().scale(x), B().scale(None)

print([y.numpy() for y in f(tf.constant(2.0))])

# --- return_that_cannot_be_converted_in_a_try
def batch_size(x, size):
    try:
        if len(x.shape) > 2 or tf.size(x) > size:
            return tf.size(x) // size
    except Exception:
        if not tf.is_tensor(x):
            raise
    return None
def negated(x):
    try:
        if tf.reduce_sum(x) > 3:
            return x
    except ValueError:
        return -x
    return None
f = tf.function(lambda x: (tf.shape(x), batch_size(x, 4)))
print(f(tf.ones([2, 4]))[1], f(tf.ones([2, 2, 2]))[1], tf.function(negated)(tf.ones([1])))
