"""Random programs with fresh seeds, those that failed once, and the fuzzer itself: that it finds,
shrinks, tells, and is not alarmed by rounding.

`python -m tests.fuzz` runs as many as one likes.
"""

import contextlib
import itertools
import os
import pathlib
import secrets
import signal
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

import tapeflow as tf
from tapeflow.core.record.op import OPS
from tapeflow.graph.executor.numpy_executor import Program as OnNumpy
from tapeflow.jit import choices
from tapeflow.jit.lowering import binding
from tapeflow.jit.lowering.supported import Refused
from tapeflow.jit.runtime import target
from tests.fuzz import check as checking
from tests.fuzz import objects
from tests.fuzz.check import ASPECTS, MODES, NATIVE, PUBLIC, Case, Failure, check
from tests.fuzz.data import Data
from tests.fuzz.fuzzing import Done, fuzz, minimal, one
from tests.fuzz.generate import program
from tests.fuzz.noise import _overflowed as overflowed
from tests.fuzz.noise import noise as noise_of
from tests.fuzz.program import Line, Program, Stored
from tests.fuzz.tolerance import Allowed
from tests.fuzz.workers import on_all_cores

CORPUS = sorted((pathlib.Path(__file__).parent / "corpus").glob("*.py"))
FRESH = secrets.randbits(40)
PROGRAMS = 60  # for each part, of which there are ten: three minutes of one core
WAYS = [(aspect, mode) for aspect, mode in itertools.product(ASPECTS, MODES)
        if aspect != "tape around" or mode in PUBLIC]


@pytest.mark.parametrize("part", range(10))
def test_fresh_programs_give_what_eager_gives(part):
    found = []
    done = fuzz(range(FRESH + part * PROGRAMS, FRESH + (part + 1) * PROGRAMS), seconds=120.0,
                report=found.append)  # a busy machine draws fewer
    assert not found, "\n\n".join(found)
    assert done.fault() is None


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_what_failed_once(path):
    found = []
    for aspect, mode in WAYS:
        try:
            check(Stored(path), [(aspect, mode)])
        except Failure as failure:
            found.append(str(failure))
        except checking.Skip:
            assert aspect != "values"
    assert not found, "\n".join(found)


# -- the programs ----------------------------------------------------------------------------------
def test_programs_repeat():
    for seed in range(6):
        assert program(seed).text() == program(seed).text()


def test_programs_have_all_there_is():
    with checking.quietly():
        text = "\n".join(program(seed).text() for seed in range(600))
    for word in ("tf.cond", "tf.while_loop", "tf.map_fn", "tf.vectorized_map", "GradientTape",
                 "custom_gradient", "recompute_grad", "@inner", ".assign", "tf.matmul", "tf.einsum",
                 "tf.gather", "tf.concat", "tf.split", "tf.reduce_", "tf.transpose", "tf.reshape",
                 "boolean_mask", "sample(", "op(", "conv2d", "conv1d", "depthwise", "_pool2d",
                 "tf.scan", "TensorArray", "tf.nn.moments", "stateless_uniform", "scatter_sub",
                 "clip_by_global_norm", "ForwardAccumulator", "sparse_softmax_cross_entropy",
                 "embedding_lookup", "for t in tf.range", "'bfloat16'", "'float16'", "special=",
                 "all = all.write(0, h)", "[..., (", "for t in tf.range(", "scatter_nd_update",
                 "tf.switch_case", ".jacobian(", "persistent=True", "output_gradients"):
        assert word in text, word


# -- the comparison --------------------------------------------------------------------------------
def broken(monkeypatch):
    """Make graphs, and they alone, take sines for cosines."""
    from tapeflow.graph import passes

    def wrong(node):
        if node.op.name == "sin":
            node.op = OPS["cos"]

    rules = passes.rules
    monkeypatch.setattr(passes, "rules", lambda graph: (*rules(graph), wrong))


