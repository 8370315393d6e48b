"""The command `tapeflow`: run, launch, inspect, export, doctor. The top layer, for `__main__`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack

from tapeflow.alias import RealTensorFlowError, install, program

USAGE = """\
usage: tapeflow run [--positions] [--debug] SCRIPT [ARGUMENTS ...]
       tapeflow run [--positions] [--debug] -m MODULE [ARGUMENTS ...]
       tapeflow run [--positions] [--debug] -c TEXT [ARGUMENTS ...]
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
    try:
        status = answer(command, words)
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
        return fail(f"unknown command {command!r}; the commands are run, launch, inspect, "
                    "export and doctor")
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
    try:
        install()
        export_command.export(words)
    except export_command.WrongWords as error:
        return fail(str(error))
    except (OSError, ImportError, ValueError, TypeError, NotImplementedError,
            RealTensorFlowError) as error:
        print(f"tapeflow: {error}", file=sys.stderr)
        return 1
    return 0


def inspect(words: list[str]) -> int:
    """`tapeflow inspect FOLDER`."""
    if len(words) != 1 or words[0].startswith("-"):
        return fail("inspect needs the folder of a saved model")
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
    try:
        install()
        prepare_rank()
        found = find_program(words)
    except (program.CannotStart, RealTensorFlowError) as error:
        print(f"tapeflow: {error}", file=sys.stderr)
        return getattr(error, "status", 1)
    if found is None:
        return fail(f"run does not know {' '.join(words)!r}")
    with ExitStack() as stack:
        for option in asked:
            from tapeflow import insight

            stack.enter_context(getattr(insight, CONTEXTS[option])())
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
