"""The command `tapeflow`: run, report, launch, inspect, export, doctor.

The top layer, for `__main__` alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack

from tapeflow.alias import RealTensorFlowError, install, program

USAGE = """\
usage: tapeflow run [--positions] [--debug] SCRIPT [ARGUMENTS ...]
       tapeflow run [--positions] [--debug] -m MODULE [ARGUMENTS ...]
       tapeflow run [--positions] [--debug] -c TEXT [ARGUMENTS ...]
       tapeflow report [-o FILE.html] SCRIPT [ARGUMENTS ...]
       tapeflow launch -n RANKS [--hosts A:2,B:2] [--restarts N] [--threads K] SCRIPT [...]
       tapeflow inspect FOLDER
       tapeflow export MODEL [--to onnx|savedmodel] [--output PATH] [--opset N] [--signature NAME]
       tapeflow doctor [--json]
       tapeflow --version | --help

run       runs a program written for TensorFlow: `import tensorflow` gives it tapeflow. Arguments,
          exit code and tracebacks are those of plain Python; when the program dies because a
          gradient was None, the traceback ends with the reason. SCRIPT may be `-` for stdin.
          --positions names the file and line of each recorded op in that reason (slower).
          --debug stops at the first NaN or infinity in a loss, gradient or variable, and names
          the op and line where it was born, and the remedy (some ten times slower).
report    runs a program as `run` does, and writes one HTML file about its gradients, memory, time
          and native code: FILE.html, or the name of the script with .report.html.
launch    runs a program on several processes, which MPI connects (docs/scaling.md). RANKS of them
          share the cores of this host, or of the hosts named; --threads says how many each uses.
          A job that fails starts again up to N times. `mpiexec -n 4 tapeflow run SCRIPT` and
          `srun tapeflow run SCRIPT` do the same on a cluster.
inspect   lists signatures, variables and ops of a saved model, and which ops tapeflow lacks.
export    writes a model as an ONNX file (docs/onnx.md) or as a saved model. MODEL is the folder of
          a saved model, a .keras file, or module.py:object, which runs the module.
doctor    says what tapeflow runs on (versions, BLAS, CPU, threads, mode, cache) and checks that it
          works; --json says it as one JSON object.
"""

# Options of `run`, and the context of tapeflow.insight in which the program then runs.
CONTEXTS = {"--positions": "positions", "--debug": "debug"}


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; the result is the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words else "--help"
    if command == "run":  # what the program does with a closed pipe is its own affair
        return run(words)
    if command == "report":
        return report(words)
    try:
        status = answer(command, words)
        if sys.stdout is not None:  # None: closed by whoever started this
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def answer(command: str, words: list[str]) -> int:
    """The commands that are tapeflow's own."""
    if command == "launch":
        from tapeflow.distribute.launch import launcher

        return launcher.launch(words)
    if command in ("inspect", "export", "doctor") and words[:1] in (["-h"], ["--help"]):
        command, words = "--help", words[1:]
    if command == "inspect":
        return inspect(words)
    if command == "export":
        return export(words)
    if command == "doctor":
        if words not in ([], ["--json"]):
            return fail(f"doctor does not know {' '.join(words)!r}")
        from tapeflow import doctor

        return doctor.main(as_json=bool(words))
    if command not in ("-h", "--help", "help", "-V", "--version", "version"):
        return fail(f"unknown command {command!r}; the commands are run, report, launch, "
                    "inspect, export and doctor")
    if words:
        return fail(f"{command} does not know {' '.join(words)!r}")
    if "h" in command:
        print(USAGE, end="")
    else:
        import tapeflow

        print(f"tapeflow {tapeflow.tapeflow_version} (TensorFlow API {tapeflow.__version__})")
    return 0


