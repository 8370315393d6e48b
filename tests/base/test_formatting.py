"""Text of tensors. Every expectation is TensorFlow's own output, but for what the docstring of
`print_text` names."""

import ml_dtypes
import numpy as np
import pytest

from tapeflow.base import dtypes
from tapeflow.base.formatting import (
    print_text,
    tensor_repr,
    tensor_str,
    variable_repr,
)
from tapeflow.base.shapes import TensorShape


def strings(*values, shape=None):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array if shape is None else array.reshape(shape)


def bf16(values):
    return np.array(values, dtype=ml_dtypes.bfloat16)


def of(value):
    return dtypes.string if isinstance(value, bytes) else dtypes.of(value.dtype)


@pytest.mark.parametrize(
    ("value", "text", "representation"),
    [
        (np.float32(6), "6.0, shape=(), dtype=float32", "shape=(), dtype=float32, numpy=6.0"),
        (
            np.float32(1 / 3),
            "0.33333334, shape=(), dtype=float32",
            "shape=(), dtype=float32, numpy=0.3333333432674408",
        ),
        (
            np.array(1 / 3),
            "0.3333333333333333, shape=(), dtype=float64",
            "shape=(), dtype=float64, numpy=0.3333333333333333",
        ),
        (
            np.array([1, 2], "f"),
            "[1. 2.], shape=(2,), dtype=float32",
            "shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)",
        ),
        (
            np.array([[1, 2], [30, 4]]),
            "\n[[ 1  2]\n [30  4]], shape=(2, 2), dtype=int64",
            "shape=(2, 2), dtype=int64, numpy=\narray([[ 1,  2],\n       [30,  4]])",
        ),
        (
            np.zeros((3, 0), "int8"),
            "[], shape=(3, 0), dtype=int8",
            "shape=(3, 0), dtype=int8, numpy=array([], shape=(3, 0), dtype=int8)",
        ),
        (np.True_, "True, shape=(), dtype=bool", "shape=(), dtype=bool, numpy=True"),
        (
            np.array([True, False]),
            "[ True False], shape=(2,), dtype=bool",
            "shape=(2,), dtype=bool, numpy=array([ True, False])",
        ),
        (
            np.complex64(1 / 3 + 1j / 3),
            "(0.33333334+0.33333334j), shape=(), dtype=complex64",
            "shape=(), dtype=complex64, numpy=(0.3333333432674408+0.3333333432674408j)",
        ),
        (
            bf16(1 / 3),
            "0.333984, shape=(), dtype=bfloat16",
            "shape=(), dtype=bfloat16, numpy=0.333984375",
        ),
        (
            bf16([1, -0.0, 1 / 3]),
            "[1 -0 0.333984], shape=(3,), dtype=bfloat16",
            "shape=(3,), dtype=bfloat16, numpy=array([1, -0, 0.333984], dtype=bfloat16)",
        ),
        (b"abc", "b'abc', shape=(), dtype=string", "shape=(), dtype=string, numpy=b'abc'"),
        (
            np.array(b"it's", dtype=object),
            'b"it\'s", shape=(), dtype=string',
            'shape=(), dtype=string, numpy=b"it\'s"',
        ),
        (
            strings(b"a", b"\xff"),
            "[b'a' b'\\xff'], shape=(2,), dtype=string",
            "shape=(2,), dtype=string, numpy=array([b'a', b'\\xff'], dtype=object)",
        ),
        (np.float16("inf"), "inf, shape=(), dtype=float16", "shape=(), dtype=float16, numpy=inf"),
        (
            np.iinfo("int64").min + np.int64(0),
            "-9223372036854775808, shape=(), dtype=int64",
            "shape=(), dtype=int64, numpy=-9223372036854775808",
        ),
    ],
)
def test_str_and_repr(value, text, representation):
    dtype = of(value)
    assert tensor_str(value, dtype) == f"tf.Tensor({text})"
    assert tensor_repr(value, dtype) == f"<tf.Tensor: {representation}>"
    numpy_text = representation[representation.index("numpy=") :]
    shape = np.shape(value)
    assert variable_repr("w:0", shape, dtype, value) == (
        f"<tf.Variable 'w:0' shape={shape} dtype={dtype.name}, {numpy_text}>"
    )


def test_large_arrays_follow_numpy_options():
    x = np.arange(1001, dtype="float32")
    assert tensor_str(x, dtypes.float32) == (
        "tf.Tensor([   0.    1.    2. ...  998.  999. 1000.], shape=(1001,), dtype=float32)"
    )
    with np.printoptions(precision=2, threshold=5):
        assert tensor_str(np.arange(10) / 3, dtypes.float64) == (
            "tf.Tensor([0.   0.33 0.67 ... 2.33 2.67 3.  ], shape=(10,), dtype=float64)"
        )


