"""Writes `events_by_tensorflow.txt`: the events that TensorFlow makes of the summaries below.

    python tests/summary/record_events.py       # with TensorFlow and TensorBoard
"""

import glob
import tempfile
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "events_by_tensorflow.txt"


def summaries(tf):
    """Summaries of all kinds whose bytes do not depend on a compressor."""
    s = tf.summary
    s.scalar("loss", 0.5, step=1, description="desc")
    s.scalar("whole", 3, step=2)
    with tf.name_scope("outer"):
        s.scalar("in", 1.0, step=3)
        s.scalar("/abs", 1.0, step=3)
    s.histogram("h", [1.0, 2.0, 2.0, 3.0, 10.0], step=1, buckets=4)
    s.histogram("none", [], step=1, buckets=2)
    s.histogram("same", [5, 5], step=1, buckets=3)
    s.text("t", "hello", step=1)
    s.text("t2", ["a", "b"], step=1)
    s.audio("au", np.linspace(-1, 1, 10, dtype=np.float32).reshape(1, 10, 1), 8000, step=1)
    s.write("raw", tf.constant([1, 2]), step=5)
    kind = tf.compat.v1.SummaryMetadata
    s.write("raw2", tf.constant([1.0]), step=5, metadata=kind(
        plugin_data=kind.PluginData(plugin_name="pp", content=b"c")))
    s.experimental.set_step(10)
    s.scalar("set", 1.0)
    with s.record_if(False):
        s.scalar("not", 1.0)
    step = tf.Variable(7, dtype=tf.int64)
    s.experimental.set_step(step)
    step.assign_add(1)
    s.scalar("variable", 2.0)
    s.experimental.set_step(None)

    @tf.function
    def traced(x, n):
        with s.record_if(tf.equal(n % 2, 0)):
            s.scalar("inside", x * 2, step=n)

    for i in range(3):
        traced(tf.constant(float(i)), tf.constant(i, tf.int64))


def lines(tf, folder):
    """The events of the summaries, without their times, in hexadecimal."""
    writer = tf.summary.create_file_writer(str(folder))
    with writer.as_default():
        summaries(tf)
    writer.close()
    found = []
    for event in tf.compat.v1.train.summary_iterator(glob.glob(f"{folder}/*.v2")[0]):
        event.wall_time = 0
        found.append(event.SerializeToString().hex())
    return found


if __name__ == "__main__":
    import tensorflow

    with tempfile.TemporaryDirectory() as folder:
        FILE.write_text("\n".join(lines(tensorflow, folder)) + "\n")
