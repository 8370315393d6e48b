"""TensorShape and broadcasting of static shapes, with TensorFlow's answers as literals."""

import copy
import pickle

import numpy as np
import pytest

from tapeflow.base.shapes import Dimension, TensorShape, as_dims, broadcast_shapes

UNKNOWN = TensorShape(None)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (None, "TensorShape(None)"),
        ([], "TensorShape([])"),
        (5, "TensorShape([5])"),
        ([None, 3], "TensorShape([None, 3])"),
        ((1, 2), "TensorShape([1, 2])"),
        (np.int32(4), "TensorShape([4])"),
        (np.array([1, 2]), "TensorShape([1, 2])"),
        ([np.int64(7)], "TensorShape([7])"),
        (range(3), "TensorShape([0, 1, 2])"),
        (TensorShape([1, None]), "TensorShape([1, None])"),
        ([Dimension(2), Dimension(None)], "TensorShape([2, None])"),
    ],
)
def test_construction(given, text):
    shape = TensorShape(given)
    assert repr(shape) == text
    assert all(d is None or type(d) is int for d in shape._dims or ())


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([-1, 2], ValueError, "Dimension -1 must be >= 0"),
        (-1, ValueError, "Dimension -1 must be >= 0"),
        ([1.5], TypeError, "Dimension value must be integer or None .* got value '1.5'"),
        (3.0, TypeError, "Dimension value must be integer or None"),
        (["3"], TypeError, "Dimension value must be integer or None"),
        ([[1, 2]], TypeError, "Dimension value must be integer or None"),
        ("ab", TypeError, "Failed to convert 'ab' to a shape: 'a' could not be converted"),
        (object, TypeError, "Dimension value must be integer or None"),
    ],
)
def test_construction_refuses(given, error, words):
    with pytest.raises(error, match=words):
        TensorShape(given)


def test_facts():
    s = TensorShape([2, 3])
    assert (s.rank, s.ndims, len(s), s.num_elements()) == (2, 2, 2, 6)
    assert s.as_list() == [2, 3] and list(s) == [2, 3] and 3 in s
    assert s.is_fully_defined() and bool(s) and str(s) == "(2, 3)"
    assert np.zeros(s).shape == (2, 3) and np.prod(s) == 6
    partial = TensorShape([None, 3])
    assert not partial.is_fully_defined() and partial.num_elements() is None
    assert str(partial) == "(None, 3)" and str(TensorShape([2])) == "(2,)"
    scalar = TensorShape([])
    assert bool(scalar) and scalar.num_elements() == 1 and str(scalar) == "()"


def test_unknown_rank():
    assert UNKNOWN.rank is None and UNKNOWN.dims is None and not UNKNOWN
    assert not UNKNOWN.is_fully_defined() and UNKNOWN.num_elements() is None
    assert str(UNKNOWN) == "<unknown>"
    with pytest.raises(ValueError, match=r"as_list\(\) is not defined on an unknown TensorShape"):
        UNKNOWN.as_list()
    with pytest.raises(ValueError, match="Cannot take the length of shape with unknown rank"):
        len(UNKNOWN)
    with pytest.raises(ValueError, match="Cannot iterate over a shape with unknown rank"):
        list(UNKNOWN)
    assert UNKNOWN[5] is None
    assert repr(UNKNOWN[1:3]) == "TensorShape([None, None])"
    assert repr(UNKNOWN[2:1]) == "TensorShape([])"
    assert repr(UNKNOWN[1:]) == repr(UNKNOWN[:-1]) == "TensorShape(None)"
    with pytest.raises(ValueError, match="Steps are not yet handled"):
        UNKNOWN[::2]


def test_indexing():
    s = TensorShape([2, None, 4])
    assert s[0] == 2 and type(s[0]) is int and s[1] is None and s[-1] == 4 and s[np.int64(2)] == 4
    assert repr(s[:2]) == "TensorShape([2, None])" and repr(s[::2]) == "TensorShape([2, 4])"
    with pytest.raises(IndexError):
        s[3]
    with pytest.raises(TypeError):
        s["a"]


def test_equality_and_hash():
    s = TensorShape([2, 3])
    assert s == [2, 3] and s == (2, 3) and (2, 3) == s and s == np.array([2, 3])
    assert s != [2, None] and s != None and s != "x" and s != 1.5  # noqa: E711
    assert TensorShape(None) == None and UNKNOWN == TensorShape(None)  # noqa: E711
    assert TensorShape([None]) == [None] and TensorShape([2]) == 2
    assert hash(s) == hash(TensorShape((2, 3))) and len({s, TensorShape([2, 3])}) == 1
    with pytest.raises(ValueError):
        s == [-1, 3]


