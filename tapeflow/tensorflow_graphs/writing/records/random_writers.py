"""Random numbers: of a stream, which is an op's own in TensorFlow, and of a seed alone.

`random_state` gives the next state of a stream, which one draw then takes. TensorFlow's ops hold
the stream themselves, by its two seeds; so the state is written as no node at all.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.ops.random.streams.index_shuffle import FILLER
from tapeflow.tensorflow_graphs.ops.state.assignments import ANONYMOUS
from tapeflow.tensorflow_graphs.writing.graph_writer import GraphWriter, Unwritable
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.operands import cast
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
        raise Unwritable(f"the size of the seed of {node.op.name!r} must be known")
    words = w.Bitcast(source, type=dtypes.uint64)
    return (w.StridedSlice(words, [2], [3], [1]), w.StridedSlice(words, [0], [2], [1]),
            _ALGORITHM)


def _seed(node: ir.Node, source: Ref) -> Ref:
    """The seed of an op that takes no key."""
    if isinstance(source, _State) or source.shape != (2,):
        raise Unwritable(f"TensorFlow's op for {node.op.name!r} draws from a seed, whose size "
                         "must be known to be 2")
    return source


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
    return w.StatelessMultinomial(logits, samples, _seed(node, source), output_dtype=kind)


@written("stateless_gamma", "gamma_numbers")
def gamma(w: GraphWriter, node: ir.Node, source: Ref, alpha: Ref) -> Ref:
    """Numbers for a shape that ends with alpha's; the stateful op is told what comes before."""
    if not isinstance(source, _State):
        return w.StatelessRandomGammaV3(_shape(w, node), *_key(w, node, source), alpha)
    return w.RandomGamma(_before(w, node, alpha), alpha, **source.seeds)


@written("stateless_poisson")
def poisson(w: GraphWriter, node: ir.Node, source: Ref, rate: Ref) -> Ref:
    if not isinstance(source, _State):
        return w.StatelessRandomPoisson(_shape(w, node), _seed(node, source), rate,
                                        dtype=dtypes.of(node.outputs[0].dtype))
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


@written("stateless_binomial")
def binomial(w: GraphWriter, node: ir.Node, source: Ref, counts: Ref, probs: Ref) -> Ref:
    if source.shape == (3,) and not isinstance(source, _State):
        # From the state of a generator draws an op alone that reads it from a variable.
        held = w.VarHandleOp(shared_name=ANONYMOUS, dtype=dtypes.int64, shape=(3,))
        w.AssignVariableOp(held, source, dtype=dtypes.int64)
        return w.StatefulRandomBinomial(held, w.const(1, dtypes.int64), _shape(w, node), counts,
                                        probs, dtype=dtypes.of(node.outputs[0].dtype))
    return w.StatelessRandomBinomial(_shape(w, node), _seed(node, source), counts, probs,
                                     dtype=dtypes.of(node.outputs[0].dtype))


@written("stateless_parameterized_truncated_normal")
def bounded_normal(w: GraphWriter, node: ir.Node, source: Ref, *parameters: Ref) -> Ref:
    return w.StatelessParameterizedTruncatedNormal(_shape(w, node), _seed(node, source),
                                                   *parameters)


@written("index_shuffle")
def index_shuffle(w: GraphWriter, node: ir.Node, index: Ref, seed: Ref, most: Ref) -> Ref:
    """TensorFlow's function puts a number of its own before the seed."""
    if seed.shape is None:
        raise Unwritable("'index_shuffle' by a seed of unknown rank")
    before = [[0, 0]] * (len(seed.shape) - 1) + [[1, 0]]
    words = w.PadV2(seed, w.const(before, dtypes.int32), w.const(FILLER, seed.dtype))
    return w.RandomIndexShuffle(index, words, most)


# -- the state of a generator: two words of counter, and the key -----------------------------------
def _count(w: GraphWriter, node: ir.Node) -> Ref:
    """How many numbers are drawn."""
    return w.Prod(w.Cast(_shape(w, node), DstT=dtypes.int64), w.const([0], dtypes.int32))


@written("rng_skip")
def rng_skip(w: GraphWriter, node: ir.Node, state: Ref) -> Ref:
    return _skipped(w, state, _count(w, node))


@written("rng_skip_binomial")
def rng_skip_binomial(w: GraphWriter, node: ir.Node, state: Ref) -> Ref:
    """TensorFlow counts 200 draws for a number, and three numbers more for each set."""
    sets = math.prod(node.attrs["batch"])
    samples = w.FloorDiv(_count(w, node), w.const(max(sets, 1), dtypes.int64))
    draws = w.Mul(w.AddV2(samples, w.const(3, dtypes.int64)), w.const(200 * sets, dtypes.int64))
    return _skipped(w, state, w.FloorDiv(draws, w.const(4, dtypes.int64)))


def _skipped(w: GraphWriter, state: Ref, count: Ref) -> Ref:
    """The counter after so many numbers, of 256 blocks each, with the carry into its second word.
    """
    words = w.Bitcast(state, type=dtypes.uint64)
    step = w.Reshape(w.Cast(w.Mul(count, w.const(256, dtypes.int64)), DstT=dtypes.uint64), [1])
    low, high = [w.StridedSlice(words, [i], [i + 1], [1]) for i in (0, 1)]
    after = w.AddV2(low, step)
    carry = w.Cast(w.Less(after, low), DstT=dtypes.uint64)
    moved = w.ConcatV2([after, w.AddV2(high, carry), w.StridedSlice(words, [2], [3], [1])], 0)
    return w.Bitcast(moved, type=dtypes.int64)


# -- classes and boxes -----------------------------------------------------------------------------
_SAMPLERS = {"Uniform": "Uniform", "LogUniform": "LogUniform", "Learned": "LearnedUnigram",
             "Fixed": "FixedUnigram", "All": "All"}


@written("candidate_sampler")
def candidate_sampler(w: GraphWriter, node: ir.Node, source: Ref, true: Ref) -> Any:
    if not isinstance(source, _State) or true.shape is None or true.shape[1] is None:
        raise Unwritable("classes are drawn from a stream, and for a known number of true ones")
    sampler = node.attrs["sampler"]
    kind = _SAMPLERS[type(sampler).__name__]
    more: dict[str, Any] = {} if kind == "All" else {"range_max": sampler.size}
    if kind == "FixedUnigram":
        more["unigrams"] = [float(one) for one in sampler.weights]
    return w.emit(f"{kind}CandidateSampler", [true], {
        "num_true": true.shape[1], "num_sampled": node.attrs["num_sampled"],
        "unique": node.attrs["unique"], **more, **source.seeds})


@written("sample_distorted_box")
def sample_distorted_box(w: GraphWriter, node: ir.Node, source: Ref, size: Ref,
                         boxes: Ref) -> Any:
    attrs = node.attrs
    options = {"aspect_ratio_range": list(attrs["ratios"]), "area_range": list(attrs["areas"]),
               "max_attempts": attrs["attempts"],
               "use_image_if_no_bounding_boxes": attrs["use_image"]}
    least, boxes = w.const(np.float32(attrs["covered"])), cast(w, boxes, dtypes.float32)
    if isinstance(source, _State):
        return w.SampleDistortedBoundingBoxV2(size, boxes, least, **options, **source.seeds)
    return w.StatelessSampleDistortedBoundingBox(size, boxes, least, _seed(node, source),
                                                 **options)
