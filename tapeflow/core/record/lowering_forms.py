"""How an op becomes native code: the few forms that the compiler knows, one of which a record has.

A record says what its op is to a compiler in one of these forms; the compiler (`jit`) knows the
forms and never an op. All are plain data; functions in them get a builder `b`
(`jit/codegen/builder.py`) or sizes and attributes, never arrays. Sizes are known when they are
asked for. A form may return None for attributes that it cannot serve: then the op's kernel is
called.

    Pointwise   an element of the result from the elements of the operands at the same index
    Reduce      elements along axes combined
    View        the operand's elements with other offset and strides, as NumPy's views are
    Reshape     the same elements in the same order
    Assemble    operands side by side, and a filling between them
    Gather      rows of the first operand picked by integer indices
    Scatter     rows added to (or put into) a result at integer indices
    Scan        running sums or products
    Sort        rows in order: values, indices
    Draw        words of a random stream
    Product     a matrix product, perhaps of many matrices
    MatrixRoutine  a factorisation, or the solution of a system, of each matrix of a stack
    Window      a convolution, one of its gradients, or a pooling
    Loop        a body run again and again (`graph/control_flow/while_loop.py`)
    Branch      one of several bodies (`graph/control_flow/cond.py`)
    Expand      the op written with other ops
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Pointwise:
    """`write(b, *xs, **attrs)` gives the result's element, as a value of the builder.

    Operands are broadcast. Half precision arrives as float32, and what is returned is rounded.
    indexed: `write` gets `index`, the index along each axis of the result (int64), as a keyword.
    half: whether float32 serves for half precision; if not, it has no native code.
    complex: whether `write` is right for complex numbers too, where the builder takes them.
    divisor: the operand that is refused where it has integers that are 0; for these `write` gives
    some number.
    """

    def __init__(self, write: Callable, indexed: bool = False, half: bool = True,
                 complex: bool = False, divisor: int | None = None):
        self.write, self.indexed, self.half, self.complex = write, indexed, half, complex
        self.divisor = divisor


class Reduce:
    """sum, prod, max, min, any or all along axes. `mean`: divided by the number of elements."""

    def __init__(self, combine: str, mean: bool = False, axis: str = "axis",
                 keepdims: str = "keepdims"):
        self.combine, self.mean, self.axis, self.keepdims = combine, mean, axis, keepdims


class View:
    """`view(shape, **attrs)` gives (offset, sizes, strides) in elements of a contiguous operand."""

    def __init__(self, view: Callable):
        self.view = view


class Reshape:
    """The same elements in the same order."""


class Assemble:
    """`parts(shapes, **attrs)` gives (filling, [(operand, begin, step), …]).

    The operand's element i goes to the index begin + step * i of the result, axis by axis; `begin`
    and `step` have one integer for each axis of the result. An operand may have fewer axes than the
    result: then `parts` gives a fourth entry, the axes that its own axes are (None for an axis of
    size 1 that the result has not). filling: a scalar, an operand's position as ("operand", i) for
    a scalar operand, or None if everything is covered.
    """

    def __init__(self, parts: Callable):
        self.parts = parts


class Gather:
    """`axes(shapes, **attrs)` gives (axis, batch_dims) of operand 0; operand 1 has the indices.

    outside: what an index out of range does: "error" or "zero".
    """

    def __init__(self, axes: Callable, outside: str = "error"):
        self.axes, self.outside = axes, outside


class Scatter:
    """Rows of `updates` combined into a result: `roles(shapes, **attrs)` gives a dict with
    updates, indices (operand positions), start (a position, or a scalar to fill with), combine
    ("sum", "sub", "max", "min", "prod", "put"), rows (the result's first size), outside: "error",
    "skip", or "negative": an error from `rows` on, skipped below 0. A start that is an operand is
    ("operand", position).
    """

    def __init__(self, roles: Callable):
        self.roles = roles


class Scan:
    """A running "sum" or "prod" along the attribute `axis`, with `exclusive` and `reverse`."""

    def __init__(self, combine: str):
        self.combine = combine


class SortSpec(NamedTuple):
    """The axis, the order, how many of the first are wanted; of each result: values or indices."""

    axis: int
    descending: bool
    wanted: int
    parts: tuple[str, ...]


class Sort:
    """Elements along an axis in order, equal ones in theirs, NaN last; `describe(shape, **attrs)`
    gives a SortSpec.
    """

    def __init__(self, describe: Callable):
        self.describe = describe


class Draw:
    """Blocks of four 32-bit words of a Philox4x32-10 stream, one a row: every one, or every
    `stride`th (an attribute).

    The operand is a generator's state (two words of counter, the key), or a seed of two words,
    scrambled by one block of the cipher under the key `scramble`.
    """

    def __init__(self, scramble: int):
        self.scramble = scramble


class Product:
    """result[…, m, n] = sum over k of a[…, m, k] * b[…, k, n].

    `transposed(**attrs)` says for both operands whether their last two axes come exchanged; leading
    axes are broadcast.
    """

    def __init__(self, transposed: Callable):
        self.transposed = transposed


class MatrixRoutine:
    """A routine of linear algebra on each matrix of a stack, by the name that the compiler has for
    it: "cholesky", "triangular_solve" … (`jit/kernels/small_matrix/matrix_stack.py`, `ROUTINES`).

    The last two axes of an operand are a matrix; those before are broadcast. normwise: an element
    of a result may be off by rounding errors of the largest of its column, however small it is.
    """

    def __init__(self, routine: str, *, normwise: bool = False):
        self.routine, self.normwise = routine, normwise


class Window:
    """Windows that slide over images.

    The fields of what `describe` gives are explained in `jit/kernels/conv/conv_geometry.py`.

    `describe(shapes, **attrs)` gives a dict: role ("forward", "input", "filter", "max", "average",
    and pooling's gradients), strides, dilations, padding (begin, end for each axis), groups,
    layout.
    """

    def __init__(self, describe: Callable):
        self.describe = describe


class Loop:
    """A body run again and again; its attributes: `graph/control_flow/while_loop.py`."""


class Branch:
    """One of several bodies; its attributes are those of `graph/control_flow/cond.py`."""


class Expand:
    """`write(*xs, **attrs)` computes the same with other ops, on symbolic tensors.

    otherwise: the op's form where `write` gives None: there is nothing to expand; cancels: a result
    may be as small as the rounding errors of what `write` computes on the way.
    """

    def __init__(self, write: Callable, otherwise: Any = None, *, cancels: bool = False):
        self.write, self.otherwise, self.cancels = write, otherwise, cancels


def contiguous_strides(shape: tuple) -> list[int]:
    """The strides, in elements, of a contiguous array of this shape."""
    strides, stride = [], 1
    for n in reversed(shape):
        strides.append(stride)
        stride *= n
    return strides[::-1]


def form(lower: Any) -> Any:
    """What a record says in `lower`, as a form.

    A function is how an element is written; a name is a method of the builder ("add") or a vector
    function ("sin"): both make a Pointwise.
    """
    if isinstance(lower, str):
        return Pointwise(_named(lower), complex=True)
    return Pointwise(lower) if callable(lower) else lower


def _named(name: str) -> Callable:
    def write(b: Any, *xs: Any) -> Any:
        method = getattr(b, name, None)
        return b.function(name, *xs) if method is None else method(*xs)

    return write


def lowers(call: Callable, lower: Any) -> None:
    """Give an op's record its form. Families do it for their members."""
    call.op.lower = form(lower)  # type: ignore[attr-defined]


class Unsupported(Exception):
    """Raised while an op is written as native code: its kernel is to be called instead."""
