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
_CSV = "records record_defaults field_delim use_quote_delim name na_value select_cols"
_CONCAT = ("axis sp_inputs name expand_nonconcat_dim>expand_nonconcat_dims concat_dim>axis "
           "expand_nonconcat_dims")
_JOIN = "inputs axis keep_dims>keepdims separator name reduction_indices>axis keepdims"
_SEGMENTS = "data indices segment_ids name num_segments -sparse_gradient"
_POOL = "value>input ksize strides padding data_format name input"

_TABLE = f"""
arg_max=argmax  input dimension>axis output_type name
arg_min=argmin  input dimension>axis output_type name
argmax  input axis name dimension>axis output_type
argmin  input axis name dimension>axis output_type
assert_equal  {_COMPARISON}
assert_greater  {_COMPARISON}
assert_greater_equal=debugging.assert_greater_equal  {_COMPARISON}
assert_integer=debugging.assert_integer  x message name
assert_less  {_COMPARISON}
assert_less_equal=debugging.assert_less_equal  {_COMPARISON}
assert_near=debugging.assert_near  x y rtol atol -data summarize message name
assert_negative=debugging.assert_negative  {_SIGN}
assert_non_negative=debugging.assert_non_negative  {_SIGN}
assert_non_positive=debugging.assert_non_positive  {_SIGN}
assert_none_equal=debugging.assert_none_equal  {_COMPARISON}
assert_positive=debugging.assert_positive  {_SIGN}
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
debugging.assert_all_finite  t>x msg>message name x message
decode_csv=io.decode_csv  {_CSV}
decode_raw=io.decode_raw  input_bytes out_type little_endian -name bytes>input_bytes
depth_to_space=nn.depth_to_space  input block_size name data_format
div_no_nan=math.divide_no_nan  x y name
expand_dims  input axis name dim>axis
extract_image_patches=image.extract_patches  images ksizes>sizes strides rates padding name sizes
gather  params indices validate_indices name axis batch_dims
gather_nd  params indices name batch_dims
gfile.Copy=io.gfile.copy  oldpath>src newpath>dst overwrite
gfile.DeleteRecursively=io.gfile.rmtree  dirname>path
gfile.Exists=io.gfile.exists  filename>path
gfile.Glob=io.gfile.glob  filename>pattern
gfile.IsDirectory=io.gfile.isdir  dirname>path
gfile.ListDirectory=io.gfile.listdir  dirname>path
gfile.MakeDirs=io.gfile.makedirs  dirname>path
gfile.MkDir=io.gfile.mkdir  dirname>path
gfile.Remove=io.gfile.remove  filename>path
gfile.Rename=io.gfile.rename  oldname>src newname>dst overwrite
gfile.Stat=io.gfile.stat  filename>path
gfile.Walk=io.gfile.walk  top in_order>topdown
gradients  ys xs grad_ys name -colocate_gradients_with_ops gate_gradients \
aggregation_method stop_gradients unconnected_gradients
hessians  ys xs name -colocate_gradients_with_ops gate_gradients aggregation_method
io.decode_csv  {_CSV}
io.decode_raw  input_bytes out_type little_endian -name bytes>input_bytes
io.parse_example  serialized features name example_names
io.parse_single_example  serialized features example_names name
io.serialize_many_sparse  sp_input name out_type
io.serialize_sparse  sp_input name out_type
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
multinomial=random.categorical  logits num_samples seed name output_dtype>dtype
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
nn.max_pool_with_argmax  input ksize strides padding data_format Targmax>output_dtype name \
output_dtype include_batch_in_index
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
nn.sufficient_statistics  x axes shift keep_dims>keepdims name keepdims
nn.weighted_cross_entropy_with_logits  labels logits pos_weight name targets>labels
nn.weighted_moments  x axes frequency_weights name keep_dims>keepdims keepdims
norm  tensor ord axis keepdims name keep_dims>keepdims
ones_like  tensor>input dtype name -optimize
pad  tensor paddings mode name constant_values
parse_example=io.parse_example  serialized features name example_names
random.poisson  lam shape dtype seed name
random.stateless_multinomial=random.stateless_categorical  logits num_samples seed \
output_dtype>dtype name
random_poisson=random.poisson  lam shape dtype seed name
reduce_join=strings.reduce_join  {_JOIN}
reverse_sequence  input seq_lengths seq_axis batch_axis name seq_dim>seq_axis batch_dim>batch_axis
serialize_many_sparse=io.serialize_many_sparse  sp_input name out_type
serialize_sparse=io.serialize_sparse  sp_input name out_type
shape  input name out_type:int32
size  input name out_type:int32
space_to_batch  input paddings block_size>block_shape name block_shape
space_to_depth=nn.space_to_depth  input block_size name data_format
sparse.add  a b threshold thresh>threshold
sparse.concat  {_CONCAT}
sparse.reduce_max  sp_input axis keepdims reduction_axes>axis keep_dims>keepdims
sparse.reduce_sum  sp_input axis keepdims reduction_axes>axis keep_dims>keepdims
sparse.segment_mean  {_SEGMENTS}
sparse.segment_sqrt_n  {_SEGMENTS}
sparse.segment_sum  {_SEGMENTS}
sparse_add=sparse.add  a b threshold thresh>threshold
sparse_concat=sparse.concat  {_CONCAT}
sparse_reduce_max=sparse.reduce_max  sp_input axis keepdims reduction_axes>axis keep_dims>keepdims
sparse_reduce_sum=sparse.reduce_sum  sp_input axis keepdims reduction_axes>axis keep_dims>keepdims
sparse_segment_mean=sparse.segment_mean  {_SEGMENTS}
sparse_segment_sqrt_n=sparse.segment_sqrt_n  {_SEGMENTS}
sparse_segment_sum=sparse.segment_sum  {_SEGMENTS}
squeeze  input axis name squeeze_dims>axis
string_to_hash_bucket=strings.to_hash_bucket  string_tensor>input num_buckets name input
string_to_number=strings.to_number  string_tensor>input out_type name input
strings.length  input name unit
strings.reduce_join  {_JOIN}
strings.substr  input pos len name unit
strings.to_number  string_tensor>input out_type name input
substr=strings.substr  input pos len name unit
transpose  a perm name conjugate
tuple  tensors name control_inputs
verify_tensor_all_finite=debugging.assert_all_finite  t>x msg>message name x message
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
        default: Any = inspect.Parameter.empty
        if not required:  # a name that stands for theirs has none of its own
            default = theirs[name].default if ours == name and name in theirs else None
            default = None if default is inspect.Parameter.empty else default
        found.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                       default=default))
    return inspect.Signature(found)
