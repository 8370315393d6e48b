"""tf.debugging.experimental.enable_dump_debug_info: what its files tell, and the readers of them.

The numbers are those that TensorFlow 2.21 writes for the same programs.
"""

import os

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base import errors
from tapeflow.core.state import state
from tapeflow.io.protobuf.tensor_protos import make_ndarray
from tapeflow.summary.debug_dump.data_reader import DebugDataReader
from tapeflow.summary.debug_dump.event_reader import DebugEventsReader
from tapeflow.summary.debug_dump.event_writer import DebugEventsWriter
from tapeflow.summary.debug_dump.monitors import InfNanMonitor
from tapeflow.summary.debug_dump.tensor_summaries import summary

enable = tf.debugging.experimental.enable_dump_debug_info
disable = tf.debugging.experimental.disable_dump_debug_info
MODES = {"CURT_HEALTH": 2, "CONCISE_HEALTH": 3, "FULL_HEALTH": 4, "SHAPE": 5}


@pytest.fixture(autouse=True)
def off():
    yield
    disable()


@pytest.fixture
def dump(tmp_path):
    """Run a program while a dump is on, and read it."""
    def run(program, *args, **options):
        enable(str(tmp_path), **options)
        try:
            program(*args)
        finally:
            disable()
        reader = DebugDataReader(str(tmp_path))
        reader.update()
        return reader
    return run


@tf.function
def doubled_sum(x):
    a, b = tf.unstack(x)
    return (a + b) * 2.0


def _looped():
    @tf.function
    def total(x, times):
        result = tf.constant(0, dtype=x.dtype)
        i = tf.constant(0)
        while tf.less(i, times):
            result += x
            i += 1
        return result

    @tf.function
    def inner(x):
        a, b = tf.unstack(x)
        return a + b

    @tf.function
    def outer(x):
        return total(inner(x), tf.constant(3))

    return outer


ODD = np.array([1, -2, 0, np.inf, -np.inf, np.nan, np.nan], np.float32)


@pytest.mark.parametrize(("value", "mode", "numbers"), [
    (ODD, "CURT_HEALTH", [-1, 1]),
    (ODD, "CONCISE_HEALTH", [-1, 7, 1, 1, 2]),
    (ODD, "FULL_HEALTH", [-1, -1, 1, 1, 7, 1, 1, 2, 1, 1, 1]),
    (ODD, "SHAPE", [-1, 1, 1, 7, 7, 0, 0, 0, 0, 0]),
    (np.zeros([1, 2, 3, 4, 5, 6, 7, 8], np.float32), "SHAPE",
     [-1, 1, 8, 40320, 3, 4, 5, 6, 7, 8]),
    (np.True_, "SHAPE", [-1, 10, 0, 1, 0, 0, 0, 0, 0, 0]),
    (np.array([1, 0, -3], np.int32), "FULL_HEALTH", [-1, -1, 3, 1, 3, 0, 0, 0, 1, 1, 1]),
    (np.zeros([2, 3], tf.bfloat16.as_numpy_dtype), "FULL_HEALTH",
     [-1, -1, 14, 2, 6, 0, 0, 0, 0, 6, 0]),
    (np.float64(2), "CURT_HEALTH", [-1, 0]),
])
def test_summaries_are_tensorflows(value, mode, numbers):
    found = make_ndarray(summary(MODES[mode], value))
    assert found.dtype == np.float64
    assert found.tolist() == numbers


def test_eager_ops_with_their_tensors_and_lines(dump):
    x = tf.constant([1.0, 0.0])

    def program():
        tf.split(tf.math.log(x) * 2.0, 2)

    reader = dump(program, tensor_debug_mode="CONCISE_HEALTH")
    log, product, split = reader.executions()
    assert [log.op_type, product.op_type, split.op_type] == ["Log", "Mul", "SplitV"]
    assert log.output_tensor_ids[0] == product.input_tensor_ids[0]
    assert log.debug_tensor_values == ([-1, 2, 1, 0, 0],)
    assert (split.num_outputs, len(split.debug_tensor_values)) == (2, 2)
    host, frames = reader.read_execution_stack_trace(log)
    path, line, name = frames[-1]
    assert (path, name) == (__file__, "program")
    assert "tf.math.log(x)" in reader.source_lines(host, path)[line - 1]
    assert "2.21" in reader.tensorflow_version()


def test_variables_read_and_assigned(dump):
    v = tf.Variable([1.0, 2.0])
    reader = dump(lambda: v.assign_add(v * 2.0))
    kinds = [one.op_type for one in reader.executions(digest=True)]
    assert kinds == ["ReadVariableOp", "Mul", "ReadVariableOp", "AssignVariableOp"]


