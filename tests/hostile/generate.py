"""Makes hostile calls: good arguments of which one or several are made hostile.

`calls` draws them from a seed; `sweep` makes every call of a kind: each argument of each function
in turn is one of the kind's values, whatever the seed.
"""

from __future__ import annotations

import ast
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

from values import DTYPES, SWEPT, hostile

GOOD = Path(__file__).with_name("good.tsv")
MANNERS = {"one": 70, "several": 15, "all": 8, "function": 4, "symbolic": 4}
NUMERIC = r"tf\.(ones|constant|zeros|Variable)|[\[\d-]"  # texts of what has a dtype
UNTOUCHED = ("name", "kwargs")  # TensorFlow's names of ops have no counterpart here


@dataclass
class Target:
    """A function: its text, its parameters, and good arguments for those without a default."""

    text: str
    positional: list[str] = field(default_factory=list)  # of them, the good values
    named: dict[str, str] = field(default_factory=dict)
    optional: list[str] = field(default_factory=list)
    many: bool = False  # takes any number of positional arguments


def targets() -> list[Target]:
    found = []
    for line in GOOD.read_text().splitlines():
        text, words, good = line.split("\t")
        target = Target(text)
        for word in words.split():
            name = word.strip("*/=")
            if word.endswith("=") and name not in UNTOUCHED and "/" not in word:
                target.optional.append(name)
            elif not good and not word.startswith("*") and not word.endswith("="):
                target.named[name] = "None"
            target.many |= word.startswith("*") and not word.startswith("**")
        call = ast.parse(f"f({good})", mode="eval").body
        assert isinstance(call, ast.Call)
        target.positional = [ast.unparse(one) for one in call.args]
        target.named |= {str(one.arg): ast.unparse(one.value) for one in call.keywords}
        found.append(target)
    return found


def make(target: Target, draw: random.Random) -> str:
    """One call, in one of the manners."""
    manner = draw.choices(list(MANNERS), list(MANNERS.values()))[0]
    positional, named = list(target.positional), dict(target.named)
    places: list = [*range(len(positional)), *named]
    others = [name for name in target.optional if name not in named]
    if manner == "all":
        chosen = places
    else:
        pool = places + others
        count = draw.randrange(2, 4) if manner == "several" else 1
        chosen = draw.sample(pool, min(count, len(pool)))
    for place in chosen:
        if isinstance(place, int):
            positional[place] = hostile(draw)
        else:
            named[place] = hostile(draw)
    if target.many and draw.random() < 0.1:
        positional.append(hostile(draw))
    if manner == "symbolic":
        return _symbolic(target.text, positional, named, draw)
    call = _written(target.text, positional, named)
    return f"tf.function(lambda: {call}, autograph=False)()" if manner == "function" else call


def _written(text: str, positional: list[str], named: dict[str, str]) -> str:
    return f"{text}({', '.join([*positional, *(f'{k}={v}' for k, v in named.items())])})"


def _symbolic(text: str, positional: list[str], named: dict[str, str],
              draw: random.Random) -> str:
    """One argument becomes a tensor whose value a trace does not know."""
    if positional:
        given, positional[0] = positional[0], "s"
    elif named:
        place = draw.choice(list(named))
        given, named[place] = named[place], "s"
    else:
        given = "1.0"
    return f"tf.function(lambda s: {_written(text, positional, named)}, autograph=False)({given})"


def calls(seed: int, count: int = 24, only: str = "") -> list[str]:
    """`count` calls for each function whose text begins with `only`."""
    found: list[str] = []
    for target in targets():
        if target.text.startswith(only):
            draw = random.Random(f"{seed} {target.text}")
            found += dict.fromkeys(make(target, draw) for _ in range(count))
    return found


def sweep(kind: str, only: str = "") -> list[str]:
    """Every argument in turn in every dtype ("dtypes"), or each of the values that `SWEPT` has."""
    found: list[str] = []
    for target in targets():
        if target.text.startswith(only):
            found += _swept(target, kind)
    return list(dict.fromkeys(found))


def _swept(target: Target, kind: str) -> list[str]:
    found = []
    arguments = {**dict(enumerate(target.positional)), **target.named}
    if kind == "dtypes":
        tried = {place: [f"tf.cast({good}, tf.{dtype})" for dtype in DTYPES]
                 for place, good in arguments.items() if re.match(NUMERIC, good)}
    else:
        tried = dict.fromkeys([*arguments, *target.optional], SWEPT[kind])
    for place, values in tried.items():
        for value in values:
            changed = {**arguments, place: value}
            positional = [changed.pop(i) for i in range(len(target.positional))]
            found.append(_written(target.text, positional, changed))
    return found
