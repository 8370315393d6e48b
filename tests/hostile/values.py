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

KINDS = {name: [one.strip() for one in text.replace("\n", " ").split(";")]
         for name, text in (("plain", PLAIN), ("arrays", ARRAYS), ("tensors", TENSORS),
                            ("objects", OBJECTS))}
WEIGHTS = {"plain": 10, "arrays": 3, "tensors": 5, "objects": 1, "drawn": 3}
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
}
SWEPT = {kind: [one.strip() for one in text.replace("\n", " ").split(";")]
         for kind, text in _SWEPT.items()}


class Refusal(Exception):
    """What a hostile object raises when it is asked for something."""


def _refuse(*_, **__):
    raise Refusal("no")


def _hostile(name: str, *methods: str) -> type:
    return type(name, (), dict.fromkeys(methods, _refuse))


OBJECT_TYPES = {
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
