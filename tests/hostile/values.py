"""What hostile calls are made of: arguments that no caller should pass, as source text.

An argument is text, so that a call reads as a program, is the same in every library and can be
pasted. `tf`, `np` and the classes below are the names that a text may use.
"""

from __future__ import annotations

import random

PLAIN = """\
None; True; False; 0; 1; -1; 3; 7; 1.5; -0.0; 2.0; 2**31; -2**31; 2**40; 2**63 - 1; -2**63;
2**64; 10**30; 1e39; float('nan'); float('inf'); 1j; ''; 'abc'; b'xyz'; 'float32'; 'SAME';
(); []; [[]]; {}; set(); {'a': 1}; {'a': [1.0, 2.0]}; object(); int; ...; slice(1);
range(3); range(0); lambda *_: 0; print; [None]; [1, None]; ['a']; ['a', 1]; [True];
[True, 2]; [1.5]; [-1]; [0]; [2]; [1, 2]; [2**40]; [2**63 - 1]; [2**64]; [-5, 3]; [0, 0];
[1, 1]; [[1], [2, 3]]; [[1, 2], 3]; [[0, 1]]; [[-1, 4]]; [{}]; [[], []]; [float('nan')];
[1.0, 'a']; [b'a', None]; ((1, 2), (3,)); [object()]; [1j]; (3, 3); [2, 3, 4, 5]"""

ARRAYS = """\
np.float64('nan'); np.int64(3); np.bool_(True); np.float32(2.5); np.zeros(0);
np.zeros(0, 'i4'); np.zeros((2, 0, 3), 'f'); np.zeros((1,) * 9, 'f');
np.array([None, 1], object); np.array([{}], object); np.array('2020-01-01', 'M8[D]');
np.array(['a', 'b']); np.array([b'a\\0b']); np.ones((2, 3), 'f2'); np.ones(3, 'i1');
np.ones((2, 2), 'u8'); np.ones((2, 2), '?'); np.ones((2, 3), 'c8');
np.arange(4, dtype='u2'); np.ones(3, '>f4'); np.array([2**40]); np.array(3);
np.array([np.nan, np.inf]); np.int8(-1); np.uint64(2**63); np.str_('s');
np.zeros((3, 2), [('a', 'i4')]); np.ones((2, 2), 'g'); np.array(1.5);
np.arange(6).reshape(2, 3)"""

TENSORS = """\
tf.constant(1.0); tf.constant(2); tf.constant([1, 2]); tf.constant('s');
tf.constant(['s', 't']); tf.constant(True); tf.constant(1 + 2j); tf.constant(3, tf.int8);
tf.constant([1, 2], tf.uint64); tf.constant([0.5, 2.0]); tf.zeros([0]); tf.zeros([0, 3]);
tf.zeros([2, 3, 4]); tf.ones([2, 2]); tf.ones([1, 1, 1, 1, 1, 1, 1, 1, 1]);
tf.constant([float('nan'), 1.0]); tf.constant([[1, 2], [3, 4]], tf.int64);
tf.constant([-1, 5]); tf.constant([2**40]); tf.ones([2, 2], tf.bfloat16);
tf.ones([2, 2], tf.float16); tf.ones([3], tf.float64); tf.constant([True, False]);
tf.constant(-3, tf.int64); tf.ones([2, 4, 4, 3]); tf.Variable([1.0, 2.0]); tf.Variable(3);
tf.float32; tf.string; tf.int64; tf.TensorShape(None); tf.TensorShape([None, 2]);
tf.TensorShape([2, 3]); tf.TensorSpec([2]); tf.ragged.constant([[1], [2, 3]]);
tf.ragged.constant([[1.0], []]); tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]]);
tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0])); tf.data.Dataset.range(2);
[tf.constant(1.0), tf.constant(2)]; [tf.constant(1), 2.5]; [tf.ones([2]), tf.ones([3])];
{'a': tf.constant(1.0)}"""

