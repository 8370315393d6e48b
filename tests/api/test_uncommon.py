"""The profiler, and switches that mean nothing on one CPU but must be accepted."""

import pstats

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
