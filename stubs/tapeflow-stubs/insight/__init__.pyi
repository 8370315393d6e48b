# Written by tools/stubs.py (make stubs).
"""tf.insight"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import BirthWatch, IntLike, Kept, Line, Row, Saving, Stats

class Birth:
    """One op that made a NaN or infinity."""
    caller: Any
    earlier: Any
    given: str
    spread: bool
    taker: str
    during: str
    rows: str
    moment: str
    @property
    def called(self) -> str:
        """The op that the user called."""
    @property
    def guilty(self) -> Line | None:
        """The line to look at: of the forward op, also for a birth in the backward pass."""
    @property
    def remedy(self) -> str: ...
    def __init__(
        self, op: str | None, hazard: str, kind: str, line: Line | None,
        forward: tuple[str, Line | None] | None, index: tuple[int, ...], count: IntLike,
        shape: tuple[int, ...], dtype: str, operands: list[str], values: list[float | None],
        caller: Line | None = None, earlier: tf.insight.Birth | None = None, given: str = '',
        spread: bool = False, taker: str = '', during: str = 'backward pass', rows: str = '',
        moment: str = '',
    ) -> None: ...
    def __eq__(self, other: object) -> tf.Birth: ...  # type: ignore[override]
    def __hash__(self) -> int: ...
    op: Any
    hazard: Any
    kind: Any
    line: Any
    forward: Any
    index: Any
    count: Any
    shape: Any
    dtype: Any
    operands: Any
    values: Any

class debug:
    """Context in which this thread's first NaN or infinity that does harm is an error."""
    def __enter__(self) -> BirthWatch: ...
    def __exit__(self, *exc: Any) -> None: ...

class Drawing:
    """A picture of a tape; notebooks show it. `svg` is its text, `save(path)` writes it."""
    def __init__(self, picture: Any) -> None: ...
    def redraw(self, picture: Any) -> None:
        """Show another picture from now on."""
    def save(self, path: str | Any) -> None:
        """Write the SVG to a file, which browsers open."""
    picture: Any
    svg: Any

def explain(tape: tf.GradientTape, target: Any, sources: Any) -> tf.insight.Explanation:
    """Say in words, for each source, why there is no gradient and what to do."""

class Explanation:
    """One finding for each source; `str()` is the text, `reasons` the findings."""
    def __init__(self, findings: list[tuple[str, str, str]]) -> None: ...
    @property
    def reasons(self) -> list[str]:
        """A word for each source: connected, constant, integer, stopped, severed …"""
    findings: Any

class GradientReport:
    """What `tape.report` found: `rows`, one a source, and the `gradients` in their …"""
    def __init__(self, rows: list[Row], gradients: Any, stats: dict[int, Stats]) -> None: ...
    @property
    def verdicts(self) -> list[str]:
        """A word for each source: fine, vanishing, exploding, dead ReLU, saturated …"""
    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The rows as plain values, such as JSON holds: a norm that is not finite is None."""
    stats: Any
    rows: Any
    gradients: Any

class Monitor:
    """Collects norms, zeros, NaNs, verdicts and histograms of gradients, by variable and …"""
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any:
        """What Keras asks of a callback: `callbacks=[monitor]` means `[monitor.callback()]`."""
    def record(
        self, step: IntLike, gradients: Any, variables: Any, loss: Any = None,
    ) -> None:
        """Note one step: gradients (or a tape, which is asked for those of `loss`) and …"""
    def note(
        self, step: IntLike, names: list[str], values: list, gradients: list, loss: Any,
    ) -> None:
        """The same from flat lists; `values` are variables or tensors."""
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, such as JSON holds."""
    def report(self, path: Any) -> None:
        """Write an HTML file with curves and histograms, which opens without a server."""
    def callback(self) -> Any:
        """A callback for `model.fit(callbacks=[monitor.callback()])`; `[monitor]` means the …"""
    series: Any
    losses: Any
    gradients: Any

class NotFiniteError(tf.errors.InvalidArgumentError):
    """A NaN or infinity has arrived where it does harm; `birth` says where it comes from."""
    def __init__(self, message: str, birth: tf.insight.Birth) -> None: ...
    birth: Any

class positions:
    """Context in which new tapes of this thread keep the line of each op."""
    def __enter__(self) -> tf.insight.positions: ...
    def __exit__(self, *exc: Any) -> None: ...

class report:
    """Watches gradients, memory, time and the compiler, and writes one HTML file about them."""
    def __init__(self, path: str | Any, title: str = '') -> None: ...
    def start(self) -> tf.insight.report:
        """Begin; `stop()` or the end of the program writes the page."""
    def stop(self) -> None:
        """End, and write the page."""
    def __enter__(self) -> tf.insight.report: ...
    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None: ...
    path: Any
    title: Any
    announce: Any
    data: Any

class TapeMemory:
    """What a tape keeps: `rows`, largest first, `variables` in bytes, and possible …"""
    def __init__(
        self, rows: list[Kept], variables: IntLike, savings: list[Saving], lines: bool,
        profile: list[int],
    ) -> None: ...
    @property
    def total(self) -> int:
        """Bytes that only the tape keeps."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
    profile: Any
    rows: Any
    variables: Any
    savings: Any
