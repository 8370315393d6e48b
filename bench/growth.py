"""How time and memory grow with size: tapeflow beside TensorFlow, XLA, JAX and PyTorch.

    python bench/growth.py [--tensorflow PYTHON] [--xla] [--jax PYTHON] [--torch PYTHON]
                           [--only CURVE ...] [--most SIZE] [--rounds N] [--numbers FILE]
                           [--chart FILE] [--page FILE]

A curve is one case at many sizes. At each size every library has a process of its own; they take
turns, the least time counts, and the most memory that the process held. A library that would need
longer than --patience for one step, by how it grew so far, is left out from there on. Prints the
numbers, how each of ours grows over its largest tenfold, and every size from which a peer is ahead;
status 1 if a curve that should be linear is not. With --numbers the curves can be measured in
several runs; --page writes those there are as a page of the documentation, beside the chart.
"""

import argparse
import json
import math
import os
import select
import subprocess
import sys
import time
from typing import NamedTuple

import growth_chart
import growth_page
import race

PAUSE = 0.25  # seconds before a turn: by then threads of the library before have ceased to spin
STEEPEST = 1.25  # power of the size that passes for linear, on a machine that is not quiet


class Curve(NamedTuple):
    """What grows, the sizes, and the power that time is meant to grow with, if there is one."""

    title: str
    unit: str
    sizes: tuple[int, ...]
    power: float | None = 1.0


CURVES = {
    "tape": Curve("eager sines and their gradient", "ops on the tape",
                  (100, 1000, 10_000, 100_000, 1_000_000)),
    "nodes": Curve("call of a function", "nodes", (100, 1000, 10_000, 100_000)),
    "compile": Curve("its first call", "nodes", (100, 1000, 10_000, 100_000)),
    "batch": Curve("step of 3 layers of 128", "batch", (8, 32, 128, 512, 2048, 8192)),
    "width": Curve("step of 3 layers, batch 64", "width", (16, 64, 256, 1024, 2048), 2.0),
    "depth": Curve("step of layers of 64, batch 32", "layers", (2, 8, 32, 128, 512)),
    "sequence": Curve("step of a recurrent network", "iterations", (8, 32, 128, 512, 2048)),
    "threads": Curve("step of 3 layers of 512, batch 1024", "cores",
                     tuple(range(1, len(os.sched_getaffinity(0)) + 1)), None),
}


class Process:
    """A library at one size."""

    def __init__(self, library: str, how: tuple[str, str], curve: str, size: int, patience: float):
        python, module = how
        self.patience = patience
        self.process = subprocess.Popen(
            [python, str(race.HERE / "growth_worker.py"), library, module, curve, str(size)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**race.environment(), "TAPEFLOW_CACHE": ""})
        self._version: str | None = None

    @property
    def version(self) -> str:
        """Of the library, "none" if it has no such case; waits until the process is ready."""
        if self._version is None:
            self._version = self._answer(60).removeprefix("ready ")
        return self._version

    def _answer(self, seconds: float) -> str:
        there, _, _ = select.select([self.process.stdout], [], [], seconds)
        return self.process.stdout.readline().strip() if there else ""

    def ask(self, line: str) -> float:
        """The answer; infinity if there is none in time, and from then on."""
        if not self.version:
            return math.inf
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return math.inf
        answer = self._answer(self.patience)
        if not answer:  # one that comes late must not be taken for the next
            self.process.kill()
            self.process.wait()
        return float(answer) if answer else math.inf

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    race.libraries(parser, "xla", "jax", "torch")
    parser.add_argument("--only", nargs="+", choices=list(CURVES), default=list(CURVES))
    parser.add_argument("--most", type=float, default=math.inf, help="sizes up to this only")
    parser.add_argument("--rounds", type=int, default=7, help="at least 3 where steps are long")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds for one step")
    parser.add_argument("--numbers", metavar="FILE", help="keep them, and draw those kept before")
    parser.add_argument("--chart", metavar="FILE", help="draw the curves as SVG")
    parser.add_argument("--page", metavar="FILE", help="write the numbers as Markdown")
    options = parser.parse_args()
    pythons = race.pythons(options, "cases_growth")
    versions: dict[str, str] = {}
    found = {name: measure(name, pythons, versions, options) for name in options.only}
    race.progress("")
    print(", ".join(f"{library} {version}" for library, version in versions.items()))
    met = [report(name, lines) for name, lines in found.items()]
    if options.numbers:
        found = kept(options.numbers, found)
    curves = [(CURVES[name], found[name]) for name in CURVES if name in found]
    if options.chart:
        with open(options.chart, "w", encoding="utf-8") as file:
            file.write(growth_chart.chart(curves))
    if options.page:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(growth_page.page(curves, options.chart, crossings))
    return 0 if all(met) else 1