def test_combining():
    s, p = TensorShape([2, 3]), TensorShape([None, 3])
    assert repr(s + [4]) == "TensorShape([2, 3, 4])" and repr([4] + s) == "TensorShape([4, 2, 3])"
    assert s.concatenate(None) == UNKNOWN and repr((1,) + p) == "TensorShape([1, None, 3])"
    assert p.merge_with([2, None]) == s and UNKNOWN.merge_with(p) == p and p.merge_with(None) == p
    with pytest.raises(ValueError, match=r"Shapes \(2, 3\) and \(4, 3\) are not compatible"):
        s.merge_with([4, 3])
    assert s.most_specific_compatible_shape([4, 3]) == p
    assert s.most_specific_compatible_shape([2]) == UNKNOWN
    assert s.most_specific_common_supertype([p, TensorShape([2, 4])]) == [None, None]
    assert s.most_specific_common_supertype([[2, 3]]) is None


def test_relations():
    s, p = TensorShape([2, 3]), TensorShape([None, 3])
    assert s.is_compatible_with(p) and p.is_compatible_with([5, 3]) and s.is_compatible_with(None)
    assert not s.is_compatible_with([2]) and not s.is_compatible_with([2, 4])
    assert s.is_subtype_of(p) and not p.is_subtype_of(s) and p.is_subtype_of(UNKNOWN)
    assert not UNKNOWN.is_subtype_of(p) and not s.is_subtype_of([2, 3])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s.with_rank(1), r"Shape \(2, 3\) must have rank 1"),
        (lambda s: s.assert_has_rank(1), r"Shape \(2, 3\) must have rank 1"),
        (lambda s: s.with_rank_at_least(3), r"Shape \(2, 3\) must have rank at least 3"),
        (lambda s: s.with_rank_at_most(1), r"Shape \(2, 3\) must have rank at most 1"),
        (lambda s: s.assert_same_rank([2]), r"Shapes \(2, 3\) and \(2,\) must have the same rank"),
        (lambda s: s.assert_is_compatible_with([4]), r"Shapes \(2, 3\) and \[4\] are incompat"),
        (lambda s: (s + [None]).assert_is_fully_defined(), r"\(2, 3, None\) is not fully defined"),
    ],
)
def test_demands(call, words):
    with pytest.raises(ValueError, match=words):
        call(TensorShape([2, 3]))


def test_with_rank_of_unknown():
    assert UNKNOWN.with_rank(2) == [None, None] and UNKNOWN.with_rank_at_least(2) == UNKNOWN
    assert UNKNOWN.with_rank_at_most(0) == UNKNOWN and UNKNOWN.assert_has_rank(3) is None
    assert TensorShape([2]).with_rank(None) == [2]


@pytest.mark.parametrize("shape", [UNKNOWN, TensorShape([]), TensorShape([2, None])])
def test_copies(shape):
    for again in (pickle.loads(pickle.dumps(shape)), copy.deepcopy(shape), copy.copy(shape)):
        assert again == shape and repr(again) == repr(shape)


def test_cheap_constructor():
    assert TensorShape._of((2, 3)) == TensorShape([2, 3]) and TensorShape._of(None) == UNKNOWN


def test_as_dims():
    assert as_dims([2, None]) == (2, None) and as_dims(None) is None and as_dims(3) == (3,)
    assert as_dims(TensorShape([1])) == (1,)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (None, (2,), None),
        ((), (), ()),
        ((), (2, None), (2, None)),
        ((2, 3), (3,), (2, 3)),
        ((2, 1), (1, 3), (2, 3)),
        ((1,), (0,), (0,)),
        ((None,), (3,), (3,)),
        ((None,), (1,), (None,)),
        ((None,), (0,), (None,)),
        ((None,), (None,), (None,)),
        ((None, 3), (5, 1, 1), (5, None, 3)),
        ((2, None), (0,), (2, None)),
    ],
)
def test_broadcast(a, b, expected):
    assert broadcast_shapes(a, b) == expected and broadcast_shapes(b, a) == expected


@pytest.mark.parametrize(
    ("a", "b"), [((2,), (3,)), ((0,), (2,)), ((None, 3), (2,)), ((2, 3), (2,))]
)
def test_broadcast_refuses(a, b):
    with pytest.raises(ValueError, match="Incompatible shapes for broadcasting") as caught:
        broadcast_shapes(a, b)
    assert f"{a} and {b}" in str(caught.value)


def test_dimension():
    two, unknown = TensorShape([2, None]).dims
    assert (two.value, unknown.value) == (2, None)
    assert (repr(two), str(two), repr(unknown), str(unknown)) == (
        "Dimension(2)",
        "2",
        "Dimension(None)",
        "?",
    )
    assert two == 2 and two != 3 and two < 3 and int(two) == 2 and range(4)[two] == 2
    assert (unknown == 2) is None and (two == None) is None  # noqa: E711
    assert (
        repr(two + 1) == repr(1 + two) == "Dimension(3)"
        and repr(two * unknown) == "Dimension(None)"
    )
    assert repr(7 // two) == "Dimension(3)" and repr(7 % two) == "Dimension(1)"
    assert two.is_compatible_with(None) and not two.is_compatible_with(3)
    with pytest.raises(TypeError):
        int(unknown)
