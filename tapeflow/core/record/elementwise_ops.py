"""The elementwise ops that the machinery stands on: identity, read_variable, stop_gradient, add.

They are members of the families, unlike `primitive_ops`, which the families themselves stand on.
The methods of Tensor and Variable that need one are attached here.
"""

from __future__ import annotations

import operator

import numpy as np

from tapeflow.core.record.families import binary, unary
from tapeflow.core.record.lowering_forms import Reshape
from tapeflow.core.record.op import ANY, CHEAP, NONDIFF, NUMERIC
from tapeflow.core.record.operators import operators
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
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
