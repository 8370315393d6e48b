"""Examples in forms that no writer gives them: read, or refused, as TensorFlow 2.21 does."""

import struct

import pytest

import tapeflow as tf
from tapeflow.io.protobuf.wire import chunk, varint

REFUSED = tf.errors.InvalidArgumentError
DTYPES = {1: tf.string, 2: tf.float32, 3: tf.int64}


def packed(*values):
    if isinstance(values[0], float):
        return chunk(1, struct.pack(f"<{len(values)}f", *values))
    return chunk(1, b"".join(map(varint, values)))


def singles(*values):
    if isinstance(values[0], float):
        return b"".join(b"\x0d" + struct.pack("<f", one) for one in values)
    return b"".join(b"\x08" + varint(one) for one in values)


# A Feature: what an Example, the context of a SequenceExample and a FeatureList make of it.
FEATURES = {
    "packed twice": (chunk(2, packed(1.0, 2.0) + packed(3.0)), [1, 2], [1, 2], None),
    "packed, then single": (chunk(3, packed(1) + singles(2)), [1], [1], None),
    "single, then packed": (chunk(3, singles(1) + packed(2)), None, None, None),
    "single": (chunk(3, singles(1, 2)), [1, 2], [1, 2], [1, 2]),
    "single floats": (chunk(2, singles(1.0, 2.0)), [1, 2], [1, 2], [1, 2]),
    "something behind packed values": (chunk(2, packed(1.0) + b"\0\0"), [1], [1], None),
    "something behind single values": (chunk(3, singles(1) + b"\0\0"), None, None, None),
    "nothing packed, and something behind": (chunk(2, b"\x0a\0\xff\xff"), [], [], None),
    "a broken float": (chunk(2, chunk(1, bytes(5))), [0], None, None),
    "floats beyond their list": (chunk(2, b"\x0a\x20" + bytes(4)), None, [0], [0]),
    "integers beyond their list": (chunk(3, b"\x0a\x20\1\2"), [1, 2], [1, 2], [1, 2]),
    "an unknown field first": (chunk(3, chunk(5, b"x") + packed(1)), None, None, None),
    "two lists": (chunk(3, packed(1)) + chunk(2, packed(2.0)), [1], [1], None),
    "an unknown field before the list": (chunk(9, b"x") + chunk(3, packed(1)), None, None, None),
    "bytes behind the list": (chunk(3, packed(1)) + b"\xff\xff", [1], [1], None),
    "a tag in two bytes": (b"\x9a\0\3" + packed(1), None, None, None),
    "a list of another wire type": (b"\x18\1", None, None, None),
    "a list that is cut off": (b"\x1a\x09" + singles(1), None, None, None),
    "strings beyond their list": (chunk(1, b"\x0a\x20x"), None, None, None),
    "strings and more": (chunk(1, chunk(1, b"x") + chunk(5, b"y")), None, None, None),
}


def kind_of(feature):
    return {0x0A: 1, 0x12: 2}.get(feature[0], 3)


def outcome(read):
    try:
        return read()
    except REFUSED:
        return None


@pytest.mark.parametrize("name", FEATURES)
def test_lists_of_values(name):
    feature, in_example, in_context, in_list = FEATURES[name]
    wanted = tf.io.VarLenFeature(DTYPES[kind_of(feature)])
    example = chunk(1, chunk(1, chunk(1, b"c") + chunk(2, feature)))
    steps = chunk(2, chunk(1, chunk(1, b"s") + chunk(2, chunk(1, feature))))
    assert outcome(lambda: tf.io.parse_single_example(
        example, {"c": wanted})["c"].values.numpy().tolist()) == in_example
    assert outcome(lambda: tf.io.parse_example(
        [example], {"c": wanted})["c"].values.numpy().tolist()) == in_example
    assert outcome(lambda: tf.io.parse_single_sequence_example(
        example, {"c": wanted}, {})[0]["c"].values.numpy().tolist()) == in_context
    assert outcome(lambda: tf.io.parse_single_sequence_example(
        steps, {}, {"s": wanted})[1]["s"].values.numpy().tolist()) == in_list


