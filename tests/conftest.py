"""A run of the tests has a temporary folder of its own, and fails if a test leaves something there.

Workers and child processes inherit it. What pytest keeps of its last runs goes with it when all has
passed.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest

# Of pytest and of `multiprocessing`, which remove them themselves.
NOT_OURS = ("pytest-of-", "pymp-")
_FOLDER, _PASSED = pytest.StashKey[Path](), pytest.StashKey[bool]()


@pytest.fixture
def using():
    """`using(jit="now")`: settings of tapeflow for the rest of a test."""
    from tapeflow.base.settings import settings
    with contextlib.ExitStack() as undone:
        yield lambda **changes: undone.enter_context(settings.using(**changes))


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        folder = config.stash[_FOLDER] = Path(tempfile.mkdtemp(prefix="tapeflow-tests-"))
        os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # found anew


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    folder = session.config.stash.get(_FOLDER, None)
    if folder is not None:
        if session.exitstatus == pytest.ExitCode.OK and _left(folder):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[_PASSED] = session.exitstatus == pytest.ExitCode.OK


def pytest_terminal_summary(terminalreporter, config):
    left = _left(config.stash[_FOLDER])
    if left:
        terminalreporter.section("left in the temporary folder", red=True)
        terminalreporter.line(" ".join(left))


def pytest_unconfigure(config):
    folder = config.stash.get(_FOLDER, None)
    if folder is not None:
        for one in folder.iterdir():
            if config.stash.get(_PASSED, True) or not one.name.startswith("pytest-of-"):
                _remove(one)
        with contextlib.suppress(OSError):  # what failing tests leave is kept to be looked at
            folder.rmdir()


def _left(folder):
    return sorted(one.name for one in folder.iterdir() if not one.name.startswith(NOT_OURS))


def _remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
