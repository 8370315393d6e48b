"""Writes the files of `written_by_tensorflow`: run it with a Python that has TensorFlow.

    python tests/train/record_checkpoints.py
"""

import sys
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "written_by_tensorflow"


def checkpoint(tf):
    """Objects of all kinds; tapeflow must write the same bytes for them."""
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
            self.b = tf.Variable([1, 2], dtype=tf.int64)
            self.layers = [
                tf.Variable(1.0), {"k": tf.Variable(2.0), "a/b.c": tf.Variable(b"str")},
                (tf.Variable([True, False]), 5), 3]
            self.d = {"x": tf.Variable(np.float16(1.5)), "n": 7}
            self.t = (1, 2)
            self.e = []
            self.bf = tf.Variable(tf.constant([1.5, 2.5], tf.bfloat16))
            self.s = tf.Variable(["a", "", "long string é" * 3])
            self.self_ref = self
            self.c = tf.Variable(1 + 2j)
            self.u8 = tf.Variable(np.arange(5, dtype=np.uint8))
            self.emp = tf.Variable(np.zeros((0, 3), np.float32))
            self.fn = tf.function(lambda x: x)

    return tf.train.Checkpoint(step=tf.Variable(3, dtype=tf.int64), net=Net())


if __name__ == "__main__":
    import tensorflow

    checkpoint(tensorflow).save(str(FOLDER / "net"))
    sys.exit(0)