OBJECTS = "; ".join(f"Bad{one}()" for one in (
    "Len", "Array", "Index", "Bool", "Iter", "Float", "Repr", "Equal"))

UNUSUAL = """\
(i for i in range(2)); iter([1, 2]); zip([1], [2]); map(int, '12'); enumerate('ab');
memoryview(b'abc'); bytearray(b'ab'); frozenset((1, 2)); {1: 2}.keys(); {1: 2}.items();
type('Sub', (int,), {})(3); type('Sub', (str,), {})('a'); type('Sub', (list,), {})([1, 2]);
type('Sub', (float,), {})(1.5); type('Sub', (dict,), {})(a=1); range(2**40); range(5, 0, -1);
'\\ud800'; 'a\\0b'; b'\\xff\\xfe'; '\\u0660'; 'é' * 300; 'None'; 'nan'; '3'; 'a/b'; '*('; '[';
NotImplemented; BaseException; ValueError('x'); type; abs; len; __import__('math');
__import__('decimal').Decimal('1.5'); __import__('fractions').Fraction(1, 3);
__import__('datetime').date(2020, 1, 1); __import__('collections').deque([1, 2]);
__import__('collections').OrderedDict(a=1); __import__('collections').namedtuple('P', 'x')(1);
__import__('types').SimpleNamespace(shape=(2,), dtype='f'); __import__('array').array('f', [1, 2]);
__import__('functools').partial(abs, -1); __import__('enum').IntEnum('E', 'A').A; Shaped();
Counted(); Circular(); Deep(); np.ma.array([1.0, 2.0], mask=[0, 1]); np.nan; np.newaxis;
np.matrix([[1.0, 2.0]]); np.broadcast_to(np.float32(1), (2, 3)); np.ones((4, 4), 'f')[::-2, ::2];
np.asfortranarray(np.ones((2, 3))); np.timedelta64(3, 's'); np.void(b'ab'); np.dtype('f4');
np.array([1, 2], 'm8[s]'); np.array('x'); np.array([[]], object); np.array([tf.ones([1])], object);
np.array(b'\\xff'); np.iinfo('i4'); np.float16('inf'); np.array([2**63], 'u8'); np.longdouble(1);
np.array(['é', 'a']); np.ndarray; np.int32; np.array([1.5, None]); np.ones((0, 2**40), 'f');
tf.constant([], tf.string); tf.constant([[]], tf.bool); tf.constant(b'\\xff'); tf.resource;
tf.variant; tf.qint8; tf.half; tf.bfloat16; tf.Module(); tf.function(lambda: 1); tf.GradientTape();
tf; tf.TensorArray(tf.float32, 2); tf.RaggedTensorSpec([2, None]); tf.SparseTensorSpec([2, 2]);
tf.Variable('s'); tf.Variable([[True]]); tf.Variable(1.0, shape=tf.TensorShape(None));
tf.random.Generator.from_seed(1); tf.constant([2**62, -2**62]); tf.constant([[1e38, -1e38]]);
tf.constant(5e-324, tf.float64); tf.zeros([0, 0, 0, 0]); tf.ones([1, 2, 3, 4, 5, 6]);
tf.ragged.constant([[['a']], []]); tf.ragged.constant([], ragged_rank=1); tf.nn; tf.errors.OpError;
tf.sparse.from_dense(['', 'a']); tf.SparseTensor([[5, 5]], [1.0], [2, 2]); tf.newaxis;
tf.IndexedSlices(tf.ones([2]), tf.constant([7, -1]), tf.constant([3]));
tf.TensorSpec(None, tf.string); tf.data.Dataset.from_tensors({'a': 1});
iter(tf.data.Dataset.range(3)); tf.keras.backend.floatx(); tf.linalg.LinearOperatorIdentity(2);
tf.experimental.Optional.empty(tf.TensorSpec([])); [tf.ragged.constant([[1]]), 2];
{'a': tf.Variable(1), 'b': [None]}; [np.ones(2), [1.0, tf.ones([])]]; (tf.constant(1), None);
[[[[[[1]]]]]]; [range(2), range(2)]; [[1, 2], (3, 4)]; [1, 2.5, 3j]; [b'a', 'b']"""

