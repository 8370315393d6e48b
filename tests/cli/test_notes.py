"""A program that dies because a gradient was None ends its traceback with the reason."""

import re

import pytest

HEAD = """\
import tensorflow as tf
x = tf.constant(3.0)
w = tf.Variable(2.0, name="w")
with tf.GradientTape() as tape:
    y = x**2
"""

# What follows HEAD -> the line of the exception that plain TensorFlow programs die with.
DEATHS = {
    "g = tape.gradient(y, x)\ng.numpy()": (
        "AttributeError: 'NoneType' object has no attribute 'numpy'"
    ),
    "g = tape.gradient(y, w)\nprint(2.0 * g)": "TypeError: ",
    "g = tape.gradient(y, w)\nw.assign_sub(g)": "ValueError: ",
    "g = tape.gradient(y, [w])\nfor v, d in zip([w], g):\n    v.assign_sub(0.1 * d)": "TypeError: ",
    "def f(t):\n    return t.gradient(y, x)\ndef main():\n    return f(tape) + 1.0\nmain()": (
        "TypeError: "
    ),
}


def exception_lines(stderr: str) -> list[str]:
    """The lines that a reader of logs takes for the exception."""
    return [line for line in stderr.splitlines() if re.match(r"\w*(Error|Exception)", line)]


@pytest.mark.parametrize("death", DEATHS)
def test_reason_follows_the_exception(commands, death):
    path = commands.write(HEAD + death + "\n")
    done = commands.tapeflow("run", path)
    assert done.returncode == 1
    (line,) = exception_lines(done.stderr)
    assert line.startswith(DEATHS[death])
    note = done.stderr.split(line)[1]
    assert "gave None" in note
    assert "no gradient, because" in note


def test_positions_name_the_line(commands):
    path = commands.write(
        "import tensorflow as tf\n"
        "w = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    rounded = tf.round(3.0 * w)\n"
        "    y = tf.round(rounded)\n"
        "print(tape.gradient(y, w).numpy())\n"
    )
    plain = commands.tapeflow("run", path)
    assert "round" in plain.stderr and "program.py:4)" not in plain.stderr
    placed = commands.tapeflow("run", "--positions", path)
    assert "program.py:4)" in placed.stderr
    assert exception_lines(placed.stderr) == exception_lines(plain.stderr)


def test_a_rebound_name_is_told(commands):
    done = commands.tapeflow("run", commands.write(
        "import tensorflow as tf\n"
        "w = tf.Variable(2.0)\n"
        "for _ in range(2):\n"
        "    with tf.GradientTape() as tape:\n"
        "        y = w * w\n"
        "    g = tape.gradient(y, w)\n"
        "    w = w - 0.1 * g\n"
    ))
    assert "`w = w - 0.1 * g`" in done.stderr and "program.py:7)" in done.stderr
    assert "Use w.assign_sub(0.1 * g)" in done.stderr


def test_debug_names_the_birth_of_a_nan(commands):
    path = commands.write(
        "import tensorflow as tf\n"
        "w = tf.Variable(0.0)\n"
        "@tf.function\n"
        "def step():\n"
        "    with tf.GradientTape() as tape:\n"
        "        y = tf.sqrt(w)\n"
        "    w.assign_sub(tape.gradient(y, w))\n"
        "step()\n"
        "print(w.numpy())\n"
    )
    assert commands.tapeflow("run", path).stdout == "-inf\n"
    done = commands.tapeflow("run", "--debug", "--positions", path)
    assert done.returncode == 1 and done.stdout == ""
    assert "inf born in the gradient of sqrt at program.py:6" in done.stderr
    assert "remedy:" in done.stderr


@pytest.mark.parametrize(
    "program",
    [
        "None.numpy()\n",
        "import tensorflow as tf\nNone + 1\n",
        HEAD + "tape.gradient(y, x)\n1 / 0\n",
        HEAD + "tape.gradient(y, x)\ntf.constant([1.0]) + tf.constant([1])\n",
        HEAD.replace("x**2", "w**2") + "tape.gradient(y, w)\n{}['a']\n",
    ],
)
def test_other_errors_get_no_note(commands, program):
    done = commands.tapeflow("run", commands.write(program))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].split(":")[0].endswith("Error")


# A stand-in for the explanations, so that the command line is tested apart from them.
FAKE = """\
import sys, types
notes = types.ModuleType("tapeflow.insight.notes")
insight = types.ModuleType("tapeflow.insight")
insight.notes = notes
sys.modules.update({"tapeflow.insight": insight, "tapeflow.insight.notes": notes})
"""


def test_no_line_of_a_note_looks_like_an_exception(commands):
    path = commands.write(
        FAKE + 'notes.for_exception = lambda e: "why:\\nValueError is not it\\nException too"\n'
        "raise KeyError('the one')\n"
    )
    done = commands.tapeflow("run", path)
    assert exception_lines(done.stderr) == ["KeyError: 'the one'"]
    assert done.stderr.endswith("why:\n  ValueError is not it\n  Exception too\n")


@pytest.mark.parametrize("failing", ["def for_exception(e): 1 / 0", "for_exception = None"])
def test_explanation_that_fails_does_not_hide_the_error(commands, failing):
    path = commands.write(FAKE + f"exec({failing!r}, notes.__dict__)\nraise KeyError('the one')\n")
    done = commands.tapeflow("run", path)
    assert done.returncode == 1
    assert done.stderr.endswith("KeyError: 'the one'\n")
    assert "ZeroDivisionError" not in done.stderr


def test_exit_is_not_explained(commands):
    path = commands.write(FAKE + "notes.for_exception = lambda e: 'never'\nsys.exit(3)\n")
    done = commands.tapeflow("run", path)
    assert (done.returncode, done.stderr) == (3, "")
