"""Where an exception comes from: the code that it left, or the handler of a signal.

A handler runs wherever the program happens to be, in the middle of a kernel or of a compile. What
it raises (a watchdog's TimeoutError) is for the user's program alone: nobody on the way may take it
for a failure of the kernel, and explain it or try something else.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import sys
import threading
from typing import Any, TypeVar

E = TypeVar("E", bound=BaseException)

# What an instruction that fails raises at once: blocking it would end the process.
_FAULTS = {getattr(_signal, name) for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP",
                                               "SIGABRT", "SIGSYS") if hasattr(_signal, name)}
_LIBRARIES = frozenset(("tapeflow", "numpy", "scipy", "ml_dtypes", "PIL", "llvmlite"))


def _code_of(handler: Any) -> Any:
    """The code that a call of the handler runs."""
    while hasattr(handler, "func"):  # functools.partial
        handler = handler.func
    function = getattr(handler, "__func__", handler)
    if not hasattr(function, "__code__"):
        function = vars(type(handler)).get("__call__")  # an object that can be called
    return getattr(function, "__code__", None)


def from_handler(error: BaseException) -> bool:
    """Whether the handler of a signal has raised it, below the frame that caught it.

    Also when a library on the way has caught that and raised another in its place, as `inspect`
    does.
    """
    if error.__traceback__ is None or error.__traceback__.tb_next is None:
        return False
    handlers = {_code_of(_signal.getsignal(number)) for number in _signal.valid_signals()} - {None}
    return bool(handlers) and _passed_through(error, handlers)


def _passed_through(error: BaseException, codes: set) -> bool:
    """Whether a frame below the one that caught the error runs one of the codes."""
    frames = set()
    step = error.__traceback__ and error.__traceback__.tb_next
    while step is not None:
        if step.tb_frame.f_code in codes:
            return True
        frames.add(step.tb_frame)
        step = step.tb_next
    replaced = error.__context__
    caught = replaced and replaced.__traceback__
    # An error that a frame further out is handling says nothing about this one.
    return bool(replaced and caught and caught.tb_frame in frames
                and _passed_through(replaced, codes))


def from_library(error: BaseException) -> bool:
    """Whether this library has raised it, or what it calls; not the user's code, not a handler."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    name = "" if step is None else str(step.tb_frame.f_globals.get("__name__", ""))
    root = name.partition(".")[0]
    return (root in _LIBRARIES or root in sys.stdlib_module_names) and not from_handler(error)


def unsignalled(*kinds: type[E]) -> tuple[type[E], ...]:
    """`except unsignalled(ValueError):` does not catch what the handler of a signal raises."""
    error = sys.exc_info()[1]
    return () if error is not None and from_handler(error) else kinds


class ignoring:
    """`with ignoring(OSError):` is like `contextlib.suppress`, but not of what a handler raises.

    A watchdog's TimeoutError is an OSError.
    """

    __slots__ = ("_kinds",)

    def __init__(self, *kinds: type[BaseException]):
        self._kinds = kinds

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        return isinstance(error, self._kinds) and not from_handler(error)


class signals_wait:
    """`with signals_wait():` no handler runs inside; what came meanwhile is handled at the end.

    For calls of other libraries that do not take exceptions in their middle, and are short.
    """

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before = None  # no handler runs here anyway
        if hasattr(_signal, "pthread_sigmask") and (
                threading.current_thread() is threading.main_thread()):
            self.before = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
            try:
                _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals() - _FAULTS)
            except BaseException:  # of a handler that was due
                self.__exit__()
                raise

    def __exit__(self, *_: Any) -> None:
        if self.before is not None:
            _signal.pthread_sigmask(_signal.SIG_SETMASK, self.before)


def start_thread(thread: Any) -> None:
    """Start a thread; what a handler raises meanwhile comes out, and the thread begins whole.

    In the middle of `Thread.start` it would leave half a thread. Handlers run in the main thread,
    whichever thread the signal has reached; so that one leaves the start to another.
    """
    if threading.current_thread() is not threading.main_thread():
        thread.start()
        return
    begun = _thread.allocate_lock()
    failures: list[BaseException] = []
    begun.acquire()

    def start() -> None:
        try:
            thread.start()
        except BaseException as error:  # no memory for one more
            failures.append(error)
        finally:
            begun.release()

    _thread.start_new_thread(start, ())
    begun.acquire()
    if failures:
        raise failures[0]