def line(name, template, *operands, like=0.0):
    return Line([name], template, operands, like=[np.float32(like)])


def given(text):
    return Data(text)


def test_a_difference_is_found_made_small_and_told(monkeypatch):
    broken(monkeypatch)
    whole = Program(0, {"a0": given("np.float32(0.5)")}, {}, [
        line("t0", "{y} = tf.exp({0})", "a0", like=1.65),
        line("t1", "{y} = {0} * 2.0", "t0", like=3.3),
        line("t2", "{y} = tf.sin({0})", "t1", like=-0.15),
        line("t3", "{y} = {0} + 1.0", "t2", like=0.85),
    ], ["t3", "t1"])
    with pytest.raises(Failure) as found:
        check(whole, [("values", "numpy")])
    assert found.value.mode == "numpy" and found.value.aspect == "values"
    text = minimal(whole, found.value, 20.0)
    assert "tf.sin(a0)" in text and "tf.exp" not in text and "+ 1.0" not in text
    assert "calls, autograph = 1, False" in text
    space: dict = {}
    exec(text, space)  # it can be pasted
    f, variables = space["build"](lambda g: g, lambda g: g)
    assert len(f(*space["args"])) == 1 and not variables


@pytest.mark.parametrize("mode", [mode for mode in NATIVE if target.level(NATIVE[mode][0])
                                  and mode != "widened"])  # where AVX-512 runs, nothing is widened
def test_one_wrong_element_is_found(monkeypatch, mode):
    """Native code that is off by a thousandth in one of 64 numbers, at the second call only."""
    run, calls = checking.Executable.run, []

    def wrong(self, arrays, variables):
        calls.append(1)
        results = run(self, arrays, variables)
        if len(calls) == 2:
            results[0][3, 4] *= 1.001
        return results

    monkeypatch.setattr(checking.Executable, "run", wrong)
    whole = Program(0, {"a0": given("numbers(1, [8, 8])")}, {}, [
        line("t0", "{y} = tf.tanh({0} @ {0})", "a0")], ["t0"], calls=3)
    with pytest.raises(Failure, match=r"1 of 64 elements, the first at \(3, 4\)"):
        check(whole, [("values", mode)])


UPDATED = """{n}_old = tf.identity(w0)
def {n}_yes():
    w0.assign(tf.tanh(w1))
    w1.assign(tf.gather({n}_old, {0}))
    return tf.reduce_sum(w0)
{y} = tf.cond(tf.reduce_all(w0 < 9.0), {n}_yes, lambda: 0.0)"""


def updating():
    """A program whose branch changes two variables, with indices that may be out of range."""
    weights = {f"w{i}": given(f"numbers({i}, [4, 40])") for i in range(2)}
    return Program(0, {"a0": given("wholes(5, [4], 0, 4, 'int32')")}, weights,
                   [line("t0", UPDATED, "a0")], ["t0"])


def test_variables_half_changed_by_an_error_are_found(monkeypatch):
    """Code that does not look at the indices before a branch changes its first variable."""
    chosen = [("values", "native O0")]
    check(updating(), chosen)
    guard = binding._Binder._guard

    def wrong(self):
        guard(self)
        self.found.stops = frozenset()

    monkeypatch.setattr(binding._Binder, "_guard", wrong)
    with pytest.raises(Failure, match="an error left"):
        check(updating(), chosen)


def test_an_index_that_is_not_looked_at_is_found(monkeypatch):
    def wrong(self, arrays, variables):
        arrays = [x % 4 if x.dtype.kind == "i" else x for x in arrays]
        return OnNumpy(self.graph).run(arrays, variables)

    monkeypatch.setattr(checking.Executable, "run", wrong)
    with pytest.raises(Failure, match="out of range is no error"):
        check(updating(), [("values", "native O0")])


