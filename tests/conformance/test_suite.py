"""The comparison itself: what it lets pass and what it refuses."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import suite


def program(source: str) -> suite.Program:
    return suite.Program("area", "name", source, suite.read_directives(source))


def run(source: str) -> dict:
    return suite.run(program(source), tf=None, capture=suite.capture_stdout)


@pytest.mark.parametrize(
    ("want", "got"),
    [
        ("tf.Tensor(0.33333334, dtype=float32)", "tf.Tensor(0.333333, dtype=float32)"),
        ("[1. 2.]", "[1.0000001 2.       ]"),
        ("[nan -inf]", "[ nan -inf]"),
        ("0.0", "-0.0"),
        ("1e-09", "0.0"),
        ("(1.+2.j)", "(1.000001+2.j)"),
        ("[1.        +0.j 2.        +0.j]", "[1.-0.j 2.-0.j]"),
        ("[1.5 -2.5e-3]", "[ 1.5     -0.0025]"),
    ],
)
def test_close_texts_agree(want, got):
    assert suite.compare_text(want, got) is None


@pytest.mark.parametrize(
    ("want", "got"),
    [
        ("dtype=float32", "dtype=float64"),
        ("shape=(2,)", "shape=(3,)"),
        ("None", "0.0"),
        ("1.0", "1"),
        ("1.0", "1.001"),
        ("nan", "1.0"),
        ("inf", "-inf"),
        ("[1. 2.]", "[1. 2. 3.]"),
        ("1000000", "1000001"),
        ("(1.+2.j)", "(1.-2.j)"),
        ("[1 -2]", "[1 2]"),
    ],
)
def test_different_texts_differ(want, got):
    assert suite.compare_text(want, got) is not None


def test_types_only_ignores_floats_and_keeps_integers():
    assert suite.compare_text("0.1 (2,)", "0.9 (2,)", floats=False) is None
    assert suite.compare_text("0.1 (2,)", "0.1 (3,)", floats=False) is not None


def test_tolerance_directive():
    source = "# tol: 1e-2\nprint(1.0)"
    want = {"stdout": "1.005\n", "error": None}
    assert suite.compare(program(source), want, run(source)) is None
    assert suite.compare(program("print(1.0)"), want, run("print(1.0)")) is not None


def test_exact_directive_minds_white_space():
    source = "# exact\nprint('a  b')"
    assert suite.compare(program(source), {"stdout": "a  b\n", "error": None}, run(source)) is None
    assert suite.compare(program(source), {"stdout": "a b\n", "error": None}, run(source))


def test_error_type_and_phrase():
    source = "# phrase: second use\nraise KeyError('second use of the tape')"
    got = run(source)
    assert suite.compare(program(source), {"stdout": "", "error": "KeyError"}, got) is None
    assert suite.compare(program(source), {"stdout": "", "error": "ValueError"}, got)
    assert suite.compare(program(source), {"stdout": "", "error": None}, got)
    other = "# phrase: first use\nraise KeyError('second use of the tape')"
    assert suite.compare(program(other), {"stdout": "", "error": "KeyError"}, run(other))


def test_numpy_warnings_are_refused():
    source = "print(np.float32(1) / np.float32(0))"
    want = {"stdout": "inf\n", "error": None}
    assert "RuntimeWarning" in suite.compare(program(source), want, run(source))


def test_names_used_twice_are_refused(tmp_path):
    path = tmp_path / "area.py"
    path.write_text("# --- a\nprint(1)\n# --- a\nprint(2)\n")
    with pytest.raises(ValueError, match="used twice"):
        suite.read_area(path)


def test_outcome_is_a_repr_or_the_type_of_the_exception():
    assert suite.outcome(lambda: 1.5) == "1.5"
    assert suite.outcome(lambda: {}["x"]) == "KeyError"


def test_lacking_names_the_missing_attribute():
    class Space:
        nn = object()

    assert suite.lacking(program("# needs: tf.nn\nprint(1)"), Space) is None
    assert suite.lacking(program("# needs: tf.nn tf.nn.conv\nprint(1)"), Space) == "tf.nn.conv"