def test_variables_without_value_or_static_shape():
    assert variable_repr("w:0", (2,), dtypes.float32, None) == (
        "<tf.Variable 'w:0' shape=(2,) dtype=float32>"
    )
    assert variable_repr("w:0", TensorShape([None]), dtypes.float32, np.array([1, 2], "f")) == (
        "<tf.Variable 'w:0' shape=(None,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    )


def test_resources_have_no_printable_value():
    for form in (tensor_str, tensor_repr, print_text):
        assert "<unprintable>" in form(object(), dtypes.resource)


@pytest.mark.parametrize(
    ("kind", "number", "text"),
    [
        ("float32", 1e6, "1e+06"),
        ("float32", 123456, "123456"),
        ("float32", 1234567, "1234567"),
        ("float32", 123456789, "123456792"),
        ("float32", 999999.9, "999999.875"),
        ("float32", 1 / 3, "0.333333343"),
        ("float32", 0.1, "0.1"),
        ("float32", 1.5e-5, "1.5e-05"),
        ("float32", 3.4028235e38, "3.40282347e+38"),
        ("float32", -0.0, "-0"),
        ("float32", 2.5, "2.5"),
        ("float32", np.inf, "inf"),
        ("float32", -np.inf, "-inf"),
        ("float32", np.nan, "nan"),
        ("float32", np.copysign(np.nan, -1), "-nan"),
        ("float64", 1e6, "1000000"),
        ("float64", 1 / 3, "0.33333333333333331"),
        ("float64", 0.1, "0.1"),
        ("float64", 0.30000000000000004, "0.30000000000000004"),
        ("float64", 1e15, "1e+15"),
        ("float64", 1e300, "1e+300"),
        ("float64", 123456789012345678.0, "1.2345678901234568e+17"),
        ("float16", 0.1, "0.0999755859"),
        ("float16", 65504, "65504"),
        ("bfloat16", 1 / 3, "0.333984375"),
        ("bfloat16", 1e10, "9.99922074e+09"),
        ("uint8", 255, "255"),
        ("int64", -(2**63), "-9223372036854775808"),
        ("bool", True, "1"),
    ],
)
def test_print_of_numbers(kind, number, text):
    dtype = dtypes.as_dtype(kind)
    value = np.array(number, dtype=dtype.np)
    assert print_text(value, dtype) == text
    assert print_text(value[()], dtype) == text
    assert print_text(value.reshape(1), dtype) == f"[{text}]"


CUBE = np.arange(512, dtype="int32").reshape(8, 8, 8)


@pytest.mark.parametrize(
    ("value", "summarize", "text"),
    [
        (np.arange(6), None, "[0 1 2 3 4 5]"),
        (np.arange(7), None, "[0 1 2 ... 4 5 6]"),
        (np.arange(7), 3, "[0 1 2 ... 4 5 6]"),
        (np.arange(7), 2, "[0 1 ... 5 6]"),
        (np.arange(7), -1, "[0 1 2 3 4 5 6]"),
        (np.arange(7), 0, "[ ...]"),
        (np.int64(7), 0, "..."),
        (np.arange(4).reshape(2, 2), None, "[[0 1]\n [2 3]]"),
        (np.arange(4).reshape(2, 2, 1), None, "[[[0]\n  [1]]\n\n [[2]\n  [3]]]"),
        (
            np.arange(16).reshape(2, 2, 2, 2),
            None,
            "[[[[0 1]\n   [2 3]]\n\n  [[4 5]\n   [6 7]]]\n\n\n"
            " [[[8 9]\n   [10 11]]\n\n  [[12 13]\n   [14 15]]]]",
        ),
        (
            CUBE,
            1,
            "[[[0 ... 7]\n  ...\n  [56 ... 63]]\n\n ...\n\n"
            " [[448 ... 455]\n  ...\n  [504 ... 511]]]",
        ),
        (CUBE[:1, :, :5], 2, "[[[0 1 ... 3 4]\n  [8 9 ... 11 12]\n  ...\n  [48 49 ... 51 52]\n"
         "  [56 57 ... 59 60]]]"),
        (CUBE, 0, "[\n\n ...]"),
        (np.zeros(0), None, "[]"),
        (np.zeros((3, 0)), None, "[\n ...]"),
        (np.zeros((2, 0, 3)), -1, "[\n\n ...]"),
        (np.zeros(0, bool), None, ""),
        (np.array([True, False] * 4), 2, "[1 0 ... 1 0]"),
    ],
)  # fmt: skip
def test_print_layout(value, summarize, text):
    assert print_text(value, of(value), summarize) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"it's", "it's"),
        (b"new\nline", "new\nline"),
        ("é中".encode(), "é中"),
        (b"\xff\x00", "\udcff\x00"),
        (strings(b"a", b"bc"), '["a" "bc"]'),
        (strings(b"a b", b""), '["a b" ""]'),
        (strings(b"a", b"b", b"c", b"d", shape=(2, 2)), '[["a" "b"]\n ["c" "d"]]'),
        (strings(b'a"b', b"c'd", b"e\nf"), '["a\\"b" "c\\\'d" "e\\nf"]'),
        (strings("é".encode(), b"\xff", b"\x00", b"\\"), '["é" "\udcff" "\\000" "\\\\"]'),
        (strings(b"\x7f\x01\x1b\x0b"), '["\\177\\001\\033\\013"]'),
        (strings(), "[]"),
    ],
)
def test_print_of_strings(value, text):
    assert print_text(value, dtypes.string, -1) == text


def test_print_quotes_a_scalar_string_beside_others():
    assert print_text(b"\x7fa", dtypes.string, quote_scalars=True) == '"\\177a"'


def test_print_shows_what_tensorflow_hides():
    assert print_text(np.complex64(1 / 3 - 2j), dtypes.complex64) == "(0.333333343-2j)"
    assert print_text(np.array([1j, complex(np.inf, np.nan)]), dtypes.complex128) == (
        "[(0+1j) (inf+nanj)]"
    )
    assert print_text(np.float32(1e-45), dtypes.float32) == "1.4013e-45"
