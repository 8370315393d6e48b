"""Where streams come from: global and op seeds, streams that advance, stateless seeds, rng states.

TensorFlow's eager rules: `set_seed` fixes the global seed, restarts a Python `random.Random` from
which ops without a seed of their own take one, and starts every stream afresh. An op with a seed
owns a stream that advances from call to call; the stream belongs to the op's type, dtypes and the
two seeds. All state is of the process, guarded by locks. May be imported by this package and, for
traced random nodes, by graph.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.process.locks import new_lock
from tapeflow.base.process.weak_tables import WeakTable
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.ops.random.streams import philox

DEFAULT_GLOBAL_SEED = 87654321
_MAX_INT32 = 2**31 - 1

Seeds = tuple[int, int] | tuple[None, None]


class _Entropy(threading.local):
    """Randomness of no one's choice; of each thread its own, so that it can be replayed there."""

    def __init__(self) -> None:
        self.rng = random.Random()  # seeded by the operating system


_entropy = _Entropy()
os.register_at_fork(after_in_child=lambda: _entropy.rng.seed())


def _randomness() -> int:
    """64 bits that nobody can foresee."""
    return _entropy.rng.getrandbits(64)


_drawing = new_lock()  # one for all: it is held for a moment, and streams are made all the time


class Stream:
    """The stream of one op (or one node of a traced graph): draws take blocks in order."""

    __slots__ = ("_counter", "_epoch", "_key", "_start")

    def __init__(self, seed: int | None, seed2: int | None) -> None:
        if not seed and not seed2:  # both unset: no one shall foresee it
            if _state.seeds_required:
                raise RuntimeError("Random ops need a seed after tf.config.experimental."
                                   "enable_op_determinism(): call tf.random.set_seed first.")
            seed, seed2 = _randomness(), _randomness()
        self._key = (seed or 0) & philox.KEY_MASK
        self._start = self._counter = ((seed2 or 0) & philox.KEY_MASK) << 64
        self._epoch = _state.epoch

    def reserve(self, blocks: int) -> tuple[int, int]:
        """(key, counter) of the next draw, which may use `blocks` blocks. Obeys `set_seed`."""
        position = getattr(_thread, "order", None)
        if position is not None:
            order, index = position
            return order.draw(index, self, blocks)
        return self.take(blocks)

    def take(self, blocks: int) -> tuple[int, int]:
        """The same, whatever the order."""
        with _drawing:
            if self._epoch != _state.epoch:
                self._epoch, self._counter = _state.epoch, self._start
            counter = self._counter
            self._counter = philox.skip(counter, blocks)
        return self._key, counter

    def state(self) -> tuple[int, int]:
        """Where it stands, for `restore`."""
        with _drawing:
            return self._epoch, self._counter

    def restore(self, state: tuple[int, int]) -> None:
        """Go back to where it stood: the next draws give the same numbers again."""
        with _drawing:
            self._epoch, self._counter = state

    def fresh(self) -> Stream:
        """A stream from the same seeds, at its start: TensorFlow has one for each call site."""
        return Stream(self._key, self._start >> 64)


class DrawOrder:
    """Draws of indexed pieces of work on several threads, in the order of their indices.

    `once`: streams that each piece draws from once. Another may be drawn from any number of times,
    so the pieces before must have ended.
    """

    def __init__(self, once: Iterable[Stream] = ()) -> None:
        self._changed = threading.Condition()
        self._ended = 0  # pieces, from the first on, that have ended
        self._later: set[int] = set()  # further ones
        self._drawn = {id(stream): 0 for stream in once}  # pieces that will not draw any more

    def run(self, index: int, function: Callable, *args: Any) -> Any:
        """Call a function as the piece of this index; all from 0 on must come."""
        before, _thread.order = getattr(_thread, "order", None), (self, index)
        try:
            return function(*args)
        finally:
            _thread.order = before
            with self._changed:
                self._later.add(index)
                while self._ended in self._later:
                    self._later.remove(self._ended)
                    self._ended += 1
                self._changed.notify_all()

    def draw(self, index: int, stream: Stream, blocks: int) -> tuple[int, int]:
        """Reserve blocks of a stream, after the pieces before."""
        name = id(stream)
        with self._changed:
            while index > max(self._ended, self._drawn.get(name, 0)):
                self._changed.wait()
            taken = stream.take(blocks)
            if name in self._drawn:
                self._drawn[name] = index + 1
                self._changed.notify_all()
        return taken


