"""Runs somebody's program as `__main__` with `import tensorflow` served by tapeflow.

The program must not notice: sys.argv, sys.path[0], `__main__`, pickling, tracebacks, exit codes,
signals and child processes are as with plain Python. Only the command line imports this file.
"""

from __future__ import annotations

import builtins
import io
import os
import re
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from types import CodeType, ModuleType, TracebackType

from tapeflow.alias import finder
from tapeflow.core import traceback_filter

# Spawned children see the parent's sys.path and no import hook, so `tensorflow` is a file for them.
CHILDREN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "children")

# Tools read the last line that begins like `ValueError: …` as the exception; a note must not.
EXCEPTION_LINE = re.compile(r"^(?=\w*(Error|Exception))", re.MULTILINE)


class CannotStart(Exception):
    """There is no such program; the message is for the user, `status` is Python's exit status."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


class Program:
    """What Python needs to know of a program before it runs it."""

    def __init__(self, code: Callable[[], CodeType], argv: list[str], first_path: str):
        self.code = code  # a syntax error must arise where all errors of the program do
        self.argv = argv
        self.first_path = first_path
        self.main = ModuleType("__main__")
        self.main.__dict__["__builtins__"] = builtins

    def run(self) -> None:
        """Run it in this process, as its `__main__` module."""
        sys.argv[:] = self.argv
        set_first_path(self.first_path)
        replaced = sys.modules["__main__"]  # held, so that its globals outlive the program
        sys.modules["__main__"] = self.main
        try:
            exec(self.code(), self.main.__dict__)
        except SystemExit:
            raise
        except BaseException as error:
            explain_none(error)
            hide_our_frames()
            raise
        finally:
            del replaced


def from_path(path: str, arguments: list[str]) -> Program:
    """A file, or a folder or zip archive with a `__main__`, as in `python path arguments`."""
    if path == "-":
        return from_stdin(arguments)
    full = os.path.abspath(path)
    if not os.path.exists(full):
        raise CannotStart(f"can't open file {full!r}: No such file or directory", 2)
    container = PathFinder.find_spec("__main__", [full])  # only a folder or archive has one
    if container is not None:
        return from_spec(container, [path, *arguments], full)
    if os.path.isdir(full):
        raise CannotStart(f"can't find '__main__' module in {full!r}", 1)
    try:
        with io.open_code(full) as file:
            source = file.read()
    except OSError as error:
        raise CannotStart(f"can't open file {full!r}: {error.strerror}", 2) from None
    folder = os.path.dirname(os.path.realpath(full))
    program = Program(lambda: compiled(source, full), [path, *arguments], folder)
    program.main.__file__ = full
    program.main.__loader__ = SourceFileLoader("__main__", full)
    program.main.__dict__["__cached__"] = None
    return program


def from_text(source: str, arguments: list[str]) -> Program:
    """Program text, as in `python -c text arguments`."""
    if sys.version_info >= (3, 13):  # from here on tracebacks show the lines of such a program
        import linecache

        lines = source.splitlines(keepends=True)
        linecache.cache["<string>"] = (len(source), None, lines, "<string>")
    return Program(lambda: compiled(source, "<string>"), ["-c", *arguments], "")


def from_stdin(arguments: list[str]) -> Program:
    """Program text on standard input, as in `python - arguments`."""
    source = sys.stdin.read()
    program = Program(lambda: compiled(source, "<stdin>"), ["-", *arguments], "")
    program.main.__file__ = "<stdin>"
    return program


def from_module(name: str, arguments: list[str]) -> Program:
    """A module that sys.path holds, as in `python -m name arguments`."""
    set_first_path(os.getcwd())
    spec = find_module(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = find_module(name + ".__main__")
        if spec is None:
            raise CannotStart(
                f"No module named {name}.__main__; {name!r} is a package and cannot be directly "
                "executed",
                1,
            )
    if spec is None:
        raise CannotStart(f"No module named {name}", 1)
    return from_spec(spec, [spec.origin or name, *arguments], os.getcwd())


def find_module(name: str) -> ModuleSpec | None:
    """The spec of a module; importing its parent packages, as finding it demands, may fail."""
    try:
        return find_spec(name)
    except (ModuleNotFoundError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise CannotStart(
            f"Error while finding module specification for {name!r} ({reason})", 1
        ) from None


def from_spec(spec: ModuleSpec, argv: list[str], first_path: str) -> Program:
    """A module that an importer found and can compile."""
    get_code = getattr(spec.loader, "get_code", None)
    if get_code is None:
        raise CannotStart(f"{spec.name} has no Python code to run", 1)
    program = Program(lambda: get_code(spec.name), argv, first_path)
    program.main.__spec__ = spec
    program.main.__loader__ = spec.loader
    program.main.__file__ = spec.origin
    program.main.__package__ = spec.parent
    program.main.__dict__["__cached__"] = spec.cached
    return program


def compiled(source: str | bytes, filename: str) -> CodeType:
    """The program's code, without this file's own `from __future__` switches."""
    return compile(source, filename, "exec", dont_inherit=True)


def set_first_path(entry: str) -> None:
    """Give the program its sys.path[0], and children a `tensorflow` to find."""
    if not sys.flags.safe_path:
        sys.path[0] = entry
    if CHILDREN not in sys.path:
        sys.path.insert(0 if sys.flags.safe_path else 1, CHILDREN)


def explain_none(error: BaseException) -> None:
    """Add the reason to an error that comes from a gradient that is None."""
    try:
        from tapeflow.insight import notes

        note = notes.for_exception(error)
    except Exception:  # an explanation that fails must not take the place of the program's error
        return
    if note:
        error.add_note(EXCEPTION_LINE.sub("  ", note))


def hide_our_frames() -> None:
    """Let the traceback begin in the program, for whatever hook prints it."""
    printing = sys.excepthook

    def hook(kind, error, traceback):
        error.__traceback__ = of_program(traceback)
        traceback_filter.shorten(error)
        printing(kind, error, error.__traceback__)

    sys.excepthook = hook


def of_program(traceback: TracebackType | None) -> TracebackType | None:
    """The part of a traceback below this file, without the frames of the import hook at its end."""
    while traceback is not None and filename(traceback) != __file__:
        traceback = traceback.tb_next
    while traceback is not None and machinery(traceback, __file__):
        traceback = traceback.tb_next
    last, position = traceback, traceback
    while position is not None:
        if not machinery(position, finder.__file__):
            last = position
        position = position.tb_next
    if last is not None:
        last.tb_next = None
    return traceback


def machinery(traceback: TracebackType, ours: str) -> bool:
    """Whether this entry belongs to our file or to the import system."""
    return filename(traceback) == ours or filename(traceback).startswith("<frozen importlib")


def filename(traceback: TracebackType) -> str:
    return traceback.tb_frame.f_code.co_filename
