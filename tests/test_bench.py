"""The benchmark scripts run, and memory holds at a small size too. No time is asserted here."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"


def run(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=300
    )


def test_speed_script_prints_its_table():
    done = run(str(BENCH / "eager.py"), "--launches", "1", "--rounds", "1", "--seconds", "0.02")
    assert done.stderr == ""
    assert done.returncode in (0, 1)  # 1 when a target is missed, as it may be on a busy machine
    for title in ("scalar tensor", "d(x³)/dx", "100 sin", "linear-regression", "MLP", "import"):
        assert title in done.stdout


def test_function_script_prints_its_table():
    done = run(str(BENCH / "function.py"), "--launches", "1", "--rounds", "1", "--seconds", "0.02")
    assert done.stderr == ""
    assert done.returncode in (0, 1)
    for title in ("linear-regression", "MLP", "100 sin", "tracing"):
        assert title in done.stdout


def test_debugger_script_names_every_mistake():
    done = run(str(BENCH / "debuggers.py"))
    assert done.returncode == 0 and "missed" not in done.stdout, done.stdout + done.stderr
    assert "mistakes that end in NaN" in done.stdout and "| tapeflow |" in done.stdout


def test_compiled_writes_the_table_of_the_readme():
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import compiled;"
            "best = {'cube': {'tapeflow': 5e-7, 'jax': 1e-5, 'xla': float('inf')}};"
            "versions = {'tapeflow': '1', 'jax': '0.10.2', 'xla': '2.21.0'};"
            "print(compiled.table({'cube': ('a cube', 5)}, best, versions))")
    done = run("-c", code, str(BENCH))
    head, _, row = done.stdout.split("\n")[:3]
    assert head == "| µs per step | tapeflow | JAX 0.10 | XLA | best of the others / tapeflow |"
    assert row == "| a cube | 0.50 | 10.00 | – | 20.0× (JAX) |"


def test_growth_script_prints_and_draws_its_curves(tmp_path):
    chart, page = tmp_path / "growth.svg", tmp_path / "growth.md"
    done = run(str(BENCH / "growth.py"), "--rounds", "1", "--most", "100", "--chart", str(chart),
               "--page", str(page), "--only", "tape", "nodes", "batch")
    assert done.stderr == "" and done.returncode in (0, 1)
    for title in ("eager sines", "ops on the tape", "call of a function", "step of 3 layers"):
        assert title in done.stdout
    drawn = chart.read_text()
    assert drawn.startswith("<svg") and drawn.count("<polyline") == 6
    written = page.read_text()
    assert "](growth.svg)" in written and written.count("\n## ") == 3
    assert "| ops on the tape | tapeflow |" in written and "\n| 100 | " in written


@pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None, reason="needs MPI")
def test_scaling_script_measures_and_predicts(tmp_path):
    chart = tmp_path / "scaling.svg"
    done = run(str(BENCH / "scaling.py"), "--rounds", "1", "--count", "2", "--ranks", "1", "2",
               "--chart", str(chart))
    assert done.stderr == "" and done.returncode in (0, 1)
    for title in ("bare MPI.Allreduce", "2 ranks / 1 rank"):
        assert title in done.stdout
    if "no predictions" not in done.stdout:  # a busy machine may not allow any
        assert "predicted and measured" in done.stdout and "4096:" in done.stdout
        assert chart.read_text().count("<polyline") == 8


def test_growth_takes_no_late_answer_for_the_next():
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import growth, math;"
            "how = sys.executable, 'cases_growth';"
            "one = growth.Process('tapeflow', how, 'tape', 10 ** 5, 60);"
            "one.patience = 0.001; assert one.ask('value') == math.inf;"
            "one.patience = 20; assert one.ask('peak') == math.inf; one.close()")
    done = run("-c", code, str(BENCH))
    assert done.returncode == 0, done.stderr


def test_growth_tells_where_a_peer_is_ahead():
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import growth;"
            "found = growth.crossings({'tapeflow': {1: (1.0, 0), 10: (9.0, 0)},"
            "                          'jax': {1: (2.0, 0), 10: (3.0, 0)}});"
            "assert found == ['jax is ahead at 10 (up to 3.00×)'], found;"
            "assert growth.slope([(10, 1.0, 0), (100, 100.0, 0)]) == 2;"
            "assert growth.expected([(10, 1.0, 0)], 100) == 10")
    done = run("-c", code, str(BENCH))
    assert done.returncode == 0, done.stderr


def test_data_script_prints_its_table():
    done = run(str(BENCH / "data.py"), "--launches", "1", "--rounds", "1", "--seconds", "0.02")
    assert done.stderr == ""
    assert done.returncode in (0, 1)
    for title in ("range.map.batch", "shuffle", "window.flat_map", "from_generator"):
        assert title in done.stdout


def test_steps_of_half_precision_run():
    code = ("import sys; sys.path.insert(0, sys.argv[1]);"
            "import cases_half, tapeflow as tf, worker;"
            "found = {name: worker.as_number(step())"
            "         for name, step in cases_half.cases(tf).items()};"
            "assert len(found) == len(cases_half.MODELS) * len(cases_half.DTYPES);"
            "assert all(abs(found[name] - found[name.rpartition('_')[0] + '_float32'])"
            "           < 0.05 * max(1, found[name]) for name in found), found")
    done = run("-c", code, str(BENCH))
    assert done.returncode == 0, done.stderr


def test_ops_script_wants_a_peer():
    done = run(str(BENCH / "ops.py"))
    assert done.returncode == 1 and "--tensorflow" in done.stderr


def test_cases_of_ops_run():
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import cases_ops, tapeflow as tf, worker;"
            "names = cases_ops.inputs(tf, False);"
            "found = [worker.as_number(eval(text, names))"
            "         for text in cases_ops.expressions().values()]; assert len(found) > 250")
    done = run("-c", code, str(BENCH))
    assert done.returncode == 0, done.stderr


def test_speed_script_names_a_python_that_lacks_the_library(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    done = run(str(BENCH / "eager.py"), "--torch", str(python))
    assert done.returncode == 1
    assert "cannot import torch" in done.stderr


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
@pytest.mark.parametrize("only", ["steps", "free-chain", "kept-chain", "persistent"])
def test_memory(only):
    done = run(str(BENCH / "memory.py"), "--elements", "20000", "--layers", "60", "--only", only)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("pass")
