"""Where time goes: a thread looks at the stack of another, every few milliseconds.

A look counts for the time since the one before. What native code computes is found where Python
waits for it. `f_locals` of tapeflow's own frames tell the op and, in a walk back or a traced
function, the user's line that it belongs to.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any, NamedTuple

from tapeflow.core.record.op import Op
from tapeflow.insight.run_report.gradient_watch import LIBRARIES, PACKAGE

INTERVAL = 0.002
REMEMBER = 0.02  # seconds between two notes of the memory in use
DEEPEST = 40
NATIVE = ("jit/runtime/", "graph/functions/quick_call.py", "graph/functions/function.py",
          "graph/functions/concrete_function.py", "jit/tiering/graph_tiering.py")
TRACING = ("graph/tracing/", "graph/autograph/")


class Part(NamedTuple):
    """A line's forward or backward part of native code: its ops, the longest first, and a share."""

    line: str
    ops: str
    share: float


class Tree:
    """Time of a stack frame and of those that it called."""

    __slots__ = ("children", "seconds")

    def __init__(self) -> None:
        self.seconds = 0.0
        self.children: dict[str, Tree] = {}

    def to_dict(self, name: str, least: float) -> dict[str, Any]:
        return {"name": name, "seconds": round(self.seconds, 6), "children": [
            one.to_dict(key, least) for key, one in sorted(
                self.children.items(), key=lambda both: -both[1].seconds)
            if one.seconds >= least]}


class LineSampler(threading.Thread):
    """Samples the thread that makes it, between `start()` and `stop()`."""

    def __init__(self) -> None:
        super().__init__(name="tapeflow-report", daemon=True)
        self.tree = Tree()
        self.by_op: dict[tuple[str, str], float] = {}  # (mode, op) -> seconds
        self.by_line: dict[tuple[str, str], float] = {}  # (mode, line) -> seconds
        self.memory: list[tuple[float, int]] = []  # (seconds, bytes)
        # (function, line of its call) -> seconds, and the leaves of the tree, of native code
        self._native: dict[tuple[str, str], float] = {}
        self._leaves: dict[str, list[Tree]] = {}
        self.seconds = 0.0
        self._of = threading.get_ident()
        self._end = threading.Event()

    def run(self) -> None:
        begin = before = time.perf_counter()
        noted = -1.0
        while not self._end.wait(INTERVAL):
            now = time.perf_counter()
            frame = sys._current_frames().get(self._of)
            if frame is not None:
                self._count(frame, now - before)
            del frame
            if now - begin - noted >= REMEMBER:
                noted = now - begin
                self.memory.append((round(noted, 4), resident()))
                if len(self.memory) > 3000:
                    del self.memory[1::2]
            before = now
        self.seconds = time.perf_counter() - begin

    def stop(self) -> None:
        """No more samples; returns when the thread has ended."""
        self._end.set()
        self.join()

    def _count(self, frame: Any, seconds: float) -> None:
        users: list[tuple[str, str]] = []
        own: list[Any] = []
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith((PACKAGE, "<graph ")):
                if not users:
                    own.append(frame)
            elif not any(part in name for part in LIBRARIES) and not name.startswith("<frozen"):
                line = f"{os.path.basename(name)}:{frame.f_lineno}"
                users.append((f"{frame.f_code.co_name} ({line})", line))
            frame = frame.f_back
        mode, op, line = _described(own)
        line = line or (users[0][1] if users else "")
        self.by_op[mode, op] = self.by_op.get((mode, op), 0.0) + seconds
        self.by_line[mode, line] = self.by_line.get((mode, line), 0.0) + seconds
        node = self.tree
        node.seconds += seconds
        leaf = [f"{op} [{mode}]" + (f" {line}" if own and line else "")] if own else []
        for name in [*[name for name, _ in reversed(users[:DEEPEST])], *leaf]:
            node = node.children.setdefault(name, Tree())
            node.seconds += seconds
        if mode == "native":
            self._native[op, line] = self._native.get((op, line), 0.0) + seconds
            leaves = self._leaves.setdefault(op, [])
            if not any(one is node for one in leaves):
                leaves.append(node)

    def native_seconds(self) -> dict[str, float]:
        """Seconds that functions have spent in native code, by their names."""
        found: dict[str, float] = {}
        for (name, _), seconds in self._native.items():
            found[name] = found.get(name, 0.0) + seconds
        return found

    def divide(self, function: str, parts: list[Part]) -> None:
        """Divide what a function has spent in native code by its lines."""
        if not parts:
            return
        for leaf in self._leaves[function]:
            for part in parts:
                label = f"{part.ops} [native] {part.line}".rstrip()
                child = leaf.children.setdefault(label, Tree())
                child.seconds += part.share * leaf.seconds
        for (name, line), seconds in self._native.items():
            if name == function:
                self.by_op["native", name] -= seconds
                self.by_line["native", line] -= seconds
                for part in parts:
                    for table, key in ((self.by_op, part.ops), (self.by_line, part.line or line)):
                        table["native", key] = (table.get(("native", key), 0.0)
                                                + part.share * seconds)

    def to_dict(self) -> dict[str, Any]:
        """Tables and the tree, as plain values."""
        def rows(table: dict[tuple[str, str], float]) -> list[list]:
            return [[mode, name, round(seconds, 5)] for (mode, name), seconds in sorted(
                table.items(), key=lambda both: -both[1]) if seconds > 1e-9][:200]

        return {"seconds": round(self.seconds, 4), "ops": rows(self.by_op),
                "lines": rows(self.by_line), "memory": self.memory,
                "flame": self.tree.to_dict("all", self.tree.seconds / 2000)}


