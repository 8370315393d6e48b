"""Generated programs: lines, blocks, and their text.

A Line assigns the results of one construct to names. Its template may contain blocks (the branches
of a cond, the body of a loop, what a tape records), which are lists of lines again. A Program has
arguments, variables, lines and results; its text is Python that can be pasted.
"""

from __future__ import annotations

import re

import numpy as np

HEADER = """\
import numpy as np
import tapeflow as tf
from tests.fuzz.language import *
"""


class Block:
    """Lines inside a construct, with the names that they may use and what they result in."""

    def __init__(self, params=(), lines=(), results=()):
        self.params, self.lines, self.results = list(params), list(lines), list(results)

    def copy(self):
        return Block(self.params, [line.copy() for line in self.lines], self.results)


class Line:
    """One construct.

    template  Python with {y} the targets, {0} … the operands, {n} a prefix for names of its own,
              {r0} … the results of its blocks, and a line <0> … where a block stands
    like      for each target the value it had when the program was made
    """

    def __init__(self, targets, template, operands=(), blocks=(), like=()):
        self.targets, self.template = list(targets), template
        self.operands, self.blocks, self.like = list(operands), list(blocks), list(like)

    def copy(self):
        return Line(self.targets, self.template, self.operands,
                    [block.copy() for block in self.blocks], self.like)

    def text(self, prefix):
        words = {f"r{k}": _several(block.results) for k, block in enumerate(self.blocks)}
        whole = self.template.format(*self.operands, y=_targets(self.targets), n=prefix, **words)
        lines = []
        for line in whole.split("\n"):
            found = re.fullmatch(r"( *)<(\d+)>", line)
            if found:
                inner = body_text(self.blocks[int(found[2])].lines, prefix)
                lines.extend(found[1] + one for one in inner or ["pass"])
            else:
                lines.append(line)
        return lines

    def uses(self):
        """Names that it reads from outside."""
        found = set(self.operands) | set(re.findall(r"\bw\d+\b", self.template))
        for block in self.blocks:
            inner = set(block.results)
            own = set(block.params)
            for line in block.lines:
                inner |= line.uses()
                own |= set(line.targets)
            found |= inner - own
        return found


def _several(names):
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _targets(names):
    return ", ".join(names) or "_"


def body_text(lines, prefix=""):
    """The text of lines; constructs are numbered so that their names differ."""
    return [text for k, line in enumerate(lines) for text in line.text(f"{prefix}b{k}")]


class Program:
    """Arguments and variables (name -> array), lines, and the names of the results."""

    def __init__(self, seed, args, variables, lines, results):
        self.seed, self.args, self.variables = seed, args, variables
        self.lines, self.results = lines, results

    def copy(self):
        return Program(self.seed, dict(self.args), dict(self.variables),
                       [line.copy() for line in self.lines], list(self.results))

    def size(self):
        return _count(self.lines) + len(self.args) + len(self.variables) + len(self.results)

    def text(self):
        """`build(inner, outer)` makes the variables and the function; decorators are given."""
        lines = [HEADER, "def build(inner, outer):"]
        lines += [f"    {name} = tf.Variable({literal(value)})"
                  for name, value in self.variables.items()]
        lines += [f"    def f({', '.join(self.args)}):"]
        lines += [f"        {one}" for one in body_text(self.lines)]
        lines += [f"        return [{', '.join(self.results)}]"]
        lines += [f"    return outer(f), [{', '.join(self.variables)}]", ""]
        lines += [f"args = [{', '.join(self.args)}] = ["]
        lines += [f"    tf.constant({literal(value)})," for value in self.args.values()]
        return "\n".join([*lines, "]", ""])

    def __str__(self):
        return self.text()


def _count(lines):
    return sum(1 + sum(_count(block.lines) for block in line.blocks) for line in lines)


def literal(value):
    """An array as Python."""
    value = np.asarray(value)
    if value.size > 128 or not value.size:
        return f"np.zeros({list(value.shape)}, np.{value.dtype.name})"
    return f"np.array({value.tolist()!r}, np.{value.dtype.name})".replace(
        "nan", "np.nan").replace("inf", "np.inf")
