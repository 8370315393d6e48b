"""tf.function from outside: what is kept, what is let go, threads, what warnings and errors say."""

import gc
import inspect
import threading
import types
import weakref

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.state import state
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import MOST_SIZES
from tapeflow.graph.functions.retracing import Count
from tapeflow.graph.tracing import graph_builder


# -- traces and what they keep ---------------------------------------------------------------------
def test_a_trace_keeps_no_arguments():
    @tf.function
    def f(x, y):
        return tf.reduce_sum(x) + y

    x = tf.ones([3])
    y = tf.Variable(1.0)
    held = weakref.ref(x), weakref.ref(y)
    f(x, y)
    del x, y
    gc.collect()
    assert held[0]() is None and held[1]() is None


def test_traces_of_a_method_die_with_their_object():
    class Model:
        @tf.function
        def __call__(self, x):
            return x * 2

    model = Model()
    model(tf.constant(1.0))
    held = weakref.ref(model)
    del model
    gc.collect()
    assert held() is None
    assert not Model.__dict__["__call__"]._bound


def test_a_method_is_bound_once_for_each_object():
    class Model:
        @tf.function
        def f(self, x):
            return x

    a, b = Model(), Model()
    assert a.f == a.f and a.f != b.f and hash(a.f) == hash(a.f)
    a.f(tf.constant(1))
    a.f(tf.constant(2))
    assert a.f.experimental_get_tracing_count() == 1
    assert b.f.experimental_get_tracing_count() == 0


def test_a_method_keeps_its_object_alive():
    class Model:
        def __init__(self):
            self.k = 3

        @tf.function
        def f(self, x):
            return x * self.k

    bound = Model().f
    gc.collect()
    assert int(bound(tf.constant(2))) == 6


def test_objects_that_cannot_be_referred_to_weakly():
    class Slotted:
        __slots__ = ("k",)

        def __init__(self):
            self.k = 3

        @tf.function
        def f(self, x):
            return x * self.k

    assert int(Slotted().f(tf.constant(2))) == 6


def test_graphs_for_sizes_are_limited():
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x):
        return x * 2.0

    for n in range(2 * MOST_SIZES):
        assert f(tf.ones([n])).shape == [n]
    function = f.get_concrete_function().function
    assert len(function._special) <= MOST_SIZES


def test_bodies_of_loops_do_not_multiply():
    @tf.function
    def f(n):
        x = tf.zeros([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, [tf.cast(i, tf.float32)]], 0)
        return x

    for _ in range(3):
        assert f(tf.constant(100)).shape == [100]
    graph = f.get_concrete_function(tf.TensorSpec([], tf.int32)).function.graph
    (loop,) = [node for node in graph.nodes if node.op.name == "while"]
    assert len(loop.attrs["body"]._special) <= MOST_SIZES


# -- state of the thread ---------------------------------------------------------------------------
def test_a_failing_trace_leaves_nothing_behind():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape, tf.name_scope("inner"):
            tape.watch(x)
            if x > 0:
                raise RuntimeError("inside a branch inside a tape")
        return x

    before = (state.trace, state.stack, state.recorder)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            f(tf.constant(1.0))
        assert (state.trace, state.stack, state.recorder) == before
    assert tf.executing_eagerly()


def test_a_failing_trace_may_succeed_later():
    ready = []

    @tf.function
    def f(x):
        if not ready:
            raise RuntimeError("not yet")
        return x + 1

    with pytest.raises(RuntimeError):
        f(tf.constant(1))
    ready.append(True)
    assert int(f(tf.constant(1))) == 2


def test_tapes_of_the_caller_stay_in_place():
    @tf.function
    def f(x):
        return x * x

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        f(x)
        y = x * f(x)
    assert float(tape.gradient(y, x)) == 27


# -- threads ---------------------------------------------------------------------------------------
def in_threads(count, work):
    """Run work(i) in threads that start together; what they return, or raise what one raised."""
    start = threading.Barrier(count)
    results, errors = [None] * count, []

    def run(i):
        try:
            start.wait()
            results[i] = work(i)
        except Exception as error:  # pragma: no cover - only if the test fails
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def test_threads_share_one_trace():
    @tf.function
    def f(x):
        for _ in range(20):
            x = tf.sin(x) + 1.0
        return x

    want = f.python_function(tf.ones([50]))
    for result in in_threads(8, lambda i: f(tf.ones([50]))):
        np.testing.assert_allclose(result, want, rtol=1e-6)
    assert f.experimental_get_tracing_count() == 1


