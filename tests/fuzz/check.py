"""Runs a program in several modes and compares each with eager.

A program is traced once. The trace runs on NumPy, on NumPy with noise (`noise`), and as native
code made for several machines, as the compiler likes it and with its choices forced at random
(`forced`); variables begin at the same values in every mode, and results and variables are compared
after each of several calls. Some modes go through `tf.function` instead.
"""

from __future__ import annotations

import contextlib
import ctypes
import linecache
import logging
import random
import re
import warnings

import numpy as np

import tapeflow as tf
import tapeflow.base.settings as configuration
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.graph import ir, passes
from tapeflow.graph.executor import buffer_plan
from tapeflow.graph.executor import graph_function as graphs
from tapeflow.graph.executor.interface import MISS, on_numpy, set_executor_factory
from tapeflow.graph.executor.numpy_executor import Program as OnNumpy
from tapeflow.jit import pipeline
from tapeflow.jit.choices import forcing, offered
from tapeflow.jit.kernels.gemm import gemm_plan
from tapeflow.jit.lowering import layout
from tapeflow.jit.lowering.supported import Refused, check_supported
from tapeflow.jit.passes.loops import parallelism
from tapeflow.jit.passes.loops.rolling import roll
from tapeflow.jit.runtime import target, thread_pool
from tapeflow.jit.runtime.executable import Executable
from tapeflow.jit.runtime.image_cache import cache_files
from tapeflow.jit.tiering import graph_tiering
from tests.fuzz import failing, forced
from tests.fuzz.forced import Forced
from tests.fuzz.noise import OVERFLOW, Noisy, noise
from tests.fuzz.objects import Objects, linked
from tests.fuzz.program import Program
from tests.fuzz.tolerance import Allowed

SAMPLES, MORE = 2, 24  # runs with noise; so many before something is called wrong
MANY = 240  # so many where sums overflow: what stands in several elements decides what follows


class Skip(Exception):
    """The program does not run eagerly: nothing to compare with."""


class Failure(Exception):
    """A mode differs from eager."""

    def __init__(self, mode: str | Forced, aspect: str, difference: str,
                 cause: Exception | None = None):
        super().__init__(f"{mode}, {aspect}: {difference}")
        self.mode, self.aspect, self.cause = mode, aspect, cause


class Tally:
    """How much was done: graphs compiled and executed, by mode."""

    def __init__(self):
        self.graphs: dict[str, int] = {}
        self.refused = 0

    def add(self, mode: str, count: int = 1) -> None:
        self.graphs[mode] = self.graphs.get(mode, 0) + count


TALLY = Tally()
RULES = passes.rules
SETTINGS = {"rules": [passes], "LARGE": [buffer_plan], "folder": [cache_files],
            "TASK": [layout, parallelism], "MIN_TASK_CYCLES": [gemm_plan]}


@contextlib.contextmanager
def settings(**values):
    """Module settings for a while."""
    before = [(place, name, getattr(place, name)) for name in values for place in SETTINGS[name]]
    try:
        for place, name, _ in before:
            setattr(place, name, values[name])
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


@contextlib.contextmanager
def quietly():
    """No warnings of retracing or of floating-point errors, no files, no other executor."""
    log = logging.getLogger("tensorflow")
    level, executor = log.level, set_executor_factory(on_numpy)
    log.setLevel(logging.ERROR)
    try:
        with tf.config.settings.using(jit="off"), settings(folder=lambda: None), \
                np.errstate(all="ignore"):
            yield
    finally:
        log.setLevel(level)
        set_executor_factory(executor)


# -- a program that can be run ---------------------------------------------------------------------
class Case:
    """A program with one aspect of it as the function: calls and variables."""

    def __init__(self, program: Program, aspect: str = "values", decorate=lambda f: f,
                 inner=lambda f: f):
        """decorate: of the function; inner: of functions that it calls."""
        self.space = execute(program.text(), f"<program {program.seed}>")
        self.aspect, self.calls, self.autograph = aspect, program.calls, program.autograph
        self.args = self.space["args"]
        self.f, self.variables = ASPECTS[aspect](self.space, inner, decorate)
        self.initial = [variable.read_value() for variable in self.variables]

    def outcome(self, call) -> list:
        """Results and variables after each of the calls; from the start."""
        self.begin()
        found = []
        for _ in range(self.calls):
            found += [bare(x) for x in call()]
            found += self.held()
        return found

    def begin(self) -> None:
        """Let variables hold what they held at first."""
        for variable, value in zip(self.variables, self.initial, strict=True):
            variable.assign(value)

    def held(self) -> list:
        return [bare(variable) for variable in self.variables]


