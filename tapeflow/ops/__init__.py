"""All op records, by family.

Importing this package loads those that Python's operators and the methods of tensors and variables
need; each other module is loaded when one of its public names is asked for (`api/public_names.py`).
"""

from tapeflow.base.late import LateMethod as _LateMethod
from tapeflow.core.values import tensor as _tensor
from tapeflow.core.values import variable as _variable
from tapeflow.ops._support import large_operands as large_operands
from tapeflow.ops.indexing import basic_indexing as basic_indexing
from tapeflow.ops.indexing import sliced_assignment as sliced_assignment
from tapeflow.ops.linalg import matmul as matmul
from tapeflow.ops.math import arithmetic as arithmetic
from tapeflow.ops.math import comparison as comparison
from tapeflow.ops.math import exponential as exponential
from tapeflow.ops.math import logical as logical
from tapeflow.ops.math import rounding as rounding

_tensor.lend(_tensor.TensorBase, _tensor.Tensor)
_tensor.lend(_variable.VariableBase, _variable.Variable)

for _name in ("scatter_update", "scatter_add", "scatter_sub", "scatter_mul", "scatter_div",
              "scatter_min", "scatter_max", "scatter_nd_update", "scatter_nd_add", "scatter_nd_sub",
              "scatter_nd_min", "scatter_nd_max", "batch_scatter_update", "sparse_read",
              "gather_nd"):
    for _class in (_variable.Variable, _variable.VariableBase):
        setattr(_class, _name, _LateMethod("tapeflow.ops.indexing.scattering", _name))

large_operands.install()
