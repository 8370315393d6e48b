"""What a generator knows at one point of a program: the names in reach and their values."""

from __future__ import annotations

import numpy as np

import tapeflow as tf
from tests.fuzz import language
from tests.fuzz.data import Data
from tests.fuzz.program import Block, Line

ELEMENTS = 96  # of the largest tensor, unless a scope allows more
LARGEST = 1e3  # of the numbers that are worth comparing
WORDS = {name: getattr(language, name) for name in dir(language) if not name.startswith("_")}


class Scope:
    """Names in reach, with values; lines are added by running them."""

    def __init__(self, rng, names, values, variables, dtype, depth=0, given=None, flags=None):
        """given: the Data of variables that lines have asked for; flags: what they need."""
        self.rng, self.names, self.dtype, self.depth = rng, names, dtype, depth
        self.values, self.variables = values, variables
        self.given: dict[str, Data] = {} if given is None else given
        self.flags: set[str] = set() if flags is None else flags
        self.elements, self.largest = ELEMENTS, LARGEST
        self.params: list[str] = []
        self.lines: list[Line] = []

    # -- choosing --------------------------------------------------------------------------------
    def pick(self, kinds="f", accept=lambda x: True):
        """A name whose value is of one of the kinds, rather a recent one; None if there is none."""
        fitting = [name for name, x in self.values.items()
                   if x.dtype.np.kind.replace("V", "f") in kinds and accept(x)]
        if not fitting:
            return None
        return self.rng.choice(fitting[-4:] if self.rng.random() < 0.6 else fitting)

    def shape(self, name):
        return tuple(self.values[name].shape)

    def number(self, low=-2.0, high=2.0):
        return round(self.rng.uniform(low, high), 2)

    def variable(self, text, trainable=True):
        """The name of a new variable that begins with this; `w` for those that are trained."""
        name = f"w{len(self.variables)}"
        self.given[name] = Data(text)
        self.variables[name] = tf.Variable(self.given[name].array, trainable=trainable)
        return name

    # -- adding ----------------------------------------------------------------------------------
    def add(self, count, template, *operands, blocks=(), wrt=()):
        """Run a construct and keep it if its results are fit to go on with."""
        if None in operands or None in blocks:
            return None
        targets = [self.names() for _ in range(count)]
        line = Line(targets, template, operands, blocks, wrt=wrt)
        env = {**WORDS, "tf": tf, "np": np, "inner": lambda f: f, **self.values, **self.variables}
        try:
            with np.errstate(all="ignore"):
                exec("\n".join(line.text("b")), env)
        except (ValueError, tf.errors.OpError, TypeError, NotImplementedError):
            return None
        found = [env[name] for name in targets]
        if not all(self._fit_to_go_on(x) for x in found):
            return None
        line.like = [np.asarray(x._value) for x in found]
        self.values.update(zip(targets, found, strict=True))
        self.lines.append(line)
        return targets

    def inside(self, params=None, closed=False):
        """The scope of a block: what is in reach here, unless it is closed, and `params`."""
        reach = {} if closed else dict(self.values)
        inner = Scope(self.rng, self.names, {**reach, **(params or {})}, self.variables,
                      self.dtype, self.depth + 1, self.given, self.flags)
        inner.params = list(params or ())
        inner.elements, inner.largest = self.elements, self.largest
        return inner

    def block(self, results):
        """What was made here as a block; None if it has no result."""
        return None if results is None else Block(self.params, self.lines, results)

    def _fit_to_go_on(self, x):
        if not isinstance(x, tf.Tensor):
            return False
        value = np.asarray(x._value)
        if value.size > self.elements or value.dtype.kind == "O":
            return False
        if value.dtype.kind == "b" or self.largest is None:
            return True
        return bool(np.all(np.abs(value) <= self.largest))
