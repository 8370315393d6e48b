"""Native code for machines that are not at hand, executed: aarch64 and AVX-512.

    python tools/emulated.py                      all three, below .emulated
    python tools/emulated.py aarch64              Debian's Python for arm64 in QEMU's user mode
    python tools/emulated.py avx512               a Linux with AVX-512 in Bochs (bochs.py)
    python tools/emulated.py widened              what is chosen for AVX-512, cut to this machine
    python tools/emulated.py aarch64 -- -m pytest tests/jit/test_gemm.py     another command there

Each runs `tests/jit/emulated.py`: every choice of the compiler forced and random programs, against
NumPy. docs/platforms.md says what each proves. Emulators and packages come from Debian by apt-get
and from pip, into a folder (sysroot.py); nothing is installed. Status 1 if something was wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import bochs
import sysroot

ROOT = Path(__file__).resolve().parents[1]
PYTHON = "3.11"  # Debian's, in the guests
WHEELS = ["numpy>=2", "scipy", "ml_dtypes", "llvmlite>=0.44", "pytest", "hypothesis"]
# What is run: little enough for an emulator. Bochs executes a fiftieth as fast as this machine.
TESTS = {
    "aarch64": ["-m", "tests.jit.emulated", "--fuzz", "300"],
    "widened": ["-m", "tests.jit.emulated", "--fuzz", "300", "--widened"],
    "avx512": ["-m", "tests.jit.emulated", "--every", "30", "--fuzz", "5"],
}
# Python as the guest's programs start it: by this script, since the kernel here cannot.
WRAPPER = """\
#!/bin/sh
export PYTHONHOME={guest}/usr QEMU_LD_PREFIX={guest} PYTHONPYCACHEPREFIX={guest}/pycache
exec {qemu} -0 {wrapper} {guest}/usr/bin/python{version} "$@"
"""


def aarch64(folder: Path, words: list[str], seconds: float) -> int:
    qemu = sysroot.packages(folder / "qemu", host_arch(), ["qemu-user-static"])
    guest = sysroot.packages(folder / "aarch64", "aarch64", [f"python{PYTHON}", "libstdc++6"])
    wheels = sysroot.wheels(folder / "wheels-aarch64", "aarch64", PYTHON, WHEELS)
    wrapper = folder / "python-aarch64"
    wrapper.write_text(WRAPPER.format(guest=guest, wrapper=wrapper, version=PYTHON,
                                      qemu=qemu / "usr/bin/qemu-aarch64-static"))
    wrapper.chmod(0o755)
    variables = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{wheels}"}
    return finished([str(wrapper), *words], variables, seconds)


def avx512(folder: Path, words: list[str], seconds: float) -> int:
    wheels = sysroot.wheels(folder / "wheels-x86_64", "x86_64", PYTHON, WHEELS)
    project = folder / "project"
    shutil.rmtree(project, ignore_errors=True)
    for name in ("tapeflow", "tests"):
        shutil.copytree(ROOT / name, project / name,
                        ignore=shutil.ignore_patterns("__pycache__"))
    if sys.version.startswith(PYTHON):  # or each module is compiled there, again each time
        sysroot.run([sys.executable, "-m", "compileall", "-q", "--invalidation-mode",
                     "unchecked-hash", str(project), str(wheels)])
    return bochs.run(folder, project, wheels, [f"/usr/bin/python{PYTHON}", *words], seconds)


def widened(folder: Path, words: list[str], seconds: float) -> int:
    return finished([sys.executable, *words], {**os.environ, "PYTHONPATH": str(ROOT)}, seconds)


MACHINES = {"widened": widened, "aarch64": aarch64, "avx512": avx512}


def finished(words: list[str], variables: dict[str, str], seconds: float) -> int:
    try:
        return subprocess.run(words, env=variables, cwd=ROOT, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        print(f"not finished in {seconds:.0f} s: {' '.join(words)}")
        return 1


def host_arch() -> str:
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(os.uname().machine, os.uname().machine)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("machines", nargs="*", metavar="MACHINE", help=", ".join(MACHINES))
    parser.add_argument("--folder", type=Path, default=ROOT / ".emulated")
    parser.add_argument("--seconds", type=float, default=4 * 3600, help="for one machine, at most")
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    options, other = parser.parse_args(given[:cut]), given[cut + 1:]
    unknown = set(options.machines) - MACHINES.keys()
    if unknown:
        parser.error(f"no such machine: {', '.join(sorted(unknown))}")
    failed = []
    for name in options.machines or MACHINES:
        print(f"== {name}", flush=True)
        words = other or TESTS[name]
        if MACHINES[name](options.folder.resolve(), words, options.seconds):
            failed.append(name)
    print(f"wrong: {', '.join(failed)}" if failed else "all right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
