"""Functions that differ only in where their operands lie become one.

The layers of a model are alike: each has kernels of its own, which find their operands in other
slots of the pointer table, at other offsets. Making machine code of each would be most of the time
of compiling. One function serves all of them; it gets a table with the numbers that differ.

    kernel of layer 1   getelementptr ptr, ptr %slots, i64 20      call @k1(ptr %slots, …)
    kernel of layer 2   getelementptr ptr, ptr %slots, i64 39      call @k2(ptr %slots, …)

    one for both        getelementptr ptr, ptr %slots, i64 %place0
                        call @k1(ptr @c0, ptr %slots, …)           @c0 = [1 x i64] [i64 20]
                        call @k1(ptr @c1, ptr %slots, …)           @c1 = [1 x i64] [i64 39]
"""

from __future__ import annotations

import re

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.llvm_text import Module

LINES = 10  # of a function from which it is worth a table
PLACES = 16  # numbers that may differ: each address that is not known needs a register

SHARED = Choice("layout.functions", ("apart", "one"))

_ENTRY = re.compile(r"entry:\n((?:  %[sb]\d+ = .*\n)+)")  # what `pointer_at` writes
_PLACE = re.compile(r"(?<=, i64 )\d+$", re.M)
_CALL = re.compile(r"\bcall void @([\w.$]+)\(")
_NAME = re.compile(r"@([\w.$]+)")


def share(module: Module) -> None:
    """Let functions of a module that are alike be one, where that pays."""
    served: dict[str, tuple[str, str]] = {}  # function -> the one that serves it, and its table
    calls: dict[str, set[str]] = {}
    for names in _alike(module, calls):
        _join(module, names, served)
    if not served:
        return

    def call(found: re.Match) -> str:
        other = served.get(found[1])
        return found[0] if other is None else f"call void @{other[0]}(ptr {other[1]}, "

    for name, text in module.functions.items():
        if not served.keys().isdisjoint(calls[name]):
            module.functions[name] = _CALL.sub(call, text)


def _alike(module: Module, calls: dict[str, set[str]]) -> list[list[str]]:
    """Names of functions with the same text but for places, which are called and nothing else.

    calls: gets, for each function of the module, the names of those that it calls.
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name, text in module.functions.items():
        entry = _entry(text)
        if entry is not None and text.startswith(("define  void", "define internal void")):
            head = text[:entry.start()].replace(f"@{name}(", "@(", 1)
            key = head, _PLACE.sub("", entry[1]), text[entry.end():]
            groups.setdefault(key, []).append(name)
    found = [names for names in groups.values() if len(names) > 1]
    if not found:
        return []
    called: set[str] = set()
    otherwise: set[str] = set()
    for name, text in module.functions.items():
        calls[name] = set()
        for one in _NAME.finditer(text, text.index("\n")):
            is_call = text.startswith("call void ", one.start() - len("call void "))
            (calls[name] if is_call else otherwise).add(one[1])
        called |= calls[name]
    found = [[name for name in names if name in called and name not in otherwise]
             for names in found]
    return [names for names in found if len(names) > 1]


def _join(module: Module, names: list[str], served: dict[str, tuple[str, str]]) -> None:
    """Make one function of some, if it is worth it."""
    first = module.functions[names[0]]
    entries = [_entry(module.functions[name]) for name in names]
    places = [_PLACE.findall(entry[1]) for entry in entries if entry is not None]
    differing = [i for i, column in enumerate(zip(*places, strict=True)) if len(set(column)) > 1]
    pays = len(differing) <= PLACES and first.count("\n") >= LINES
    if SHARED("one" if pays else "apart", ("apart", "one")) == "apart":
        return
    for name, numbers in zip(names, places, strict=True):
        table = ", ".join(f"i64 {numbers[i]}" for i in differing)
        served[name] = names[0], module.constant(f"[{len(differing)} x i64] [{table}]")
        del module.functions[name]
    at = {i: f"%place{k}" for k, i in enumerate(differing)}
    counter = iter(range(len(places[0])))
    entry = entries[0]
    assert entry is not None
    lines = _PLACE.sub(lambda found: at.get(next(counter), found[0]), entry[1])
    head = re.sub(r"^define \w* ?void @([\w.$]+)\(", r"define void @\1(ptr %places, ",
                  first[:entry.start()])
    module.functions[names[0]] = f"{head}entry:\n{_loads(len(at))}{lines}{first[entry.end():]}"


def _entry(text: str) -> re.Match | None:
    """Where a function finds its operands: the lines at its start."""
    return _ENTRY.match(text, text.index("\n") + 1)


def _loads(count: int) -> str:
    """Lines that read the numbers of the table."""
    lines = [f"  %place{k}.at = getelementptr inbounds i64, ptr %places, i64 {k}\n"
             f"  %place{k} = load i64, ptr %place{k}.at, align 8\n" for k in range(count)]
    return "".join(lines)