def test_bits_that_depend_on_threads_are_found(monkeypatch):
    run = checking.Executable.run

    def wrong(self, arrays, variables):
        results = run(self, arrays, variables)
        if checking.thread_pool.count() == 1:
            results[0][0] = np.nextafter(results[0][0], np.float32(9))
        return results

    monkeypatch.setattr(checking.Executable, "run", wrong)
    whole = Program(0, {"a0": given("numbers(1, [8])")}, {}, [
        line("t0", "{y} = tf.tanh({0})", "a0")], ["t0"])
    with pytest.raises(Failure, match="other bits"):
        check(whole, [("values", "tasks")])


def test_a_wrong_alternative_is_found_and_told_alone(monkeypatch):
    """Code that is wrong when one choice of the compiler is forced, whatever else is."""
    linked, run, broken = checking.linked, checking.Executable.run, []

    def marked(graph, parts):
        made, code = linked(graph, parts)
        if "schedule.lanes" in choices._forced:
            broken.append(made)
        return made, code

    def wrong(self, arrays, variables):
        results = run(self, arrays, variables)
        if any(one is self for one in broken):
            results[0][7] += 1.0
        return results

    monkeypatch.setattr(checking, "linked", marked)
    monkeypatch.setattr(checking.Executable, "run", wrong)
    whole = Program(3, {"a0": given("numbers(1, [33, 4])")}, {}, [
        line("t0", "{y} = tf.reduce_sum(tf.tanh({0}), 1)", "a0")], ["t0"], calls=1)
    with pytest.raises(Failure) as found:
        check(whole, [("values", "native O0"), ("values", "forced")])
    assert len(found.value.mode.alternatives) > 1
    text = minimal(whole, found.value, 2.0)
    assert text.startswith("# seed 3: native O0 with schedule.lanes = ")
    assert text.partition(",")[2].startswith(" values: ")  # nothing else is forced


def test_what_is_forced_makes_other_code():
    before = dict(checking.TALLY.graphs)
    whole = Program(4, {"a0": given("numbers(1, [33, 4])")}, {}, [
        line("t0", "{y} = tf.transpose({0}) @ tf.tanh({0})", "a0")], ["t0"], calls=1)
    check(whole, [("values", "native O0"), ("values", "forced")])
    met = checking.TALLY.graphs["native O0, forced"] - before.get("native O0, forced", 0)
    assert met >= 4


def test_linked_code_gives_the_bits_of_code_that_is_compiled_whole():
    linked = 0
    for seed in range(40, 80):
        with checking.quietly(), target.using(target.level(None, 0)):
            traced = checking.Traced(Case(program(seed)))
            with contextlib.suppress(Refused):
                whole = traced.outcome(traced.function(checking.pipeline.compile))
                for _ in range(2):
                    assert all(map(checking._same_bits, whole, traced.outcome(_linked(traced))))
                linked += 1
        if linked == 8:
            break
    assert linked == 8


def _linked(traced):
    return traced.function(lambda graph: checking.linked(graph, traced.objects)[0])


def test_a_function_is_compiled_once(monkeypatch):
    compiled, texts = objects._compiled, []

    def listening(text, target):
        texts.append(text)
        return compiled(text, target)

    monkeypatch.setattr(objects, "_compiled", listening)
    codes = []

    def executor(graph):
        made, code = checking.linked(graph, traced.objects)
        codes.append(code)
        return made

    with checking.quietly():
        traced = checking.Traced(Case(Program(0, {"a0": given("numbers(1, [33, 4])")}, {}, [
            line("t0", "{y} = tf.tanh({0})", "a0")], ["t0"], calls=1)))
        for _ in range(2):
            traced.function(executor)
    assert codes[0] == codes[-1]
    assert texts and len(set(texts)) == len(texts)


