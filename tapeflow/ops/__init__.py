"""All op records, by family. Importing this package registers them."""

from tapeflow.core.values import tensor as _tensor
from tapeflow.core.values import variable as _variable
from tapeflow.ops import conv as conv
from tapeflow.ops import linalg as linalg
from tapeflow.ops import random as random
from tapeflow.ops._support import large_operands as large_operands
from tapeflow.ops.array import creation as creation
from tapeflow.ops.array import joining as joining
from tapeflow.ops.array import one_hot as one_hot
from tapeflow.ops.array import padding as padding
from tapeflow.ops.array import partition_unique as partition_unique
from tapeflow.ops.array import ranges as ranges
from tapeflow.ops.array import reverse as reverse
from tapeflow.ops.array import shape_ops as shape_ops
from tapeflow.ops.array import shaping as shaping
from tapeflow.ops.array import tiling as tiling
from tapeflow.ops.control import assertions as assertions
from tapeflow.ops.control import control_flow as control_flow
from tapeflow.ops.control import map_fn as map_fn
from tapeflow.ops.control import printing as printing
from tapeflow.ops.control import py_function as py_function
from tapeflow.ops.control import tensor_array as tensor_array
from tapeflow.ops.control import tensor_array_ops as tensor_array_ops
from tapeflow.ops.indexing import basic_indexing as basic_indexing
from tapeflow.ops.indexing import dynamic_slice as dynamic_slice
from tapeflow.ops.indexing import embedding_lookup as embedding_lookup
from tapeflow.ops.indexing import gathering as gathering
from tapeflow.ops.indexing import scattering as scattering
from tapeflow.ops.indexing import sliced_assignment as sliced_assignment
from tapeflow.ops.indexing import slicing as slicing
from tapeflow.ops.linalg import einsum as einsum
from tapeflow.ops.linalg import matmul as matmul
from tapeflow.ops.math import arithmetic as arithmetic
from tapeflow.ops.math import casting as casting
from tapeflow.ops.math import clipping as clipping
from tapeflow.ops.math import comparison as comparison
from tapeflow.ops.math import complex as complex
from tapeflow.ops.math import exponential as exponential
from tapeflow.ops.math import logical as logical
from tapeflow.ops.math import rounding as rounding
from tapeflow.ops.math import select as select
from tapeflow.ops.math import special as special
from tapeflow.ops.math import trigonometric as trigonometric
from tapeflow.ops.nn import activations as activations
from tapeflow.ops.nn import losses as losses
from tapeflow.ops.nn import softmax_norm as softmax_norm
from tapeflow.ops.reduce import argmax as argmax
from tapeflow.ops.reduce import cumulative as cumulative
from tapeflow.ops.reduce import histogram as histogram
from tapeflow.ops.reduce import moments as moments
from tapeflow.ops.reduce import reduction as reduction
from tapeflow.ops.reduce import segment as segment
from tapeflow.ops.reduce import sorting as sorting

_tensor.lend(_tensor.TensorBase, _tensor.Tensor)
_tensor.lend(_variable.VariableBase, _variable.Variable)

large_operands.install()