KINDS = {name: [one.strip() for one in text.replace("\n", " ").split(";")]
         for name, text in (("plain", PLAIN), ("arrays", ARRAYS), ("tensors", TENSORS),
                            ("objects", OBJECTS), ("unusual", UNUSUAL))}
WEIGHTS = {"plain": 10, "arrays": 3, "tensors": 5, "objects": 1, "drawn": 3, "unusual": 4}
NUMBERS = (-9, -2, -1, 0, 1, 2, 3, 4, 5, 8, 100, 2**16, 2**31 - 1, 2**32, 2**62)
DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128")

# What a sweep puts in the place of every argument.
_SWEPT = {
    "integers": """2**31; 2**40; 2**63 - 1; -1; -2**31; 0; True; 2.0; np.int8(1); [1];
tf.constant(1, tf.int8); tf.constant(True); tf.constant([1, 1])""",
    "ranks": """tf.ones([]); tf.ones([1]); tf.ones([0]); tf.ones([2, 2]); tf.ones([2, 0, 2]);
tf.ones([1, 1, 1, 1, 1]); 1; [1]; [[1]]; []""",
    "composites": """tf.ragged.constant([[1], [2, 3]]); tf.ragged.constant([[1.0], []]);
tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]])""",
    "operators": """tf.linalg.LinearOperatorIdentity(2);
tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])""",
}
SWEPT = {kind: [one.strip() for one in text.replace("\n", " ").split(";")]
         for kind, text in _SWEPT.items()}


class Refusal(Exception):
    """What a hostile object raises when it is asked for something."""


def _refuse(*_, **__):
    raise Refusal("no")


def _hostile(name: str, *methods: str) -> type:
    return type(name, (), dict.fromkeys(methods, _refuse))


def _circular() -> list:
    """A list that is its own member."""
    made: list = [1]
    made.append(made)
    return made


def _deep() -> list:
    """Lists in lists, 2,000 of them."""
    made: list = [1]
    for _ in range(2000):
        made = [made]
    return made


OBJECT_TYPES = {
    "Shaped": type("Shaped", (), {"shape": (2, 2), "dtype": "float32"}),
    "Counted": type("Counted", (), {"__len__": lambda self: 2**40,
                                    "__getitem__": lambda self, i: 0}),
    "Circular": _circular,
    "Deep": _deep,
    "BadLen": _hostile("BadLen", "__len__", "__getitem__"),
    "BadArray": _hostile("BadArray", "__array__"),
    "BadIndex": _hostile("BadIndex", "__index__", "__int__"),
    "BadBool": _hostile("BadBool", "__bool__"),
    "BadIter": _hostile("BadIter", "__iter__"),
    "BadFloat": _hostile("BadFloat", "__float__"),
    "BadRepr": _hostile("BadRepr", "__repr__", "__str__"),
    "BadEqual": _hostile("BadEqual", "__eq__"),
}


def hostile(draw: random.Random) -> str:
    """One argument, from the lists above or with drawn numbers, sizes and dtypes."""
    kind = draw.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    if kind != "drawn":
        return draw.choice(KINDS[kind])
    return draw.choice((_number, _numbers, _tensor))(draw)


def _number(draw: random.Random) -> str:
    number = draw.choice(NUMBERS)
    return draw.choice((f"{number}", f"{number}.0", f"np.int64({number})"))


def _numbers(draw: random.Random) -> str:
    many = [draw.choice(NUMBERS) for _ in range(draw.randrange(5))]
    return draw.choice((f"{many}", f"{tuple(many)}", f"np.array({many})"))


def _tensor(draw: random.Random) -> str:
    shape = [draw.choice((0, 1, 2, 3, 4)) for _ in range(draw.randrange(6))]
    return f"tf.ones({shape}, tf.{draw.choice(DTYPES)})"