def _described(own: list) -> tuple[str, str, str]:
    """(mode, op, the user's line or '') from tapeflow's frames, innermost first."""
    if not own:
        return "Python", "Python", ""
    files = [frame.f_code.co_filename.removeprefix(PACKAGE).replace(os.sep, "/") for frame in own]
    if any(frame.f_code.co_name == "<module>" for frame in own):
        return "import", _public(own), ""
    for frame, file in zip(own, files, strict=True):
        if file.startswith("insight/"):
            return "report", "the report itself", ""
        if file.startswith("<graph "):
            return _node(frame, file)
        if frame.f_code.co_name == "walk_back" and file == "core/autodiff/walk.py":
            return _rule(frame)
    if any(file.startswith(TRACING) for file in files):
        return "tracing", _public(own), ""
    if files[0].startswith(NATIVE):
        return "native", _function(own), ""
    if files[0].startswith("jit/"):
        return "compiling", _function(own), ""
    if files[0].startswith("data/"):
        return "tf.data", _public(own), ""
    return "eager", _op(own), ""


def _node(frame: Any, file: str) -> tuple[str, str, str]:
    """A line of the Python that runs a graph on NumPy."""
    program = frame.f_back.f_locals.get("self") if frame.f_back is not None else None
    calls = getattr(program, "_calls", {}).get(frame.f_code, {})
    op, _, where = calls.get(frame.f_lineno, (None, None, None))
    line = "" if where is None else f"{os.path.basename(where[0].co_filename)}:{where[1]}"
    return "traced", op.name if op is not None else file, line


def _rule(frame: Any) -> tuple[str, str, str]:
    """The rule of an op, in a walk back: its line is that of the forward op."""
    held = frame.f_locals
    op, record = held.get("op"), held.get("record")
    where = None
    if record is not None and getattr(record, "_positions", None):
        where = record._positions.get(held.get("uy"))
    line = "" if where is None else f"{os.path.basename(where[0])}:{where[1]}"
    return "backward", op.name if isinstance(op, Op) else "walk back", line


def _op(own: list) -> str:
    for frame in own:
        found = frame.f_locals.get("op")
        if isinstance(found, Op):
            return found.name
    return _public(own)


def _public(own: list) -> str:
    return own[-1].f_code.co_name


def _function(own: list) -> str:
    for frame in reversed(own):
        options = getattr(frame.f_locals.get("self"), "_options", None)
        if options is not None and hasattr(options, "name"):
            return str(options.name)
    return _public(own)


def resident() -> int:
    """Bytes of memory that this process uses; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0
