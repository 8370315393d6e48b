"""Worker processes, one for each library, that take turns at cases; what the speed scripts share.

A case is a name with a title and, for each peer, how many times faster than it tapeflow is meant to
be. A round asks each library for each case, and the least time over all rounds and launches counts.
"""

import os
import platform
import select
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


PATIENCE = 180.0  # seconds that a library gets for one answer, compiling included


class Worker:
    """A process that times one library. What it cannot do, or not in time, takes for ever."""

    def __init__(self, library: str, python: str, module: str, **variables: str):
        self.how = (library, python, module)
        self.variables = variables
        self.start()

    def start(self) -> None:
        library, python, module = self.how
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py"), library, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**environment(), **self.variables},
        )
        first = self.process.stdout.readline().split()
        if first[:1] != ["ready"]:
            raise SystemExit(f"{python} cannot import {library}")
        self.version = first[1]

    def ask(self, line: str) -> float:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        there, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        answer = self.process.stdout.readline() if there else ""
        if not answer:
            if self.how[0] == "tapeflow":
                raise SystemExit(f"the worker {self.process.args} ended at {line!r}")
            self.process.kill()
            self.process.wait()
            self.start()
            return float("inf")
        return float(answer)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def environment() -> dict[str, str]:
    """What the workers see: the project's own source first; bytecode, as installers leave it."""
    path = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
        "PYTHONDONTWRITEBYTECODE": "",
    }


def measure(cases, pythons: dict[str, tuple[str, str]], launches: int, rounds: int, seconds: float):
    """The least time of each case for each library, and the versions.

    `pythons` has the interpreter and the module of cases for each library.
    """
    best = {case: dict.fromkeys(pythons, float("inf")) for case in cases}
    versions = {}
    left_out: set[tuple[str, str]] = set()
    for launch in range(launches):
        workers = {library: Worker(library, *how) for library, how in pythons.items()}
        versions = {library: worker.version for library, worker in workers.items()}
        if launch == 0:
            left_out = compare_results(cases, workers)
        for turn in range(rounds):
            for case, times in best.items():
                for library, worker in workers.items():
                    if (library, case) not in left_out:
                        times[library] = min(times[library], worker.ask(f"{case} {seconds}"))
            progress(f"launch {launch + 1}/{launches}, round {turn + 1}/{rounds}")
        for worker in workers.values():
            worker.close()
    return best, versions


def measure_first(cases, pythons: dict[str, tuple[str, str]], launches: int):
    """The least time of a first call, trace and compilation, of each case for each library."""
    best = {case: dict.fromkeys(pythons, float("inf")) for case in cases}
    versions = {}
    for launch in range(launches):
        # tapeflow compiles at once, and finds nothing on disk.
        workers = {library: Worker(library, *how, TAPEFLOW_JIT="now", TAPEFLOW_CACHE="")
                   for library, how in pythons.items()}
        versions = {library: worker.version for library, worker in workers.items()}
        # Another case is the first each time: what a library prepares once is no case's.
        order = list(cases)
        begin = launch * len(order) // launches
        for case in order[begin:] + order[:begin]:
            for library, worker in workers.items():
                best[case][library] = min(best[case][library], worker.ask(f"first {case}"))
        progress(f"launch {launch + 1}/{launches}")
        for worker in workers.values():
            worker.close()
    return best, versions


def compare_results(cases, workers: dict[str, Worker]) -> set[tuple[str, str]]:
    """Stop if the libraries do not compute the same: then the times mean nothing.

    Gives the cases that a library does not do, or not in time.
    """
    left_out = set()
    for case in cases:
        progress(f"{case}: first results")
        results = {library: worker.ask(f"value {case}") for library, worker in workers.items()}
        ours = results["tapeflow"]
        for library, theirs in results.items():
            if theirs == float("inf") and library != "tapeflow":
                left_out.add((library, case))
            elif abs(theirs - ours) > 1e-3 * max(1.0, abs(ours)):
                raise SystemExit(f"{case}: tapeflow computes {ours}, {library} {theirs}")
    return left_out


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def verdict(met: bool) -> str:
    return "pass" if met else "MISS"


def report(cases, best, versions) -> bool:
    """Print the table; whether every target is met."""
    peers = [library for library in versions if library != "tapeflow"]
    progress("")
    names = ", ".join(f"{library} {version}" for library, version in versions.items())
    print(f"{names}; Python {platform.python_version()}, {os.cpu_count()} cores")
    print("µs per step, least of all rounds; in brackets how many times faster tapeflow is\n")
    heading = "".join(f"{peer:>13}{'':>23}" for peer in peers)
    print(f"{'':<36}{'tapeflow':>10}{heading}")
    all_met = True
    for case, (title, targets) in cases.items():
        times = best[case]
        line = f"{title:<36}{times['tapeflow'] * 1e6:>10.2f}"
        for peer in peers:
            ratio = times[peer] / times["tapeflow"]
            line += f"{times[peer] * 1e6:>13.2f} ({ratio:6.2f}×"
            if peer in targets:
                met = ratio >= targets[peer]
                all_met &= met
                line += f", ≥ {targets[peer]:4.2g} {verdict(met)})"
            else:
                line += f"{')':<13}"
        print(line.rstrip())
    return bool(all_met)


def arguments(parser, rounds: int, *more: str) -> None:
    """The options that all speed scripts have."""
    libraries(parser, *more)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--launches", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.15, help="for one case in one round")


def libraries(parser, *more: str) -> None:
    """Options for the Pythons of tapeflow and TensorFlow, and for `more` of the peers."""
    parser.add_argument("--tapeflow", default=sys.executable, metavar="PYTHON")
    for library in ("tensorflow", *[one for one in ("jax", "torch") if one in more]):
        parser.add_argument(f"--{library}", metavar="PYTHON")
    if "xla" in more:
        parser.add_argument("--xla", action="store_true",
                            help="TensorFlow with jit_compile=True too")
    if "inductor" in more:
        parser.add_argument("--inductor", action="store_true", help="torch.compile too")


def pythons(options, cases: str) -> dict[str, tuple[str, str]]:
    """For each library that was asked for: its Python, and the module that has its cases."""
    given = {"jax": None, "torch": None, "xla": False, "inductor": False, **vars(options)}
    wanted = {
        "tapeflow": (given["tapeflow"], cases),
        "tensorflow": (given["tensorflow"], cases),
        "xla": (given["xla"] and given["tensorflow"], cases),
        "jax": (given["jax"], f"{cases}_jax"),
        "torch": (given["torch"], f"{cases}_torch"),
        "inductor": (given["inductor"] and given["torch"], f"{cases}_torch"),
    }
    return {library: how for library, how in wanted.items() if how[0]}