@pytest.mark.parametrize(("tag", "known"), [
    (b"\x8a\x80\x80\x80\x00", True), (b"\xfa\xff\xff\xff\x0f", True),
    (b"\x8a\x80\x80\x80\x80\x00", False), (b"\x80\x80\x80\x80\x10", False),
    (b"\xfa\xff\xff\xff\x1f", False)])
def test_tags_have_32_bits_in_at_most_five_bytes(tag, known):
    if known:
        tf.train.Example.FromString(tag + b"\0")
    else:
        with pytest.raises(type(_decode_error())):
            tf.train.Example.FromString(tag + b"\0")


def _decode_error():
    try:
        tf.train.Example.FromString(b"\xff")
    except Exception as error:
        return error
    raise AssertionError


# Lists in JSON, and their values; None: refused.
INTEGERS = {
    b"1.0": [1], b"1e3": [1000], b"1.5": None, b"true": None, b"null": [0], b"1e18": None,
    b"9007199254740993": [9007199254740993], b"-9223372036854775808": [-1 << 63],
    b"9223372036854775808": None, b'"0x10"': [16], b'"0x1p3"': [8], b'"1e2"': [100], b'"1."': [1],
    b'" 1"': None, b'"1_0"': None, b'"+1"': [1], b'".5"': None, b"[1]": [1], b"1,": [1],
    b"01": None, b",1": None, b"{}": None, b"-1e-50": None, b"'7'": [7]}
FLOATS = {
    b"NaN": None, b"Infinity": None, b"1e400": None, b'"1e400"': [float("inf")],
    b'"-Infinity"': [float("-inf")], b'"inf"': [float("inf")], b"1e39": None, b'"1_0"': None,
    b'" 1"': [1.0], b"true": None, b"null": [0.0], b'"0x1p3"': [8.0], b"1.": None}
STRINGS = {
    b'"eHk="': [b"xy"], b'"eHk"': [b"xy"], b'"-_-_"': [b"\xfb\xff\xbf"], b'"eH k="': None,
    b'"eHk=="': None, b'"="': None, b'"@@@@"': None, b"1": None, b"null": [b""], b"[]": []}


@pytest.mark.parametrize(("name", "dtype", "texts"), [
    ("int64List", tf.int64, INTEGERS), ("floatList", tf.float32, FLOATS),
    ("bytes_list", tf.string, STRINGS)])
def test_values_in_json(name, dtype, texts):
    for text, wanted in texts.items():
        written = b'{"features": {"feature": {"a": {"%s": {"value": [%s]}}}}}' % (
            name.encode(), text)
        assert outcome(lambda written=written: tf.io.parse_single_example(
            tf.io.decode_json_example(written),
            {"a": tf.io.VarLenFeature(dtype)})["a"].values.numpy().tolist()) == wanted, text


@pytest.mark.parametrize(("text", "wanted"), [
    (b"{'features': {feature: {'a': {}}}}", b"\n\x07\n\x05\n\x01a\x12\x00"),
    (b'{"features": {"feature": {"a\x13": {}},},}', b"\n\x08\n\x06\n\x02a\x13\x12\x00"),
    (b'{"features": {"feature": {"a": null}}}', b"\n\x05\n\x03\n\x01a"),
    (b'{"features": {"feature": {"a": {"int64List": null}}}}', b"\n\x07\n\x05\n\x01a\x12\x00"),
    (b'{"features": {}, "features": {}}', b"\n\x00\n\x00"), (b'{"features": null}', b""),
    (b'{"features": {"feature": {"a": {}, "a": {}}}}', None), (b'{"features": []}', None),
    (b'{"features": {"feature": {"\\ud83d\\ude00": {}}}}',
     b"\n\n\n\x08\n\x04\xf0\x9f\x98\x80\x12\x00"),
    (b'{"features": {"feature": {"\\ude00": {}}}}', None), (b'{"features": {"x": 1}}', None),
    (b'{"features": {"feature": {"a\\q": {}}}}', None), (b"{} x", None), (b"", None),
    (b"\xef\xbb\xbf{}", None), (b"[" * 5000, None), (b'{"features": ' * 150, None)])
def test_messages_in_json(text, wanted):
    assert outcome(lambda: tf.io.decode_json_example(text).numpy()) == wanted
