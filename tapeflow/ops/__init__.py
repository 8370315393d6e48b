"""All op records, by family. Importing this package registers them."""

from tapeflow.base.exports import later as _later
from tapeflow.core.values import tensor as _tensor
from tapeflow.core.values import variable as _variable
from tapeflow.ops import activations as activations
from tapeflow.ops import arithmetic as arithmetic
from tapeflow.ops import array_write as array_write
from tapeflow.ops import blocks as blocks
from tapeflow.ops import casting as casting
from tapeflow.ops import checks as checks
from tapeflow.ops import clipping as clipping
from tapeflow.ops import comparison as comparison
from tapeflow.ops import complex as complex
from tapeflow.ops import contraction as contraction
from tapeflow.ops import control as control
from tapeflow.ops import conv as conv
from tapeflow.ops import creation as creation
from tapeflow.ops import cumulative as cumulative
from tapeflow.ops import einsum as einsum
from tapeflow.ops import exponential as exponential
from tapeflow.ops import foreign as foreign
from tapeflow.ops import functional as functional
from tapeflow.ops import gathering as gathering
from tapeflow.ops import indexing as indexing
from tapeflow.ops import linalg as linalg
from tapeflow.ops import logical as logical
from tapeflow.ops import losses as losses
from tapeflow.ops import normalise as normalise
from tapeflow.ops import numerical as numerical
from tapeflow.ops import ordering as ordering
from tapeflow.ops import padding as padding
from tapeflow.ops import printing as printing
from tapeflow.ops import random as random
from tapeflow.ops import reduction as reduction
from tapeflow.ops import rounding as rounding
from tapeflow.ops import scattering as scattering
from tapeflow.ops import segment as segment
from tapeflow.ops import selection as selection
from tapeflow.ops import sets as sets
from tapeflow.ops import shaping as shaping
from tapeflow.ops import special as special
from tapeflow.ops import spreading as spreading
from tapeflow.ops import tensor_array as tensor_array
from tapeflow.ops import trigonometric as trigonometric
from tapeflow.ops import turning as turning
from tapeflow.ops import windows as windows

_tensor.lend(_tensor.TensorBase, _tensor.Tensor)
_tensor.lend(_variable.VariableBase, _variable.Variable)

_later("tapeflow.ops.signal", "signal.*", "audio.*", "compat.v1.signal.*",
       "compat.v1.spectral.*", "compat.v1.audio.*")
_later("tapeflow.ops.image", "image.*", "compat.v1.image.*", "io.*", "raw_ops.*")
_later("tapeflow.ops.fractional_pools", "nn.fractional_max_pool", "nn.fractional_avg_pool")
_later("tapeflow.ops.ragged", "ragged.*", "RaggedTensor", "RaggedTensorSpec",
       "experimental.RowPartition", "experimental.DynamicRaggedShape")
_later("tapeflow.ops.sparse", "sparse.*", "sets.*", "SparseTensor", "SparseTensorSpec",
       "edit_distance", "nn.embedding_lookup_sparse", "nn.safe_embedding_lookup_sparse",
       "nn.ctc_greedy_decoder", "nn.ctc_beam_search_decoder", "nn.collapse_repeated",
       "nn.ctc_unique_labels", "compat.v1.SparseTensorValue")
_later("tapeflow.ops.strings", "strings.*", "lookup.*", "lookup.experimental.*", "fingerprint")
_later("tapeflow.core.values.extension_type", "experimental.ExtensionType",
       "experimental.ExtensionTypeSpec", "experimental.BatchableExtensionType")
_later("tapeflow.core.values.extension_dispatch", "experimental.dispatch_for_api",
       "experimental.dispatch_for_unary_elementwise_apis",
       "experimental.dispatch_for_binary_elementwise_apis", "experimental.unregister_dispatch_for")
spreading.spread()
