"""einsum: any sum of products, as single reductions, diagonals and products of two operands.

The equation is taken apart once for each set of shapes. A product of two operands is a matmul where
it is one, else the op `contract`, whose equations are *clean*: no label twice in one operand, and
every label in two of first operand, second operand and result. The gradient of a clean contraction
is a clean contraction again. May be imported by `ops`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import reduce_sum, reshape, transpose
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets, differing
from tapeflow.ops.linalg.diagonal import matrix_diag_part
from tapeflow.ops.linalg.matmul import conjugated, matmul_call, matmul_kernel

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
Shape = tuple[int | None, ...]


# -- contract: a clean product of two operands ----------------------------------------------------
@lru_cache(maxsize=1024)
def _parts(equation: str) -> tuple[str, str, str]:
    """A clean equation as first operand, second operand, result."""
    inputs, out = equation.split("->")
    first, second = inputs.split(",")
    return first, second, out


@lru_cache(maxsize=1024)
def _layout(equation: str) -> tuple:
    """How to lay the operands out as stacks of matrices, and the product as the result."""
    a, b, out = _parts(equation)
    stack = [l for l in out if l in a and l in b]
    left = [l for l in out if l not in b]
    right = [l for l in out if l not in a]
    summed = [l for l in a if l not in out]
    perm_a = tuple(a.index(l) for l in stack + left + summed)
    perm_b = tuple(b.index(l) for l in stack + summed + right)
    product = stack + left + right
    return perm_a, perm_b, tuple(product.index(l) for l in out), len(stack), len(left), len(summed)


def _contract_kernel(a, b, equation):
    perm_a, perm_b, perm_out, stack, left, summed = _layout(equation)
    a, b = a.transpose(perm_a), b.transpose(perm_b)
    stacked, rows = a.shape[:stack], a.shape[stack:stack + left]
    inner, columns = a.shape[stack + left:], b.shape[stack + summed:]
    if not summed:
        # An outer product: nothing to sum.
        y = a.reshape((*stacked, *rows, *(1,) * len(columns))) * b.reshape(
            (*stacked, *(1,) * left, *columns))
    else:
        size = math.prod(inner)
        y = matmul_kernel(a.reshape((*stacked, math.prod(rows), size)),
                          b.reshape((*stacked, size, math.prod(columns))))
    return y.reshape((*stacked, *rows, *columns)).transpose(perm_out)


def _contract_steps(a, b, equation):
    perm_a, perm_b, perm_out, stack, left, summed = _layout(equation)
    a, b = transpose(a, perm=perm_a), transpose(b, perm=perm_b)
    first, second = shape_of(a), shape_of(b)
    stacked, rows = first[:stack], first[stack:stack + left]
    inner, columns = first[stack + left:], second[stack + summed:]
    if not summed:
        y = reshape(a, shape=(*stacked, *rows, *(1,) * len(columns))) * reshape(
            b, shape=(*stacked, *(1,) * left, *columns))
    else:
        size = math.prod(inner)
        y = matmul_call(reshape(a, shape=(*stacked, math.prod(rows), size)),
                        reshape(b, shape=(*stacked, size, math.prod(columns))))
    return transpose(reshape(y, shape=(*stacked, *rows, *columns)), perm=perm_out)


def _contract_shape(a: Spec, b: Spec, equation: str) -> Spec:
    first, second, out = _parts(equation)
    sizes: dict[str, int | None] = {}
    for spec, labels in ((a, first), (b, second)):
        if spec.shape is not None:
            for label, n in zip(labels, spec.shape, strict=True):
                sizes[label] = n if sizes.get(label) is None else sizes[label]
    return Spec(tuple([sizes.get(label) for label in out]), a.dtype)


def _contract_vjp_a(g, y, a, b, equation):
    first, second, out = _parts(equation)
    return contract(g, conjugated(b), equation=f"{out},{second}->{first}")


def _contract_vjp_b(g, y, a, b, equation):
    first, second, out = _parts(equation)
    return contract(conjugated(a), g, equation=f"{first},{out}->{second}")


def _contract_jvp(ts, y, a, b, equation):
    first = None if ts[0] is None else contract(ts[0], b, equation=equation)
    second = None if ts[1] is None else contract(a, ts[1], equation=equation)
    return second if first is None else first if second is None else first + second


def _contract_batch(call, size, xs, batched, attrs):
    first, second, out = _parts(attrs["equation"])
    new = next(l for l in LETTERS if l not in first + second)
    first, second = (new * mark + labels
                     for labels, mark in zip((first, second), batched, strict=True))
    return call(*xs, equation=f"{first},{second}->{new}{out}")


contract = define(
    "contract", kernel=_contract_kernel, shape=_contract_shape, kind="contract",
    vjp=(_contract_vjp_a, _contract_vjp_b), jvp=_contract_jvp, batch=_contract_batch,
    args=("a", "b"), saves="in", dtypes="fVic", tf_name="Einsum",
    check=[Case((2, 3), (3, 4), equation="ab,bc->ac"), Case((2, 3), (3, 2), equation="ab,ba->"),
           Case((2,), (3,), equation="a,b->ba"), Case((2, 3), (2, 3), equation="ab,ab->ab"),
           Case((2, 3, 2), (2, 4, 2), equation="abc,adc->bda"),
           Case((2, 3, 5), (5, 2, 4), equation="abc,cad->db"), Case((), (2,), equation=",a->a"),
           Case((0, 3), (3, 2), equation="ab,bc->ca")], lower=Expand(_contract_steps))


def contract_axes(a: Any, b: Any, first: list[int], second: list[int]) -> Any:
    """Sum products over pairs of axes of two operands of known rank: what tensordot does."""
    labels_a = list(LETTERS[:len(shape_of(a))])
    labels_b = list(LETTERS[len(labels_a):len(labels_a) + len(shape_of(b))])
    for i, j in zip(first, second, strict=True):
        labels_b[j] = labels_a[i]
    out = [l for l in labels_a + labels_b if (l in labels_a) != (l in labels_b)]
    return contract(a, b, equation=f"{''.join(labels_a)},{''.join(labels_b)}->{''.join(out)}")


# -- the equation ---------------------------------------------------------------------------------
@lru_cache(maxsize=1024)
def _parse(equation: str, count: int) -> tuple[tuple[str, ...], str]:
    """Subscripts of the operands and of the result, which may be implicit."""
    compact = equation.replace(" ", "")
    if not re.fullmatch(r"[a-zA-Z,.]*(->[a-zA-Z.]*)?", compact):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    inputs, arrow, out = compact.partition("->")
    subscripts = tuple(inputs.split(","))
    if len(subscripts) != count:
        raise ValueError(f'Got {count} inputs for equation "{equation}", expecting '
                         f'{len(subscripts)}')
    used = inputs.replace(",", "").replace(".", "")
    if not arrow:
        out = "".join(sorted(l for l in set(used) if used.count(l) == 1))
    for one in (*subscripts, out):
        if one.replace("...", "", 1).count("."):
            raise ValueError(f"Subscripts have incorrect format: {equation}")
    labels = out.replace("...", "")
    for label in labels:
        if label not in used:
            raise ValueError(f"Output subscripts contain the label {label} not present in the "
                             "input subscripts.")
        if labels.count(label) > 1:
            raise ValueError("Output subscripts contain a label appearing more than once: "
                             f"{equation}")
    return subscripts, out


def _spelt_out(subscripts: tuple[str, ...], out: str, shapes: tuple[Shape, ...]
               ) -> tuple[list[str], str, set[str]]:
    """Ellipses replaced by letters, aligned on the right; and which letters those are."""
    free = [l for l in LETTERS if l not in "".join(subscripts)]
    widths = []
    for i, (labels, shape) in enumerate(zip(subscripts, shapes, strict=True)):
        named = len(labels.replace("...", ""))
        if "..." not in labels and named != len(shape):
            raise _refused(f"Expected input {i} to have rank {named} but got: {len(shape)}")
        if named > len(shape):
            raise _refused(f"Expected input {i} to have rank at least {named} but got: "
                           f"{len(shape)}")
        widths.append(len(shape) - named)
    width = max(widths, default=0)
    if width and "..." not in out:
        raise _refused(f"Output contains {width} broadcasting dimension(s) but no ellipsis (...) "
                       "was found in the output subscripts.")
    if width > len(free):
        raise ValueError("einsum: more dimensions than there are letters for them")
    letters = "".join(free[:width])
    spelt = [labels.replace("...", letters[width - n:]) for labels, n in zip(subscripts, widths)]
    return spelt, out.replace("...", letters), set(letters)


def _refused(message: str) -> Exception:
    return errors.invalid("Einsum", message)


def _check_sizes(spelt: list[str], shapes: tuple[Shape, ...], broadcasts: set[str]) -> None:
    """A label stands for one size; those of an ellipsis may also be 1."""
    sizes: dict[str, int] = {}
    for labels, shape in zip(spelt, shapes, strict=True):
        for axis, (label, n) in enumerate(zip(labels, shape, strict=True)):
            if n is None or (label in broadcasts and n == 1):
                continue
            if sizes.setdefault(label, n) != n:
                raise _refused(f"Expected dimension {sizes[label]} at axis {axis} of the input "
                               f"shaped {brackets(shape)} but got dimension {n}")


# -- the plan -------------------------------------------------------------------------------------
class _Plan:
    """The steps of one einsum: a call for one operand at a position, or for two that are taken out,
    whose product goes to the end.
    """

    def __init__(self, labels: list[str], shapes: list[Shape], out: str):
        self.labels, self.shapes, self.out = labels, shapes, out
        self.steps: list[tuple[Callable, tuple[int, ...], dict]] = []

    def one(self, call: Callable, i: int, labels: str, shape: Shape, attrs: dict) -> None:
        self.steps.append((call, (i,), attrs))
        self.labels[i], self.shapes[i] = labels, shape

    def drop_ones(self, i: int, broadcasts: set[str]) -> None:
        """An axis of size 1 that broadcasts against a larger one is the same as no axis."""
        others = [(l, n) for j, (labels, shape) in enumerate(zip(self.labels, self.shapes))
                  for l, n in zip(labels, shape) if j != i]
        keep = [k for k, (l, n) in enumerate(zip(self.labels[i], self.shapes[i]))
                if not (n == 1 and l in broadcasts and any(l == o and m != 1 for o, m in others))]
        if len(keep) < len(self.shapes[i]):
            shape = tuple(self.shapes[i][k] for k in keep)
            self.one(reshape, i, "".join(self.labels[i][k] for k in keep), shape, {"shape": shape})

    def diagonals(self, i: int) -> None:
        """A label that one operand has twice: take the diagonal, as its last axis."""
        while len(set(self.labels[i])) < len(self.labels[i]):
            labels, shape = self.labels[i], self.shapes[i]
            twice = next(l for l in labels if labels.count(l) > 1)
            p, q = labels.index(twice), labels.rindex(twice)
            perm = (*(k for k in range(len(labels)) if k not in (p, q)), p, q)
            if perm != tuple(range(len(labels))):
                self.one(transpose, i, "".join(labels[k] for k in perm),
                         tuple(shape[k] for k in perm), {"perm": perm})
            self.one(matrix_diag_part, i, self.labels[i][:-1], self.shapes[i][:-1], {})

    def sums(self, i: int) -> None:
        """Labels that no other operand and not the result has are summed at once."""
        wanted = set(self.out).union(*(set(l) for j, l in enumerate(self.labels) if j != i))
        labels, shape = self.labels[i], self.shapes[i]
        axes = tuple(k for k, l in enumerate(labels) if l not in wanted)
        if axes:
            keep = [k for k in range(len(labels)) if k not in axes]
            self.one(reduce_sum, i, "".join(labels[k] for k in keep),
                     tuple(shape[k] for k in keep), {"axis": axes, "keepdims": False})

    def two(self, i: int, j: int) -> None:
        """Multiply operands i < j, and sum what is needed no more."""
        a, b = self.labels[i], self.labels[j]
        rest = set(self.out).union(*(l for k, l in enumerate(self.labels) if k not in (i, j)))
        last = len(self.labels) == 2
        out = self.out if last else "".join(
            dict.fromkeys(l for l in a + b if l in rest))
        sizes = dict(zip(a + b, self.shapes[i] + self.shapes[j]))
        call, attrs = _product(a, b, out)
        self.steps.append((call, (i, j), attrs))
        for position in (j, i):
            del self.labels[position], self.shapes[position]
        self.labels.append(out)
        self.shapes.append(tuple(sizes[l] for l in out))

    def finish(self) -> None:
        """The one operand that is left, in the order of the result."""
        labels = self.labels[0]
        if labels != self.out:
            self.one(transpose, 0, self.out, (),
                     {"perm": tuple(labels.index(l) for l in self.out)})


def _swapped(a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    return matmul_call(b, a, transpose_a, transpose_b)


def _product(a: str, b: str, out: str) -> tuple[Callable, dict]:
    """The op for a clean product: matmul where the equation is one."""
    summed = [l for l in a if l in b and l not in out]
    stack = "".join(l for l in out if l in a and l in b)
    sides = len(out) - len(stack)
    if len(summed) == 1 and sides == 2 and len(a) == len(b) == len(stack) + 2 \
            and a.startswith(stack) and b.startswith(stack) and out.startswith(stack):
        s = summed[0]
        if out[-2] in a:
            return matmul_call, {"transpose_a": a[-1] != s, "transpose_b": b[-1] == s}
        return _swapped, {"transpose_a": b[-1] != s, "transpose_b": a[-1] == s}
    return contract, {"equation": f"{a},{b}->{out}"}


@lru_cache(maxsize=1024)
def _planned(equation: str, shapes: tuple[Shape, ...], optimize: str) -> list:
    subscripts, out = _parse(equation, len(shapes))
    spelt, out, broadcasts = _spelt_out(subscripts, out, shapes)
    _check_sizes(spelt, shapes, broadcasts)
    plan = _Plan(spelt, list(shapes), out)
    for i in range(len(shapes)):
        plan.drop_ones(i, broadcasts)
        plan.diagonals(i)
    for i in range(len(shapes)):
        plan.sums(i)
    for pair in _order(plan, optimize):
        i, j = sorted(pair)
        plan.two(i, j)
    plan.finish()
    return plan.steps


def _order(plan: _Plan, optimize: str) -> list[tuple[int, int]]:
    """Which two operands to multiply next."""
    count = len(plan.labels)
    if count < 3:
        return [(0, 1)] * (count - 1)
    shapes = [tuple([n for n in shape if n is not None]) for shape in plan.shapes]
    if shapes != plan.shapes:
        return [(0, count - 1 - k) for k in range(count - 1)]  # sizes are not known
    # Read-only views without memory stand for the operands.
    fake = [np.broadcast_to(np.float32(0), shape) for shape in shapes]
    equation = ",".join(plan.labels) + "->" + plan.out
    path, _ = np.einsum_path(equation, *fake, optimize=optimize)
    pairs: list[tuple[int, int]] = []
    for group in path[1:]:
        pairs.extend(_in_pairs(group, count - len(pairs)))
    return pairs


def _in_pairs(group: tuple[int, ...], count: int) -> list[tuple[int, int]]:
    """A path may multiply more than two at once: take them one after another."""
    if len(group) == 1:
        return []
    left = sorted(group)
    pairs = [(left[0], left[1])]
    remaining = left[2:]
    while remaining:
        remaining = [k - 2 for k in remaining]
        count -= 1
        pairs.append((remaining[0], count - 1))
        remaining = [k + 1 for k in remaining[1:]]
    return pairs


@export("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Sums of products of tensors, by labels of their axes.

    >>> tf.einsum("ij,jk->ik", tf.ones([2, 3]), tf.ones([3, 1]))
    <tf.Tensor: shape=(2, 1), dtype=float32, numpy=
    array([[3.],
           [3.]], dtype=float32)>

    Labels may repeat in an operand (diagonals), `...` stands for axes that broadcast, and the
    result may be left out. Beyond TensorFlow's: half precision is summed in float32.
    """
    kwargs.pop("name", None)
    optimize = kwargs.pop("optimize", "greedy")
    if kwargs:
        raise TypeError(f"Invalid keyword arguments for einsum: {', '.join(kwargs)}. Valid "
                        "arguments: name, optimize, greedy.")
    xs = [operand(x) for x in inputs]
    for i, x in enumerate(xs[1:], 1):
        if x.dtype != xs[0].dtype:
            raise differing(contract.op, i, xs[0].dtype.np, x.dtype.np)
    optimal = optimize == "optimal"
    steps = _planned(equation, tuple([shape_of(x) for x in xs]), "optimal" if optimal else "greedy")
    for call, positions, attrs in steps:
        if len(positions) == 1:
            xs[positions[0]] = call(xs[positions[0]], **attrs)
        else:
            second, first = xs.pop(positions[1]), xs.pop(positions[0])
            xs.append(call(first, second, **attrs))
    return xs[0]
