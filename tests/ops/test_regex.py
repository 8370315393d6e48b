"""tf.strings' regular expressions in linear time: the same matches, and no growth of steps."""

import random

import pytest

import tapeflow as tf
from tapeflow.ops.strings import linear_regex, regex
from tapeflow.ops.strings.linear_regex import Linear
from tapeflow.ops.strings.regex import Pattern

# What `re` needs for ever, or quadratic time, to see that there is no match.
SLOW = ["(a+)+$", "(a|a)*b", "(.*)*x", "(a|aa)+$", "([a-z]+)*!", r"(\w+\s?)*;", "(?:a?){50}b",
        "(x+x+)+y", ".*.*.*x", r"\s+$", "(?:(?:a{1,4}){1,4}){1,4}b"]


def spans(match, groups):
    return None if match is None else (match.start(), match.end(),
                                       *[match[i] for i in range(1, groups + 1)])


def draw(r, depth=0):
    """A pattern without loops that may take nothing, in which `re` differs from RE2."""
    kind = r.random()
    if depth > 3 or kind < 0.35:
        return r.choice(["a", "b", "c", ".", "[ab]", "[^a]", r"\w", "(?i:A)", r"\s", "ab", "a?"])
    if kind < 0.5:
        return draw(r, depth + 1) + r.choice(["", "", r"\b", "$", "^", "(?m:$)", "(?m:^)"]) + draw(
            r, depth + 1)
    if kind < 0.65:
        return f"({draw(r, depth + 1)}|{draw(r, depth + 1)})"
    if kind < 0.75:
        return f"({draw(r, depth + 1)})"
    return f"(?:{draw(r, depth + 1)}){r.choice(['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}'])}"


def test_the_same_matches_as_re():
    r = random.Random(20)
    compared = 0
    while compared < 1000:
        try:
            pattern = Pattern(draw(r))
        except regex._Refused:
            continue
        if linear_regex.paths(pattern._tree, 1, True) == float("inf"):
            continue
        text = "".join(r.choice("abcA \n") for _ in range(r.randrange(9)))
        linear, at = Linear(pattern._tree), r.randrange(len(text) + 1)
        assert (linear.fullmatch(text) is None) == (pattern.quick.fullmatch(text) is None), (
            pattern._text, text)
        for start in (0, at):
            got, want = [spans(one.search(text, start), pattern.groups)
                         for one in (linear, pattern.quick)]
            assert got == want, (pattern._text, text, start)
        compared += 1


@pytest.mark.parametrize("pattern", SLOW)
@pytest.mark.parametrize("unit", ["a", "x", " ", "ab "])
def test_steps_grow_as_the_text_does(pattern, unit):
    steps = []
    for size in (500, 2000):
        linear = Linear(Pattern(pattern)._tree)
        text = unit * (size // len(unit)) + "?"
        linear.fullmatch(text)
        linear.search(text)
        steps.append(linear.steps)
    assert steps[1] <= 4.5 * steps[0] + 1000


@pytest.mark.parametrize("pattern", SLOW)
def test_long_texts_are_matched_in_linear_time(pattern, monkeypatch):
    monkeypatch.setattr(regex, "_re2", lambda text: None)
    given = Pattern(pattern)
    assert isinstance(given.matcher("a" * 50_000, False), Linear)
    text = "a" * 50_000 + "?"
    assert not tf.strings.regex_full_match(text, pattern)
    assert tf.strings.regex_replace(text, pattern, "-").numpy() == text.encode()


@pytest.mark.parametrize("pattern", [r"\s+", "[^a-z]+", "a|b|c", "hello", r"(\w+) (\w+)", "<[^>]+>",
                                     r"\d{3}-\d{4}", "(?i)the", "^[a-z]+"])
def test_ordinary_patterns_stay_with_re(pattern):
    given = Pattern(pattern)
    assert given.matcher("a" * 100, False) is given.quick
    assert given.matcher("a" * 2000, True) is given.quick


def test_groups_of_loops_that_take_nothing_are_those_of_re2():
    for pattern, rewrite, text, want in [
            ("(a*)*", r"[\1]", "aab", b"[aa]b[]"), ("(a*)(b*)*", r"<\1|\2>", "aabb", b"<aa|bb>"),
            ("(a?)*b", r"<\1>", "aab", b"<a>"), ("(|a)*", r"<\1>", "aa", b"<>a<>a<>")]:
        assert tf.strings.regex_replace(text, pattern, rewrite).numpy() == want


def test_bytes_that_are_no_text():
    text = b"a" * 5000 + b"\xff"
    assert not tf.strings.regex_full_match(text, "(a+)+")
    assert tf.strings.regex_replace(text, "(a+)+", "-").numpy() == b"-\xff"


@pytest.mark.parametrize("pattern", [
    "(a{1000}){2}", "((a{10}){10}){11}", r"\x{110000}", "a{1001}", "(" * 2000 + ")" * 2000])
def test_patterns_that_are_too_large(pattern):
    for call in (lambda: tf.strings.regex_full_match("a", pattern),
                 lambda: tf.strings.regex_replace("a", pattern, "")):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
            call()


def test_re2_serves_where_it_is_installed():
    re2 = pytest.importorskip("re2")
    assert isinstance(Pattern("(a+)+$").matcher("a" * 1000, True), type(re2.compile("a")))
    assert tf.strings.regex_replace("a" * 1000 + "é!", "(a+)+(é)", r"\2").numpy() == "é!".encode()
