"""Element types: attributes, lookups and refusals, with TensorFlow's answers as literals."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from tapeflow.base import dtypes
from tapeflow.base.dtypes import DType, as_dtype, of

NUMPY_NAMES = [
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "complex64",
    "complex128",
]
ALL = {d.name: d for d in vars(dtypes).values() if isinstance(d, DType)}


@pytest.mark.parametrize("name", NUMPY_NAMES)
def test_numpy_types_agree_in_every_direction(name):
    d = getattr(dtypes, name)
    n = np.dtype(name)
    assert d.name == name and d.np == n and d.as_numpy_dtype is n.type
    assert d.kind == n.kind and d.size == n.itemsize
    assert all(as_dtype(x) is d for x in (d, name, n, n.type, d.as_datatype_enum, n.newbyteorder()))
    assert of(n) is d and of(n.newbyteorder()) is d
    assert d in (name, n, n.type) and d == name and name == d


@pytest.mark.parametrize(
    ("name", "enum", "floating", "integer", "unsigned", "numeric"),
    [
        ("float32", 1, True, False, False, True),
        ("float64", 2, True, False, False, True),
        ("int32", 3, False, True, False, True),
        ("uint8", 4, False, True, True, True),
        ("int16", 5, False, True, False, True),
        ("int8", 6, False, True, False, True),
        ("string", 7, False, False, False, False),
        ("complex64", 8, False, False, False, True),
        ("int64", 9, False, True, False, True),
        ("bool", 10, False, False, False, False),
        ("bfloat16", 14, True, False, False, True),
        ("uint16", 17, False, True, True, True),
        ("complex128", 18, False, False, False, True),
        ("float16", 19, True, False, False, True),
        ("resource", 20, False, False, False, False),
        ("variant", 21, False, False, False, False),
        ("uint32", 22, False, True, True, True),
        ("uint64", 23, False, True, True, True),
        ("float8_e5m2", 24, True, False, False, False),
        ("int4", 29, False, True, False, False),
        ("uint4", 30, False, True, True, False),
    ],
)
def test_facts(name, enum, floating, integer, unsigned, numeric):
    d = ALL[name]
    assert (d.as_datatype_enum, int(d), hash(d)) == (enum, enum, enum)
    assert (d.is_floating, d.is_integer) == (floating, integer)
    assert (d.is_unsigned, d.is_numeric) == (unsigned, numeric)
    assert d.is_complex == name.startswith("complex") and d.is_bool == (name == "bool")
    assert not d.is_quantized and d.base_dtype is d
    assert DType(enum) is d


def test_text():
    assert repr(dtypes.float32) == "tf.float32"
    assert str(dtypes.float32) == f"{dtypes.float32}" == "<dtype: 'float32'>"
    assert repr(dtypes.half) == "tf.float16" and repr(dtypes.double) == "tf.float64"


@pytest.mark.parametrize("d", ALL.values(), ids=ALL)
def test_copies_are_the_singleton(d):
    assert pickle.loads(pickle.dumps(d)) is d
    assert copy.deepcopy(d) is d and copy.copy(d) is d


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float, "float32"),
        ("float", "float32"),
        (bool, "bool"),
        (object, "string"),
        (np.str_, "string"),
        (np.bytes_, "string"),
        (np.dtype("S3"), "string"),
        (np.dtype("U3"), "string"),
        (np.dtype("O"), "string"),
        (np.longlong, "int64"),
        (np.intc, "int32"),
        (np.array([1.0]), "float64"),
        ("half", "float16"),
        ("double", "float64"),
        ("resource", "resource"),
        (14, "bfloat16"),
    ],
)
def test_as_dtype(value, expected):
    assert as_dtype(value) is ALL[expected]


@pytest.mark.parametrize(
    "value",
    [
        int,
        str,
        complex,
        bytes,
        list,
        None,
        0,
        99,
        1.5,
        "int",
        "foo",
        "f4",
        "str",
        "object",
        "complex",
    ]
    + ["", "float32 ", [1], {}, ..., np.void, np.datetime64, np.longdouble, np.floating, np.generic]
    + [np.dtype([("a", "f4")]), np.dtype("(2,)f4"), np.datetime64("2020-01-01")],
)
def test_as_dtype_refuses(value):
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`: .* DType"):
        as_dtype(value)
    assert not dtypes.float32 == value and dtypes.float32 != value  # and never raises


def test_equality_never_raises():
    class Hostile:
        @property
        def dtype(self):
            raise RuntimeError("no")

    assert dtypes.float32 != Hostile()
    assert dtypes.float32 == 1 and dtypes.float32 != 3
    assert dtypes.float32.is_compatible_with("float32")
    assert not dtypes.float32.is_compatible_with("int32")
    with pytest.raises(TypeError):
        dtypes.float32.is_compatible_with(None)


def test_of_strings_and_refusals():
    assert all(of(np.dtype(t)) is dtypes.string for t in ("O", "S1", "S99", "U7"))
    for bad in ("M8[s]", "V4", "longdouble", [("a", "f4")], "(2,)f4"):
        with pytest.raises(TypeError, match="has no TensorFlow equivalent"):
            of(np.dtype(bad))
    with pytest.raises(TypeError, match="Expected a NumPy dtype"):
        of("float32")


def test_min_max_limits():
    assert (dtypes.int8.min, dtypes.int8.max, dtypes.int8.limits) == (-128, 127, (0, 127))
    assert type(dtypes.int64.max) is int and dtypes.uint64.max == 2**64 - 1
    assert dtypes.float32.max == np.float32(3.4028235e38)
    assert type(dtypes.float32.min) is np.float32 and dtypes.float16.min == -65504
    assert float(dtypes.bfloat16.max) == 3.3895313892515355e38
    assert (dtypes.int4.min, dtypes.int4.max) == (-8, 7)
    assert dtypes.float32.limits == (0, 1) and dtypes.bool.limits == (0, True)
    for name in ("bool", "complex64", "string", "resource"):
        with pytest.raises(TypeError, match=f"Cannot find minimum value of <dtype: '{name}'>"):
            _ = ALL[name].min
    with pytest.raises(ValueError, match="<dtype: 'float16'> does not have defined limits"):
        _ = dtypes.float16.limits


def test_real_dtype():
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128.real_dtype is dtypes.float64
    assert dtypes.int32.real_dtype is dtypes.int32


def test_resource_has_no_numpy_side():
    assert not dtypes.resource.is_numpy_compatible
    with pytest.raises(KeyError, match="tf.resource"):
        _ = dtypes.resource.as_numpy_dtype


def test_immutable_and_no_stray_attributes():
    with pytest.raises(AttributeError):
        dtypes.float32.name = "x"
    with pytest.raises(AttributeError, match="no attribute 'x'"):
        _ = dtypes.float32.x
    with pytest.raises(TypeError, match="999 does not correspond"):
        DType(999)


def test_bfloat16_is_loaded_at_first_use():
    code = (
        "import sys; from tapeflow.base import dtypes as d; assert 'ml_dtypes' not in sys.modules;"
        "import ml_dtypes, numpy as np; n = np.dtype(ml_dtypes.bfloat16);"
        "assert d.of(n) is d.as_dtype(n) is d.as_dtype(n.type) is d.bfloat16;"
        "assert d.bfloat16.np is n and d.bfloat16.kind == 'f' and n.kind == 'V';"
        "assert d.int4.as_numpy_dtype is ml_dtypes.int4"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