def test_threads_trace_different_signatures():
    @tf.function
    def f(x):
        return tf.reduce_sum(x * 2.0)

    results = in_threads(6, lambda i: [float(f(tf.ones([i + 1]))) for _ in range(5)])
    assert results == [[2.0 * (i + 1)] * 5 for i in range(6)]
    assert f.experimental_get_tracing_count() == 6


def test_threads_that_trace_and_compute_eagerly():
    def work(i):
        if i % 2:
            return [float(tf.function(lambda x, k=k: x * k)(tf.constant(2.0))) for k in range(10)]
        out = []
        for k in range(10):
            x = tf.constant(2.0)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x * k
            out.append(float(tape.gradient(y, x)))
        return out

    results = in_threads(4, work)
    assert results[1] == results[3] == [2.0 * k for k in range(10)]
    assert results[0] == results[2] == [4.0 * k for k in range(10)]


def test_functions_that_call_each_other_do_not_lock_up():
    @tf.function
    def f(x, n):
        return x if n == 0 else g(x, n - 1) + 1.0

    @tf.function
    def g(x, n):
        return x if n == 0 else f(x, n - 1) * 2.0

    results = in_threads(4, lambda i: float((f if i % 2 else g)(tf.constant(1.0), 4)))
    assert results == [10.0, 7.0, 10.0, 7.0]


def test_gradients_in_threads():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        return tf.reduce_sum(tf.tanh(w * x))

    def work(i):
        with tf.GradientTape() as tape:
            y = f(tf.constant([0.1 * i, 0.2]))
        return tape.gradient(y, w).numpy()

    want = [work(i) for i in range(6)]
    np.testing.assert_allclose(in_threads(6, work), want, rtol=1e-6)


# -- retracing -------------------------------------------------------------------------------------
def warnings_of(caplog, function, calls):
    caplog.clear()
    for args in calls:
        function(*args)
    return [record.getMessage() for record in caplog.records]


def test_the_warning_says_which_argument_changed_and_how(caplog):
    @tf.function
    def step(x, rate):
        return x * rate

    x = tf.ones([2])
    (first, second) = warnings_of(caplog, step, [(x, 0.1 * k) for k in range(8)])
    assert first.startswith("5 out of the last 5 calls to <function")
    assert "argument 'rate' was Literal[0.30000000000000004] and is now Literal[0.4]" in first
    assert "'x'" not in first
    assert second.startswith("6 out of the last 6 calls")


def test_the_warning_for_shapes(caplog):
    @tf.function
    def f(x):
        return x

    (first, _) = warnings_of(caplog, f, [(tf.ones([n]),) for n in range(7)])
    assert ("argument 'x' was TensorSpec(shape=(3,), dtype=tf.float32, name=None) and is now "
            "TensorSpec(shape=(4,), dtype=tf.float32, name=None)") in first
    assert "reduce_retracing" in first


def test_the_warning_for_functions_made_in_a_loop(caplog):
    caplog.clear()
    for _ in range(6):
        tf.function(lambda x: x)(tf.constant(1))
    assert "5 out of the last 5 calls" in caplog.text


def test_no_warning_for_signatures_that_settle(caplog):
    @tf.function(reduce_retracing=True)
    def f(x):
        return x

    assert warnings_of(caplog, f, [(tf.ones([n]),) for n in range(30)]) == []
    assert f.experimental_get_tracing_count() == 2


def test_calls_between_traces_count():
    count, texts = Count(), []
    for _ in range(4):
        count.calls += 4  # three calls that find a trace, one that does not
        count.add(len, lambda: texts.append("changed"))
    assert texts == []


# -- concrete functions ----------------------------------------------------------------------------
def test_the_graph_can_be_looked_at():
    v = tf.Variable(2.0, name="v")

    @tf.function
    def f(x):
        return tf.nn.relu(x @ x) * v

    concrete = f.get_concrete_function(tf.TensorSpec([2, 2]))
    graph = concrete.graph
    assert [op.type for op in graph.get_operations()] == ["Placeholder", "MatMul", "Relu", "Mul"]
    assert [op.name for op in graph.get_operations()] == ["x", "MatMul", "Relu", "mul"]
    assert graph.get_operation_by_name("Relu").inputs[0].name == "MatMul:0"
    assert graph.variables == (v,) and graph.inputs[0].name == "x:0"
    text = str(graph)
    assert text.startswith("f(x: float32[2,2]):") and "'v:0'" in text and "return" in text


