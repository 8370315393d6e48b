"""`tf.insight.report(path)`: while it is active, a run is watched; at its end the page is written.

    with tf.insight.report("report.html"):
        train()
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Any

from tapeflow.base.exception_origin import from_handler
from tapeflow.core.state import state
from tapeflow.insight.positions import PositionedRecord
from tapeflow.insight.run_report.gradient_sites import Sites
from tapeflow.insight.run_report.gradient_watch import unwatch, watch
from tapeflow.insight.run_report.html_page import write_page
from tapeflow.insight.run_report.line_sampler import LineSampler


class report:
    """Watches gradients, memory, time and the compiler, and writes one HTML file about them.

    A context; or `tf.insight.report(path).start()`, which ends with the program or by `.stop()`.
    Functions that were traced before tell nothing of their gradients. `data` is what it found.

    >>> w = tf.Variable(2.0)
    >>> with tf.insight.report("report.html"):
    ...     with tf.GradientTape() as tape:
    ...         loss = w * w
    ...     gradient = tape.gradient(loss, w)
    >>> tf.io.gfile.exists("report.html")
    True
    """

    def __init__(self, path: str | os.PathLike, title: str = ""):
        self.path = os.path.abspath(os.fspath(path))
        folder = os.path.dirname(self.path)
        if not os.path.isdir(folder):
            raise FileNotFoundError(f"tf.insight.report: there is no folder {folder!r} to write "
                                    f"{os.path.basename(self.path)!r} into.")
        self.title = title or os.path.basename(sys.argv[0] or "python")
        self.announce = False  # say where the page is, on the standard error stream
        self.data: dict[str, Any] | None = None
        self._sites = Sites()
        self._sampler: LineSampler | None = None

    def start(self) -> report:
        """Begin; `stop()` or the end of the program writes the page."""
        if self._sampler is not None:
            raise RuntimeError("tf.insight.report: this report has begun already; make another.")
        self._before, state.record_type = state.record_type, PositionedRecord
        watch(self._sites)
        self._sampler = LineSampler()
        self._sampler.start()
        atexit.register(self.stop)
        return self

    def stop(self) -> None:
        """End, and write the page."""
        atexit.unregister(self.stop)
        if self._sampler is None or self.data is not None:
            return
        self._sampler.stop()
        unwatch(self._sites)
        state.record_type = self._before
        _divide(self._sampler)
        self.data = {
            "title": self.title, "monitors": [one.to_dict() for one in self._sites.sites.values()],
            "time": self._sampler.to_dict(), "functions": functions(),
            "problems": self._sites.problems}
        write_page(self.path, self.data)
        if self.announce:
            print(f"tapeflow: the report is in {self.path}", file=sys.stderr)

    def __enter__(self) -> report:
        return self.start()

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None and not isinstance(error, SystemExit):
            self._sites.problems.insert(0, {
                "kind": "error", "site": "the run ended with", "name": type(error).__name__,
                "reason": "", "text": str(error), "step": 0})
        self.stop()


def _divide(sampler: LineSampler) -> None:
    """Native code by line; a report that cannot tell goes on without."""
    from tapeflow.insight.run_report.native_lines import divide_native
    try:
        divide_native(sampler, _traced())
    except Exception as error:
        if from_handler(error):
            raise


def _traced() -> list[Any]:
    """The tf.functions that are alive and have been traced."""
    from tapeflow.graph.functions.function import Function
    return [one for one in gc.get_objects() if type(one) is Function and one._traces.in_order]


def functions() -> list[dict[str, Any]]:
    """What became of the tf.functions that are alive: traces, native code, and why not."""
    from tapeflow.jit.report import so_far
    found = []
    for one in _traced():
        made = so_far(one)
        found.append({"name": made.name, "traces": len(one._traces.in_order),
                      "native": sum(p.native is not None and p.settled
                                    for _, p in made.programs),
                      "programs": len(made.programs), "text": str(made)})
    return sorted(found, key=lambda one: (one["name"], one["text"]))