_thread = threading.local()


class _State:
    def __init__(self) -> None:
        self.lock = new_lock()
        self.epoch = 0  # how often set_seed was called
        self.global_seed: Any = None
        self.rng = random.Random()
        self.streams: dict[Hashable, Stream] = {}
        self.seeds_required = False


_state = _State()


def set_seed(seed: Any) -> None:
    """Fix the global seed, an int or what converts to one; None for seeds of no one's choice."""
    try:
        hash(seed)
        rng = random.Random(seed)
    except unsignalled(TypeError):  # NumPy integers, arrays and tensors
        rng = random.Random(int(np.array(seed)))
    with _state.lock:
        _state.global_seed, _state.rng = seed, rng
        _state.epoch += 1
        _state.streams.clear()


def require_seeds(required: bool = True) -> None:
    """From now on a draw without any seed is a RuntimeError; or no longer."""
    with _state.lock:
        _state.seeds_required = required
        _state.streams.clear()


def global_seed() -> Any:
    """What `set_seed` got last; None without it."""
    return _state.global_seed


def get_seed(op_seed: int | None) -> Seeds:
    """The two seeds of an op: the global one, or that of the graph it is traced into, and its own;
    (None, None) if neither is set. Libraries replace this function to choose seeds."""
    if state.trace is not None:
        return traced_seeds(state.trace).pair(op_seed)
    with _state.lock:
        seed = _state.global_seed
        if seed is not None and op_seed is None:
            op_seed = _state.rng.randint(0, _MAX_INT32)
    return combine(seed, op_seed)


class BothSeeds(NamedTuple):
    """An op seed that brings the global one: what a kernel of a graph from a file was given."""

    first: int
    second: int


def combine(seed: Any, op_seed: Any) -> Seeds:
    """Global seed and op seed, either may be None, as the kernels get them."""
    if type(op_seed) is BothSeeds:
        return op_seed
    if seed is None:
        if op_seed is None:
            return None, None
        seed = DEFAULT_GLOBAL_SEED
    first, second = seed % _MAX_INT32, op_seed % _MAX_INT32
    try:
        first, second = int(first), int(second)
    except unsignalled(TypeError):
        raise TypeError(f"Expected int for argument 'seed2' not {op_seed!r}.") from None
    if first == 0 and second == 0:  # would mean: unset
        second = _MAX_INT32
    return first, second


def eager_stream(signature: Hashable, op_seed: Any) -> Stream:
    """The stream that an eager op draws from; `signature` names the op and its dtypes.

    Only ops with a seed of their own keep one: seeds taken from the global one are new each time.
    """
    seeds = get_seed(op_seed)
    if op_seed is None:
        return Stream(*seeds)
    with _state.lock:
        stream = _state.streams.get((signature, seeds))
        if stream is None:
            stream = _state.streams[signature, seeds] = Stream(*seeds)
    return stream


class TracedSeeds:
    """Seeds of the ops of one traced graph; each branch or loop body is a graph of its own.

    TensorFlow notes the global seed when tracing begins and numbers the ops that have no seed of
    their own. `set_seed` inside the trace changes the seed of this graph alone.
    """

    def __init__(self) -> None:
        self.seed = _state.global_seed
        self._count = 0

    def pair(self, op_seed: Any) -> Seeds:
        """The seeds of a new node."""
        if self.seed is not None and op_seed is None:
            op_seed = self._count
            self._count += 1
        return combine(self.seed, op_seed)

    def stream(self, op_seed: Any) -> Stream:
        """The stream of a new node."""
        return Stream(*self.pair(op_seed))


