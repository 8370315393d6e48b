"""The profiler, and switches that mean nothing on one CPU but must be accepted."""

import pstats

import numpy as np
import pytest

import tapeflow as tf


def test_the_profiler_writes_what_python_measured(tmp_path):
    profiler = tf.profiler.experimental
    with profiler.Profile(str(tmp_path)), profiler.Trace("step", step_num=1) as mark:
        tf.reduce_sum(tf.ones([3]))
    assert mark.metadata == {"step_num": 1}
    (found,) = tmp_path.rglob("host.pstats")
    assert pstats.Stats(str(found)).total_calls > 0


def test_one_profiler_at_a_time(tmp_path):
    with pytest.raises(tf.errors.UnavailableError):
        tf.profiler.experimental.stop()
    tf.profiler.experimental.start(str(tmp_path))
    try:
        with pytest.raises(tf.errors.AlreadyExistsError):
            tf.profiler.experimental.start(str(tmp_path))
    finally:
        tf.profiler.experimental.stop(save=False)
    assert not list(tmp_path.iterdir())


def test_switches_are_accepted():
    tf.config.experimental.set_synchronous_execution(True)
    tf.config.experimental.disable_mlir_bridge()
    tf.autograph.set_verbosity(3)
    with tf.experimental.async_scope(), tf.xla.experimental.jit_scope():
        assert int(tf.constant(1) + 1) == 2
    assert tf.autograph.experimental.Feature.all_but(
        tf.autograph.experimental.Feature.ALL)[0].name == "AUTO_CONTROL_DEPS"


def test_temporary_folders_of_a_test_case_are_removed():
    import os
    import unittest

    seen = []

    class Case(tf.test.TestCase):
        def test(self):
            seen.append(self.get_temp_dir())
            assert os.path.isdir(seen[0]) and self.get_temp_dir() == seen[0]

    result = unittest.TestResult()
    Case("test").run(result)
    assert result.wasSuccessful() and not os.path.exists(seen[0])


def test_a_queue_takes_one_shape_for_its_only_component():
    for make in (tf.queue.FIFOQueue, tf.queue.PaddingFIFOQueue):
        assert make(3, tf.float32, shapes=[]).shapes == [tf.TensorShape([])]
        assert make(3, tf.float32, shapes=[2]).shapes == [tf.TensorShape([2])]
        assert make(3, [tf.float32], shapes=[[2]]).shapes == [tf.TensorShape([2])]
    assert tf.queue.PriorityQueue(3, tf.string, shapes=[]).shapes == [tf.TensorShape([])] * 2
    with pytest.raises(ValueError, match="1 shapes, 2 dtypes"):
        tf.queue.FIFOQueue(3, [tf.float32, tf.float32], shapes=[2])


def test_what_defines_a_tracing_type_supports_tracing():
    class Option:
        def __tf_tracing_type__(self, context):
            return None

    assert isinstance(Option(), tf.types.experimental.SupportsTracingProtocol)
    assert not isinstance(1.0, tf.types.experimental.SupportsTracingProtocol)


def test_the_data_service_speaks_grpc_unless_told_otherwise():
    service = tf.data.experimental.service
    assert service.DispatcherConfig().protocol == service.WorkerConfig("a:1").protocol == "grpc"


class _Around(tf.Variable):
    """A variable as a library wraps one: its value is that of another."""

    def __init__(self, variable):
        self._variable = variable

    def value(self):
        return self._variable.value()

    def __getattr__(self, name):
        return getattr(self._variable, name)

    @property
    def _should_act_as_resource_variable(self):
        return True


def test_a_variable_around_another():
    inside = tf.Variable(3.0, per_worker_variable=True)
    around = _Around(inside)
    assert around.handle is inside
    with tf.GradientTape() as tape:
        y = around.value() ** 2
    assert tape.gradient(y, around).numpy() == 6.0
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        around = _Around(tf.Variable(2.0))
        session.run(tf.compat.v1.global_variables_initializer())
        assert session.run(around) == 2.0


def test_sizes_are_forgotten():
    tf.data.Dataset.range(1)
    spec = tf.TensorSpec([2, 3], tf.int32)._with_tensor_ranks_only()
    assert spec == tf.TensorSpec([None, None], tf.int32)


def test_no_element_has_a_wrong_type():
    made = tf.make_tensor_proto(np.zeros([0, 2]), tf.string)
    assert tf.make_ndarray(made).shape == (0, 2)
