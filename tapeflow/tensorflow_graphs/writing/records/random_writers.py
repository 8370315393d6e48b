"""Random numbers: of a stream, which is an op's own in TensorFlow, and of a seed alone.

`random_state` gives the next state of a stream, which one draw then takes. TensorFlow's ops hold
the stream themselves, by its two seeds; so the state is written as no node at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.tensorflow_graphs.writing.graph_writer import GraphWriter, Unwritable
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.written_records import written

_ALGORITHM = np.int32(1)  # Philox


class _State(Ref):
    """The next state of a stream: the seeds of the op that draws from it."""

    __slots__ = ("seeds",)

    def __init__(self, stream: Any):
        super().__init__("a random state", dtypes.int64, (3,), const=())
        self.seeds = {"seed": _signed(stream._key), "seed2": _signed(stream._start >> 64)}


def _signed(word: int) -> int:
    return word - (1 << 64) if word >= 1 << 63 else word


@written("random_state")
def random_state(w: GraphWriter, node: ir.Node) -> Ref:
    return _State(node.attrs["stream"])


def _shape(w: GraphWriter, node: ir.Node) -> Ref:
    shape = node.attrs["shape"]
    return w.ref(shape) if isinstance(shape, ir.Value) else w.const(
        np.array(shape, np.int32).reshape(-1))


def _key(w: GraphWriter, node: ir.Node, source: Ref) -> tuple[Ref, Ref, Any]:
    """Key, counter and algorithm of a seed, or of the state of a generator."""
    if source.shape == (2,):
        return *w.StatelessRandomGetKeyCounter(source), _ALGORITHM
    if source.shape != (3,):
        raise Unwritable(f"{node.op.name!r} draws from a seed of unknown size")
    words = w.Bitcast(source, type=dtypes.uint64)
    return (w.StridedSlice(words, [2], [3], [1]), w.StridedSlice(words, [0], [2], [1]),
            _ALGORITHM)


def _drawn(w: GraphWriter, node: ir.Node, source: Ref, stateful: str, stateless: str,
           **more: Any) -> Ref:
    shape = _shape(w, node)
    dtype = dtypes.of(node.outputs[0].dtype)
    if isinstance(source, _State):
        return w.emit(stateful, [shape], {**source.seeds, "dtype": dtype})
    return w.emit(stateless, [shape, *_key(w, node, source)], {"dtype": dtype})


@written("stateless_uniform")
def uniform(w: GraphWriter, node: ir.Node, source: Ref) -> Ref:
    return _drawn(w, node, source, "RandomUniform", "StatelessRandomUniformV2")


@written("stateless_normal")
def normal(w: GraphWriter, node: ir.Node, source: Ref) -> Ref:
    return _drawn(w, node, source, "RandomStandardNormal", "StatelessRandomNormalV2")


@written("stateless_truncated_normal")
def truncated_normal(w: GraphWriter, node: ir.Node, source: Ref) -> Ref:
    return _drawn(w, node, source, "TruncatedNormal", "StatelessTruncatedNormalV2")


@written("stateless_uniform_full_int")
def uniform_full_int(w: GraphWriter, node: ir.Node, source: Ref) -> Ref:
    if isinstance(source, _State):
        raise Unwritable("integers of the whole range have no stateful op in TensorFlow")
    return w.StatelessRandomUniformFullIntV2(_shape(w, node), *_key(w, node, source),
                                             dtype=dtypes.of(node.outputs[0].dtype))


@written("stateless_uniform_int")
def uniform_int(w: GraphWriter, node: ir.Node, source: Ref, low: Ref, high: Ref) -> Ref:
    if isinstance(source, _State):
        return w.RandomUniformInt(_shape(w, node), low, high, **source.seeds)
    return w.StatelessRandomUniformIntV2(_shape(w, node), *_key(w, node, source), low, high)


@written("stateless_shuffle")
def shuffle(w: GraphWriter, node: ir.Node, source: Ref, value: Ref) -> Ref:
    if isinstance(source, _State):
        return w.RandomShuffle(value, **source.seeds)
    return w.StatelessShuffle(value, *_key(w, node, source))


@written("stateless_categorical", "categories")
def categorical(w: GraphWriter, node: ir.Node, source: Ref, logits: Ref) -> Ref:
    count, kind = node.attrs["samples"], dtypes.of(node.outputs[0].dtype)
    samples = w.ref(count) if isinstance(count, ir.Value) else w.const(np.int32(count))
    if isinstance(source, _State):
        return w.Multinomial(logits, samples, output_dtype=kind, **source.seeds)
    if source.shape != (2,):
        raise Unwritable("draws of categories from a generator have no form in TensorFlow's table")
    return w.StatelessMultinomial(logits, samples, source, output_dtype=kind)


@written("stateless_gamma", "gamma_numbers")
def gamma(w: GraphWriter, node: ir.Node, source: Ref, alpha: Ref) -> Ref:
    """Numbers for a shape that ends with alpha's; the stateful op is told what comes before."""
    if not isinstance(source, _State):
        return w.StatelessRandomGammaV3(_shape(w, node), *_key(w, node, source), alpha)
    return w.RandomGamma(_before(w, node, alpha), alpha, **source.seeds)


@written("stateless_poisson")
def poisson(w: GraphWriter, node: ir.Node, source: Ref, rate: Ref) -> Ref:
    if not isinstance(source, _State):
        raise Unwritable("a stateless Poisson draw has no form among the ops of the table")
    return w.RandomPoissonV2(_before(w, node, rate), rate, dtype=dtypes.of(node.outputs[0].dtype),
                             **source.seeds)


def _before(w: GraphWriter, node: ir.Node, parameter: Ref) -> Ref:
    """The sizes of a draw without those of its parameter at the end."""
    rank = None if parameter.shape is None else len(parameter.shape)
    if rank is None:
        raise Unwritable(f"{node.op.name!r} of a parameter of unknown rank")
    whole = _shape(w, node)
    if not rank:
        return whole
    return w.StridedSlice(whole, [0], [-rank], [1])
