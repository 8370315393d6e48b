"""The command `tapeflow launch`: a program on several processes, by an MPI's `mpiexec`.

    tapeflow launch -n 4 [--hosts a:2,b:2] [--restarts 3] [--threads K] train.py arguments

The launcher is the hub of the job (`distribute/mpi/hub.py`): it knows which rank has gone first. A
job that fails is started again as often as `--restarts` allows; programs go on from their last
checkpoint.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
from typing import Any, NamedTuple

from tapeflow.base.settings import variable_of
from tapeflow.distribute.launch.ranks_output import Merger
from tapeflow.distribute.mpi import job
from tapeflow.distribute.mpi.hub import Hub

THREAD_VARIABLES = (variable_of("num_threads"), "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                    "MKL_NUM_THREADS")
# Beginnings of names of variables that belong to a host, a session, or MPI itself.
OF_THE_HOST = ("HOST", "OLDPWD", "PWD", "SHLVL", "SSH_", "DISPLAY", "XDG_", "TMPDIR", "OMPI_",
               "PMIX_", "PRTE_")
PATIENCE = 3.0  # seconds for mpiexec to end, when a rank is gone
EXTRA = 'pip install "tapeflow[mpi]"'


class CannotLaunch(Exception):
    """What is missing, for the user."""


class Options(NamedTuple):
    """What the command line asks for."""

    ranks: int
    hosts: str
    restarts: int
    threads: int
    mpiexec: str
    program: list[str]


def parse(words: list[str]) -> Options:
    """The words after `tapeflow launch`."""
    given = {"-n": "", "--hosts": "", "--restarts": "0", "--threads": "0", "--mpiexec": ""}
    rest = list(words)
    while rest and rest[0].startswith("-"):
        name, equals, value = rest.pop(0).partition("=")
        name = {"-np": "-n", "--ranks": "-n", "-H": "--hosts"}.get(name, name)
        if name in ("-m", "-c"):
            rest.insert(0, name)
            break
        if name not in given:
            raise CannotLaunch(f"launch does not know {name!r}")
        if not equals:
            if not rest:
                raise CannotLaunch(f"launch: {name} needs a value")
            value = rest.pop(0)
        given[name] = value
    hosts = given["--hosts"]
    ranks = given["-n"] or (str(_ranks_on(hosts)) if hosts else "")
    for name, value in (("-n", ranks), ("--restarts", given["--restarts"]),
                        ("--threads", given["--threads"])):
        if not value.isdecimal() or name == "-n" and not int(value):
            raise CannotLaunch(f"launch: {name} needs a number, as in `tapeflow launch -n 4 "
                               f"train.py`; got {value!r}")
    if not rest:
        raise CannotLaunch("launch needs a script, -m MODULE or -c TEXT")
    return Options(int(ranks), hosts, int(given["--restarts"]), int(given["--threads"]),
                   given["--mpiexec"], rest)


def _ranks_on(hosts: str) -> int:
    """How many ranks `a:2,b` asks for: a host without a number gets one."""
    counts = [one.partition(":")[2] or "1" for one in hosts.split(",")]
    if not all(one.isdecimal() for one in counts):
        raise CannotLaunch(f"launch: --hosts needs names and numbers of ranks, as in `--hosts "
                           f"a:2,b:2`; got {hosts!r}")
    return sum(map(int, counts))


def find_mpiexec(given: str = "") -> str:
    """The program that starts ranks: beside this Python, as a wheel brings it, or on the path."""
    beside = os.path.join(os.path.dirname(sys.executable), "mpiexec")
    found = given or job.variable(job.MPIEXEC) or (
        beside if os.access(beside, os.X_OK) else shutil.which("mpiexec") or shutil.which("mpirun"))
    if not found or not (os.path.exists(found) or shutil.which(found)):
        raise CannotLaunch(
            f"there is no {given or 'mpiexec'}, which starts the ranks of a job: {EXTRA}, or load "
            "your cluster's MPI. (Under Slurm: `srun -n 4 tapeflow run train.py`.)")
    return found


def is_open_mpi(mpiexec: str) -> bool:
    """Whether this is Open MPI's, whose options differ."""
    said = subprocess.run([mpiexec, "--version"], capture_output=True, text=True).stdout
    return "Open MPI" in said or "OpenRTE" in said or "PRTE" in said


