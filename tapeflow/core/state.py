"""What is active in this thread: tapes, accumulators, batch levels and the graph being traced.

`state.stack` lists the active interpreters, outermost first. `state.recorder` is derived from it:
None when nobody listens (the common case, one look-up per op), the interpreter itself when it is
the only one, else a `Listeners` that passes each note on. `state.trace` is the graph under
construction or None; what may be asked of it is declared in `interpreter.py`.

A listener answers to
    note1(op, x, y), note2(op, a, b, y), note(op, xs, ys, attrs)    after an op has run
    read(variable) -> Tensor                                        when a variable is read
    escaped(tensor), assigned(variable, tensor)                     for explanations
    located(ys, where), differentiated(targets, sources, gradients), pushed(tangents) likewise
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tapeflow.base.process.locks import freed_by_fork

if TYPE_CHECKING:
    from tapeflow.core.interpreter import Interpreter


class State(threading.local):
    recorder: Any = None
    stack: tuple[Any, ...] = ()
    trace: Interpreter | None = None  # the graph under construction
    variable_creators: tuple[Any, ...] = ()  # of tf.variable_creator_scope, innermost last
    record_type: Any = None  # what new tapes record into, when positions are captured
    variable_maker: Any = None  # gives the class of new variables: a strategy's own
    last_none: Any = None  # the last gradient() that gave a None: (skeleton, targets, sources)
    # (op, file and line) of the forward op whose rule runs, where known, and perhaps "forward mode"
    backward_of: Any = None
    acting_for: int | None = None  # the thread that waits while this one acts for it
    numpy_alone: bool = False  # kernels do not look for native code: they are its reference
    graph_listener: Any = None  # is told how graphs are made and run (`GraphListener`)


state = State()


class Lock:
    """A lock that its thread may take again, and so may a thread that acts for it."""

    __slots__ = ("__weakref__", "_count", "_lock", "_owner")

    def __init__(self) -> None:
        # Threads that act for one may leave in another order than they came: any may release.
        self._lock, self._owner, self._count = threading.Lock(), 0, 0
        freed_by_fork(self)

    def __enter__(self) -> None:
        me = acting_thread()
        if self._owner == me:
            self._count += 1
            return
        taken: list[bool] = []
        try:
            taken.extend(map(self._lock.acquire, (True,)))  # both at once for signals' handlers
            self._owner, self._count = me, 1
        except BaseException:  # of a signal's handler: before it was taken, or right after
            if taken:
                self._owner = self._count = 0
                self._lock.release()
            raise

    def __exit__(self, *failure: Any) -> None:
        self._count -= 1
        if not self._count:
            self._owner = 0
            self._lock.release()

    def during(self, function: Callable, *args: Any) -> Any:
        """Call a function while holding the lock, which is free again whatever happens.

        A handler of a signal may raise when `__exit__` has been called and has done nothing yet.
        """
        before = self._count if self._is_owned() else 0
        try:
            with self:
                return function(*args)
        except BaseException:
            if self._is_owned() and self._count > before:
                self._count = before + 1
                self.__exit__()
            raise

    def _is_owned(self) -> bool:
        return self._owner == acting_thread()

    def _at_fork_reinit(self) -> None:
        self._owner = self._count = 0
        self._lock._at_fork_reinit()  # type: ignore[attr-defined]


def acting_thread() -> int:
    """The ident of this thread, or of the one for which it acts."""
    return state.acting_for or threading.get_ident()


class Listener:
    """An interpreter that hears of everything and does nothing with it: a base class."""

    __slots__ = ()

    def note1(self, op, x, y):
        self.note(op, (x,), y, {})

    def note2(self, op, a, b, y):
        self.note(op, (a, b), y, {})

    def note(self, op, xs, ys, attrs):
        pass

    def read(self, variable):
        return variable._snapshot

    def follows(self, uid):
        """Whether a gradient or tangent of this tensor may be asked for."""
        return False

    def abandoned(self):
        """Whether nobody can end it any more.

        What a signal's handler raises may come when `__exit__` begins, before it does anything.
        """
        return False

    def escaped(self, tensor):
        pass

    def assigned(self, variable, tensor):
        pass

    def located(self, ys, where):
        """A trace made these tensors for a line of the user's program: (code, line)."""

    def differentiated(self, targets, sources, gradients):
        """A tape has made the gradients."""

    def pushed(self, tangents):
        """An accumulator was asked for these tangents."""


class GraphListener:
    """Hears, as `state.graph_listener`, how graphs are made and how their nodes run one by one."""

    __slots__ = ()

    def node_made(self, trace, node):
        """A trace has a new node."""

    def constant_made(self, trace, tensor):
        """The program made a constant while it was traced."""

    def function_made(self, trace, function):
        """A trace has ended: a GraphFunction has come of it."""

    def begins(self, function, inputs, variables):
        """The nodes of a GraphFunction are about to be called."""

    def ends(self, function, inputs, results):
        """They were called."""


class Listeners:
    """Several interpreters that hear of every op, innermost last."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Any, ...]):
        self.members = members

    def note1(self, op, x, y):
        for member in self.members:
            member.note1(op, x, y)

    def note2(self, op, a, b, y):
        for member in self.members:
            member.note2(op, a, b, y)

    def note(self, op, xs, ys, attrs):
        for member in self.members:
            member.note(op, xs, ys, attrs)

    def read(self, variable):
        """The outermost answers: a trace, if there is one, stands at the bottom."""
        first, *others = self.members
        for member in others:
            member.read(variable)
        return first.read(variable)


def set_stack(stack: tuple[Any, ...]) -> None:
    """Make `stack` the active interpreters of this thread."""
    state.stack = stack
    if not stack:
        state.recorder = None
    elif len(stack) == 1:
        state.recorder = stack[0]
    else:
        state.recorder = Listeners(stack)


def push(interpreter: Any) -> None:
    stack = state.stack
    if stack:
        set_stack((*[one for one in stack if one is not interpreter and not one.abandoned()],
                   interpreter))
    else:
        state.stack = (interpreter,)
        state.recorder = interpreter


def drop_abandoned() -> None:
    """Take those off that nobody can end any more."""
    if any(one.abandoned() for one in state.stack):
        set_stack(tuple([one for one in state.stack if not one.abandoned()]))


def remove(interpreter: Any) -> None:
    """Take an interpreter off wherever it stands: tapes may be left out of order."""
    if len(state.stack) == 1 and state.stack[0] is interpreter:
        state.stack = ()
        state.recorder = None
    else:
        set_stack(tuple([one for one in state.stack if one is not interpreter]))


class only:
    """`with only(stack):` run with exactly these interpreters active, then restore."""

    __slots__ = ("before", "stack")

    def __init__(self, stack: tuple[Any, ...] = ()):
        self.stack = stack

    def __enter__(self):
        self.before = state.stack
        set_stack(self.stack)

    def __exit__(self, *exc):
        set_stack(self.before)
        return False
