"""The command `tapeflow`: run | doctor. The top layer; nothing imports it but `__main__`."""

from __future__ import annotations

import sys

from tapeflow.alias import RealTensorFlowError, install, program

USAGE = """\
usage: tapeflow run [--positions] SCRIPT [ARGUMENTS ...]
       tapeflow run [--positions] -m MODULE [ARGUMENTS ...]
       tapeflow run [--positions] -c TEXT [ARGUMENTS ...]
       tapeflow doctor
       tapeflow --version | --help

run       runs a program written for TensorFlow: `import tensorflow` gives it tapeflow. Arguments,
          exit code and tracebacks are those of plain Python; when the program dies because a
          gradient was None, the traceback ends with the reason. SCRIPT may be `-` for stdin.
          --positions names the file and line of each recorded op in that reason (slower).
doctor    says what tapeflow runs on (versions, BLAS, CPU, threads) and checks that it works.
"""


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; the result is the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words else "--help"
    if command in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0
    if command in ("-V", "--version", "version"):
        import tapeflow

        print(f"tapeflow {tapeflow.tapeflow_version} (TensorFlow API {tapeflow.__version__})")
        return 0
    if command == "run":
        return run(words)
    if command == "doctor":
        from tapeflow import doctor

        return doctor.main()
    return fail(f"unknown command {command!r}; the commands are run and doctor")


def run(words: list[str]) -> int:
    """`tapeflow run …`: the words up to the program are ours, those after it the program's."""
    with_positions = words[:1] == ["--positions"]
    if with_positions:
        words = words[1:]
    if words and words[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if not words:
        return fail("run needs a script, -m MODULE or -c TEXT")
    try:
        install()
        found = find_program(words)
    except (program.CannotStart, RealTensorFlowError) as error:
        print(f"tapeflow: {error}", file=sys.stderr)
        return getattr(error, "status", 1)
    if found is None:
        return fail(f"run does not know {' '.join(words)!r}")
    if with_positions:
        from tapeflow.insight import positions

        with positions():
            found.run()
    else:
        found.run()
    return 0


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