def export(words: list[str]) -> int:
    """`tapeflow export MODEL --to onnx|savedmodel`."""
    from tapeflow import export_command
    from tapeflow.base.errors import OpError
    try:
        install()
        export_command.export(words)
    except export_command.WrongWords as error:
        return fail(str(error))
    except (OSError, ImportError, ValueError, TypeError, NotImplementedError, OpError,
            RealTensorFlowError) as error:
        print(f"tapeflow: {error}", file=sys.stderr)
        return 1
    return 0


def inspect(words: list[str]) -> int:
    """`tapeflow inspect FOLDER`."""
    if len(words) != 1 or words[0].startswith("-"):
        given = f", not {' '.join(words)!r}" if words else ""
        return fail(f"inspect needs the folder of a saved model{given}")
    from tapeflow.saved_model.model_summary import describe
    try:
        text = describe(words[0])
    except OSError as error:
        print(f"tapeflow: {error}", file=sys.stderr)
        return 1
    print(text)
    return 0


def run(words: list[str]) -> int:
    """`tapeflow run …`: the words up to the program are ours, those after it the program's."""
    asked = []
    while words and words[0] in CONTEXTS:
        asked.append(words[0])
        words = words[1:]
    if words and words[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if not words:
        return fail("run needs a script, -m MODULE or -c TEXT")

    def contexts() -> list:
        from tapeflow import insight
        return [getattr(insight, CONTEXTS[option])() for option in asked]

    return execute("run", words, contexts if asked else list)


def report(words: list[str]) -> int:
    """`tapeflow report …`: run a program, and write a page about the run."""
    path = None
    if words[:1] == ["-o"]:
        if len(words) < 2:
            return fail("report -o needs the name of a file")
        path, words = words[1], words[2:]
    if not words or words[0] in ("-h", "--help"):
        return fail("report needs a script, -m MODULE or -c TEXT")
    name = os.path.basename(words[1] if words[0] in ("-m", "-c") and words[1:] else words[0])
    stem = "program" if words[0] in ("-c", "-") else name.removesuffix(".py")
    path = os.path.abspath(path or f"{stem}.report.html")  # the program may change the folder
    if not os.path.isdir(os.path.dirname(path)):
        return fail(f"report -o: there is no folder {os.path.dirname(path)!r}")

    def contexts() -> list:
        from tapeflow import insight
        found = insight.report(path, f"tapeflow report {name}")
        found.announce = True
        return [found]

    return execute("report", words, contexts)


def execute(command: str, words: list[str], contexts: Callable[[], list]) -> int:
    """Run the program that the words name, in contexts of tapeflow.insight."""
    try:
        install()
        prepare_rank()
        found = find_program(words)
    except (program.CannotStart, RealTensorFlowError) as error:
        print(f"tapeflow: {error}", file=sys.stderr)
        return getattr(error, "status", 1)
    if found is None:
        return fail(f"{command} does not know {' '.join(words)!r}")
    with ExitStack() as stack:
        for one in contexts():
            stack.enter_context(one)
        found.run()
    return 0


def prepare_rank() -> None:
    """In a process that a launcher has started with others: whole lines, and a share of cores."""
    from tapeflow.distribute.mpi import job

    found = job.launched()
    if found is not None:
        from tapeflow.base.settings import settings
        from tapeflow.distribute.cluster_resolvers import describe_ranks
        from tapeflow.distribute.launch import ranks_output

        ranks_output.prepare(found.rank)
        describe_ranks(found.rank, found.size)
        if not settings.threads_asked_for():
            settings.num_threads = job.core_share(found)


def find_program(words: list[str]) -> program.Program | None:
    """The program that the words name; None when they name none."""
    first, rest = words[0], words[1:]
    if first in ("-m", "-c"):
        make = program.from_module if first == "-m" else program.from_text
        return make(rest[0], rest[1:]) if rest else None
    if first.startswith("-") and first != "-":
        return None
    return program.from_path(first, rest)


def fail(message: str) -> int:
    """Say what is wrong with the command line; 2 is the status of a wrong command line."""
    print(f"tapeflow: {message}\n(tapeflow --help)", file=sys.stderr)
    return 2
