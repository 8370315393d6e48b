"""Generated programs: lines, blocks, and their text.

A Line assigns the results of one construct to names. Its template may contain blocks (the branches
of a cond, the body of a loop, what a tape records), which are lists of lines again. A Program has
arguments, variables, lines and results; its text is Python that can be pasted.
"""

from __future__ import annotations

import re

from tests.fuzz.data import literal

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
    wrt       of a tape: what it is asked for, {w}; each has one of the last targets
    """

    def __init__(self, targets, template, operands=(), blocks=(), like=(), wrt=()):
        self.targets, self.template = list(targets), template
        self.operands, self.blocks, self.like = list(operands), list(blocks), list(like)
        self.wrt = list(wrt)

    def copy(self):
        return Line(self.targets, self.template, self.operands,
                    [block.copy() for block in self.blocks], self.like, self.wrt)

    def text(self, prefix):
        words = {f"r{k}": _several(block.results) for k, block in enumerate(self.blocks)}
        whole = self.template.format(*self.operands, y=_targets(self.targets), n=prefix,
                                     w=", ".join(self.wrt), **words)
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
        found = set(self.operands) | set(self.wrt) | set(
            re.findall(r"\bw\d+\b", self.template))
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
    """Arguments and variables (name -> Data), lines, and the names of the results.

    constants: tensors that the function captures. calls: how often it is called in a row.
    autograph: whether it needs AutoGraph.
    """

    def __init__(self, seed, args, variables, lines, results, calls=2, autograph=False,
                 constants=None):
        self.seed, self.args, self.variables = seed, args, variables
        self.constants = constants or {}
        self.lines, self.results = lines, results
        self.calls, self.autograph = calls, autograph

    def copy(self):
        return Program(self.seed, dict(self.args), dict(self.variables),
                       [line.copy() for line in self.lines], list(self.results), self.calls,
                       self.autograph, dict(self.constants))

    def arrays(self):
        """The arguments."""
        return [value.array for value in self.args.values()]

    def size(self):
        return _count(self.lines) + len(self.args) + len(self.variables) + len(self.results)

    def text(self):
        """`build(inner, outer)` makes the variables and the function; decorators are given."""
        lines = [HEADER, "def build(inner, outer):"]
        lines += [f"    {name} = tf.Variable({literal(value)})"
                  for name, value in self.variables.items()]
        lines += [f"    {name} = tf.constant({literal(value)})"
                  for name, value in self.constants.items()]
        lines += [f"    def f({', '.join(self.args)}):"]
        lines += [f"        {one}" for one in body_text(self.lines)]
        lines += [f"        return [{', '.join(self.results)}]"]
        lines += [f"    return outer(f), [{', '.join(self.variables)}]", ""]
        lines += [f"calls, autograph = {self.calls}, {self.autograph}"]
        lines += ["args = ["]
        lines += [f"    tf.constant({literal(value)})," for value in self.args.values()]
        return "\n".join([*lines, "]", ""])

    def __str__(self):
        return self.text()


def _count(lines):
    return sum(1 + sum(_count(block.lines) for block in line.blocks) for line in lines)


class Stored:
    """A program of the corpus: text that was drawn and made small once, or written by hand."""

    def __init__(self, path):
        self.seed, self._text = path.stem, path.read_text()
        space: dict = {}
        exec(compile(self._text, str(path), "exec"), space)
        self.calls, self.autograph = space["calls"], space["autograph"]
        self._args = space["args"]

    def text(self):
        return self._text

    def arrays(self):
        return [x.numpy() for x in self._args]