def test_rounding_that_grows_is_no_alarm():
    """Ninety iterations of the logistic map: float32 and noise end anywhere; the first do not."""
    many = "\n".join(["{n}_x = {0}", *["{n}_x = 3.9 * {n}_x * (1.0 - {n}_x)"] * 90, "{y} = {n}_x"])
    few = many.replace("\n{n}_x = 3.9 * {n}_x * (1.0 - {n}_x)" * 88, "")
    whole = Program(0, {"a0": given("np.array([0.3, 0.41], np.float32)")}, {}, [
        line("t0", many, "a0"), line("t1", few, "a0")], ["t0", "t1"], calls=1)
    with checking.quietly():
        case = Case(whole)
        want = case.outcome(lambda: case.f(*case.args))
        expected = checking.Expected(checking.Traced(case), want)
        expected.measure(4)
    assert expected.allowed.difference([want[0] * np.float32(0.9), want[1]]) is None
    assert "result 1" in expected.allowed.difference([want[0], want[1] * np.float32(1 + 1e-5)])


def test_an_error_is_found():
    whole = Program(0, {"a0": given("np.float32(0.5)")}, {}, [
        line("t0", "{y} = tf.constant(float({0}))", "a0")], ["t0"])
    with pytest.raises(Failure, match="symbolic"):
        check(whole, [("values", "numpy")])


def test_a_failure_tells_how_to_repeat_it(monkeypatch):
    broken(monkeypatch)
    monkeypatch.setattr("tests.fuzz.fuzzing.program", lambda seed: Program(
        seed, {"a0": given("np.float32(0.5)")}, {}, [line("t0", "{y} = tf.sin({0})", "a0")],
        ["t0"]))
    found = []
    done = fuzz([77], report=found.append)
    assert done.failed == [77] and "tests.fuzz --seed 77 --count 1" in found[0]


@pytest.mark.parametrize("skips, fault", [
    (lambda seed: True, "9 of 9 programs were skipped, the last one because: no eager run"),
    (lambda seed: seed % 2, "4 of 9 programs were skipped, the last one because: no eager run"),
    (lambda seed: seed == 3, "no graph was compiled to native code")])
def test_a_run_that_compares_little_is_a_failure(monkeypatch, skips, fault):
    def one(seed, *options):
        if skips(seed):
            raise checking.Skip("no eager run")

    monkeypatch.setattr("tests.fuzz.fuzzing.one", one)
    assert fuzz(range(9)).fault() == fault
    assert on_all_cores(2, 0, 9, None, 1.0).fault() == fault


def test_a_busy_machine_draws_few_programs_of_which_one_may_be_skipped():
    done = Done()
    done.programs, done.skipped, done.graphs = 3, 1, {"native": 4}
    assert done.fault() is None


def test_a_process_that_dies_is_a_failure_of_its_program(monkeypatch, capfd):
    def deadly(seed, *options):
        if seed == 103:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("tests.fuzz.fuzzing.one", deadly)
    done = on_all_cores(2, 100, 9, None, 1.0)
    assert done.failed == [103]
    assert "seed 103: the process ended with -9" in capfd.readouterr().out


f32, nan, inf = np.float32, np.nan, np.inf


@pytest.mark.parametrize("got, want, same", [
    (f32(1), f32(1), True), (f32(1), np.float64(1), False), (np.ones(2), np.ones((1, 2)), False),
    (np.array([nan, inf]), np.array([nan, inf]), True), (np.array([inf]), np.array([-inf]), False),
    (np.array([nan]), np.array([1.0]), False), (np.array([1]), np.array([2]), False),
    (np.array([1.0]), np.array([1 + 1e-15]), True), (np.array([1.0]), np.array([1 + 1e-9]), False),
    (np.array([True]), np.array([False]), False), (np.array([0.0]), np.array([1e-20]), False),
    (np.array([2**60 + 1]), np.array([2**60]), False),
    (np.array([1.0 + 1j]), np.array([1.0 - 1j]), False),
])
def test_comparison_without_noise(got, want, same):
    got, want = np.asarray(got), np.asarray(want)
    allowed = Allowed([want], [want])
    allowed.add([want])
    assert (allowed.difference([got]) is None) == same


