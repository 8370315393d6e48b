"""Parsing of Examples and CSV, eagerly and in functions; texts of results are in conformance."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.io.parsing.features import values_of
from tapeflow.io.protobuf.wire import chunk, tag, varint


def feature(value):
    listed = value if isinstance(value, list) else [value]
    if isinstance(listed[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=listed))
    if isinstance(listed[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=listed))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=listed))


def example(**values):
    return tf.train.Example(features=tf.train.Features(
        feature={name: feature(one) for name, one in values.items()})).SerializeToString()


ONE = example(a=1, b=[1.0, 2.0], s=b"x", v=[1, 2, 3], rl=[1, 2])
TWO = example(a=2, b=[3.0, 4.0], s=b"y", v=[4], rl=[1])
SPEC = {"a": tf.io.FixedLenFeature([], tf.int64), "b": tf.io.FixedLenFeature([2], tf.float32),
        "s": tf.io.FixedLenFeature([], tf.string), "v": tf.io.VarLenFeature(tf.int64)}


def test_numbers_that_are_not_packed():
    loose = b"".join(tag(1, 0) + varint(n) for n in (5, -3))
    kind, values = values_of(chunk(3, loose))
    assert kind == 3 and values.tolist() == [5, -3]


@pytest.mark.parametrize("traced", [False, True])
def test_batch(traced):
    def parse(x):
        return tf.io.parse_example(x, SPEC)

    found = (tf.function(parse) if traced else parse)(tf.constant([ONE, TWO]))
    assert found["a"].numpy().tolist() == [1, 2]
    assert found["b"].numpy().tolist() == [[1, 2], [3, 4]]
    assert found["s"].numpy().tolist() == [b"x", b"y"]
    assert found["v"].indices.numpy().tolist() == [[0, 0], [0, 1], [0, 2], [1, 0]]
    assert found["v"].values.numpy().tolist() == [1, 2, 3, 4]
    assert found["v"].dense_shape.numpy().tolist() == [2, 3]


def test_unknown_batch_size():
    parse = tf.function(lambda x: tf.io.parse_example(x, SPEC)["b"],
                        input_signature=[tf.TensorSpec([None], tf.string)])
    assert parse(tf.constant([ONE])).shape == (1, 2)
    assert parse(tf.constant([ONE, TWO, ONE])).numpy()[2].tolist() == [1.0, 2.0]


def test_single_and_gradient_through_what_follows():
    w = tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * tf.io.parse_single_example(ONE, SPEC)["b"])
    assert tape.gradient(loss, w).numpy().tolist() == [1.0, 2.0]


def test_ragged_with_partitions():
    ragged = tf.io.RaggedFeature(tf.int64, value_key="v",
                                 partitions=[tf.io.RaggedFeature.RowLengths("rl")])
    found = tf.io.parse_example([ONE, TWO], {"r": ragged})["r"]
    assert found.to_list() == [[[1], [2, 3]], [[4]]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit 3 values"):
        tf.io.parse_single_example(example(v=[1, 2, 3], rl=[1, 1]), {"r": ragged})


@pytest.mark.parametrize("spec, words", [
    ({"a": tf.io.FixedLenFeature([], tf.float32)}, "Data types don't match"),
    ({"q": tf.io.FixedLenFeature([], tf.int64)}, "Feature: q .* is required but could not be"),
    ({"b": tf.io.FixedLenFeature([3], tf.float32)}, "Number of float values != expected"),
])
def test_errors(spec, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.io.parse_example([ONE, TWO], spec)


def test_sequences_in_a_function():
    steps = tf.train.FeatureLists(feature_list={
        "t": tf.train.FeatureList(feature=[feature(1), feature(2)])})
    data = tf.train.SequenceExample(
        context=tf.train.Features(feature={"n": feature(2)}), feature_lists=steps)
    parse = tf.function(lambda x: tf.io.parse_single_sequence_example(
        x, {"n": tf.io.FixedLenFeature([], tf.int64)},
        {"t": tf.io.FixedLenSequenceFeature([], tf.int64)}))
    context, lists = parse(tf.constant(data.SerializeToString()))
    assert context["n"].numpy() == 2 and lists["t"].numpy().tolist() == [1, 2]


def test_csv_in_a_function():
    parse = tf.function(lambda x: tf.io.decode_csv(x, [0, 0.0, "none"]))
    a, b, c = parse(tf.constant(["1,2.5,x", '3,,"y, ""z"""', "5,1e3,"]))
    assert a.numpy().tolist() == [1, 3, 5] and b.numpy().tolist() == [2.5, 0, 1000]
    assert c.numpy().tolist() == [b"x", b'y, "z"', b"none"]


def test_many_numbers():
    values = np.random.default_rng(0).integers(-2**60, 2**60, 5000)
    data = tf.train.Example(features=tf.train.Features(feature={"n": tf.train.Feature(
        int64_list=tf.train.Int64List(value=values))})).SerializeToString()
    found = tf.io.parse_single_example(data, {"n": tf.io.FixedLenFeature([5000], tf.int64)})["n"]
    assert np.array_equal(found.numpy(), values)


@pytest.mark.parametrize("feature", [
    tf.io.FixedLenSequenceFeature([], tf.int64), tf.io.VarLenFeature(tf.int64),
    tf.io.RaggedFeature(tf.int64)], ids=lambda feature: type(feature).__name__)
def test_a_damaged_feature_list_is_an_invalid_argument(feature):
    def message(field, body):
        return bytes([field << 3 | 2, len(body)]) + body

    for damaged in (b"\x02\x00", b"\x0f\x00"):  # a field of number 0, and one of wire type 7
        entry = message(1, b"steps") + message(2, damaged)
        data = message(2, message(1, entry))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse"):
            tf.io.parse_sequence_example([data], sequence_features={"steps": feature})


@pytest.mark.parametrize("unknown", [b"\x4a\x02xy", b"\x55abcd", b"\x08\x01"])
def test_a_map_of_features_holds_nothing_else(unknown):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse"):
        tf.io.parse_single_example(bytes([10, len(unknown)]) + unknown,
                                   {"a": tf.io.VarLenFeature(tf.int64)})
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.io.parse_single_sequence_example(bytes([18, len(unknown)]) + unknown, None,
                                            {"s": tf.io.VarLenFeature(tf.int64)})
