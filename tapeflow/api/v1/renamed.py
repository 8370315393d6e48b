"""Functions of tf.compat.v1 that are TensorFlow 2's, with arguments in another order or by other
names.

Each line of the table is a signature of TensorFlow 1: the name, where `=` says which function of
TensorFlow 2 it is if not the one of the same name, then the arguments in their order. `old>new` is
passed on as `new`, `-old` is accepted and means nothing here, `arg:value` has a default of its own.
Only `v1_names.py` imports this.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Callable
from typing import Any

_REDUCTION = "input_tensor axis keepdims name reduction_indices>axis keep_dims>keepdims"
_COMPARISON = "x y -data summarize message name"
_SIGN = "x -data summarize message name"
_POOL = "value>input ksize strides padding data_format name input"

_TABLE = f"""
argmax  input axis name dimension>axis output_type
argmin  input axis name dimension>axis output_type
arg_max=argmax  input dimension>axis output_type name
arg_min=argmin  input dimension>axis output_type name
assert_equal  {_COMPARISON}
assert_greater  {_COMPARISON}
assert_greater_equal=debugging.assert_greater_equal  {_COMPARISON}
assert_less  {_COMPARISON}
assert_less_equal=debugging.assert_less_equal  {_COMPARISON}
assert_none_equal=debugging.assert_none_equal  {_COMPARISON}
assert_near=debugging.assert_near  x y rtol atol -data summarize message name
assert_negative=debugging.assert_negative  {_SIGN}
assert_non_negative=debugging.assert_non_negative  {_SIGN}
assert_non_positive=debugging.assert_non_positive  {_SIGN}
assert_positive=debugging.assert_positive  {_SIGN}
assert_integer=debugging.assert_integer  x message name
assert_rank  x rank -data -summarize message name
assert_rank_at_least=debugging.assert_rank_at_least  x rank -data -summarize message name
assert_rank_in=debugging.assert_rank_in  x ranks -data -summarize message name
assert_scalar=debugging.assert_scalar  tensor name message
assert_type=debugging.assert_type  tensor tf_type message name
batch_to_space  input crops block_size>block_shape name block_shape
batch_to_space_nd=batch_to_space  input block_shape crops name
boolean_mask  tensor mask name axis
confusion_matrix=math.confusion_matrix  labels predictions num_classes dtype name weights
constant  value dtype shape name -verify_shape
convert_to_tensor  value dtype name preferred_dtype>dtype_hint dtype_hint
count_nonzero=math.count_nonzero  input_tensor>input axis keepdims dtype name \
reduction_indices>axis keep_dims>keepdims input
decode_raw=io.decode_raw  input_bytes out_type little_endian -name bytes>input_bytes
depth_to_space=nn.depth_to_space  input block_size name data_format
div_no_nan=math.divide_no_nan  x y name
expand_dims  input axis name dim>axis
gather  params indices validate_indices name axis batch_dims
gather_nd  params indices name batch_dims
io.decode_raw  input_bytes out_type little_endian -name bytes>input_bytes
io.parse_single_example  serialized features example_names name
linalg.norm  tensor ord axis keepdims name keep_dims>keepdims
linalg.transpose=linalg.matrix_transpose  a name conjugate
math.argmax  input axis name dimension>axis output_type
math.argmin  input axis name dimension>axis output_type
math.bincount  arr weights minlength maxlength dtype
math.confusion_matrix  labels predictions num_classes dtype name weights
math.count_nonzero  input_tensor>input axis keepdims dtype name reduction_indices>axis \
keep_dims>keepdims input
math.in_top_k  predictions targets k name
math.log_softmax  logits axis name dim>axis
math.softmax  logits axis name dim>axis
nn.avg_pool  {_POOL}
nn.avg_pool2d  {_POOL}
nn.conv1d  value>input filters stride padding -use_cudnn_on_gpu data_format name input dilations
nn.conv2d  input filter>filters strides padding -use_cudnn_on_gpu data_format dilations name filters
nn.conv2d_transpose  value>input filter>filters output_shape strides padding data_format name \
input filters dilations
nn.conv3d  input filter>filters strides padding data_format dilations name filters
nn.conv3d_transpose  value>input filter>filters output_shape strides padding data_format name \
input filters dilations
nn.convolution  input filter>filters padding strides dilation_rate>dilations name data_format \
filters dilations
nn.crelu  features name axis
nn.ctc_beam_search_decoder  inputs sequence_length beam_width top_paths -merge_repeated
nn.depth_to_space  input block_size name data_format
nn.depthwise_conv2d  input filter strides padding rate>dilations name data_format dilations
nn.depthwise_conv2d_native=nn.depthwise_conv2d  input filter strides padding data_format \
dilations name
nn.embedding_lookup  params ids -partition_strategy name -validate_indices max_norm
nn.in_top_k  predictions targets k name
nn.log_softmax  logits axis name dim>axis
nn.max_pool  {_POOL}
nn.moments  x axes shift name keep_dims>keepdims keepdims
nn.pool  input window_shape pooling_type padding dilation_rate>dilations strides name \
data_format dilations
nn.separable_conv2d  input depthwise_filter pointwise_filter strides padding rate>dilations \
name data_format dilations
nn.softmax  logits axis name dim>axis
nn.softmax_cross_entropy_with_logits_v2=nn.softmax_cross_entropy_with_logits  labels logits axis \
name dim>axis
nn.space_to_batch  input paddings block_size>block_shape name block_shape
nn.space_to_depth  input block_size name data_format
nn.sparse_softmax_cross_entropy_with_logits  labels logits name
nn.sufficient_statistics  x axes shift keep_dims>keepdims name keepdims
nn.weighted_cross_entropy_with_logits  labels logits pos_weight name targets>labels
nn.weighted_moments  x axes frequency_weights name keep_dims>keepdims keepdims
norm  tensor ord axis keepdims name keep_dims>keepdims
ones_like  tensor>input dtype name -optimize
pad  tensor paddings mode name constant_values
random.poisson  lam shape dtype seed name
random_poisson=random.poisson  lam shape dtype seed name
reverse_sequence  input seq_lengths seq_axis batch_axis name seq_dim>seq_axis batch_dim>batch_axis
shape  input name out_type:int32
size  input name out_type:int32
space_to_batch  input paddings block_size>block_shape name block_shape
space_to_depth=nn.space_to_depth  input block_size name data_format
sparse.reduce_max  sp_input axis keepdims reduction_axes>axis keep_dims>keepdims
sparse.reduce_sum  sp_input axis keepdims reduction_axes>axis keep_dims>keepdims
sparse.segment_mean  data indices segment_ids name num_segments -sparse_gradient
sparse.segment_sqrt_n  data indices segment_ids name num_segments -sparse_gradient
sparse.segment_sum  data indices segment_ids name num_segments -sparse_gradient
squeeze  input axis name squeeze_dims>axis
strings.length  input name unit
strings.reduce_join  inputs axis keep_dims>keepdims separator name reduction_indices>axis keepdims
strings.substr  input pos len name unit
strings.to_number  string_tensor>input out_type name input
string_to_number=strings.to_number  string_tensor>input out_type name input
substr=strings.substr  input pos len name unit
transpose  a perm name conjugate
tuple  tensors name control_inputs
zeros_like  tensor>input dtype name -optimize
"""

_REDUCTIONS = ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
_ASSERTIONS = ("equal", "greater", "greater_equal", "less", "less_equal", "none_equal", "near",
               "negative", "non_negative", "non_positive", "positive", "integer", "rank",
               "rank_at_least", "rank_in", "scalar", "type")


class Signature:
    """The arguments of TensorFlow 1, and what each is called in TensorFlow 2."""

    def __init__(self, path: str, arguments: list[str]):
        self.path = path  # of TensorFlow 2's function
        self.ours: dict[str, str | None] = {}  # None: dropped
        self.defaults: dict[str, Any] = {}
        for word in arguments:
            word, _, default = word.partition(":")
            name, _, ours = word.lstrip("-").partition(">")
            self.ours[name] = None if word.startswith("-") else ours or name
            if default:
                self.defaults[name] = default


def _read() -> dict[str, Signature]:
    found = {}
    for line in _TABLE.strip().splitlines():
        head, *arguments = line.split()
        name, _, path = head.partition("=")
        found[name] = Signature(path or name, arguments)
    for kind in _REDUCTIONS:
        for name in (f"reduce_{kind}", f"math.reduce_{kind}"):
            found[name] = Signature(name, _REDUCTION.split())
    for kind in _ASSERTIONS:
        top = found[f"assert_{kind}"]
        found[f"debugging.assert_{kind}"] = top
    return found


SIGNATURES = _read()


def adapter(root: types.ModuleType, path: str) -> Callable:
    """The function tf.compat.v1.<path>, made of TensorFlow 2's."""
    signature = SIGNATURES[path]
    target: Any = root
    for part in signature.path.split("."):
        target = getattr(target, part)
    default = {name: root.as_dtype(text) if text in ("int32", "int64") else ast.literal_eval(text)
               for name, text in signature.defaults.items()}

    def call(*args: Any, **kwargs: Any) -> Any:
        given = shown.bind(*args, **kwargs).arguments
        passed: dict[str, Any] = dict(default)
        for name, value in given.items():
            ours = signature.ours[name]
            if ours is None or value is None and ours in default:
                continue
            if value is not None or ours not in passed:
                passed[ours] = value
        return target(passed.pop(first), **passed) if first in passed else target(**passed)

    theirs = inspect.signature(target).parameters
    first = next(iter(theirs))
    shown = _shown(signature, theirs)
    vars(call)["__signature__"] = shown
    call.__name__ = call.__qualname__ = path.rpartition(".")[2]
    call.__doc__ = target.__doc__
    return call


def _shown(signature: Signature, theirs: Any) -> inspect.Signature:
    """The arguments as Python sees them: the first ones are required, as long as theirs are."""
    found: list[inspect.Parameter] = []
    required = True
    for name, ours in signature.ours.items():
        only = list(signature.ours.values()).count(ours) == 1
        required = required and only and (not found or ours == name and name in theirs and (
            theirs[name].default is inspect.Parameter.empty))
        found.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                       default=inspect.Parameter.empty if required else None))
    return inspect.Signature(found)
