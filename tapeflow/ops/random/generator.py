"""tf.random.Generator: a stream whose state is a variable, and the global one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import reshape, stack
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable, read
from tapeflow.core.values.variable_locks import update_lock_of
from tapeflow.ops.random import random_ops
from tapeflow.ops.random.arguments import algorithm, float_dtype, scaled, shape_vector
from tapeflow.ops.random.stateless import check_binomial, count_dtype, uniform_by
from tapeflow.ops.random.streams import seeds

_INT64 = tf_dtypes.int64


def _state_tensor(values: Any) -> Tensor:
    if isinstance(values, (Tensor, Variable)):
        tensor = operand(values)
        if tensor.dtype == _INT64:
            return tensor
        from tapeflow.core.record.primitive_ops import cast
        return cast(tensor, dtype=_INT64.np)
    return wrap(seeds.as_state(values))


def _state_from_key_counter(key: Any, counter: Any, alg: int) -> Tensor:
    key, counter = _state_tensor(key), _state_tensor(counter)
    counter.shape.assert_is_compatible_with([seeds.STATE_SIZES[alg] - 1])
    key.shape.assert_is_compatible_with([])
    from tapeflow.core.record.primitive_ops import concat
    return concat(counter, reshape(key, shape=(1,)), axis=0)


@export("random.create_rng_state", "random.experimental.create_rng_state")
def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """The state that a generator has at the start of a seed.

    >>> tf.random.create_rng_state(1234, "philox").numpy()
    array([1234,    0,    0])
    """
    size = seeds.STATE_SIZES[algorithm(alg)]
    return wrap(seeds.state_from_seed(seed, size))


@export("random.Generator", "random.experimental.Generator")
class Generator(AutoTrackable):
    """Random numbers from a state of its own, kept in a variable.

    >>> g = tf.random.Generator.from_seed(1234)
    >>> g.normal([2]).numpy()
    array([0.9356609, 1.0854305], dtype=float32)
    >>> g.state.numpy()
    array([1746,    0,    0])
    """

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None):
        if copy_from is not None:
            assert (alg or state) is None, "tf.random.Generator: copy_from excludes state and alg"
            self._alg = copy_from.algorithm
            self._state_var = self._variable(copy_from.state.value())
            return
        assert alg is not None and state is not None, \
            "tf.random.Generator needs copy_from, or both state and alg; see from_seed"
        self._alg = algorithm(alg)
        if isinstance(state, Variable):
            self._check(state.shape)
            self._state_var = state
        else:
            tensor = _state_tensor(state)
            self._check(tensor.shape)
            self._state_var = self._variable(tensor)

    def _check(self, shape: TensorShape) -> None:
        shape.assert_is_compatible_with([seeds.STATE_SIZES[self._alg]])

    @staticmethod
    def _variable(state: Tensor) -> Variable:
        return Variable(state, dtype=_INT64, trainable=False, name="StateVar")

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator that goes on from a state."""
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator from an integer or a vector of integers."""
        code = seeds.PHILOX if alg is None else algorithm(alg)
        return cls(state=create_rng_state(seed, code), alg=code)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator whose numbers no one can foresee."""
        code = seeds.PHILOX if alg is None else algorithm(alg)
        return cls(state=wrap(seeds.random_state(seeds.STATE_SIZES[code])), alg=code)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator from the two parts of a state."""
        code = algorithm(alg)
        return cls(state=_state_from_key_counter(key, counter, code), alg=code)

    # -- state -----------------------------------------------------------------------------------
    @property
    def state(self) -> Variable:
        """The variable that holds the state: counter words, then the key."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The code of the algorithm."""
        return self._alg

    @property
    def key(self) -> Tensor:
        """The key: generators with different keys are independent."""
        return self._state_var[-1]

    def reset(self, state: Any) -> None:
        """Go on from another state."""
        tensor = _state_tensor(state)
        self._check(tensor.shape)
        self._state_var.assign(tensor)

    def reset_from_seed(self, seed: Any) -> None:
        """Start from a seed."""
        self._state_var.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go on from another key and counter."""
        self._state_var.assign(_state_from_key_counter(key, counter, self._alg))

    def skip(self, delta: Any) -> Tensor:
        """Pass over `delta` numbers; gives the state before."""
        count = operand(delta)
        if count._interpreter is None:
            with np.errstate(all="ignore"):  # infinity is a number of int64 here
                size = int(count._value.astype(np.int64))
            return self._advance(random_ops.skipped, shape=(size,))
        return self._advance(random_ops.skipped, shape=reshape(count, shape=(1,)))

    def _advance(self, skip: Any, **attrs: Any) -> Tensor:
        if self._alg == seeds.THREEFRY:
            raise errors.UnimplementedError(None, None, (
                "Non-XLA devices don't support the ThreeFry algorithm. [Op:RngReadAndSkip]"))
        with update_lock_of(self._state_var):
            before = read(self._state_var)
            before = wrap(before._value) if type(before) is Tensor else before
            self._state_var.assign(skip(before, **attrs))
        return before

    def _source(self, sizes: Any) -> Tensor:
        return self._advance(random_ops.skipped, shape=sizes)

    # -- numbers -----------------------------------------------------------------------------------
    def normal(self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0,
               dtype: Any = tf_dtypes.float32, name: str | None = None) -> Tensor:
        """Normal numbers."""
        return self._located(random_ops.normal_numbers, "StatelessRandomNormalV2", shape, mean,
                             stddev, dtype)

    def truncated_normal(self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0,
                         dtype: Any = tf_dtypes.float32, name: str | None = None) -> Tensor:
        """Normal numbers within two standard deviations of the mean."""
        return self._located(random_ops.truncated_numbers, "StatelessTruncatedNormalV2", shape,
                             mean, stddev, dtype)

    def _located(self, numbers: Any, op: str, shape: Any, mean: Any, stddev: Any,
                 dtype: Any) -> Tensor:
        sizes, wanted = shape_vector(shape, op), tf_dtypes.as_dtype(dtype)
        if not wanted.is_floating:
            operand(mean, wanted), operand(stddev, wanted)
            float_dtype(wanted, op)
        return scaled(lambda: numbers(self._source(sizes), shape=sizes, dtype=wanted.np),
                      stddev, mean, wanted)

    def uniform(self, shape: Any, minval: Any = 0, maxval: Any = None,
                dtype: Any = tf_dtypes.float32, name: str | None = None) -> Tensor:
        """Numbers on [minval, maxval); integers of the whole range if both are None."""
        wanted = tf_dtypes.as_dtype(dtype)
        if wanted.is_integer and (minval is None) != (maxval is None):
            raise ValueError(f"For integer dtype {wanted!r}, minval and maxval must be both `None` "
                             f"or both non-`None`; got minval={minval} and maxval={maxval}")
        sizes = shape_vector(shape, "StatelessRandomUniformV2")
        if not wanted.is_integer:
            float_dtype(wanted, "StatelessRandomUniformV2")
        return uniform_by(lambda: self._source(sizes), sizes, minval, maxval, wanted)

    def uniform_full_int(self, shape: Any, dtype: Any = tf_dtypes.uint64,
                         name: str | None = None) -> Tensor:
        """All integers of a type."""
        sizes = shape_vector(shape, "StatelessRandomUniformFullIntV2")
        return uniform_by(lambda: self._source(sizes), sizes, None, None,
                          tf_dtypes.as_dtype(dtype))

    def binomial(self, shape: Any, counts: Any, probs: Any, dtype: Any = tf_dtypes.int32,
                 name: str | None = None) -> Tensor:
        """How many of `counts` tries succeed, each with probability `probs`."""
        op = "StatefulRandomBinomial"
        tries, chances = operand(counts), operand(probs)
        sizes, wanted = shape_vector(shape, op), count_dtype(dtype, op)
        check_binomial(tries, chances, op, errors.InvalidArgumentError)
        batch = np.broadcast_shapes(shape_of(tries), shape_of(chances))
        source = self._advance(random_ops.skipped_binomial, shape=sizes, batch=batch)
        return random_ops.binomial_numbers(source, tries, chances, shape=sizes, dtype=wanted.np,
                                        tf_name=op)

    # -- offspring ---------------------------------------------------------------------------------
    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless ops: shape [2, count]."""
        keys = self.uniform_full_int([count], _INT64)
        return stack(keys, convert(np.zeros(shape_of(keys), np.int64)), axis=0)

    def split(self, count: int = 1) -> list[Generator]:
        """Independent generators."""
        keys = self.uniform_full_int([count], _INT64)
        if keys._interpreter is not None:
            raise ValueError("tf.function only supports singleton tf.Variables created on the "
                             "first call: a generator is split outside of it.")
        keys = keys.numpy().tolist()
        zeros = [0] * (seeds.STATE_SIZES[self._alg] - 1)
        return [Generator(state=[*zeros, key], alg=self._alg) for key in keys]


class _Global:
    generator: Generator | None = None
    lock = new_lock()


@export("random.get_global_generator", "random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """The generator of the process, made from randomness at the first call."""
    with _Global.lock:
        if _Global.generator is None:
            _Global.generator = Generator.from_non_deterministic_state()
        return _Global.generator


@export("random.set_global_generator", "random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Replace the generator of the process."""
    _Global.generator = generator
