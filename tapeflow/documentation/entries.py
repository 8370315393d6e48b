"""The stored part of docstrings: what parameters mean, and an entry for each public function.

`parameters.txt` has one line for each name of a parameter, and sections for functions in which a
name means something else. `examples/*.txt` have an entry for each function, separated by empty
lines: its name, facts (`result`, `gradient`, `op`, `native`, `raises`; `summary` for what has no
words of its own), and an example as Python's prompt shows it. `make docstrings` fills in the facts
and outputs.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
FACTS = ("summary", "op", "result", "gradient", "native", "raises")


class Entry:
    """What is stored of one function."""

    def __init__(self, name: str):
        self.name = name
        self.facts: dict[str, str] = {}
        self.example: list[str] = []

    def lines(self) -> list[str]:
        """As it stands in a file."""
        return [self.name, *(f"{key} {self.facts[key]}" for key in FACTS if key in self.facts),
                *self.example]


def parsed(text: str) -> dict[str, Entry]:
    """The entries of a file, by public name."""
    found = {}
    for block in text.split("\n\n"):
        head, *rest = block.strip("\n").split("\n")
        if head.startswith("#") or not head:
            continue
        entry = found[head] = Entry(head)
        for number, line in enumerate(rest):
            if line.startswith(">>> "):
                entry.example = rest[number:]
                break
            key, _, value = line.partition(" ")
            entry.facts[key] = value
    return found


def file_of(name: str) -> str:
    """The file of examples that holds a public name: that of its first namespace."""
    first, _, rest = name.partition(".")
    if first[:1].isupper() and rest:  # Variable.assign
        return "classes"
    if first == "compat" and rest.startswith("v1."):
        return "compat_v1"
    if name.startswith("experimental.numpy."):
        return "numpy"
    return first if rest else "top"


@cache
def entries(file: str) -> dict[str, Entry]:
    path = HERE / "examples" / f"{file}.txt"
    return parsed(path.read_text(encoding="utf-8")) if path.exists() else {}


def entry_of(name: str) -> Entry:
    """What is stored of a public function; a copy."""
    found = Entry(name)
    if stored := entries(file_of(name)).get(name):
        found.facts, found.example = dict(stored.facts), list(stored.example)
    return found


@cache
def parameters() -> dict[str, dict[str, str]]:
    """{"": {parameter: meaning}, "nn.conv2d": {…}, "image.*": {…}} of parameters.txt."""
    found: dict[str, dict[str, str]] = {"": {}}
    section = found[""]
    for line in (HERE / "parameters.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = {}
            for name in line.strip("[]").split():
                found[name] = section
        elif line and not line.startswith("#"):
            parameter, _, meaning = line.partition(": ")
            section[parameter] = meaning
    return found


def meaning(function: str, parameter: str) -> str:
    """What a parameter of a public function is; empty if nobody has written it down."""
    table = parameters()
    space = function.rpartition(".")[0]
    for section in (function, f"{space}.*", ""):
        if parameter in table.get(section, {}):
            return table[section][parameter]
    return ""
