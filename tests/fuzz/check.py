"""Runs a program in several modes and compares them with eager.

A mode says how the function of a program is decorated and under which settings it runs. Another
executor is another mode.
"""

from __future__ import annotations

import contextlib
import linecache
import logging

import numpy as np

import tapeflow as tf
from tapeflow.core.slices import IndexedSlices, densify
from tapeflow.graph import memory, passes
from tapeflow.jit import adaptive, compiled, machine
from tests.fuzz.program import Program

TOLERANCE = {2: 2e-2, 4: 1e-3, 8: 1e-7}


class Skip(Exception):
    """The program does not run eagerly: nothing to compare with."""


class Failure(Exception):
    """A mode differs from eager."""


@contextlib.contextmanager
def settings(**values):
    """Module settings of passes and memory for a while, and no warnings of retracing."""
    places = {"PASSES": passes, "VERIFY": passes, "LARGE": memory, "MODE": adaptive,
              "TASK": compiled, "folder": machine}
    before = {name: getattr(places[name], name) for name in values}
    log = logging.getLogger("tensorflow")
    level = log.level
    try:
        log.setLevel(logging.ERROR)
        for name, value in values.items():
            setattr(places[name], name, value)
        yield
    finally:
        log.setLevel(level)
        for name, value in before.items():
            setattr(places[name], name, value)


def _plain(f):
    return f


def _function(f):
    return tf.function(f, autograph=False)


def _converted(f):
    return tf.function(f)


def _unsized(args):
    specs = [tf.TensorSpec([None] * value.ndim, value.dtype) for value in args]
    return lambda f: tf.function(f, input_signature=specs)


# name -> (decorator of inner functions, of the function itself for arguments, settings)
MODES = {
    "eager": (_plain, lambda args: _plain, {}),
    "function": (_function, lambda args: _function, {"VERIFY": True}),
    "no passes": (_function, lambda args: _function, {"PASSES": (), "LARGE": 1 << 40}),
    # Sizes unknown while tracing, converted by AutoGraph, and every result that can have a buffer
    # has one (scalars never have).
    "unsized": (_converted, _unsized, {"VERIFY": True, "LARGE": 9}),
    # Compiled at the first call.
    "native": (_function, lambda args: _function, {"MODE": ["now"]}),
    # Nests are parted into tasks, however small; nothing comes from or goes to the cache.
    "tasks": (_function, lambda args: _function,
              {"MODE": ["now"], "TASK": 1, "folder": lambda: None}),
}


def outcome(program: Program, mode: str, aspect: str) -> list:
    """What a program gives in one mode: a list of arrays, None for a gradient that is None."""
    inner, outer, values = MODES[mode]
    with settings(**values), np.errstate(all="ignore"):
        space = execute(program.text(), f"<program {program.seed}>")
        return ASPECTS[aspect](space, inner, outer(list(program.args.values())))


def execute(text: str, name: str, **space) -> dict:
    """Run a text as a module whose source AutoGraph finds; its names."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    return space


def _values(space, inner, outer):
    """Results of two calls, and the variables after each."""
    f, variables = space["build"](inner, outer)
    found = []
    for _ in range(2):
        results = f(*space["args"])
        found.append([*results, *[variable.read_value() for variable in variables]])
    return [bare(x) for one in found for x in one]


def _taped(f, args, variables):
    with tf.GradientTape() as tape:
        tape.watch([x for x in args if x.dtype.is_floating])
        results = f(*args)
    targets = [y for y in results if y.dtype.is_floating]
    sources = [*[x for x in args if x.dtype.is_floating], *variables]
    return tape.gradient(targets, sources) if targets else []


def _around(space, inner, outer):
    """Gradients by a tape around the function."""
    f, variables = space["build"](inner, outer)
    found = _taped(f, space["args"], variables)
    return [bare(g) for g in [*found, *[variable.read_value() for variable in variables]]]


def _inside(space, inner, outer):
    """Gradients by a tape inside the function."""
    f, variables = space["build"](inner, _plain)

    def gradients(*args):
        return [dense(g) for g in _taped(f, args, variables)]

    found = _named(gradients, space, outer)
    return [bare(g) for g in [*found, *[variable.read_value() for variable in variables]]]


def _named(gradients, space, outer):
    """Call with as many parameters as the program has: an input_signature counts them."""
    names = ", ".join(f"x{i}" for i in range(len(space["args"])))
    made = execute(f"def inside({names}):\n    return gradients({names})\n", "<inside>",
                   gradients=gradients)
    return outer(made["inside"])(*space["args"])


def dense(g):
    return densify(g) if isinstance(g, IndexedSlices) else g


def bare(x):
    return None if x is None else np.asarray(dense(x)._value)


ASPECTS = {"values": _values, "tape around": _around, "tape inside": _inside}


def compare(got: list, want: list) -> str | None:
    """What differs, if anything does. None and zeros are the same gradient."""
    for k, (a, b) in enumerate(zip(got, want, strict=True)):
        if a is None or b is None:
            some = b if a is None else a
            if some is not None and np.any(some):
                return f"result {k}: {a}, eagerly {b}"
            continue
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"result {k}: {a.dtype}{a.shape}, eagerly {b.dtype}{b.shape}"
        if not _close(a, b):
            return f"result {k}:\n{a}\neagerly\n{b}"
    return None


def _close(a, b):
    if b.dtype.kind in "iub":
        return np.array_equal(a, b)
    finite = np.isfinite(b)
    scale = 1.0 + (np.max(np.abs(b[finite])) if np.any(finite) else 0.0)
    tol = TOLERANCE[b.dtype.itemsize // (2 if b.dtype.kind == "c" else 1)]
    with np.errstate(all="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        agree = np.where(finite, np.abs(a - b) <= tol * scale, same)
    return bool(np.all(agree))


def _needs_autograph(mode: str, error: Exception) -> bool:
    """Public functions on tensors of unknown rank work in converted functions only."""
    return mode != "unsized" and "unknown TensorShape" in str(error)


def check(program: Program, modes=tuple(MODES)[1:], aspects=tuple(ASPECTS)) -> None:
    """Raise Failure, with `mode` and `aspect`, where a mode differs from eager."""
    for aspect in aspects:
        try:
            want = outcome(program, "eager", aspect)
        except Exception as error:
            raise Skip(f"eagerly: {error!r}") from error
        for mode in modes:
            try:
                got = outcome(program, mode, aspect)
                difference = compare(got, want)
            except Exception as error:
                if _needs_autograph(mode, error):
                    continue
                difference = f"{type(error).__name__}: {error}"
                cause = error
            else:
                cause = None
            if difference:
                failure = Failure(f"{mode}, {aspect}: {difference}")
                failure.mode, failure.aspect, failure.cause = mode, aspect, cause
                raise failure from cause
