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


# -- summaries that sessions run -------------------------------------------------------------------
summaries = tf.compat.v1.summary


def in_session(make, feed=0.0):
    """The Summary that a session makes of what `make(x)` gives, x a placeholder."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32)
        return tf.compat.v1.Summary.FromString(session.run(make(x), {x: feed}))


def test_a_session_makes_summaries():
    def several(x):
        with tf.name_scope("outer"):
            summaries.scalar("a b", x, family="fam")
        summaries.scalar("loss", x + 1.0)
        summaries.scalar("loss", 2.0)  # of a constant: a node all the same
        return summaries.merge_all()

    found = [(one.tag, one.simple_value) for one in in_session(several, 3.0).value]
    assert found == [("fam/outer/fam/a_b", 3.0), ("loss", 4.0), ("loss_1", 2.0)]


def test_summaries_are_nodes_with_their_names():
    with tf.Graph().as_default() as graph:
        first = summaries.scalar("loss", 1.0)
        second = summaries.histogram("loss", [1.0], collections=["mine"])
        merged = summaries.merge([first, second])
    assert [one.op.name for one in (first, second, merged)] == ["loss", "loss_1",
                                                                "Merge/MergeSummary"]
    assert [one.op.type for one in (first, second)] == ["ScalarSummary", "HistogramSummary"]
    assert graph.get_collection("summaries") == [first]
    assert graph.get_collection("mine") == [second]


def test_a_histogram_has_tensorflows_buckets():
    made = in_session(lambda x: summaries.histogram("h", x), [0.0, 1.0, 1.0, -2.0, 5.0])
    histo = made.value[0].histo
    assert [histo.min, histo.max, histo.num, histo.sum, histo.sum_squares] == [-2, 5, 5, 5, 31]
    assert list(histo.bucket) == [0, 1, 0, 1, 0, 2, 0, 1, 0]
    assert list(histo.bucket_limit) == [
        -2.1628190051144287, -1.9661990955585713, 0, 1e-12, 0.917246389039776, 1.0089710279437536,
        4.6361946174186253, 5.0998140791604882, 1.7976931348623157e+308]
    empty = in_session(lambda x: summaries.histogram("e", x), []).value[0].histo
    assert (list(empty.bucket), empty.max) == ([0], -1.7976931348623157e+308)


def test_pictures_are_scaled_to_bytes():
    def pixels(*values, limit=1):
        found = in_session(lambda x: summaries.image("im", x, max_outputs=limit),
                           np.reshape(values, [1, 1, -1, 1]))
        (one,) = found.value
        assert one.tag == ("im/image" if limit == 1 else "im/image/0")
        return tf.io.decode_png(one.image.encoded_image_string).numpy().ravel().tolist()

    assert pixels(0.0, 1.0, 4.0, limit=3) == [0, 63, 255]
    assert pixels(-1.0, 2.0) == [64, 255]
    assert pixels(np.nan, 2.0) == [255, 255]
    assert pixels(0.0, 0.0) == [0, 0]


def test_sounds_texts_and_tensors():
    sound = in_session(lambda x: summaries.audio("au", x, 8000), np.zeros([2, 4])).value
    assert [one.tag for one in sound] == ["au/audio/0", "au/audio/1"]
    assert sound[0].audio.encoded_audio_string.startswith(b"RIFF")
    assert sound[0].audio.length_frames == 4
    text = in_session(lambda x: summaries.text("t", tf.constant(["hi", "x"]))).value[0]
    assert text.metadata.plugin_data.plugin_name == "text"
    assert tf.make_ndarray(text.tensor).tolist() == [b"hi", b"x"]
    kept = in_session(lambda x: summaries.tensor_summary("k", x, "words", display_name="K"), [1.0])
    assert tf.make_ndarray(kept.value[0].tensor).tolist() == [1.0]
    described = kept.value[0].metadata
    assert (described.display_name, described.summary_description) == ("K", "words")


@pytest.mark.parametrize("make, feed, words", [
    (lambda x: summaries.scalar("v", x), [1.0, 2.0], "not the same shape"),
    (lambda x: summaries.histogram("h", x), [np.nan], "Nan in summary histogram for: h"),
    (lambda x: summaries.image("k", x), [1.0], "must be 4-D"),
    (lambda x: summaries.audio("a", x, 0), [[1.0]], "sample_rate"),
    (lambda x: summaries.merge([summaries.scalar("d", x)] * 2), 1.0, "Duplicate tag d"),
])
def test_wrong_summaries(make, feed, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        in_session(make, feed)


def test_summaries_outside_a_graph(tmp_path):
    made = summaries.scalar("a", 1.0)
    assert tf.compat.v1.Summary.FromString(made.numpy()).value[0].simple_value == 1.0
    with pytest.raises(RuntimeError, match="eager execution"):
        summaries.merge([made])
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=3):
        assert summaries.scalar("written", 2.0).numpy() == b""
    assert [one.step for one in events(tmp_path)][1:] == [3]


def test_times_of_a_run(tmp_path):
    run = tf.compat.v1.RunMetadata()
    run.step_stats.dev_stats.add(device="cpu").node_stats.add(node_name="x", all_end_rel_micros=7)
    again = tf.compat.v1.RunMetadata.FromString(run.SerializeToString())
    assert again.step_stats.dev_stats[0].node_stats[0].all_end_rel_micros == 7
    with tf.Graph().as_default(), summaries.FileWriter(tmp_path) as writer:
        writer.add_run_metadata(run, "step 1", 1)
        with pytest.raises(ValueError, match="already used"):
            writer.add_run_metadata(run, "step 1", 2)


def test_another_object_takes_the_events(tmp_path):
    class Sink:
        events = []

        def add_event(self, event):
            self.events.append(event)

    with tf.Graph().as_default():
        writer = tf.compat.v1.summary.FileWriter(tmp_path)
        writer.event_writer.close()
        writer.event_writer = Sink()
        writer.add_summary(tf.compat.v1.Summary(
            value=[tf.compat.v1.Summary.Value(tag="x", simple_value=1.0)]), 3)
    assert [(one.step, one.summary.value[0].tag) for one in Sink.events] == [(3, "x")]
