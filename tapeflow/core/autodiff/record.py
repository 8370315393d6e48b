"""What a tape records: `Record` hears of every op, and keeps an entry of each to walk back over.

An entry is a tuple that begins with its kind:
    (UNARY, op, ux, uy, y, x)
    (BINARY, op, ua, ub, uy, y, a, b)
    (GENERAL, op, ins, outs, ys, xs, attrs)
where u… are uids (0: not watched). A plain tuple, because one is made for every op: a class of its
own would cost as much as the op. Only what the op's rule saves is kept; for the rest an Outline.
`_tracked` maps the uid of each watched tensor to (op, *uids of its inputs), None for a leaf: that
skeleton holds no tensors and outlives the walk, so `explain` can still say why a gradient is None.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tapeflow.core import state as states
from tapeflow.core.autodiff.sources import Subject, is_differentiable
from tapeflow.core.record.op import NONDIFF, Op, Outline, define
from tapeflow.core.values.tensor import Tensor, next_uid, uid_of

ndarray = np.ndarray
KEEP_BYTES = 4096  # an unsaved operand smaller than this costs less than its Outline
UNARY: Final = 1
BINARY: Final = 2
GENERAL: Final = 3

# What a variable holds has come there by an assignment: known to explanations alone.
_ASSIGN: Op = define("assign", kernel=lambda x: x, shape=lambda x: x, private=True, vjp=NONDIFF(
    "neither an assignment to a variable nor its first value is differentiated",
    "Use the tensor itself instead of reading the variable back; metrics of Keras are such "
    "variables: take a function of tf.keras.losses.")).op


def _outline(x: Any) -> Any:
    """What to keep of an operand that no rule needs."""
    value = x._value if type(x) is Tensor else None
    if type(value) is ndarray and value.nbytes > KEEP_BYTES:
        return Outline(value.shape, value.dtype)
    return x


class Record(states.Listener):
    """The entries of one recording and what they lead from; the part of a tape that listens."""

    __slots__ = ("_accessed", "_assigned", "_barren", "_entries", "_escaped", "_forgot", "_owner",
                 "_paused", "_positions", "_severed", "_tracked", "_variables", "__weakref__")

    def __init__(self, watch_accessed_variables: bool):
        self._accessed = watch_accessed_variables
        self._entries: list[Any] = [None]  # the None marks the bottom
        self._tracked: dict[int, tuple | None] = {}
        self._variables: dict[int, Any] = {}
        # For explanations only:
        self._severed: dict[int, tuple] = {}  # like _tracked, for what no gradient can reach
        # uids whose value left for plain Python, with the line if lines are kept
        self._escaped: dict[int, tuple[str, int] | None] = {}
        # variable -> what was assigned to it: (tensor, a uid of that time)
        self._assigned: dict[int, list[tuple[int, int]]] = {}
        self._barren: set[tuple[int, int]] = set()  # (result, input) where a rule gave None
        self._owner: Any = None  # a weak reference to the tape
        self._paused = False
        self._forgot = False  # made by reset()
        self._positions: dict[int, tuple[str, int]] | None = None

    # -- listening -------------------------------------------------------------------------------
    def note1(self, op: Op, x: Tensor, y: Tensor) -> None:
        tracked, ux = self._tracked, x._uid
        if ux not in tracked or op.reason is not None:
            return self._sever(op, (x,), y)
        uy = y._uid = y._uid or next_uid()
        tracked[uy] = (op, ux)
        self._entries.append((UNARY, op, ux, uy, y if op.saves_out else None,
                              x if op.saves[0] or type(x._value) is not ndarray else _outline(x)))
        return None

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        tracked, ua, ub = self._tracked, a._uid, b._uid
        if ua in tracked:
            if ub not in tracked:
                ub = 0
        elif ub in tracked:
            ua = 0
        else:
            return self._sever(op, (a, b), y)
        if op.reason is not None:
            return self._sever(op, (a, b), y)
        if self._severed and not (ua and ub):
            self._sever(op, (a, b), y)
        uy = y._uid = y._uid or next_uid()
        tracked[uy] = (op, ua, ub)
        keep_a, keep_b = op.saves
        self._entries.append((BINARY, op, ua, ub, uy, y if op.saves_out else None,
                              a if keep_a or type(a._value) is not ndarray else _outline(a),
                              b if keep_b or type(b._value) is not ndarray else _outline(b)))
        return None

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        tracked = self._tracked
        ins = tuple([x._uid if x._uid in tracked else 0 for x in xs])
        if not any(ins) or op.reason is not None:
            return self._sever(op, xs, ys)
        if not op.multi and not is_differentiable(ys):
            return self._sever(op, xs, ys, True)
        if self._severed and 0 in ins:
            self._sever(op, xs, ys)
        skeleton = (op, *ins)
        if op.multi:
            outs: Any = tuple([uid_of(y) for y in ys])
            for uid in outs:
                tracked[uid] = skeleton
        else:
            outs = ys._uid = ys._uid or next_uid()
            tracked[outs] = skeleton
        saves = op.saves
        if saves is True:
            kept = xs
        elif saves is False:
            kept = tuple([_outline(x) for x in xs])
        else:
            kept = tuple([x if keep else _outline(x)
                          for x, keep in zip(xs, saves, strict=True)])
        if not op.saves_out:
            ys = tuple([_outline(y) for y in ys]) if op.multi else None
        self._entries.append((GENERAL, op, ins, outs, ys, kept, attrs))
        return None

    def read(self, variable: Any) -> Tensor:
        uid = variable._uid
        if self._accessed and uid not in self._tracked and variable.trainable:
            self._tracked[uid] = None
            self._variables[uid] = variable
        return variable._snapshot

    def follows(self, uid: int) -> bool:
        return uid in self._tracked

    def abandoned(self) -> bool:
        return self._owner is not None and self._owner() is None

    def escaped(self, tensor: Tensor) -> None:
        self._escaped[tensor._uid] = None

    def assigned(self, variable: Any, tensor: Tensor) -> None:
        uid, holder = tensor._uid, variable._uid
        if uid:
            self._assigned.setdefault(holder, []).append((uid, next_uid()))
            if holder not in self._tracked and (uid in self._tracked or uid in self._severed):
                self._severed[holder] = (_ASSIGN, uid)

    def located(self, ys: tuple, where: tuple | None) -> None:
        positions = self._positions
        if positions is None or where is None:
            return
        # What a rule has made belongs to the line of its forward op, Keras's to that of its caller.
        line = getattr(where, "forward", (None, None))[1] or getattr(where, "caller", None) or (
            where[0].co_filename, where[1])
        for y in ys:
            if y._uid in self._tracked or y._uid in self._severed:
                positions.setdefault(y._uid, line)

    def skeleton(self) -> Record:
        """What explanations need of this record, without what keeps tensors alive."""
        bones = Record(self._accessed)
        for name in ("_assigned", "_barren", "_escaped", "_forgot", "_paused", "_positions",
                     "_severed", "_tracked"):
            setattr(bones, name, getattr(self, name))
        bones._variables = {uid: Subject(one) for uid, one in self._variables.items()
                            if uid in self._assigned}
        return bones

    def _sever(self, op: Op, xs: tuple, ys: Any, cut: bool = False) -> None:
        """Remember, for explanations, what depends on a watched tensor but not differentiably."""
        tracked, severed = self._tracked, self._severed
        cut = cut or op.reason is not None
        if not cut and not severed:
            return
        ins = [x._uid for x in xs if x._uid in severed or (cut and x._uid in tracked)]
        if ins:
            for y in ys if op.multi else (ys,):
                severed[uid_of(y)] = (op, *ins)
