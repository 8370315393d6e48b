"""Makes the program of a seed."""

from __future__ import annotations

import itertools
import random

import numpy as np

import tapeflow as tf
from tests.fuzz import blocks  # noqa: F401 - registers constructs
from tests.fuzz.constructs import grow
from tests.fuzz.data import Data, literal
from tests.fuzz.program import Program
from tests.fuzz.scope import Scope
from tests.fuzz.training import training

SHAPES = {(): 4, (1,): 2, (3,): 6, (4,): 4, (2, 3): 8, (3, 2): 6, (1, 3): 3, (2, 1): 3, (3, 3): 4,
          (2, 3, 2): 3, (2, 1, 4): 2, (0, 2): 0.3, (17,): 1, (33,): 1, (5, 9): 2, (8, 8): 1,
          (2, 5, 7): 1}


TRAINING = 0.85  # of the programs


def program(seed: int, hand: bool = False) -> Program:
    """The program of this seed; the same for the same records and constructs.

    hand: a step whose gradients are written by hand, whatever the seed would be otherwise.
    """
    if hand or random.Random(f"{seed}").random() < TRAINING:
        return training(seed, hand)
    return operations(seed)


def operations(seed: int) -> Program:
    """Any ops in any order."""
    rng = random.Random(seed)
    draw = np.random.default_rng(seed)
    dtype = rng.choice(["float64", "float64", "float32"])

    def array():
        shape = rng.choices(list(SHAPES), list(SHAPES.values()))[0]
        return Data(literal(draw.uniform(-1.5, 1.5, shape).round(2).astype(dtype)))

    args = {f"a{i}": array() for i in range(rng.randrange(1, 4))}
    if rng.random() < 0.3:
        args["k0"] = Data(literal(draw.integers(-2, 4, (3,)).astype(np.int32)))
    variables = {f"w{i}": array() for i in range(rng.randrange(0, 3))}
    count = itertools.count()
    scope = Scope(rng, lambda: f"t{next(count)}",
                  {name: tf.constant(value.array) for name, value in args.items()},
                  {name: tf.Variable(value.array) for name, value in variables.items()}, dtype)
    grow(scope, rng.randrange(3, 31))
    made = [name for name in scope.values if name not in args]
    results = rng.sample(made, min(len(made), rng.randrange(1, 4))) or ["a0"]
    return Program(seed, args, variables, scope.lines, results)
