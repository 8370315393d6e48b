"""tf.summary: events are TensorFlow's to the byte; files, steps, conditions, images, graphs."""

import glob
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.io.protobuf.fields import MESSAGES

sys.path.insert(0, str(Path(__file__).parent))
import record_events


def events(folder):
    path, = glob.glob(f"{folder}/events*")
    return list(tf.compat.v1.train.summary_iterator(path))


def test_events_are_those_of_tensorflow(tmp_path):
    assert record_events.lines(tf, tmp_path) == record_events.FILE.read_text().split()


def test_images_are_png(tmp_path):
    pixels = np.linspace(0, 1, 2 * 3 * 4 * 3, dtype=np.float32).reshape(2, 3, 4, 3)
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=0):
        tf.summary.image("im", pixels, max_outputs=1)
        tf.function(lambda: tf.summary.image("traced", pixels))()
        with pytest.raises(ValueError, match="must have rank 4"):
            tf.summary.image("bad", np.zeros((3, 3)))
    one, two = [list(event.summary.value[0].tensor.string_val) for event in events(tmp_path)[1:]]
    assert one[:2] == [b"4", b"3"] and len(one) == 3 and len(two) == 4
    shown = tf.io.decode_png(one[2]).numpy()
    assert np.array_equal(shown, np.minimum(pixels[0] * 255.5, 255).astype(np.uint8))


def test_writers(tmp_path):
    assert not tf.summary.should_record_summaries().numpy()
    assert not tf.summary.scalar("nowhere", 1.0, step=1).numpy()
    writer = tf.summary.create_file_writer(str(tmp_path / "a"), max_queue=2, filename_suffix=".x")
    name, = os.listdir(tmp_path / "a")
    assert name.startswith("events.out.tfevents.") and name.endswith(".x")
    with writer.as_default() as same:
        assert same is writer
        with pytest.raises(ValueError, match="No step set"):
            tf.summary.scalar("x", 1.0)
        with pytest.raises(ValueError, match="Expected scalar shape, saw shape"):
            tf.summary.scalar("x", [1.0, 2.0], step=1)
        for i in range(3):
            tf.summary.scalar("x", i, step=i)
        assert len(events(tmp_path / "a")) == 4  # a full queue is written out
        with tf.summary.create_noop_writer().as_default():
            assert tf.summary.should_record_summaries().numpy()  # as in TensorFlow
        with tf.summary.record_if(lambda: False):
            assert not tf.summary.should_record_summaries().numpy()
        assert tf.summary.should_record_summaries().numpy()
    writer.close()
    with pytest.raises(RuntimeError, match="is already closed"):
        writer.as_default().__enter__()
    assert tf.summary.experimental.get_step() is None


def test_an_error_restores_the_writer(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    with pytest.raises(ZeroDivisionError), writer.as_default(step=3):
        assert tf.summary.experimental.get_step() == 3
        1 / 0
    assert tf.summary.experimental.get_step() is None
    assert not tf.summary.should_record_summaries().numpy()


def test_graphs(tmp_path):
    @tf.function
    def f(x):
        return tf.sin(x) + 1.0

    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        tf.summary.trace_on(graph=True)
        f(tf.constant(2.0))
        tf.summary.trace_export("run", step=0)
        with pytest.raises(ValueError, match="Must enable trace before export"):
            tf.summary.trace_export("run", step=0)
        tf.summary.graph(f.get_concrete_function(tf.constant(2.0)).graph)
    _, run, graph = events(tmp_path)
    kept = MESSAGES["RunMetadata"].FromString(run.summary.value[0].tensor.string_val[0])
    assert [node.op for node in kept.function_graphs[0].pre_optimization_graph.node][1] == "Sin"
    nodes = MESSAGES["GraphDef"].FromString(graph.graph_def).node
    assert nodes[1].input == [nodes[0].name]


def test_events_that_a_program_of_sessions_writes(tmp_path):
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.compat.v1.summary.FileWriter(tmp_path)
    value = tf.compat.v1.Summary.Value(tag="loss", simple_value=0.5)
    value.metadata.plugin_data.plugin_name = "scalars"
    summary = tf.compat.v1.Summary(value=[value])
    with tf.Graph().as_default() as graph:
        tf.compat.v1.placeholder(tf.float32, [2], name="x")
        with tf.compat.v1.summary.FileWriter(tmp_path, graph) as writer:
            writer.add_summary(summary, 1)
            writer.add_summary(summary.SerializeToString(), 2)
            log = tf.compat.v1.SessionLog(status=tf.compat.v1.SessionLog.START)
            writer.add_session_log(log, 3)
    with pytest.warns(UserWarning, match="closed FileWriter"):
        writer.add_summary(summary, 4)
    (file,) = tmp_path.iterdir()
    events = list(tf.compat.v1.train.summary_iterator(str(file)))
    assert [(one.WhichOneof("what"), one.step) for one in events] == [
        ("file_version", 0), ("graph_def", 0), ("summary", 1), ("summary", 2), ("session_log", 3)]
    assert [one.summary.value[0].HasField("metadata") for one in events[2:4]] == [True, False]
    assert writer.get_logdir() == str(tmp_path)