def bare(x):
    """A copy: native code changes what variables hold."""
    x = densify(x) if isinstance(x, IndexedSlices) else x
    if isinstance(x, tf.Variable):
        return np.array(x._snapshot._value)
    return np.array(x._value if isinstance(x, tf.Tensor) else x)


def execute(text: str, name: str, **space) -> dict:
    """Run a text as a module whose source AutoGraph finds; its names."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    return space


def _values(space, inner, decorate):
    return space["build"](inner, decorate)


def _inside(space, inner, decorate):
    """Gradients by a tape inside the function."""
    f, variables = space["build"](inner, lambda f: f)
    return decorate(lambda *args: _gradients(f, args, variables)), variables


def _around(space, inner, decorate):
    """Gradients by a tape around the function."""
    f, variables = space["build"](inner, decorate)
    return lambda *args: _gradients(f, args, variables), variables


def _gradients(f, args, variables):
    sources = [x for x in [*args, *variables] if x.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch([x for x in args if x.dtype.is_floating])
        targets = [y for y in f(*args) if y.dtype.is_floating]
    if not targets or not sources:
        return []
    return [densify(g) if isinstance(g, IndexedSlices) else g
            for g in tape.gradient(targets, sources, unconnected_gradients="zero")]


ASPECTS = {"values": _values, "tape inside": _inside, "tape around": _around}


# -- executors -------------------------------------------------------------------------------------
class Traced:
    """A case as a graph."""

    def __init__(self, case: Case):
        self.case = case
        set_executor_factory(lambda graph, *_: Noisy(graph))  # of the bodies of loops, too
        traced = tf.function(case.f, autograph=case.autograph)
        self.concrete = traced.get_concrete_function(*case.args)
        self.arrays = [x._value for x in case.args]
        self._optimised = None
        self.objects = Objects()
        self.codes: set = set()  # native code that was run, and how
        self.offers: dict[str, set] = {}  # what the compiler might have chosen, by modes
        self._failure: list = []

    @property
    def failure(self) -> tuple[list, list] | None:
        """What variables hold before and after a call that fails; None if none can."""
        if not self._failure:
            self._failure.append(failing.wanted(self))
        return self._failure[0]

    def nodes(self) -> int:
        return len((self._optimised or self.concrete._trace.graph).nodes)

    def function(self, executor) -> graphs.GraphFunction:
        """The graph with an executor of its own."""
        set_executor_factory(lambda graph, *_: executor(graph))
        function = graphs.GraphFunction(self.concrete._trace.graph)
        if function._static and passes.rules is RULES:  # they need not run again
            if self._optimised is None:
                self._optimised = passes.optimise(function.graph)
            function._program = executor(self._optimised)
        function.program(self.arrays, function.variables_for())
        set_executor_factory(lambda graph, *_: Noisy(graph))
        return function

    def outcome(self, function) -> list:
        variables = function.variables_for()
        return self.case.outcome(lambda: self._results(function.run(self.arrays, variables)))

    def quick(self, function) -> list | None:
        """By the direct way into native code; None if there is none."""
        variables = function.variables_for()
        program = function.program(self.arrays, variables)
        call = program.caller(variables, list, ctypes.c_longlong(1 << 62))
        if call is None:
            return None
        args = tuple(self.case.args)

        def direct():
            results = call(args)
            return None if results is MISS else results

        def once():
            # The first calls may find variables that others hold; the general way then serves.
            results = direct()
            if results is None:
                return self._results(function.run(self.arrays, variables))
            return self._results(results)

        return self.case.outcome(once)

    def _results(self, values):
        return [values[place] for place in self.concrete._positions if place is not None]


# name -> machine (a level of `target`), how much LLVM optimises, settings, threads
NATIVE = {
    "native": (None, 2, {}, 1),
    "native O0": (None, 0, {}, 1),
    "avx512": ("avx512", 0, {}, 1),
    # What is chosen for AVX-512, where the machine has none: LLVM cuts the vectors.
    "widened": ("avx512", 0, {}, 1),
    "baseline": ("baseline", 0, {}, 1),
    # Everything is parted into tasks, however small.
    "tasks": (None, 0, {"TASK": 1, "MIN_TASK_CYCLES": 1}, 2),
}
# The NumPy executor: as it is, with a planned buffer for every result, on the graph as traced, and
# with every loop of Python rolled up that can be.
NUMPY: dict[str, dict] = {"numpy": {}, "buffers": {"LARGE": 9}, "rolled": {},
                          "no passes": {"rules": lambda graph: ()}}
PUBLIC = ("function by call", "jit_compile", "unsized")
MODES = (*NUMPY, *NATIVE, *PUBLIC)


@contextlib.contextmanager
def _native(mode: str):
    """Settings under which native code of this mode is made and run; False: not on this machine."""
    level, opt, values, count = NATIVE[mode]
    goal = target.level(level, opt)
    if mode == "widened":
        goal = None if goal else target.widened(level, opt)
    if goal is None:
        yield False
        return
    use_threads(count)
    with settings(**values), target.using(goal):
        yield True


def use_threads(count: int) -> None:
    """As `thread_pool.set_count`, which ends the workers: here they sleep until wanted."""
    vars(configuration.settings)["num_threads"] = count  # without telling the pool
    if thread_pool._pool.state is not None:
        thread_pool._pool.state.threads = count


def native_outcomes(traced: Traced, mode: str | Forced):
    """(how it was run, outcome, a former one with the same bits): the general way, the direct one,
    and on other threads. No outcome: what is told is wrong."""
    base, alternatives = mode if isinstance(mode, Forced) else (mode, ())
    with _native(base) as here:
        if not here:
            return
        try:
            if alternatives:
                with forcing(dict(alternatives)):
                    function = _compiled(traced, base, alternatives)
            else:
                with offered() as traced.offers[base]:
                    function = _compiled(traced, base, ())
        except Refused:
            TALLY.refused += 1
            return
        if function is None:
            return
        TALLY.add(f"{base}, forced" if alternatives else base)
        first = traced.outcome(function)
        yield base, first, None
        wrong = failing.difference(traced, function)
        if wrong is not None:
            yield f"{base}: {wrong}", None, None
        direct = traced.quick(function)
        if direct is not None:
            yield f"{base}, direct", direct, first
        if NATIVE[base][3] > 1:
            use_threads(1)
            yield f"{base}, one thread", traced.outcome(function), first


def _compiled(traced: Traced, base: str, alternatives: tuple) -> graphs.GraphFunction | None:
    """None if what is forced changes nothing: that code was run before."""
    if base in ("native", "tasks"):  # as users get it: LLVM sees all functions at once
        return traced.function(pipeline.compile)
    codes = []

    def executor(graph):
        made, code = linked(graph, traced.objects)
        codes.append(code)
        return made

    function = traced.function(executor)
    how = [one for one in alternatives if one[0].startswith("executable.")]
    code = (base, *how, *codes)
    if code in traced.codes:
        return None
    traced.codes.add(code)
    return function


def public_outcome(program: Program, aspect: str, mode: str) -> list:
    """By calling a tf.function as a user does; often enough for the direct way."""
    def decorate(f):
        if mode == "unsized" and aspect != "tape inside":
            specs = [tf.TensorSpec([None] * x.ndim, x.dtype) for x in program.arrays()]
            return tf.function(f, input_signature=specs)
        return tf.function(f, autograph=program.autograph,
                           jit_compile=True if mode == "jit_compile" else None)

    # jit_compile=True compares native code with NumPy by itself, and must not be alarmed.
    jit = "auto" if mode == "jit_compile" else "now"
    set_executor_factory(graph_tiering.Adaptive)
    before = COUNTED[0]
    try:
        with target.using(target.level(None, 0)), \
                tf.config.settings.using(jit=jit, verify_passes=True), warnings.catch_warnings():
            warnings.simplefilter("error", graph_tiering.MiscompileWarning)
            case = Case(program, aspect, decorate, lambda f: tf.function(f, autograph=False))
            for _ in range(1 if aspect == "tape around" or mode == "unsized" else 6):
                found = case.outcome(lambda: case.f(*case.args))
    finally:
        TALLY.add(mode, COUNTED[0] - before)
    return found


COUNTED = [0]  # programs of native code in this process


def count_programs() -> None:
    """Let every program of native code be counted."""
    prepare = Executable.__init__

    def counted(self, *args, **named):
        COUNTED[0] += 1
        prepare(self, *args, **named)

    Executable.__init__ = counted  # type: ignore[method-assign]


count_programs()


# -- checking --------------------------------------------------------------------------------------
class Expected:
    """What eager gives, and how far rounding may carry it."""

    def __init__(self, traced: Traced, want: list):
        self.traced, self.want = traced, want
        self.allowed = Allowed(want, want)
        self._samples = 0

    def measure(self, samples: int) -> None:
        """Run with noise, so often in all."""
        if not self._samples:
            self._noisy = self.traced.function(Noisy)
            self.allowed = Allowed(self.want, self.traced.outcome(self._noisy))
        while self._samples < samples:
            self._samples += 1
            OVERFLOW[0] = False
            with noise(self._samples):
                self.allowed.add(self.traced.outcome(self._noisy), OVERFLOW[0])

    def difference(self, got: list) -> str | None:
        """What is wrong, if anything is. Noise allows more, never less: it is drawn if need be."""
        for samples in (0, SAMPLES, MORE, MANY):
            if samples == MANY and not self.allowed.overflow:
                break
            if samples > self._samples:
                self.measure(samples)
            found = self.allowed.difference(got)
            if found is None:
                return None
        return found


# Not compared yet, with aspect and words of such programs: each line is something to mend.
KNOWN: list[tuple[str, list[str]]] = []
# As in TensorFlow other than eager: what a graph's gradient has for the branch that is not taken,
# or for a value that a loop carries in vain, is zero, not absent, and what is not finite makes NaN
# of it.
UNLIKE_EAGER = [("tape inside", [carried, "special="]) for carried in (
    "tf.cond(", "tf.switch_case(", "tf.case(", "tf.scan(", "_run():")]
UNLIKE_EAGER.append(("values", ["_run():", "_tape", "special="]))


def left_out(program: Program, aspect: str) -> bool:
    """Whether a program is not compared with eager in this aspect."""
    text = program.text()
    return any(aspect == one and all(word in text for word in words)
               for one, words in KNOWN + UNLIKE_EAGER)


def plan(seed: int) -> list[tuple[str, str]]:
    """The aspects and modes for a program: all of them over many seeds, a few for each."""
    rng = random.Random(seed)
    modes = ["numpy", rng.choice([*NUMPY]), rng.choice(["native", "native O0", "native O0"]),
             "baseline", "avx512", "widened", "tasks"]
    aspect = "tape inside" if rng.random() < 0.1 else "values"
    chosen = [(aspect, mode) for mode in dict.fromkeys([*modes, "forced"])]
    if rng.random() < 0.12:
        chosen.append((rng.choice(["values", "tape around"]), rng.choice(PUBLIC)))
    return chosen


def check(program: Program, chosen: list | None = None) -> None:
    """Raise Failure where a mode differs from eager."""
    chosen = plan(program.seed) if chosen is None else chosen
    with quietly():
        for aspect in dict.fromkeys(aspect for aspect, _ in chosen):
            if left_out(program, aspect):
                continue
            _check(program, aspect, [mode for one, mode in chosen if one == aspect])


def _check(program, aspect, modes):
    mode: str | Forced
    try:
        case = Case(program, "tape inside" if aspect == "tape around" else aspect)
        want = case.outcome(lambda: case.f(*case.args))
    except Exception as error:
        raise Skip(f"eagerly: {error!r}") from error
    mode = "numpy"
    try:
        traced = Traced(case)
        expected = Expected(traced, want)
        for mode in _forced_last(program, modes, traced):
            _check_mode(program, aspect, mode, traced, expected)
    except (Failure, Skip):
        raise
    except Exception as error:
        if "unknown TensorShape" in str(error) and not program.autograph:
            raise Skip("public functions on tensors of unknown rank need AutoGraph") from error
        if mode == "unsized" and re.search("enters the loop with shape|before the loop, but shape",
                                           str(error)):
            raise Skip("as in TensorFlow: a loop's sizes stay, if they are known") from error
        raise Failure(mode, aspect, f"{type(error).__name__}: {error}", error) from error


def _forced_last(program, modes, traced):
    """The modes; in the end those for "forced", which are drawn from what the others offer."""
    yield from [mode for mode in modes if mode != "forced"]
    if "forced" in modes:
        yield from forced.draw(program.seed, {
            "native O0" if base == "native" else base: others
            for base, others in traced.offers.items() if base != "tasks"}, traced.nodes())


def _check_mode(program, aspect, mode, traced, expected):
    def compare(way, got):
        found = expected.difference(got)
        if found:
            raise Failure(mode, aspect, f"{way}: {found}")

    if mode in PUBLIC:
        compare(mode, public_outcome(program, aspect, mode))
    elif mode in NUMPY:
        with settings(**NUMPY[mode]):
            compare(mode, traced.outcome(traced.function(
                _rolled_up if mode == "rolled" else OnNumpy)))
    else:
        for way, got, same in native_outcomes(traced, mode):
            if got is None:
                raise Failure(mode, aspect, way)
            if same is None or not all(map(_same_bits, got, same)):
                compare(way, got)
                if same is not None:
                    raise Failure(mode, aspect, f"{way}: other bits than in the first run")


def _rolled_up(graph):
    """The NumPy executor of a graph whose unrolled loops are loops."""
    try:
        check_supported(graph)
    except Refused:
        return OnNumpy(graph)
    with forcing({"rolling.loop": True}):
        graph = roll(graph)
    ir.check(graph)
    return OnNumpy(graph)


def _same_bits(a, b):
    return a.tobytes() == b.tobytes()
