"""The names of session hooks, which libraries derive from."""

from __future__ import annotations

import tapeflow as tf


def test_hooks_are_classes_to_derive_from():
    class Hook(tf.compat.v1.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.compat.v1.train.SessionRunArgs("loss")

    context = tf.compat.v1.train.SessionRunContext(None, "session")
    assert Hook().before_run(context) == ("loss", None, None)
    assert Hook().begin() is Hook().end("session") is None
    context.request_stop()
    assert context.stop_requested and context.session == "session"
    values = tf.compat.v1.train.SessionRunValues(1, None, None)
    assert values.results == 1 and Hook().after_run(context, values) is None
