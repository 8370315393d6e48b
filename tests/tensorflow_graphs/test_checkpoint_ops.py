"""The ops by which graphs read and write checkpoints, and graphs that call functions of them."""

import os

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1


def test_shards_are_written_merged_and_read(tmp_path):
    folder = tmp_path / "parts"
    shards = [tf.raw_ops.ShardedFilename(basename=f"{folder}/part", shard=i, num_shards=2)
              for i in range(2)]
    assert shards[1].numpy().decode() == f"{folder}/part-00001-of-00002"
    tf.raw_ops.SaveV2(prefix=shards[0], tensor_names=["a", "b"], shape_and_slices=["", ""],
                      tensors=[tf.constant([1.0, 2.0]), tf.constant([b"x", b"yz"])])
    tf.raw_ops.SaveV2(prefix=shards[1], tensor_names=["c"], shape_and_slices=[""],
                      tensors=[tf.constant(3, tf.int64)])
    whole = f"{tmp_path}/whole"
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=shards, destination_prefix=whole)
    assert not os.path.exists(folder)
    c, b, a = tf.raw_ops.RestoreV2(prefix=whole, tensor_names=["c", "b", "a"], shape_and_slices=[
        "", "", ""], dtypes=[tf.int64, tf.string, tf.float32])
    assert a.numpy().tolist() == [1.0, 2.0] and b.numpy().tolist() == [b"x", b"yz"]
    assert c.dtype == tf.int64 and c.numpy() == 3
    with pytest.raises(tf.errors.NotFoundError):
        tf.raw_ops.RestoreV2(prefix=whole, tensor_names=["d"], shape_and_slices=[""],
                             dtypes=[tf.int64])


def test_a_model_of_functions_is_loaded_into_a_session(tmp_path):
    model = tf.Module()
    model.v = tf.Variable([[2.0], [3.0]])
    signature = tf.function(lambda x: {"y": x @ model.v},
                            input_signature=[tf.TensorSpec([None, 2], name="x")])
    tf.saved_model.save(model, str(tmp_path), signatures=signature)
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], str(tmp_path))
        found = meta.signature_def["serving_default"]
        y = session.run(found.outputs["y"].name, {found.inputs["x"].name: [[1.0, 10.0]]})
    np.testing.assert_array_equal(y, [[32.0]])
