"""Functions over the elements of tensors: map_fn, scan, foldl, foldr, vectorized_map.

All but vectorized_map run element after element: elements are read from TensorArrays and results
written to others by `control.repeat`, so that a trace makes one loop of it. vectorized_map runs its
function once, on a BatchLevel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.attributes import attributes, compared, dense, positive, some
from tapeflow.base.exports import export_guarded as export
from tapeflow.base.late import LateModule
from tapeflow.base.specs import CompositeSpec, TensorSpec
from tapeflow.core.autodiff.batching import Batched, BatchLevel
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, reshape
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.array import shape_ops
from tapeflow.ops.control.control_flow import repeat
from tapeflow.ops.control.tensor_array import TensorArray

_ragged_mapping = LateModule("tapeflow.ops.ragged.mapping")


def _require_callable(fn: Any, where: str) -> None:
    if not callable(fn):  # TensorFlow asks for the name first
        kind = TypeError if hasattr(fn, "__name__") else AttributeError
        raise kind(f"tf.{where}: `fn` must be callable, got {fn!r}.")


def _elements(elems: Any) -> list[Tensor]:
    return [operand(one) for one in nest.flatten(elems)]


def _has_composites(structure: Any) -> bool:
    """Whether there are ragged or sparse tensors in a structure, or specs of them."""
    return any(isinstance(one, (Composite, CompositeSpec)) for one in nest.flatten(structure))


def _length(tensors: list[Tensor], where: str) -> Any:
    """The size of the first axis, which all elements share."""
    sizes = [None if tensor.ndim is None else shape_of(tensor)[0] for tensor in tensors]
    if len({n for n in sizes if n is not None}) > 1:
        raise ValueError(f"tf.{where}: all of `elems` must have the same first dimension, got "
                         f"{sizes}.")
    return sizes[0] if sizes[0] is not None else shape_ops.shape(tensors[0])[0]


def _unstacked(tensors: list[Tensor], size: Any) -> list[TensorArray]:
    return [TensorArray(one.dtype, size).unstack(one) for one in tensors]


# -- map_fn ----------------------------------------------------------------------------------------
@export("map_fn")
@attributes(parallel_iterations=positive, back_prop=compared)
def map_fn(fn: Callable, elems: Any, dtype: Any = None, parallel_iterations: int | None = None,
           back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True,
           name: str | None = None, fn_output_signature: Any = None) -> Any:
    """`fn` of each element along the first axis, the results stacked.

    >>> tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3]))
    <tf.Tensor: shape=(3,), dtype=int32, numpy=array([1, 4, 9], dtype=int32)>

    Results must have the dtypes of the elements unless `fn_output_signature` says others.
    """
    _require_callable(fn, "map_fn")
    signature = fn_output_signature if fn_output_signature is not None else dtype
    if _has_composites((elems, signature)):
        return _ragged_mapping.map_rows(fn, elems, signature)
    tensors = _elements(elems)
    if not tensors:
        raise ValueError(f"tf.map_fn: `elems` must hold at least one tensor, got {elems!r}.")
    if any(one.ndim == 0 for one in tensors):
        raise ValueError("tf.map_fn: `elems` must be of one dimension or more, got a scalar.")
    size = _length(tensors, "map_fn")
    if signature is None:
        signature = nest.pack_sequence_as(elems, [one.dtype for one in tensors])
    arrays = _unstacked(tensors, size)
    specs = [_spec(one) for one in nest.flatten(signature)]
    results = [TensorArray(spec.dtype, size, infer_shape=infer_shape, element_shape=spec.shape)
               for spec in specs]

    def body(i: Any, results: list) -> tuple:
        result = fn(nest.pack_sequence_as(elems, [one.read(i) for one in arrays]))
        nest.assert_same_structure(signature, result)
        return i + 1, [ta.write(i, value) for ta, value in zip(results, nest.flatten(result))]

    _, results = repeat(lambda i, _: i < size, body, (0, results),
                        size if isinstance(size, int) else None)
    return nest.pack_sequence_as(signature, [one.stack() for one in results])


def _spec(signature: Any) -> TensorSpec:
    return signature if isinstance(signature, TensorSpec) else TensorSpec(
        None, dtypes.as_dtype(signature))


# -- scan and folds --------------------------------------------------------------------------------
def _accumulate(fn: Callable, elems: Any, initializer: Any, reverse: bool, where: str,
                keep: Callable) -> Any:
    """Run `a = fn(a, element)` over the elements; `keep(first, size)` makes what sees each `a`."""
    _require_callable(fn, where)
    tensors = [operand(dense("elems", one)) for one in nest.flatten(elems)]
    if not tensors or any(one.ndim == 0 for one in tensors):  # IndexError is TensorFlow's type
        raise IndexError(f"tf.{where}: `elems` must hold tensors of one dimension or more, got "
                         f"{elems!r}.")
    size = _length(tensors, where)
    arrays = _unstacked(tensors, size)
    like = elems if initializer is None else initializer
    start, step = (size - 1, -1) if reverse else (0, 1)
    if initializer is None:
        first = [one.read(start) for one in arrays]
        kept = keep(first, size, start)
        start, trip_count = start + step, size - 1
    else:
        first, trip_count = [operand(one) for one in nest.flatten(initializer)], size
        kept = keep(first, size, None)

    def body(i: Any, a: list, kept: Any) -> tuple:
        element = nest.pack_sequence_as(elems, [one.read(i) for one in arrays])
        result = fn(nest.pack_sequence_as(like, a), element)
        nest.assert_same_structure(like, result)
        flat = nest.flatten(result)
        return i + step, flat, [ta.write(i, value) for ta, value in zip(kept, flat)]

    def more(i: Any, a: list, kept: Any) -> Any:
        return i >= 0 if reverse else i < size

    limit = trip_count if isinstance(trip_count, int) else None
    _, a, kept = repeat(more, body, (start, first, kept), limit)
    return nest.pack_sequence_as(like, [one.stack() for one in kept] if kept else
                                 [operand(one) for one in a])


@export("scan")
@attributes(parallel_iterations=some, back_prop=compared)
def scan(fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: int = 10,
         back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True,
         reverse: bool = False, name: str | None = None) -> Any:
    """All values of `a = fn(a, element)` over the elements, stacked.

    >>> tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]))
    <tf.Tensor: shape=(3,), dtype=int32, numpy=array([1, 3, 6], dtype=int32)>

    Without `initializer` the first element starts, and is the first result.
    """

    def keep(first: list[Tensor], size: int, start: int | None) -> list[TensorArray]:
        arrays = [TensorArray(one.dtype, size, infer_shape=infer_shape,
                              element_shape=one.shape if infer_shape else None) for one in first]
        if start is not None:
            arrays = [ta.write(start, one) for ta, one in zip(arrays, first)]
        return arrays

    return _accumulate(fn, elems, initializer, reverse, "scan", keep)


def _keep_nothing(first: list[Tensor], size: int, start: int | None) -> list[TensorArray]:
    return []


@export("foldl")
@attributes(parallel_iterations=some, back_prop=compared)
def foldl(fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: int = 10,
          back_prop: bool = True, swap_memory: bool = False, name: str | None = None) -> Any:
    """The last value of `a = fn(a, element)` over the elements, first to last."""
    return _accumulate(fn, elems, initializer, False, "foldl", _keep_nothing)


@export("foldr")
@attributes(parallel_iterations=some, back_prop=compared)
def foldr(fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: int = 10,
          back_prop: bool = True, swap_memory: bool = False, name: str | None = None) -> Any:
    """The last value of `a = fn(a, element)` over the elements, last to first."""
    return _accumulate(fn, elems, initializer, True, "foldr", _keep_nothing)


# -- vectorized_map --------------------------------------------------------------------------------
@export("vectorized_map")
def vectorized_map(fn: Callable, elems: Any, fallback_to_while_loop: bool = True,
                   warn: bool = True) -> Any:
    """`fn` of each element along the first axis, run once for all of them by vectorised ops.

    >>> tf.vectorized_map(lambda row: tf.reduce_sum(row * row), tf.constant([[1., 2.], [3., 4.]]))
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([ 5., 25.], dtype=float32)>

    An op without a vectorised form runs element by element, or is a ValueError with
    `fallback_to_while_loop=False`. tf.cond, tf.switch_case and tf.while_loop may go different ways
    for different elements, also under tapes.
    """
    if not callable(fn):
        raise TypeError(f"tf.vectorized_map: `fn` must be callable, got {fn!r}.")
    if _has_composites(elems):
        return _ragged_mapping.vectorized_rows(fn, elems, fallback_to_while_loop)
    tensors = _elements(elems)
    if not tensors:
        raise ValueError(f"tf.vectorized_map: `elems` must hold at least one tensor, got "
                         f"{elems!r}.")
    if any(one.ndim == 0 for one in tensors):  # IndexError is TensorFlow's type
        raise IndexError("tf.vectorized_map: `elems` must be of one dimension or more, got a "
                         "scalar.")
    specs: list = []
    results = _mapped_at_once(_flat_composites(fn, specs), elems, tensors, fallback_to_while_loop)
    return _ragged_mapping.packed_rows(specs[-1], results) if specs else results


def _flat_composites(fn: Callable, specs: list) -> Callable:
    """`fn` with the tensors of composites that it gives in a list; what it gave is in `specs`."""

    def call(element: Any) -> Any:
        result = fn(element)
        if not _has_composites(result):
            return result
        specs.append(_ragged_mapping.specs_of_rows(result))
        return nest.flatten(result, expand_composites=True)

    return call


def _mapped_at_once(fn: Callable, elems: Any, tensors: list, fallback_to_while_loop: bool) -> Any:
    """`fn` of all elements by vectorised ops."""
    sizes: list[Any] = [None if one.ndim is None else shape_of(one)[0] for one in tensors]
    if None not in sizes and any(one not in (max(sizes), 1) for one in sizes):
        raise errors.invalid("GatherV2", "tf.vectorized_map: the first dimensions of `elems` must "
                                         f"be equal, or 1; got {sizes}")
    if state.trace is not None and not any(isinstance(one, Batched) for one in tensors):
        if None not in sizes:
            tensors = [broadcast_to(one, shape=(max(sizes), *shape_of(one)[1:])) if n != max(sizes)
                       else one for one, n in zip(tensors, sizes)]
        return state.trace.vectorized_map(fn, elems, tensors, not fallback_to_while_loop)
    size = max(sizes)
    with BatchLevel(size, draws=True, strict=not fallback_to_while_loop) as level:
        parts = [level.batched(one) if shape_of(one)[0] == size
                 else reshape(one, shape=shape_of(one)[1:]) for one in tensors]
        results = fn(nest.pack_sequence_as(elems, parts))
        results = nest.map_structure(lambda x: None if x is None else operand(x), results)
    return nest.map_structure(lambda x: None if x is None else level.inner(x), results)
