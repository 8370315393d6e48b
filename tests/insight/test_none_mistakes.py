"""Every classic None is named with its line and remedy, eagerly and in tf.functions."""

import inspect
import logging
import sys
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.frames.user_lines import line_text
from tapeflow.insight import notebook, notes
from tests.insight import applied_none_mistakes, none_mistakes
from tests.insight.test_nan_mistakes import guilty_line

TABLE = [*none_mistakes.TABLE, *applied_none_mistakes.TABLE]


def eagerly(function, w):
    with tf.insight.positions(), tf.GradientTape() as tape:
        y = function(w)
    return tape.gradient(y, w), str(tape.explain(y, w))


def in_a_function(function, w):
    found = []

    @tf.function(autograph=False)
    def step():
        with tf.GradientTape() as tape:
            y = function(w)
        found[:] = [tape.gradient(y, w), str(tape.explain(y, w))]

    step()
    return found


def of_a_function(function, w):
    traced = tf.function(function, autograph=False)
    with tf.GradientTape() as tape:
        y = traced(w)
    return tape.gradient(y, w), str(tape.explain(y, w))


@pytest.mark.parametrize("way", [eagerly, in_a_function, of_a_function])
@pytest.mark.parametrize("function, remedy", TABLE, ids=[row[0].__name__ for row in TABLE])
def test_line_and_remedy(function, remedy, way):
    gradient, text = way(function, tf.Variable([1.5, 2.5], name="w"))
    assert gradient is None
    assert f"none_mistakes.py:{guilty_line(function)})" in text, text
    assert remedy in text, text


def test_a_name_that_was_bound_to_a_tensor():
    weight = tf.Variable(2.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = weight * weight
        g = tape.gradient(y, weight)
        if g is None:
            break
        weight = weight - 0.1 * g
    text = str(tape.explain(y, weight))
    assert "`weight = weight - 0.1 * g`" in text and "weight.assign_sub(0.1 * g)" in text
    x = tf.constant(1.0)
    assert "assign" not in str(tape.explain(y, x))


class Layer:
    def __init__(self):
        self.w = tf.Variable(2.0)


def an_attribute(f):
    model = Layer()
    for _ in range(2):
        model.w = model.w - 0.1 * f(model.w)


def several_at_once(f):
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    for _ in range(2):
        a, b = a - 0.1 * f(a), b + 0.1 * f(b)


def members_of_a_list(f):
    ws = [tf.Variable(1.0), tf.Variable(2.0)]
    for _ in range(2):
        for i in range(2):
            ws[i] = ws[i] - 0.1 * f(ws[i])


def a_list_of_results(f):
    ws = [tf.Variable(1.0), tf.Variable(2.0)]
    for _ in range(2):
        ws = [w - 0.1 * f(w) for w in ws]


def what_a_function_returns(f):
    w = tf.Variable(2.0)
    for _ in range(2):
        w = updated(w, f(w))


def updated(w, g):
    return w - 0.1 * g


REBOUND = {an_attribute: "model.w.assign_sub(0.1 * f(model.w))",
           several_at_once: "a.assign_sub(0.1 * f(a))",
           members_of_a_list: "ws[i].assign_sub(0.1 * f(ws[i]))",
           a_list_of_results: "for w in ws: w.assign_sub(0.1 * f(w))",
           what_a_function_returns: "w.assign(updated(w, f(w)))"}


@pytest.mark.parametrize("function", REBOUND, ids=lambda one: one.__name__)
def test_a_program_that_dies_of_it_is_told_of_the_assignment(function):
    def gradient(w):
        with tf.GradientTape() as tape:
            y = w * w
        return tape.gradient(y, w)

    with pytest.raises(TypeError) as caught:
        function(gradient)
    text = notes.for_exception(caught.value)
    assert REBOUND[function] in text, text
    assert "test_none_mistakes.py:" in text


def test_weights_collected_before_the_model_was_built():
    with tf.GradientTape() as tape:
        y = tf.constant(1.0) * 2.0
    assert tape.gradient(y, []) == []
    assert "before it is built" in str(tape.explain(y, []))
    error = ValueError("not enough values to unpack (expected 2, got 0)")
    assert "trainable_variables afterwards" in notes.for_exception(error)


def test_keras_fit_tells_the_reason_with_its_warning(caplog):
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(2), tf.keras.layers.Lambda(lambda x: tf.stop_gradient(x)),
        tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    with caplog.at_level(logging.WARNING, "tensorflow"), warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    assert caplog.text.count("gave None, because of this") == 1
    assert "tf.stop_gradient (" in caplog.text and "test_none_mistakes.py:" in caplog.text


class TwoHeads(tf.keras.Model):
    def __init__(self):
        super().__init__(name="heads")
        self.used, self.unused = (tf.keras.layers.Dense(1, name=name) for name in ("a", "b"))

    def call(self, x):
        self.unused(x)  # the layer that leads nowhere
        return self.used(x)


def test_keras_layers_are_named_by_their_path_and_the_line_that_calls_them(caplog):
    model = TwoHeads()
    model.compile("sgd", "mse")
    with caplog.at_level(logging.WARNING, "tensorflow"), warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    lines, first = inspect.getsourcelines(TwoHeads)
    line = first + next(i for i, one in enumerate(lines) if "leads nowhere" in one)
    assert "variable 'heads/b/kernel' of shape (2, 1)" in caplog.text
    assert f"test_none_mistakes.py:{line})" in caplog.text and "site-packages" not in caplog.text


@pytest.mark.parametrize("decorate", [lambda f: f, tf.function])
def test_a_loop_of_ones_own_is_told_beside_keras_warning(caplog, decorate):
    a, b = tf.keras.Variable([[1.0]], name="a"), tf.keras.Variable([[1.0]], name="b")
    optimizer = tf.keras.optimizers.SGD()
    optimizer.build([a, b])
    notes._told.clear()

    @decorate
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.round(a.value) + b.value)
        gradients = tape.gradient(loss, [a.value, b.value])
        optimizer.apply_gradients(zip(gradients, [a, b], strict=True))

    with caplog.at_level(logging.WARNING, "tensorflow"), warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        step()
        step()
    assert caplog.text.count("gave None, because of this") == 1 and "round" in caplog.text


