"""The elementwise ops that the machinery stands on: identity, read_variable, stop_gradient, add;
and the barrier between a forward pass and what is computed again for the walk back.

They are members of the families, unlike `primitive_ops`, which the families themselves stand on.
The methods of Tensor and Variable that need one are attached here.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tapeflow.core.record.families import binary, unary
from tapeflow.core.record.lowering_forms import Pointwise, Reshape
from tapeflow.core.record.op import ANY, CHEAP, NONDIFF, NUMERIC, define, shape_of
from tapeflow.core.record.operators import operators
from tapeflow.core.record.primitive_ops import broadcast_to, reshape
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable, read


def _same(x):
    return x


identity = unary("identity", _same, vjp=lambda g, y, x: g, saves="", dtypes=ANY, slices=True,
                 kind="move", check=Samples(), lower=Reshape())
read_variable = unary("read_variable", _same, vjp=lambda g, y, x: g, saves="", dtypes=ANY,
                      slices=True, kind="move", tf_name="ReadVariableOp", check=Samples(),
                      lower=Reshape())
stop_gradient = unary("stop_gradient", _same, vjp=NONDIFF("tf.stop_gradient was asked for here"),
                      names=("stop_gradient",), arg="input", dtypes=ANY, kind="move",
                      doc="The input unchanged, and a wall for gradients.", check=Samples(),
                      lower=Reshape())
set_traits(identity, is_identity=True, acts_on_flat_values=True)
set_traits(read_variable, is_identity=True)
set_traits(stop_gradient, is_identity=True, acts_on_flat_values=True)

def _barrier_batch(call: Any, size: int, xs: tuple, batched: tuple, attrs: dict) -> Tensor:
    x, after = xs
    y = call(x, after[0] if batched[1] else after)
    return y if batched[0] else broadcast_to(y, shape=(size, *shape_of(y)))


# The first operand, but to a graph another value, which is there no sooner than the scalar `after`:
# no pass shares what is computed of it with what was computed before, and no earlier loop has it.
_barrier = define("barrier", kernel=lambda x, after: x, shape=lambda x, after: x,
                  vjp=(lambda g, y, x, after: g, None), jvp=lambda ts, y, x, after: ts[0],
                  batch=_barrier_batch, args=("x", "after"), kind="move", internal=True,
                  lower=Pointwise(lambda b, x, after: x, complex=True))


def behind(x: Tensor, gradient: Any) -> Tensor:
    """`x` for what is computed again when `gradient` is there; sizes must be known for that."""
    held = gradient._values if isinstance(gradient, IndexedSlices) else gradient
    if any(one.ndim is None or not all(shape_of(one)) for one in (x, held)):
        return identity(x)
    return _barrier(x, reshape(held, shape=(-1,))[0])


add = binary("add", operator.add, vjp=(lambda g, y, a, b: g, lambda g, y, a, b: g), saves="",
             tf_name="AddV2", check=Samples(), dtypes=NUMERIC, lower="add", cost=CHEAP)
add.op.strings = lambda a, b: np.asarray(a + b, object)
set_traits(add, unit=(0, 0), hazard="sum")
operators(add, "add", hinted=True)


def _copy(self: Tensor) -> Tensor:
    """A tensor of its own; a tape follows the copy."""
    return wrap(self._value) if state.recorder is None else identity(self)


def _value_of_variable(self: Variable) -> Tensor:
    """The value now, as a tensor that later assignments do not change."""
    return read_variable(read(self))


Tensor.__copy__ = _copy  # type: ignore[attr-defined]
Variable.value = _value_of_variable  # type: ignore[method-assign]
_copy.__name__, _value_of_variable.__name__ = "__copy__", "value"
