"""What `tapeflow.compiler.explain` tells, and what is told when the compiler itself fails."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base import errors
from tapeflow.graph.passes import optimise
from tapeflow.jit import pipeline
from tapeflow.jit.lowering import layout
from tapeflow.jit.runtime import thread_pool
from tapeflow.jit.runtime.executable import Executable
from tapeflow.jit.runtime.image_cache import cache_files
from tapeflow.jit.tiering import graph_tiering
from tapeflow.jit.verification.native_comparison import Comparison


@pytest.fixture(autouse=True)
def automatic(monkeypatch, tmp_path, using):
    using(jit="auto")
    monkeypatch.setattr(graph_tiering, "_told", [])
    monkeypatch.setattr(cache_files, "folder", lambda: tmp_path)


def normal(*shape):
    return tf.constant(np.random.default_rng(1).normal(size=shape).astype("f"))


# -- reports ---------------------------------------------------------------------------------------
def test_products_loops_and_branches_are_told_with_what_is_in_them():
    @tf.function
    def f(x, w):
        h = tf.nn.relu(x @ w + 1.0)
        h = tf.while_loop(lambda i, h: i < 9, lambda i, h: (i + 1, tf.sin(h) @ w), [0, h])[1]
        return tf.cond(tf.reduce_sum(h) > 0.0, lambda: tf.nn.softmax(h),
                       lambda: h - tf.reduce_max(h))

    text = str(tf.compiler.explain(f, normal(5, 5), normal(5, 5)))
    assert "on each element" in text  # relu and the sum, behind the product
    inside = [line for line in text.split("\n") if line.startswith("       0: ")]
    assert len(inside) >= 3, text  # the loop's body, and two branches
    assert "compiled; NumPy serves up to call" in text


def test_rows_and_tasks_are_told(monkeypatch):
    monkeypatch.setattr(layout, "TASK", 1)
    thread_pool.set_count(2)
    try:
        f = tf.function(lambda x: tf.nn.softmax(x * 2.0))
        text = str(tf.compiler.explain(f, normal(64, 65)))
    finally:
        thread_pool.set_count(0)
    assert "rows go on with their reductions" in text and "tasks" in text


def test_a_report_of_all_graphs_of_a_function():
    f = tf.function(lambda x: tf.sin(x) * 2.0)
    x = normal(7)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    tape.gradient(y, x)
    f(normal(3, 3))
    report = tf.compiler.explain(f)
    text = str(report)
    assert "recorded" in text and "gradient of" in text
    assert len(report.programs) >= 3 and len(report.ir) == len(report.programs)
    assert all("define" in one for one in report.ir)


def test_programs_by_sizes():
    f = tf.function(lambda x: tf.sin(x) * 2.0, input_signature=[tf.TensorSpec([None])])
    f(normal(7))
    f(normal(9))
    text = str(tf.compiler.explain(f))
    assert "for sizes [7]" in text and "for sizes [9]" in text


def test_why_numpy_serves():
    f = tf.function(lambda x: tf.strings.join([x, "b"]))
    f(tf.constant("a"))
    report = tf.compiler.explain(f)
    assert "runs on NumPy: " in str(report) and not report.native and not report.ir


# -- when the compiler fails -----------------------------------------------------------------------
def broken(monkeypatch, error):
    def fail(graph, target, reuse):
        raise error

    monkeypatch.setattr(pipeline, "_compile", fail)


def test_a_fault_of_the_compiler_is_told_once_and_numpy_serves(monkeypatch):
    broken(monkeypatch, errors.InternalError(None, None, "no such register"))
    monkeypatch.setattr(graph_tiering, "from_library", lambda error: True)
    x = normal(2000)
    f, g = tf.function(lambda x: tf.sin(x) + 1.0), tf.function(lambda x: tf.cos(x) + 1.0)
    with pytest.warns(RuntimeWarning, match="could not compile") as told:
        for function in (f, g):
            report = tf.compiler.explain(function, x)
            assert "the compiler failed: InternalError: no such register" in str(report)
    assert len(told) == 1
    np.testing.assert_array_equal(f(x), tf.sin(x) + 1.0)


def test_a_fault_of_the_compiler_is_an_error_where_native_code_is_asked_for(monkeypatch, using):
    broken(monkeypatch, ValueError("no such register"))
    monkeypatch.setattr(graph_tiering, "from_library", lambda error: True)
    using(jit="now")
    with pytest.raises(ValueError, match="no such register"):
        tf.function(lambda x: tf.sin(x) + 1.0)(normal(9))


def test_without_the_compiler_numpy_serves_and_says_so(monkeypatch):
    broken(monkeypatch, ImportError("No module named 'llvmlite'"))
    f = tf.function(lambda x: tf.sin(x) + 1.0)
    with pytest.warns(RuntimeWarning, match="on NumPy, without native code: No module named"):
        report = tf.compiler.explain(f, normal(9))
    assert "runs on NumPy: No module named 'llvmlite'" in str(report)


def test_an_interrupted_compiler_is_the_users_affair(monkeypatch):
    """What a signal's handler raises comes out as it is."""
    broken(monkeypatch, TimeoutError("a watchdog's"))
    monkeypatch.setattr(graph_tiering, "from_library", lambda error: False)
    with pytest.raises(TimeoutError, match="a watchdog's"):
        tf.compiler.explain(tf.function(lambda x: tf.sin(x) + 1.0), normal(9))


# -- comparisons -----------------------------------------------------------------------------------
def test_a_difference_is_told_even_if_no_file_can_be_written(monkeypatch):
    run = Executable.run
    monkeypatch.setattr(Executable, "run", lambda self, *args: (run(self, *args)[0] + 1.0,))
    monkeypatch.setattr("tapeflow.jit.verification.reproduction.write", _full)
    monkeypatch.setattr(graph_tiering, "from_library", lambda error: True)
    f = tf.function(lambda x: tf.sin(x) + 1.0, jit_compile=True)
    x = normal(9)
    with pytest.warns(graph_tiering.MiscompileWarning,
                      match=r"no file could be written.*disk is full"):
        y = f(x)
    np.testing.assert_array_equal(y, tf.sin(x) + 1.0)


def _full(*_):
    raise OSError("the disk is full")


def test_native_code_that_raises_an_error_is_not_called_wrong(monkeypatch):
    """NumPy will raise it, too: an index that is out of range."""
    f = tf.function(lambda x, i: tf.gather(x, i) * 2.0)
    x, i = normal(5), tf.constant([1, 7])
    graph = optimise(f.get_concrete_function(x, i).function.graph)
    outcome = Comparison(graph, [x.numpy(), i.numpy()], []).judge(pipeline.compile(graph), [])
    assert outcome.same is None and outcome.why == "it raised an error"
