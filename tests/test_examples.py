"""Every example runs with `tapeflow run`, and does what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"

# Program -> steps for the test. The figures that it prints must show that it learns.
PROGRAMS = {
    "linear_regression": 60,
    "lotka_volterra": 12,
    "policy_gradient": 30,
    "newton_cg": 40,
    "physics_informed": 150,
}


def run(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def figures(text: str, name: str) -> list[float]:
    """The numbers that a program printed after a word."""
    return [float(x) for x in re.findall(rf"{re.escape(name)} +(-?[\d.]+(?:e[-+]\d+)?)", text)]


@pytest.fixture(scope="module")
def output():
    """What each program prints, run once."""
    done: dict[str, str] = {}

    def of(name: str) -> str:
        if name not in done:
            script = str(EXAMPLES / f"{name}.py")
            done[name] = run("-m", "tapeflow", "run", script, str(PROGRAMS[name]))
        return done[name]

    return of


def test_every_example_is_tested():
    scripts = {path.stem for path in EXAMPLES.glob("*.py")} - {"demo", "terminal"}
    assert scripts == set(PROGRAMS)
    page = (EXAMPLES / "README.md").read_text()
    assert all(f"`{name}.py`" in page for name in scripts)


def test_linear_regression(output):
    found = re.search(r"y = (\S+) x \+ (\S+)", output("linear_regression"))
    assert abs(float(found[1]) - 3) < 0.1
    assert abs(float(found[2]) - 2) < 0.1


def test_lotka_volterra(output):
    losses = figures(output("lotka_volterra"), "loss")
    assert losses[-1] < 0.5 * losses[0]


def test_policy_gradient(output):
    rewards = figures(output("policy_gradient"), "episode")
    assert rewards[-1] > rewards[0] + 0.2


def test_newton_cg(output):
    assert figures(output("newton_cg"), "):")[-1] < 1e-6
    assert figures(output("newton_cg"), "|gradient| =")[-1] < 1e-8


def test_physics_informed(output):
    residuals = figures(output("physics_informed"), "residual")
    assert residuals[-1] < 0.2 * residuals[0]


def test_demo_without_a_terminal():
    """Ten lines of progress, the map as letters, the explanations, and no control sequences."""
    text = run(str(EXAMPLES / "demo.py"), "--steps", "300")
    assert "\033" not in text
    assert len(figures(text, "loss")) >= 10
    assert figures(text, "loss")[9] < figures(text, "loss")[0]
    assert "tape.explain" in text
    assert "(exit 0," in text and "(exit 1," in text
    assert "What to try next" in text


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
def test_demo_in_a_terminal():
    """In a terminal it redraws in place and in colour."""
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "demo.py"), "--steps", "300"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "PYTHONUTF8": "1"},
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    shown = bytearray()
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    assert process.wait() == 0
    text = shown.decode()
    assert "\033[38;5;" in text
    assert re.search(r"\033\[\d+F", text), "no frame was drawn over another"