def command(options: Options, mpiexec: str, variables: dict[str, str]) -> list[str]:
    """What is executed: mpiexec, and on each rank `tapeflow run`."""
    words = [mpiexec, "-n", str(options.ranks)]
    if is_open_mpi(mpiexec):
        words += ["--host", options.hosts] if options.hosts else []
        # By slots, the numbers of `--hosts`: otherwise all ranks come to the first host.
        words += ["--map-by", "slot:OVERSUBSCRIBE"]
        words += ["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        for name in {**variables, **_inherited(options.hosts)}:
            words += ["-x", name]
    elif options.hosts:
        words += ["-hosts", options.hosts]
    return [*words, sys.executable, "-m", "tapeflow", "run", *options.program]


def _inherited(hosts: str) -> dict[str, str]:
    """The environment that ranks on other hosts get too: MPICH passes it on, Open MPI is told."""
    return {name: value for name, value in job.environment({}).items()
            if hosts and name.isidentifier() and not name.startswith(OF_THE_HOST)}


def thread_variables(options: Options) -> dict[str, str]:
    """How many threads a rank uses: as asked for, or its share of the cores of this host."""
    count = options.threads
    if not count and not options.hosts:  # ranks on other hosts see for themselves
        count = max(1, job.cores() // options.ranks)
    chosen = {name: str(count) for name in THREAD_VARIABLES} if count else {}
    asked = [name for name in THREAD_VARIABLES if job.variable(name)]
    return chosen if options.threads else {
        name: value for name, value in chosen.items() if not asked}


def launch(words: list[str]) -> int:
    """`tapeflow launch …`; the result is the exit status."""
    try:
        options = parse(words)
        mpiexec = find_mpiexec(options.mpiexec)
        import importlib.util
        if importlib.util.find_spec("mpi4py") is None:
            raise CannotLaunch(f"mpi4py, by which ranks reach each other, is missing: {EXTRA}")
    except CannotLaunch as error:
        print(f"tapeflow: {error}\n(tapeflow --help)", file=sys.stderr)
        return 2
    for attempt in range(options.restarts + 1):
        status, gone = run_job(options, mpiexec, attempt)
        if status in (0, 128 + signal.SIGINT):
            break
        if attempt < options.restarts:
            who = "" if gone is None else f" after the end of rank {gone}"
            print(f"tapeflow: starting the job again{who} ({attempt + 1} of {options.restarts} "
                  "restarts)", file=sys.stderr, flush=True)
    return status


def run_job(options: Options, mpiexec: str, attempt: int) -> tuple[int, int | None]:
    """Start the ranks once; exit status, and the rank that ended the job."""
    def say(text: str) -> None:
        merger.line(text + "\n")

    token = secrets.token_hex(16)
    merger = Merger()
    hub = Hub(token, say)
    served = threading.Thread(target=hub.serve, daemon=True)
    served.start()
    variables = {job.HUB: f"{_own_names(options.hosts)}:{hub.port}:{token}",
                 job.RESTART: str(attempt), **thread_variables(options)}
    if sys.stdout.isatty():
        variables[job.INTERACTIVE] = "1"
    process = subprocess.Popen(command(options, mpiexec, variables),
                               env=job.environment(variables), stdout=subprocess.PIPE)
    hub.on_loss = lambda: _end_later(process)
    status = _watched(process, merger)
    hub.close()
    served.join()
    hub.release()
    if status and options.hosts and not hub.came:
        say("tapeflow: no rank was started. --hosts needs ssh to each host without a password, and "
            "there this Python and the program under the same paths.")
    return status, hub.first_gone


def _own_names(hosts: str) -> str:
    """This host's name and, for ranks that do not know it, the address that faces the others."""
    names = [socket.gethostname()]
    for one in hosts.split(",") if hosts else ():
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:  # nothing is sent
                route.connect((one.partition(":")[0], 9))
                found = route.getsockname()[0]
        except OSError:
            continue
        if found not in names and not found.startswith("127."):
            names.append(found)
    return ",".join(names)


def _end_later(process: Any) -> None:
    """End mpiexec if it does not: one whose connection to a host is dead waits forever."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.daemon = True
    timer.start()


def _watched(process: Any, merger: Merger) -> int:
    def pass_on() -> None:
        with process.stdout as pipe:
            while data := os.read(pipe.fileno(), 1 << 16):
                merger.take(data)

    reader = threading.Thread(target=pass_on, daemon=True)
    reader.start()
    try:
        status = process.wait()
        reader.join(PATIENCE)  # not for long: a dead connection's ssh may hold the pipe
        merger.end()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
        return 128 + signal.SIGINT
    return status if status >= 0 else 128 - status
