"""A pytest plugin for Keras's own tests: serves `tensorflow`, and writes down each test's outcome.

`keras_suite.py` starts pytest with it. Under the real TensorFlow only the writing is done. One line
for each test: its id, a tab, `passed`, `failed` or `skipped`, a tab, and the error's message.
"""

import os
import sys
import types

import pytest

RESULTS = os.environ["KERAS_SUITE_RESULTS"]
WORKER = os.environ.get("PYTEST_XDIST_WORKER")

if os.environ["KERAS_SUITE_SERVE"] == "tapeflow":
    import tapeflow.alias

    tapeflow.alias.install()

# Keras's tests take this function from a file of its repository that the wheel does not have.
conftest = types.ModuleType("conftest")
conftest.skip_if_backend = lambda backend, reason: pytest.mark.skipif(
    backend == "tensorflow", reason=reason)
sys.modules["conftest"] = conftest


def pytest_configure(config):
    config.addinivalue_line("markers", "requires_trainable_backend: TensorFlow's is one")


def write(name, outcome, text=""):
    if WORKER is None:  # with several processes only the one that hears of all tests writes
        line = "\t".join((name, outcome, " ".join(text.split())[:300]))
        with open(RESULTS, "a", encoding="utf-8", errors="replace") as file:
            file.write(line + "\n")


def reason(report):
    """The exception in one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return crash.message
    return str(report.longrepr or "")[-300:]


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        write(report.nodeid, report.outcome, "" if report.passed else reason(report))


def pytest_collectreport(report):
    if report.failed:
        write(report.nodeid, "failed", "at import: " + reason(report))
