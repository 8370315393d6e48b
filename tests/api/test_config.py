"""tf.config: settings that last for the process are tried in processes of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

import tapeflow as tf

ROOT = Path(__file__).resolve().parents[2]


def run(program):
    done = subprocess.run([sys.executable, "-c", f"import tapeflow as tf\n{program}"],
                          capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)},
                          timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_several_logical_devices_of_one_cpu():
    assert run("""
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
print([d.name for d in tf.config.list_logical_devices()],
      len(tf.config.get_logical_device_configuration(cpu)))
""") == "['/device:CPU:0', '/device:CPU:1'] 2"


def test_threads_placement_and_jit_are_remembered():
    assert run("""
tf.config.threading.set_inter_op_parallelism_threads(2)
tf.config.threading.set_intra_op_parallelism_threads(3)
tf.config.set_soft_device_placement(False)
tf.debugging.set_log_device_placement(True)
tf.config.optimizer.set_jit(True)
print(tf.config.threading.get_inter_op_parallelism_threads(),
      tf.config.threading.get_intra_op_parallelism_threads(),
      tf.config.get_soft_device_placement(), tf.debugging.get_log_device_placement(),
      tf.config.optimizer.get_jit())
""") == "2 3 False True autoclustering"


def test_determinism_asks_for_a_seed():
    assert run("""
tf.random.normal([1])
tf.config.experimental.enable_op_determinism()
try:
    tf.random.normal([1])
except RuntimeError as error:
    print(type(error).__name__)
tf.random.set_seed(1)
print(tf.random.normal([1]).shape)
""") == "RuntimeError\n(1,)"


def test_a_hidden_cpu_still_computes():
    assert run("""
tf.config.set_visible_devices([], "CPU")
print(tf.config.get_visible_devices(), tf.config.list_logical_devices(), int(tf.constant(1) + 1))
""") == "[] [] 2"


def test_what_a_cpu_cannot_do_is_an_error():
    cpu = tf.config.list_physical_devices("CPU")[0]
    with pytest.raises(ValueError, match="GPU"):
        tf.config.experimental.set_memory_growth(cpu, True)
    with pytest.raises(ValueError):
        tf.config.experimental.get_memory_info("GPU:0")
    with pytest.raises(ValueError, match="memory_limit"):
        tf.config.set_logical_device_configuration(
            cpu, [tf.config.LogicalDeviceConfiguration(memory_limit=1)])


def test_the_usual_gpu_set_up_code_runs():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    assert len(tf.config.list_logical_devices("GPU")) == 0


@pytest.mark.parametrize("name", ["config.experimental_connect_to_cluster", "tpu.experimental"])
def test_what_means_nothing_here_is_absent(name):
    value = tf
    with pytest.raises(AttributeError):
        for part in name.split("."):
            value = getattr(value, part)


def test_the_logger_silences_warnings(caplog):
    x = tf.constant(1)
    logger = tf.get_logger()
    with caplog.at_level("WARNING", logger.name):
        with tf.GradientTape() as tape:
            tape.watch(x)
        assert caplog.messages
        caplog.clear()
        logger.setLevel("ERROR")
        try:
            with tf.GradientTape() as tape:
                tape.watch(x)
        finally:
            logger.setLevel("NOTSET")
        assert not caplog.messages