def test_a_function_inside_another_keeps_its_graph(dump):
    reader = dump(_looped(), tf.constant([1.0, 2.0]))
    root, = reader.outermost_graphs()
    assert root.name is None
    outer, = [reader.graph_by_id(one) for one in root.inner_graph_ids]
    names = {reader.graph_by_id(one).name for one in outer.inner_graph_ids}
    assert (outer.name, names) == ("outer", {"inner", "total"})
    call, = reader.executions()
    assert call.op_type.startswith("__inference_outer_")
    assert call.graph_id == outer.graph_id
    inner = next(one for one in map(reader.graph_by_id, outer.inner_graph_ids)
                 if one.name == "inner")
    assert inner.get_op_consumers("Unpack") == [(0, "add", 0), (1, "add", 1)]
    assert inner.get_op_creation_digest("Identity").input_names == ("add:0",)
    assert outer.get_op_creation_digest("Identity").input_names == ("StatefulPartitionedCall_1:0",)


def test_values_in_graphs_and_turns_of_loops(dump):
    """As many values as TensorFlow writes: 6 before the loop, 6 for each test, 11 for each turn."""
    program, x = _looped(), tf.constant([1.0, 2.0])
    reader = dump(lambda: (program(x), program(x)), tensor_debug_mode="FULL_TENSOR")
    traces = reader.graph_execution_traces()
    assert len(traces) == 2 * (8 + 4 * 6 + 3 * 11)
    of_loop = [one for one in traces if one.op_name == "loop_counter"]
    counted = [int(reader.graph_execution_trace_to_tensor_value(one)) for one in of_loop]
    assert counted == [0, 0, 1, 1, 2, 2, 3] * 2
    sums = [reader.graph_execution_trace_to_tensor_value(one) for one in traces
            if one.op_type == "AddV2" and one.op_name == "add"]
    assert sums == [3.0, 3.0, 6.0, 9.0] * 2
    depth = {reader.graph_by_id(one.graph_id).name: len(one.graph_ids) for one in traces}
    assert depth == {"outer": 2, "inner": 3, "total": 3, "while_cond": 4, "while_body": 4}


def test_numbers_of_symbolic_tensors(dump):
    reader = dump(_looped(), tf.constant([1.0, 2.0]), tensor_debug_mode="CONCISE_HEALTH")
    first, second = reader.graph_execution_traces(begin=0, end=2)
    # outer's x and inner's come before.
    assert (first.debug_tensor_value[0], second.debug_tensor_value[0]) == (3.0, 4.0)
    assert reader.graph_execution_trace_to_tensor_id(second) == 4