def test_graphs_are_sound():
    @tf.function
    def f(x, n):
        y = x
        for i in tf.range(n):
            if i % 2 == 0:
                y = tf.tanh(y) * x
        return y

    graph = f.get_concrete_function(tf.TensorSpec([3]), tf.TensorSpec([], tf.int32)).function.graph
    ir.check(graph)
    for node in graph.nodes:
        for body in [*node.attrs.get("branches", ()), node.attrs.get("body")]:
            if body is not None:
                ir.check(body.graph)


def test_a_broken_graph_is_found():
    @tf.function
    def f(x):
        return tf.sin(tf.cos(x))

    graph = f.get_concrete_function(tf.TensorSpec([])).function.graph
    graph.nodes.reverse()
    with pytest.raises(AssertionError, match="before it is defined"):
        ir.check(graph)


def test_wrong_arguments_are_named():
    @tf.function
    def f(x, y=2, *, k=3):
        return x

    with pytest.raises(TypeError, match=r"missing a required argument: 'x'.*\(x, y=<captured_"):
        f()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        f(1, z=2)
    with pytest.raises(TypeError, match="too many positional"):
        f(1, 2, 3)


def test_input_signature_messages_show_both_sides():
    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.int32)])
    def f(x, n):
        return x

    with pytest.raises(TypeError, match=r"shape=\(2, 4\).*to TensorSpec\(shape=\(None, 3\)"):
        f(tf.ones([2, 4]), 1)
    with pytest.raises(TypeError, match="tf.float32.*tf.int32"):
        f(tf.ones([2, 3]), tf.constant(1.0))


def test_a_concrete_function_takes_other_shapes():
    @tf.function
    def f(x):
        return tf.reduce_sum(x * 2.0)

    concrete = f.get_concrete_function(tf.TensorSpec([2]))
    assert float(concrete(tf.ones([5]))) == 10


# -- variables -------------------------------------------------------------------------------------
def test_an_initial_value_may_depend_on_the_first_arguments():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(tf.reduce_mean(x) * 2.0))
        return made[0].assign_add(1.0)

    assert float(f(tf.constant([1.0, 3.0]))) == 5
    assert float(f(tf.constant([100.0, 100.0]))) == 6
    assert len(made) == 1


def test_a_function_sees_the_variable_of_the_call():
    @tf.function
    def f(v):
        v.assign(v * 2.0)
        return v.read_value()

    vs = [tf.Variable(float(k)) for k in range(5)]
    assert [float(f(v)) for v in vs] == [0, 2, 4, 6, 8]
    assert f.experimental_get_tracing_count() == 1


def test_python_runs_once_for_each_trace_only():
    log = []

    @tf.function
    def f(x):
        log.append("f")
        for _ in tf.range(3):
            log.append("body")
            if x > 0:
                log.append("then")
                x = x - 1
        return x

    f(tf.constant(5))
    f(tf.constant(6))
    with tf.GradientTape() as tape:
        y = f(tf.Variable(3.0))
    tape.gradient(y, tape.watched_variables())
    assert log == ["f", "body", "then"] * 2


def test_names_in_scopes_are_counted_in_one_pass(monkeypatch):
    """Keras traces each update of an optimizer in a scope: thousands of names."""
    looks = []
    word = graph_builder.plain_name
    monkeypatch.setattr(graph_builder, "plain_name", lambda op: looks.append(op) or word(op))
    names = []

    @tf.function
    def f(x):
        with tf.name_scope("scope"):
            for _ in range(100):
                x = x * 2 + 1
                names.append(x.name)
        return x

    f(tf.constant(1.0))
    assert names[:2] == ["scope/add:0", "scope/add_1:0"] and names[-1] == "scope/add_99:0"
    assert len(looks) <= 3 * 200


