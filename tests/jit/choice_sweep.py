"""Graphs compiled with every choice forced, against the NumPy executor.

Each program of `choice_programs` is compiled as the compiler likes it, and once more with each
alternative of every choice point that it meets.
"""

import ctypes
import logging
import random
from collections.abc import Iterable

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import wrap
from tapeflow.graph.executor.interface import MISS
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.passes import optimise
from tapeflow.jit import pipeline
from tapeflow.jit.choices import CHOICES, forcing, watching
from tapeflow.jit.runtime import target
from tapeflow.jit.runtime.native_call import call_stub
from tests.jit.choice_products import machines
from tests.jit.choice_programs import PROGRAMS

TOLERANCE = {"float16": 2e-2, "float32": 2e-5, "float64": 1e-12, "bfloat16": 6e-2}


class Compiled:
    """A program's graph, its arrays and variables, and what the NumPy executor makes of them."""

    def __init__(self, name: str):
        f, self.arrays, self.starts = PROGRAMS[name]
        self.variables = [tf.Variable(start) for start in self.starts]
        args = [tf.constant(x) for x in self.arrays]

        def traced(*xs):
            return f(*xs, *self.variables)

        log = logging.getLogger("tensorflow")
        level = log.level
        log.setLevel(logging.ERROR)
        try:
            made = tf.function(traced, autograph=False).get_concrete_function(*args)
        finally:
            log.setLevel(level)
        self.name = name
        self.graph = optimise(made.function.graph)
        self.used = [use.variable for use in self.graph.variables.values()]
        self.wanted = self.outcome(Program(self.graph))

    def outcome(self, executor) -> list:
        """Results of two runs, and the variables after each."""
        for variable, start in zip(self.variables, self.starts, strict=True):
            variable.assign(start)
        found = []
        for _ in range(2):
            results = executor.run([x.copy() for x in self.arrays], self.used)
            found += [np.array(x) for x in results]
            found += [variable.numpy().copy() for variable in self.variables]
        return found

    def _call_quickly(self, native) -> None:
        """By the way of compiled functions: a tuple of Tensors in, Tensors out."""
        for packed in (None, list):
            call = native.caller(self.used, packed, ctypes.c_longlong(1000))
            if call is None:
                continue
            for variable, start in zip(self.variables, self.starts, strict=True):
                variable.assign(start)
            for variable in self.used:
                call_stub.unshare(variable)
            results = call(tuple([wrap(x.copy()) for x in self.arrays]))
            assert results is not MISS
            single = packed is None and len(self.graph.outputs) == 1
            found = [results] if packed is None else results
            for got, want in zip(found if packed or single else found[:1], self.wanted):
                tolerance = TOLERANCE.get(str(want.dtype), 0)
                scale = np.max(np.abs(want.astype("f8")), initial=1.0)
                np.testing.assert_allclose(np.asarray(got.numpy(), "f8"), want.astype("f8"),
                                           rtol=tolerance, atol=tolerance * scale)

    def check(self, words: str = "") -> None:
        native = pipeline.compile(self.graph)
        self._call_quickly(native)
        for i, (got, want) in enumerate(zip(self.outcome(native), self.wanted, strict=True)):
            assert got.dtype == want.dtype and got.shape == want.shape
            tolerance = TOLERANCE.get(str(want.dtype), 0)
            scale = np.max(np.abs(want.astype("f8")), initial=1.0)
            np.testing.assert_allclose(
                got.astype("f8"), want.astype("f8"), rtol=tolerance, atol=tolerance * scale,
                err_msg=f"{self.name}, result {i}, {words}")


FAMILIES = ("schedule", "loop", "element", "fusion", "layout", "arena", "product", "epilogue",
            "scatter", "scan", "sorting", "matrix", "row_tasks", "control", "hoisting", "rolling",
            "executable", "window", "random")
THOROUGH = ("layout.tasks",)  # forced in every program


def forced(name: str, alternative, programs_: list, plain: dict, each: int | None) -> int:
    """Run programs with an alternative forced where they meet the choice: all, or so many."""
    done = failed = 0
    for one in programs_:
        usual = {taken for met, taken in plain[one.name] if met == name}
        if not usual or usual == {alternative}:
            continue
        with forcing({name: alternative}), watching() as now:
            one.check(f"{name} = {alternative}")
        changed = {taken for met, taken in now if met == name} != usual
        done, failed = done + changed, failed + (not changed)
        if each is not None and (done >= each or failed > 1):
            break  # a fact of the graph is not to be forced
    return done + failed


def sweep(each: int | None = 1, names: Iterable[str] = PROGRAMS) -> int:
    """Every program as the compiler likes it, then with each alternative of each choice.

    each: in so many programs only. How many programs were compiled and run.
    """
    compiled = [Compiled(name) for name in names]
    count = len(compiled)
    plain = {}
    for one in compiled:
        with watching() as met:
            one.check()
        plain[one.name] = met
    for number, (name, choice) in enumerate(sorted(CHOICES.items())):
        if name.split(".")[0] in FAMILIES:
            begin = 7 * number % len(compiled) if each else 0
            turned = compiled[begin:] + compiled[:begin]
            for alternative in choice.alternatives(target.host()):
                count += forced(name, alternative, turned, plain,
                                None if name in THOROUGH else each)
    return count


def mixed(count: int, seed: int = 0) -> None:
    """Programs with several alternatives forced at once, for vectors of any width."""
    rng = random.Random(seed)
    names = sorted(name for name in CHOICES if not name.startswith("program."))
    compiled: dict[str, Compiled] = {}
    usual = pipeline.host
    try:
        for _ in range(count):
            name, cpu = rng.choice(list(PROGRAMS)), rng.choice(machines())
            alternatives = {one: rng.choice(CHOICES[one].alternatives(cpu))
                            for one in rng.sample(names, rng.randrange(2, 12))}
            pipeline.host = lambda cpu=cpu: cpu
            if name not in compiled:
                compiled[name] = Compiled(name)
            with forcing(alternatives):
                compiled[name].check(f"vectors of {cpu.vector} bytes, {alternatives}")
    finally:
        pipeline.host = usual