class Shell:
    """As much of IPython's shell as the extension calls."""

    def __init__(self):
        self.shown, self.handler = [], None

    def set_custom_exc(self, kinds, handler):
        self.handler = handler

    def showtraceback(self, info, tb_offset=None):
        self.shown.append(info)


def test_lines_of_cells_are_named_as_notebooks_name_them(monkeypatch):
    cells = {"<ipython-input-3-5fd74c75bf00>": ("Cell", "In[3]")}
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(format_code_name=cells.get))
    ipython = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    found = {}
    text = ("w = tf.Variable(1.5)\n"
            "with tf.insight.positions(), tf.GradientTape(persistent=True) as tape:\n"
            "    flat, lost = tf.sign(w), tf.round(w)\n"
            "text = f'{tape.explain(lost, w)} {tape.report(flat, w)}'\n")
    exec(compile(text, next(iter(cells)), "exec"), {"tf": tf}, found)
    assert "round (Cell In[3]:3)" in found["text"] and "sign at Cell In[3]:3" in found["text"]
    assert line_text(__file__, 2).endswith("test_none_mistakes.py:2")


def test_autoreload_renews_functions_that_were_imported(monkeypatch):
    autoreload = types.SimpleNamespace(UPDATE_RULES=[])
    monkeypatch.setitem(sys.modules, "IPython.extensions.autoreload", autoreload)
    tf.load_ipython_extension(Shell())
    tf.load_ipython_extension(Shell())
    ((applies, renew),) = autoreload.UPDATE_RULES
    old, new = tf.function(lambda x: x * 2.0), tf.function(lambda x: x * 5.0)
    assert float(old(1.0)) == 2.0 and applies(old, new) and not applies(old, len)
    renew(old, new)
    assert float(old(1.0)) == 5.0 and float(new(1.0)) == 5.0


def test_a_cell_of_a_notebook_that_fails_on_none(capsys):
    shell = Shell()
    tf.load_ipython_extension(shell)
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    try:
        tape.gradient(y, x).numpy()
    except AttributeError as error:
        shell.handler(shell, type(error), error, error.__traceback__)
        assert shell.shown == [(AttributeError, error, error.__traceback__)]
    assert "never watched" in capsys.readouterr().out
    notebook.unload_ipython_extension(shell)
    assert shell.handler is None


def test_a_variable_that_only_a_dataset_reads():
    w = tf.Variable(2.0, name="w")
    with tf.GradientTape() as tape:
        y = sum(tf.data.Dataset.range(3).map(lambda i: tf.cast(i, tf.float32) * w))
    assert tape.gradient(y, w) is None
    assert "dataset.map" in str(tape.explain(y, w))


def test_a_target_of_integers_names_the_cast():
    w = tf.Variable([1.0, 2.0], name="w")
    with tf.GradientTape() as tape:
        whole = tf.cast(w * 3.0, tf.int32)  # to integers
        loss = tf.reduce_sum(whole)
    found = str(tape.explain(loss, w))
    number = next(n for n, text in enumerate(Path(__file__).read_text().splitlines(), 1)
                  if text.endswith("# to integers"))
    assert "the target's dtype is int32, by cast" in found
    assert f"test_none_mistakes.py:{number})" in found and "Differentiate what" in found
