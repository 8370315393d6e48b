"""Which lines and branches of tapeflow/jit its tests execute.

    python tools/coverage_jit.py             run the tests, then tell the total and what is missed
    python tools/coverage_jit.py --at 97     fail below so many per cent

Native code is compiled in threads and in child processes; coverage.py follows both. Text of native
code is not counted: which of its alternatives are executed is what `make choices` tells.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("tests/jit", "tests/graph", "tests/fuzz", "tests/io/test_scalar_functions.py")
SETTINGS = """[run]
branch = true
source = {root}/tapeflow/jit
data_file = {folder}/data
parallel = true
concurrency = thread
patch = subprocess
[report]
skip_covered = true
show_missing = true
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
    assert .* is not None
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", type=float, default=0.0, help="per cent that are asked for")
    parser.add_argument("--workers", default="2", help="processes that run tests")
    parser.add_argument("tests", nargs="*", default=TESTS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "coveragerc")
        settings.write_text(SETTINGS.format(root=ROOT, folder=folder))
        # Graphs that were compiled before would not be compiled again.
        environment = {**os.environ, "TAPEFLOW_CACHE": ""}

        def coverage(*words: str) -> int:
            return subprocess.call([sys.executable, "-m", "coverage", *words,
                                    f"--rcfile={settings}"], cwd=ROOT, env=environment)

        failed = subprocess.call(
            [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q",
             "-n", options.workers, *options.tests], cwd=ROOT, env=environment)
        coverage("combine", "-q")
        return coverage("report", f"--fail-under={options.at}") or failed


if __name__ == "__main__":
    sys.exit(main())