_traced: WeakTable[Any, TracedSeeds] = WeakTable()


def traced_seeds(trace: Any) -> TracedSeeds:
    """The seeds of a graph that is being made."""
    found = _traced.get(trace)
    return _traced.setdefault(trace, TracedSeeds()) if found is None else found


def take_state() -> tuple:
    """All that eager draws depend on, for `put_state`."""
    with _state.lock:
        counters = {key: stream._counter for key, stream in _state.streams.items()}
        return _state.global_seed, _state.rng.getstate(), counters, _entropy.rng.getstate()


def put_state(saved: tuple) -> None:
    """Go back to what `take_state` saw, so that the same draws give the same numbers again."""
    with _state.lock:
        _state.global_seed = saved[0]
        _state.rng.setstate(saved[1])
        _entropy.rng.setstate(saved[3])
        for key, stream in _state.streams.items():
            stream._counter = saved[2].get(key, stream._start)


# --- stateless seeds -----------------------------------------------------------------------------

SCRAMBLE_KEY = 0x02461E293EC8F720


def stateless_stream(seed: Sequence[int]) -> tuple[int, int]:
    """(key, counter) of a stateless op: its two seeds scrambled by one block of Philox."""
    first, second = (int(s) & philox.KEY_MASK for s in seed)
    x0, x1, x2, x3 = philox.block(SCRAMBLE_KEY, first | second << 64)
    return x0 | x1 << 32, (x2 | x3 << 32) << 64


# --- states of tf.random.Generator ---------------------------------------------------------------

PHILOX, THREEFRY, AUTO_SELECT = 1, 2, 3
STATE_SIZES = {PHILOX: 3, THREEFRY: 2, AUTO_SELECT: 3}  # counter words, then the key


def state_from_seed(seed: Any, size: int) -> np.ndarray:
    """An int is cut into 64-bit pieces, lowest first; a vector is padded with zeros on the left."""
    if isinstance(seed, int):
        pieces = [(seed >> (64 * i)) & philox.KEY_MASK for i in range(size)]
        return np.array(pieces, np.uint64).view(np.int64)
    flat = as_state(seed).reshape(-1)[:size]
    return np.concatenate([np.zeros(size - len(flat), np.int64), flat])


def as_state(values: Any) -> np.ndarray:
    """int64, also from Python ints of the unsigned range."""
    if isinstance(values, int):
        return np.array(values & philox.KEY_MASK, np.uint64).view(np.int64)
    if isinstance(values, (list, tuple)) and all(
            isinstance(v, (int, list, tuple)) and not isinstance(v, bool) for v in values):
        return np.array([as_state(v) for v in values], np.int64)
    return np.asarray(convert(values)._value).astype(np.int64)


def state_of_stream(key: int, counter: int) -> np.ndarray:
    words = (counter & philox.KEY_MASK, counter >> 64, key)
    return np.array(words, np.uint64).view(np.int64)


def stream_of_state(state: np.ndarray) -> tuple[int, int]:
    """(key, counter) of a Philox state."""
    low, high, key = state.view(np.uint64).tolist()
    return key, low | high << 64


def skipped_state(state: np.ndarray, count: int) -> np.ndarray:
    """The state after a draw of so many numbers: 256 blocks each, modulo 2**64 blocks in all."""
    key, counter = stream_of_state(state)
    return state_of_stream(key, philox.skip(counter, (count * 256) & philox.KEY_MASK))


def random_state(size: int) -> np.ndarray:
    """A state from the operating system's randomness."""
    return np.frombuffer(os.urandom(8 * size), np.int64).copy()