def kept(path: str, found: dict) -> dict:
    """These curves and those that a file has of runs before; all are in the file then."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = json.load(file) | found
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file)
    return found


Lines = dict[str, list[tuple[int, float, float]]]  # by library: size, seconds, bytes


def measure(name: str, pythons: dict, versions: dict, options) -> Lines:
    """The curve of each library, as far as its patience goes."""
    lines: Lines = {library: [] for library in pythons}
    for size in [one for one in CURVES[name].sizes if one <= options.most]:
        race.progress(f"{name} {size}")
        here = {library: how for library, how in pythons.items()
                if expected(lines[library], size) < options.patience}
        if "tapeflow" not in here:
            break
        running = {library: Process(library, how, name, size, options.patience)
                   for library, how in here.items()}
        running = ready(running, versions)
        for library, (seconds, peak) in take_turns(name, running, options.rounds).items():
            if seconds < math.inf:
                lines[library].append((size, seconds, peak))
            else:
                pythons = {one: how for one, how in pythons.items() if one != library}
        for process in running.values():
            process.close()
    return {library: points for library, points in lines.items() if points}


def ready(running: dict[str, Process], versions: dict) -> dict[str, Process]:
    """Those that have the case."""
    for library, process in running.items():
        if not process.version and library == "tapeflow":
            raise SystemExit("tapeflow does not answer")
        if process.version not in ("none", ""):
            versions[library] = process.version
    return {library: process for library, process in running.items()
            if process.version not in ("none", "")}


def expected(points: list, size: int) -> float:
    """Seconds of a step at this size, if the curve goes on as it went, but linear at least."""
    if not points:
        return 0.0
    last, seconds, _ = points[-1]
    return seconds * (size / last) ** max(1.0, slope(points[-2:]))


def take_turns(name: str, running: dict[str, Process], rounds: int) -> dict:
    """The least seconds and the peak of each; stops if the libraries do not compute the same."""
    values = {library: process.ask("value") for library, process in running.items()}
    ours = values["tapeflow"]
    for library, value in values.items():
        if value < math.inf and abs(value - ours) > 1e-3 * max(1.0, abs(ours)):
            raise SystemExit(f"{name}: tapeflow computes {ours}, {library} {value}")
    best = {library: math.inf for library, value in values.items()}
    start = time.monotonic()
    for turn in range(rounds):
        for library, process in running.items():
            if values[library] < math.inf:
                time.sleep(PAUSE)
                best[library] = min(best[library], process.ask("step"))
        if turn >= 2 and time.monotonic() - start > 20 or time.monotonic() - start > 120:
            break
    return {library: (best[library], running[library].ask("peak") if best[library] < math.inf
                      else math.inf) for library in running}


def slope(points: list) -> float:
    """The power of the size that time grows with, from the first of these points to the last."""
    if len(points) < 2:
        return 0.0
    (first, before, _), (last, after, _) = points[0], points[-1]
    return math.log(after / before) / math.log(last / first)


def report(name: str, lines: Lines) -> bool:
    """Print a curve; whether ours grows as it should."""
    curve = CURVES[name]
    print(f"\n{curve.title}, by {curve.unit}: ms, MB")
    print(f"{'':>12}" + "".join(f"{library:>22}" for library in lines))
    table = growth_page.by_size(lines)
    for size in table["tapeflow"]:
        cells = [f"{one[size][0] * 1e3:>14.4g} {one[size][1] / 1e6:>7.0f}" if size in one
                 else f"{'–':>22}" for one in table.values()]
        print(f"{size:>12,}" + "".join(cells))
    met = True
    if curve.power is not None and len(lines["tapeflow"]) > 2:
        ours = lines["tapeflow"]
        tenfold = [point for point in ours if point[0] * 10 >= ours[-1][0]]
        power = slope(tenfold)
        met = power <= curve.power * STEEPEST
        print(f"tapeflow grows with the power {power:.2f} (meant: {curve.power:g}) "
              f"{race.verdict(met)}")
    for line in crossings(table):
        print(line)
    return met


def crossings(table: dict) -> list[str]:
    """Where a peer is ahead: from which size on, or at which."""
    found = []
    ours = table["tapeflow"]
    for peer, times in table.items():
        ahead = [size for size in times if size in ours and times[size][0] < ours[size][0]]
        if peer != "tapeflow" and ahead:
            ratio = max(ours[size][0] / times[size][0] for size in ahead)
            found.append(f"{peer} is ahead at {', '.join(f'{size:,}' for size in ahead)} "
                         f"(up to {ratio:.2f}×)")
    return found


if __name__ == "__main__":
    sys.exit(main())
