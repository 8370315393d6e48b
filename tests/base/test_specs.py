"""TypeSpec and TensorSpec, with TensorFlow's answers as literals."""

import copy
import pickle

import numpy as np
import pytest

from tapeflow.base import dtypes
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec, TypeSpec

A = TensorSpec([2, 3], dtypes.float32)
NAMED = TensorSpec([2, 3], dtypes.float32, "n")
PARTIAL = TensorSpec([None, 3])
UNKNOWN_INT = TensorSpec(None, "int32")


class Like:
    """Stands for a tensor: only shape and dtype are asked for."""

    def __init__(self, shape, dtype=dtypes.float32):
        self.shape, self.dtype = TensorShape(shape), dtype


class PairSpec(TypeSpec):
    """A composite with two parts, to see what TypeSpec derives from `_serialize`."""

    def __init__(self, shape, parts):
        self.shape, self.parts = TensorShape(shape), parts

    def _serialize(self):
        return self.shape, self.parts


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (A, "TensorSpec(shape=(2, 3), dtype=tf.float32, name=None)"),
        (NAMED, "TensorSpec(shape=(2, 3), dtype=tf.float32, name='n')"),
        (UNKNOWN_INT, "TensorSpec(shape=<unknown>, dtype=tf.int32, name=None)"),
        (PARTIAL, "TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)"),
        (TensorSpec([], np.float64), "TensorSpec(shape=(), dtype=tf.float64, name=None)"),
        (TensorSpec(3), "TensorSpec(shape=(3,), dtype=tf.float32, name=None)"),
    ],
)
def test_text_and_copies(spec, text):
    assert repr(spec) == str(spec) == text
    for again in (pickle.loads(pickle.dumps(spec)), copy.deepcopy(spec), copy.copy(spec)):
        assert again == spec and hash(again) == hash(spec)


@pytest.mark.parametrize(
    ("args", "error"), [((), TypeError), (([2], "foo"), TypeError), (([-1],), ValueError)]
)
def test_refuses(args, error):
    with pytest.raises(error):
        TensorSpec(*args)


def test_immutable():
    with pytest.raises(AttributeError):
        A.shape = [3]
    with pytest.raises(TypeError, match="abstract"):
        TypeSpec()


def test_equality_includes_the_name():
    assert TensorSpec((2, 3)) == A and A != NAMED and A != PARTIAL and A != (2, 3)
    assert A != None  # noqa: E711
    assert len({A, TensorSpec([2, 3]), NAMED}) == 2


def test_compatibility_ignores_the_name():
    assert A.is_compatible_with(NAMED) and NAMED.is_compatible_with(A)
    assert A.is_compatible_with(PARTIAL) and not A.is_compatible_with(UNKNOWN_INT)
    assert A.is_compatible_with(Like([2, 3])) and not A.is_compatible_with(Like([2, 4]))
    assert not A.is_compatible_with(Like([2, 3], dtypes.float64))
    assert not A.is_compatible_with(np.zeros([2, 3], "f")) and not A.is_compatible_with(3)


def test_subtypes():
    assert A.is_subtype_of(PARTIAL) and not PARTIAL.is_subtype_of(A)
    assert A.is_subtype_of(NAMED) and not NAMED.is_subtype_of(A)
    assert not A.is_subtype_of(UNKNOWN_INT) and not A.is_subtype_of(3)


def test_common_supertype():
    assert A.most_specific_compatible_type(TensorSpec([4, 3])) == PARTIAL
    assert repr(A.most_specific_compatible_type(TensorSpec(3))) == (
        "TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)"
    )
    assert NAMED.most_specific_common_supertype([NAMED]) == NAMED
    for other in (NAMED, UNKNOWN_INT, 3):
        assert A.most_specific_common_supertype([other]) is None
        with pytest.raises(ValueError, match="No TypeSpec is compatible with both TensorSpec"):
            A.most_specific_compatible_type(other)


def test_from_spec_and_from_tensor():
    assert TensorSpec.from_spec(NAMED) == NAMED
    assert TensorSpec.from_spec(NAMED, "w").name == "w"
    assert TensorSpec.from_tensor(Like([2, 3])) == A
    assert TensorSpec.from_tensor(Like([2, 3]), "n") == NAMED
    with pytest.raises(ValueError, match="`tensor` should be a tf.Tensor, but got type .*ndarray"):
        TensorSpec.from_tensor(np.ones(2))


def test_composites_compare_part_by_part():
    a = PairSpec([2], (A, [1, {"k": dtypes.float32}]))
    b = PairSpec([2], (PARTIAL, [1, {"k": dtypes.float32}]))
    c = PairSpec([2], (A, [2, {"k": dtypes.float32}]))
    assert a == copy.copy(a) and hash(a) == hash(pickle.loads(pickle.dumps(a))) and a != b
    assert a.is_subtype_of(b) and not b.is_subtype_of(a) and a.is_compatible_with(b)
    assert not a.is_compatible_with(c) and not a.is_subtype_of(c) and not a.is_compatible_with(A)
    assert a.most_specific_compatible_type(b) == b
    assert a.most_specific_common_supertype([c]) is None
    assert PairSpec([3], ()).most_specific_compatible_type(PairSpec([2], ())).shape == [None]
    with pytest.raises(NotImplementedError, match="PairSpec does not define _to_components"):
        a._to_components(None)


def test_components_of_a_tensor():
    x = Like([2, 3])
    assert A._component_specs is A and A._to_components(x) is x and A._from_components(x) is x
    with pytest.raises(ValueError, match="is not compatible with TensorSpec"):
        A._to_components(Like([1]))