def test_where_noise_makes_numbers_infinite_both_are_right():
    want = np.array([1.0, 2.0])
    allowed = Allowed([want], [want])
    allowed.add([np.array([np.inf, 2.0])])
    assert allowed.difference([np.array([np.inf, 2.0])]) is None
    assert allowed.difference([np.array([np.inf, 2.5])]) is not None


def test_outcomes_include_the_variables():
    whole = Program(0, {"a0": given("np.float32(0.5)")}, {"w0": given("np.float32(1.0)")}, [
        Line([], "w0.assign_add({0})", ["a0"])], ["a0"])
    case = Case(whole)
    for _ in range(2):  # from the start each time
        found = case.outcome(lambda: case.f(*case.args))
        assert [float(x) for x in found] == [0.5, 1.5, 0.5, 2.0]


def test_code_for_other_machines():
    levels = {name: target.level(name) for name in target.LEVELS}
    if levels["baseline"] is None:
        pytest.skip("not an x86-64")
    assert levels["baseline"].vector == 16 and not levels["baseline"].fma
    host = target.host()
    with target.using(levels["baseline"]):
        assert target.host() is levels["baseline"]
        program = checking.pipeline.compile(_doubling())
    assert target.host() is host and program.function.module.target is levels["baseline"]


def test_what_is_chosen_for_avx512_runs_here():
    wide = target.widened("avx512")
    if wide is None:
        pytest.skip("not an x86-64")
    here = target.host()
    assert (wide.vector, wide.registers, wide.cpu) == (64, 32, here.cpu)
    with target.using(wide):
        program = checking.pipeline.compile(_doubling(90))
    assert '"prefer-vector-width"="512"' in program.text
    result, = program.run([np.arange(90, dtype="f")], [])
    assert np.array_equal(result, 2 * np.arange(90, dtype="f"))


def _doubling(size=9):
    return tf.function(lambda x: x * 2.0).get_concrete_function(
        tf.TensorSpec([size])).function.graph


def test_one_program_again(capsys):
    one(12, 1.0, show=True)
    assert "def build" in capsys.readouterr().out


def test_overflow_is_drawn_for_whole_columns_too():
    with noise_of(3):
        drawn = [overflowed(np.zeros((4, 2), np.float32)) for _ in range(40)]
    alike = [one for one in drawn if all(len({str(x) for x in column}) == 1 for column in one.T)]
    assert 5 < len(alike) < 40


def expected_of(text, number):
    """What a line gives for a number, and what may be given in its place."""
    program = Program(0, {"a0": given(number)}, {}, [Line(["t0"], text, ["a0"])], ["t0"])
    case = Case(program)
    want = case.outcome(lambda: case.f(*case.args))
    return want, checking.Expected(checking.Traced(case), want)


def test_what_cancels_inside_an_op_may_be_off_by_units_of_what_is_cancelled():
    """1 + tanh(u) for u near -4: another rounding of tanh moves thousands of last places."""
    with checking.quietly():
        want, expected = expected_of("{y} = op('gelu_tanh', {0})", "np.float32(-4)")
        unit = np.float32(2) * np.finfo(np.float32).epsneg  # of tanh, times -x / 2
        assert expected.difference([want[0] + unit, *want[1:]]) is None
        assert expected.difference([want[0] + 100 * unit, *want[1:]]) is not None


def test_terms_that_are_alike_may_be_added_one_after_the_other():
    """Each is rounded alike, so the errors add up."""
    with checking.quietly():
        want, expected = expected_of("{y} = tf.reduce_sum({0})",
                                     "np.full(2880, 0.6931472, np.float32)")
        added = np.cumsum(np.full(2880, 0.6931472, np.float32))[-1]
        assert abs(added - want[0]) > 30 * np.finfo(np.float32).eps * want[0]
        assert expected.difference([added, *want[1:]]) is None
        assert expected.difference([want[0] - 0.6931472, *want[1:]]) is not None
