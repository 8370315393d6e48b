"""Drawing in a terminal for `demo.py`: colours and redrawing where there is a tty, plain text else.

Plain ANSI sequences, no package. NO_COLOR and TERM=dumb are respected.
"""

import os
import shutil
import sys
import textwrap

import numpy as np

SPARKS = "▁▂▃▄▅▆▇█"
# 256-colour codes of the classes: where the network sees them, and their points.
REGION = (24, 94, 22)
POINT = (45, 214, 84)
LETTERS = ".:-"
POINT_LETTERS = "o*#"


class Terminal:
    """Knows what the output can show; `frame` draws over the frame before it."""

    def __init__(self, stream=sys.stdout):
        self.stream = stream
        self.live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self.colour = self.live and "NO_COLOR" not in os.environ
        self.unicode = "utf" in (stream.encoding or "").lower()
        size = shutil.get_terminal_size((100, 40))
        self.width = size.columns
        self.columns = max(30, min(64, size.columns - 4))
        self.rows = max(8, min(20, size.lines - 12))
        self.drawn = 0

    def print(self, text: str = "") -> None:
        if not self.unicode:
            text = text.encode("ascii", "replace").decode()
        print(text, file=self.stream, flush=True)

    def paragraph(self, text: str, indent: str = "    ") -> None:
        """Lines of text, broken where the terminal ends."""
        for line in text.splitlines():
            own = line[: len(line) - len(line.lstrip())]
            self.print("\n".join(textwrap.wrap(
                line, max(40, self.width - 2), initial_indent=indent,
                subsequent_indent=f"{indent}{own}  ", drop_whitespace=True,
                break_long_words=False, break_on_hyphens=False)) or indent)  # fmt: skip

    def heading(self, text: str) -> None:
        self.print()
        self.print(f"\033[1m{text}\033[0m" if self.colour else text)
        self.print()

    def frame(self, lines: list[str]) -> None:
        """Show the lines in the place of the last frame; without a tty, below it."""
        if self.live and self.drawn:
            self.stream.write(f"\033[{self.drawn}F\033[J")
        for line in lines:
            self.print(line)
        self.drawn = len(lines)

    @property
    def pixels(self) -> tuple[int, int]:
        """Height and width of the map: half blocks show two pixels in one character."""
        return (2 * self.rows if self.colour and self.unicode else self.rows), self.columns

    def map(self, classes: np.ndarray, points: np.ndarray) -> list[str]:
        """Lines that show the class of each pixel, and of the points among them (-1: no point)."""
        if not (self.colour and self.unicode):
            letters = np.where(points >= 0, np.array(list(POINT_LETTERS))[points],
                               np.array(list(LETTERS))[classes])  # fmt: skip
            return ["  " + "".join(row) for row in letters]
        codes = np.where(points >= 0, np.array(POINT)[points], np.array(REGION)[classes])
        return ["  " + half_blocks(*codes[i : i + 2]) for i in range(0, len(codes), 2)]

    def spark(self, values: list[float], width: int) -> str:
        """A line of bars for the last values, on a logarithmic scale."""
        if not self.unicode or len(values) < 2:
            return ""
        logs = np.log10(values[-width:])
        low, high = logs.min(), max(logs.max(), logs.min() + 1e-9)
        return "".join(SPARKS[int((x - low) / (high - low) * 7)] for x in logs)

    def bar(self, share: float, width: int = 24) -> str:
        full = round(share * width)
        return ("█" * full + "░" * (width - full)) if self.unicode else (
            "#" * full + "-" * (width - full))  # fmt: skip


def half_blocks(upper: np.ndarray, lower: np.ndarray) -> str:
    """Two rows of colour codes in one line: the colour of the sign and the one behind it."""
    parts, last = [], None
    for pair in zip(upper.tolist(), lower.tolist()):
        if pair != last:
            parts.append(f"\033[38;5;{pair[0]}m\033[48;5;{pair[1]}m")
            last = pair
        parts.append("▀")
    return "".join(parts) + "\033[0m"
