"""Makes a failing program smaller, as long as it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from tests.fuzz.data import literal
from tests.fuzz.program import Line, Program


def shrink(program: Program, fails: Callable[[Program], bool], seconds: float = 60.0) -> Program:
    """The smallest program found that `fails`; it takes the first edit that helps, and again."""
    deadline = time.monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in _candidates(program):
            if time.monotonic() > deadline:
                return program
            if weight(candidate) < weight(program) and fails(candidate):
                program, smaller = candidate, True
                break
    return program


def _candidates(program):
    """Edits with and, since what fails may be idle, without what nothing uses."""
    for candidate in [program.copy(), *edits(program)]:
        raw = candidate.copy()
        prune(candidate)
        yield candidate
        if weight(raw) != weight(candidate):
            yield raw


def weight(program: Program) -> float:
    """Lines count, constants less, and so does what the program is given."""
    lines = sum(0.3 if _is_constant(line) else 2.0 for line, _, _ in walk(program))
    return (lines + len(program.results) + len(program.args) + len(program.variables)
            + len(program.constants) + 0.1 * program.calls + 0.5 * sum(
                len(line.wrt) for line, _, _ in walk(program)))


def _is_constant(line):
    return line.template.startswith("{y} = tf.constant(")


def walk(program: Program) -> Iterator[tuple[Line, list, dict]]:
    """Every line, with the list that it is in and what is in reach before it (name -> value)."""
    yield from _walk(program.lines, {**program.constants, **program.args})


def _walk(lines, reach):
    for line in list(lines):
        yield line, lines, reach
        for block in line.blocks:
            yield from _walk(block.lines, dict(reach))
        reach.update(zip(line.targets, line.like, strict=True))


def edits(program: Program) -> Iterator[Program]:
    """Copies with one thing less."""
    for name in program.results:
        if len(program.results) > 1:
            changed = program.copy()
            changed.results = [name]
            yield changed
    for calls in range(1, program.calls):
        changed = program.copy()
        changed.calls = calls
        yield changed
    total = sum(1 for _ in walk(program))
    for number in reversed(range(total)):
        yield from _without(program, number)


def _nth(program, number):
    changed = program.copy()
    for k, found in enumerate(walk(changed)):
        if k == number:
            return changed, *found
    raise IndexError(number)


def _without(program, number):
    """Copies in which one line is gone, or gives what something in reach gives, or constants."""
    changed, line, lines, reach = _nth(program, number)
    if not set(line.targets) & used(changed):
        lines.remove(line)
        yield changed
        return
    if _is_constant(line):
        return
    if len(line.targets) == 1:
        for name in _alike(reach, line.like[0]):
            changed, line, lines, _ = _nth(program, number)
            lines.remove(line)
            rename(changed, line.targets[0], name)
            yield changed
    yield from _without_sources(program, number)
    changed, line, lines, _ = _nth(program, number)
    place = lines.index(line)
    lines[place:place + 1] = [_constant(name, value) for name, value in zip(
        line.targets, line.like, strict=True)]
    yield changed


def _without_sources(program, number):
    """Copies in which a tape is asked for less."""
    _, line, _, _ = _nth(program, number)
    for i in range(len(line.wrt) if len(line.wrt) > 1 else 0):
        changed, line, _, _ = _nth(program, number)
        place = len(line.targets) - len(line.wrt) + i
        if line.targets[place] not in used(changed):
            del line.wrt[i], line.targets[place], line.like[place]
            yield changed


def _alike(reach, value):
    return [name for name, other in reach.items()
            if other.shape == value.shape and other.dtype == value.dtype][-3:]


def _constant(name, value):
    return Line([name], f"{{y}} = tf.constant({literal(value)})", like=[np.asarray(value)])


def rename(program: Program, old: str, new: str) -> None:
    """Use one name in place of another everywhere."""
    def change(names):
        return [new if name == old else name for name in names]

    program.results = change(program.results)
    for line, _, _ in walk(program):
        line.operands = change(line.operands)
        for block in line.blocks:
            block.results = change(block.results)


def used(program: Program) -> set[str]:
    """Names that something reads."""
    found = set(program.results)
    for line, _, _ in walk(program):
        found |= line.uses()
        for block in line.blocks:
            found |= set(block.results)
    return found


def prune(program: Program) -> None:
    """Drop lines, arguments and variables that nothing uses."""
    while True:
        names = used(program)
        idle = [(line, lines) for line, lines, _ in walk(program)
                if line.targets and not names & set(line.targets) and not _writes(line)]
        if not idle:
            break
        for line, lines in idle:
            if line in lines:
                lines.remove(line)
    for name in set(program.variables) - names:
        del program.variables[name]
    for name in set(program.constants) - names:
        del program.constants[name]
    for name in set(program.args) - names:
        if len(program.args) > 1:
            del program.args[name]


def _writes(line):
    return ".assign" in line.template or any(
        _writes(one) for block in line.blocks for one in block.lines)