def test_a_composite_argument_may_hold_variables():
    class Spec(tf.TypeSpec):
        value_type = property(lambda self: Scaled)
        _component_specs = property(lambda self: {"v": tf.VariableSpec([2]),
                                                  "x": tf.TensorSpec([2])})

        def _serialize(self):
            return ()

        def _to_components(self, value):
            return {"v": value.v, "x": value.x}

        def _from_components(self, parts):
            return Scaled(parts["v"], parts["x"])

    class Scaled(tf.__internal__.CompositeTensor):
        def __init__(self, v, x):
            assert isinstance(v, tf.Variable)
            self.v, self.x = v, x

        _type_spec = property(lambda self: Spec())

    times = tf.function(lambda scaled: scaled.v * scaled.x, autograph=False)
    one, two = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    x = tf.constant([10.0, 100.0])
    for _ in range(2):
        assert times(Scaled(one, x)).numpy().tolist() == [10.0, 200.0]
        assert times(Scaled(two, x)).numpy().tolist() == [30.0, 400.0]
    one.assign([0.0, 1.0])
    assert times(Scaled(one, x + 1.0)).numpy().tolist() == [0.0, 101.0]
    with tf.GradientTape() as tape:
        y = times(Scaled(two, x))
    assert tape.gradient(y, two).numpy().tolist() == [10.0, 100.0]
    assert times.experimental_get_tracing_count() == 2


def test_a_variable_begins_with_what_a_known_shape_gives():
    made = []

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def centred(x):
        mean = tf.reduce_mean(x, 0)
        if not made:
            made.append(tf.Variable(tf.zeros_like(mean)))
            made.append(tf.Variable(2 * tf.ones_like(mean) + tf.cast(tf.size(mean), tf.float32)))
        return made[0].assign_add(mean) + made[1]

    assert centred(tf.ones([2, 3])).numpy().tolist() == [6.0, 6.0, 6.0]
    assert centred(tf.ones([4, 3])).numpy().tolist() == [7.0, 7.0, 7.0]


class _Holder:
    """An object of another library that can be made an array, as a column of a table."""

    def __init__(self, *values):
        self.values = np.array(values, "float32")

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_what_can_be_made_an_array_is_a_tensor_inside():
    seen = []

    @tf.function
    def double(x, parts):
        seen.append(type(x).__name__)
        assert isinstance(x, tf.Tensor)
        return x * 2.0 + parts["a"]

    for values in ((1.0, 2.0), (3.0, 5.0)):
        got = double(_Holder(*values), {"a": _Holder(1.0, 1.0)})
        np.testing.assert_array_equal(got, 2 * np.array(values) + 1)
    assert len(seen) == 1
    relaxed = tf.function(lambda x: x + 1.0, reduce_retracing=True)
    for count in (2, 3, 4):
        assert relaxed(_Holder(*range(count))).shape == (count,)
    # A class is no value, and what refuses says so.
    assert tf.function(lambda kind, x: x + len(kind.__name__))(_Holder, tf.constant(0)) == 7

    class Refusing:
        def __array__(self, dtype=None, copy=None):
            raise LookupError("no array")

    with pytest.raises(LookupError, match="no array"):
        tf.function(lambda x: 1)(Refusing())


def test_traces_as_children_of_a_saved_model():
    @tf.function
    def double(x):
        return x * 2

    assert not hasattr(double, "_concrete_variable_creation_fn")
    double(tf.constant(1.0)), double(tf.constant(1))
    traces = double._list_all_concrete_functions()
    assert double._concrete_variable_creation_fn is traces[0]
    assert double._list_all_concrete_functions_for_serialization() == traces
    signed = tf.function(lambda x: x, input_signature=[tf.TensorSpec([])])
    assert len(signed._list_all_concrete_functions_for_serialization()) == 1
    assert double._trackable_children() == {}
    assert double._trackable_children("savedmodel") == {"trace_0": traces[0], "trace_1": traces[1]}


def test_the_python_function_of_a_method_has_its_object():
    class Scale:
        @tf.function
        def times(self, x, factor=2.0):
            return self, x * factor

    one = Scale()
    assert isinstance(one.times.python_function, types.FunctionType)
    assert one.times.python_function(3.0) == (one, 6.0)
    assert inspect.getfullargspec(one.times.python_function).args == ["x", "factor"]
    assert one.times.python_function.__name__ == "times"