def test_branches_and_steps_of_training(dump):
    v = tf.Variable([3.0, 4.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v * x)
        v.assign_sub(0.1 * tape.gradient(loss, v))
        if loss > 5.0:
            loss = tf.sqrt(loss)
        return loss

    reader = dump(step, tf.constant(1.0), tensor_debug_mode="FULL_TENSOR")
    assert [one.op_type[:16] for one in reader.executions(digest=True)] == ["__inference_step"]
    values = {one.op_type: reader.graph_execution_trace_to_tensor_value(one)
              for one in reader.graph_execution_traces()}
    np.testing.assert_array_equal(values["ReadVariableOp"], [3.0, 4.0])
    assert values["Sqrt"] == 5.0
    np.testing.assert_allclose(v.numpy(), [2.4, 3.2], rtol=1e-6)


def test_functions_traced_before_have_no_graph(dump):
    x = tf.constant([1.0, 2.0])
    doubled_sum(x)
    reader = dump(doubled_sum, x)
    call, = reader.executions()
    assert call.op_type.startswith("__inference_doubled_sum_")
    assert not call.graph_id
    assert reader.num_graph_execution_traces() == 0


def test_only_what_is_asked_for_is_summarised(dump):
    x = tf.constant([1.0, 2.0])

    def program():
        tf.exp(x)
        tf.cast(tf.sin(x), tf.int32)

    reader = dump(program, tensor_debug_mode="SHAPE", op_regex="(Sin|Cast)$",
                  tensor_dtypes=["float32"])
    assert [one.debug_tensor_values for one in reader.executions()] == [
        None, ([-1, 1, 1, 2, 2, 0, 0, 0, 0, 0],), None]


def test_dtypes_by_a_function_and_strings(dump):
    def program():
        tf.strings.join(["a", "b"])
        tf.constant(3) + 1

    reader = dump(program, tensor_debug_mode="FULL_TENSOR",
                  tensor_dtypes=lambda dtype: not dtype.is_integer)
    joined, numbers = reader.executions()
    assert reader.execution_to_tensor_values(joined) == [b"ab"]
    assert reader.execution_to_tensor_values(numbers) == []


def test_rings_keep_the_latest_until_they_are_flushed(tmp_path):
    writer = enable(str(tmp_path), circular_buffer_size=2)
    x = tf.constant(1.0)
    for op in (tf.sin, tf.cos, tf.exp):
        op(x)
    writer.FlushNonExecutionFiles()
    with DebugDataReader(str(tmp_path)) as reader:
        reader.update()
        assert reader.num_executions() == 0
        writer.FlushExecutionFiles()
        reader.update()
        assert [one.op_type for one in reader.executions()] == ["Cos", "Exp"]
        tf.tan(x)
        writer.FlushExecutionFiles()
        reader.update()
        assert reader.executions(digest=True)[-1].op_type == "Tan"


def test_an_event_that_is_not_whole_waits(tmp_path):
    enable(str(tmp_path), circular_buffer_size=0)
    tf.sin(1.0)
    tf.cos(1.0)
    disable()
    path, = [one for one in tmp_path.iterdir() if one.name.endswith(".execution")]
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    reader = DebugDataReader(str(tmp_path))
    reader.update()
    assert reader.num_executions() == 1
    path.write_bytes(whole)
    reader.update()
    assert [one.op_type for one in reader.executions()] == ["Sin", "Cos"]


@pytest.mark.parametrize("mode", ["CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "FULL_TENSOR"])
def test_alerts(tmp_path, mode):
    enable(str(tmp_path), tensor_debug_mode=mode)
    tf.math.log([1.0, 0.0])
    tf.function(lambda x: tf.sqrt(x) + 1.0)(tf.constant([-1.0, 4.0]))
    disable()
    reader = DebugDataReader(str(tmp_path))
    monitor = InfNanMonitor(reader)
    reader.update()
    found = {one.op_type.partition("<")[0]: one for one in monitor.alerts()}
    assert sorted(found) == ["AddV2", "Log", "Sqrt", "__inference_"]
    assert (found["Log"].execution_index, found["Log"].graph_execution_trace_index) == (0, None)
    assert found["Sqrt"].execution_index is None
    counts = [(one.size, one.num_neg_inf, one.num_nan) for one in (found["Log"], found["Sqrt"])]
    assert counts == ([(None,) * 3] * 2 if mode == "CURT_HEALTH" else [(2, 1, 0), (2, 0, 1)])


def test_results_and_gradients_are_the_same(tmp_path):
    program = _looped()
    x = tf.constant([1.0, 2.0])

    def both():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x) ** 2
        return y.numpy(), tape.gradient(y, x).numpy().tolist()

    expected = both()
    enable(str(tmp_path))
    assert both() == expected
    disable()
    assert (state.graph_listener, state.recorder, state.stack) == (None, None, ())


def test_resources_are_left_out(dump):
    @tf.function
    def total(numbers):
        result = tf.constant(0, tf.int64)
        for one in numbers:
            result += one
        return result

    data = tf.data.Dataset.range(3)
    reader = dump(total, data, tensor_debug_mode="FULL_TENSOR")
    assert reader.num_graph_execution_traces() > 3


def test_a_second_call_may_change_the_folder_alone(tmp_path):
    first, second = str(tmp_path / "a"), str(tmp_path / "b")
    enable(first, "SHAPE")
    with pytest.raises(ValueError, match=r"different tensor-debug mode \(SHAPE\)"):
        enable(first, "NO_TENSOR")
    with pytest.raises(ValueError, match=r"circular-buffer size \(1000\)"):
        enable(first, "SHAPE", 3)
    tf.sin(1.0)
    enable(second, "SHAPE")
    tf.cos(1.0)
    disable()
    disable()
    for folder, op in ((first, "Sin"), (second, "Cos")):
        reader = DebugDataReader(folder)
        reader.update()
        assert [one.op_type for one in reader.executions()] == [op]


def test_errors(tmp_path):
    with pytest.raises(ValueError, match="Empty or None dump root"):
        enable("")
    with pytest.raises(ValueError, match="Invalid value in tensor_debug_mode .'nope'."):
        enable(str(tmp_path), "nope")
    with pytest.raises(NotImplementedError, match="FULL_NUMERICS is not implemented yet"):
        enable(str(tmp_path), "FULL_NUMERICS")
    with pytest.raises(ValueError, match="tensor_dtypes is expected to be a list"):
        enable(str(tmp_path), tensor_dtypes=3)
    assert not os.listdir(tmp_path)
    with pytest.raises(ValueError, match="is not a directory"):
        DebugEventsReader(str(tmp_path / "none"))
    with pytest.raises(ValueError, match="Cannot find any tfdbg metadata file"):
        DebugEventsReader(str(tmp_path))
    writer = DebugEventsWriter(str(tmp_path), "run")
    writer.Close()
    with pytest.raises(errors.FailedPreconditionError, match="No DebugEventsWriter"):
        writer.FlushExecutionFiles()
