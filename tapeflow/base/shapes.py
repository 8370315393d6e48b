"""Shapes of which dimensions or even the rank may be unknown: `TensorShape`, `Dimension`.

Imports nothing; any layer may import it. Inside tapeflow a shape is a plain tuple of ints and None,
or None for an unknown rank; `TensorShape` is its public face, made when a user asks for `x.shape`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index
from typing import Any

from tapeflow.base.exception_origin import unsignalled

Dims = tuple[int | None, ...]
_new = object.__new__


class TensorShape:
    """The shape of a tensor: known, partly known, or of unknown rank.

    >>> TensorShape([None, 3]).merge_with([2, None])
    TensorShape([2, 3])
    """

    __slots__ = ("_dims",)

    _dims: Dims | None

    def __init__(self, dims: Any) -> None:
        self._dims = as_dims(dims)

    @staticmethod
    def _of(dims: Dims | None) -> TensorShape:
        """A shape from a tuple known to hold ints and None only: nothing is checked."""
        self = _new(TensorShape)
        self._dims = dims
        return self

    @property
    def rank(self) -> int | None:
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions as `Dimension` objects, TensorFlow 1's form; None if unknown."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def is_fully_defined(self) -> bool:
        return self._dims is not None and None not in self._dims

    def num_elements(self) -> int | None:
        """The number of elements, or None if it is not known."""
        if self._dims is None:
            return None
        total = 1
        for d in self._dims:
            if d is None:
                return None
            total *= d
        return total

    # Combining two shapes

    def concatenate(self, other: Any) -> TensorShape:
        dims = as_dims(other)
        return self._of(None if self._dims is None or dims is None else self._dims + dims)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def merge_with(self, other: Any) -> TensorShape:
        """What is known of either shape; ValueError where they contradict each other."""
        a, b = self._dims, as_dims(other)
        if a is None or b is None:
            return self._of(b if a is None else a)
        if not _compatible(a, b):
            raise ValueError(f"Shapes {a} and {b} are not compatible")
        return self._of(tuple(m if n is None else n for m, n in zip(a, b)))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The narrowest shape that both shapes satisfy."""
        a, b = self._dims, as_dims(other)
        if a is None or b is None or len(a) != len(b):
            return self._of(None)
        return self._of(tuple(m if m == n else None for m, n in zip(a, b)))

    def most_specific_common_supertype(self, others: Iterable[Any]) -> TensorShape | None:
        result = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            result = result.most_specific_compatible_shape(other)
        return result

    # Questions and demands

    def is_compatible_with(self, other: Any) -> bool:
        return _compatible(self._dims, as_dims(other))

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape is one of shape `other`."""
        if not isinstance(other, TensorShape):
            return False
        a, b = self._dims, other._dims
        if b is None:
            return True
        if a is None or len(a) != len(b):
            return False
        return all(n is None or m == n for m, n in zip(a, b))

    def assert_is_compatible_with(self, other: Any) -> None:
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def assert_is_fully_defined(self) -> None:
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def assert_has_rank(self, rank: Any) -> None:
        if self._dims is not None:
            if rank is None:
                raise TypeError(f"Shape {self} must have rank None: a rank is a number.")
            if len(self._dims) != index(rank):
                raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        dims = as_dims(other)
        if self._dims is not None and dims is not None and len(self._dims) != len(dims):
            raise ValueError(f"Shapes {self} and {_text(dims)} must have the same rank")

    def with_rank(self, rank: int | None) -> TensorShape:
        """This shape, demanded (or, where nothing is known, made) to be of that rank."""
        if rank is not None:
            self.assert_has_rank(rank)
        if self._dims is None and rank is not None:
            return self._of((None,) * rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    # As a Python object

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[int | None]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims)

    def __getitem__(self, key: Any) -> Any:
        if self._dims is None:
            return _slice_of_unknown(key) if isinstance(key, slice) else None
        if isinstance(key, slice):
            return self._of(self._dims[key])
        return self._dims[key]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TensorShape):
            return self._dims == other._dims
        try:
            return self._dims == as_dims(other)
        except unsignalled(TypeError):
            return NotImplemented

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        return _text(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __reduce__(self) -> tuple:
        return _unpickle, ("TensorShape", self._dims)


def _slice_of_unknown(key: slice) -> TensorShape:
    if key.step is not None:
        raise ValueError("Steps are not yet handled")
    start = 0 if key.start is None else key.start
    if key.stop is None or start < 0 or key.stop < 0:
        return TensorShape._of(None)
    return TensorShape._of((None,) * (key.stop - start))


def _text(dims: Dims | None) -> str:
    return "<unknown>" if dims is None else str(dims)


def as_dims(shape: Any) -> Dims | None:
    """The tuple of ints and None that `shape` describes; None where its rank is unknown."""
    if shape is None:
        return None
    if isinstance(shape, TensorShape):
        return shape._dims
    if isinstance(shape, (tuple, list)):
        return tuple([as_dim(d) for d in shape])
    try:
        dims = iter(shape)
    except unsignalled(TypeError):
        return (as_dim(shape),)
    return tuple([_dim_within(shape, d) for d in dims])


def as_dim(value: Any) -> int | None:
    """One dimension, an int >= 0 or None; `value` may also be a NumPy integer or a Dimension."""
    if value is None:
        return None
    if isinstance(value, Dimension):
        return value._value
    try:
        size = index(value)
    except unsignalled(TypeError):
        raise TypeError(
            "Dimension value must be integer or None or have an __index__ method, "
            f"got value '{value!r}' with type '{type(value)!r}'"
        ) from None
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


def _dim_within(shape: Any, value: Any) -> int | None:
    try:
        return as_dim(value)
    except unsignalled(TypeError) as error:
        raise TypeError(
            f"Failed to convert {shape!r} to a shape: {value!r} could not be converted to a "
            "dimension. A shape should either be single dimension (e.g. 10), or an iterable of "
            "dimensions (e.g. [1, 10, None])."
        ) from error


def _compatible(a: Dims | None, b: Dims | None) -> bool:
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(m == n or m is None or n is None for m, n in zip(a, b))


def broadcast_shapes(a: Dims | None, b: Dims | None) -> Dims | None:
    """The shape that arrays of shapes `a` and `b` broadcast to, as far as it is known.

    An unknown dimension against n > 1 is n; against 1 or 0 it stays unknown.

    >>> broadcast_shapes((None, 3), (5, 1, 1))
    (5, None, 3)
    """
    if a is None or b is None:
        return None
    if a == b or not b:
        return a
    if not a:
        return b
    shorter, longer = (a, b) if len(a) < len(b) else (b, a)
    split = len(longer) - len(shorter)
    result = list(longer[:split])
    for m, n in zip(shorter, longer[split:]):
        if m == n or m == 1:
            result.append(n)
        elif n == 1:
            result.append(m)
        elif m is None or n is None:
            known = m or n
            result.append(known if known and known > 1 else None)
        else:
            raise ValueError(
                "Incompatible shapes for broadcasting. Two shapes are compatible if for each "
                "dimension pair they are either equal or one of them is 1. "
                f"Received: {a} and {b}."
            )
    return tuple(result)


class Dimension:
    """One dimension, as TensorFlow 1 showed it: `shape.dims[0].value`.

    An unknown dimension makes arithmetic unknown, and comparisons None.
    """

    __slots__ = ("_value",)

    _value: int | None

    def __init__(self, value: Any) -> None:
        self._value = as_dim(value)

    @property
    def value(self) -> int | None:
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        return _compatible((self._value,), (as_dim(other),))

    def __int__(self) -> int:
        return self.__index__()

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("An unknown Dimension has no integer value.")
        return self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __reduce__(self) -> tuple:
        return _unpickle, ("Dimension", self._value)

    def _with(self, other: Any, function: Any) -> Any:
        """function(own value, other's), or NotImplemented, or None where either is unknown."""
        try:
            value = as_dim(other)
        except unsignalled(TypeError, ValueError):
            return NotImplemented
        return None if self._value is None or value is None else function(self._value, value)

    def _sized(self, other: Any, function: Any) -> Any:
        result = self._with(other, function)
        return result if result is NotImplemented else Dimension(result)

    def __eq__(self, other: object) -> Any:
        return self._with(other, lambda a, b: a == b)

    def __ne__(self, other: object) -> Any:
        return self._with(other, lambda a, b: a != b)

    def __lt__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a >= b)

    def __add__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: a // b)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: b // a)

    def __mod__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: a % b)

    def __rmod__(self, other: Any) -> Any:
        return self._sized(other, lambda a, b: b % a)


def _unpickle(kind: str, value: Any) -> Any:
    return TensorShape(value) if kind == "TensorShape" else Dimension(value)


TensorShape.__module__ = Dimension.__module__ = "tensorflow.python.framework.tensor_shape"
