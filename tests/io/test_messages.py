"""Protocol buffer messages: bytes, text and errors are those of protobuf's own library."""

import copy
import pickle

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.io.protobuf import protos, text_format, wire

Feature, Int64List = tf.train.Feature, tf.train.Int64List

EXAMPLE = tf.train.Example(features=tf.train.Features(feature={
    "zeta": Feature(int64_list=Int64List(value=[1, -2, 300])),
    "ab": Feature(), "abc": Feature(), "a": Feature(), "B": Feature(), "é": Feature(),
    "mid": Feature(float_list=tf.train.FloatList(value=[0.1, 1.0, 1e20])),
    "e": Feature(), "f": Feature(int64_list=Int64List())}))
# What protobuf makes of it.
DETERMINISTIC = (
    b"\nk\n\x05\n\x01B\x12\x00\n\x07\n\x03abc\x12\x00\n\x06\n\x02ab\x12\x00\n\x05\n\x01a\x12\x00"
    b"\n\x05\n\x01e\x12\x00\n\x07\n\x01f\x12\x02\x1a\x00\n\x17\n\x03mid\x12\x10\x12\x0e\n\x0c"
    b"\xcd\xcc\xcc=\x00\x00\x80?\xecx\xad`\n\x19\n\x04zeta\x12\x11\x1a\x0f\n\r\x01\xfe\xff\xff\xff"
    b"\xff\xff\xff\xff\xff\x01\xac\x02\n\x06\n\x02\xc3\xa9\x12\x00")


def test_bytes():
    assert EXAMPLE.SerializeToString(deterministic=True) == DETERMINISTIC
    again = tf.train.Example.FromString(EXAMPLE.SerializeToString())
    assert again == EXAMPLE and again.ByteSize() == len(DETERMINISTIC)
    assert again.features.feature["mid"].float_list.value[0] == float(np.float32(0.1))
    assert copy.deepcopy(EXAMPLE) == EXAMPLE == pickle.loads(pickle.dumps(EXAMPLE))


def test_text():
    assert str(tf.train.Example(features=tf.train.Features(feature={
        "k": Feature(bytes_list=tf.train.BytesList(value=[b"a\xff\"\n'\\", "té".encode(), b"\0"])),
        "a": Feature(float_list=tf.train.FloatList(
            value=[0.1, 1e20, float("nan"), -0.0, 1e-7, 123456.789])),
        "ab": Feature()}))) == r'''features {
  feature {
    key: "k"
    value {
      bytes_list {
        value: "a\377\"\n\'\\"
        value: "t\303\251"
        value: "\000"
      }
    }
  }
  feature {
    key: "a"
    value {
      float_list {
        value: 0.1
        value: 1e+20
        value: nan
        value: -0
        value: 1e-07
        value: 123456.789
      }
    }
  }
  feature {
    key: "ab"
    value {
    }
  }
}
'''


def test_text_is_read_back():
    state = protos.CheckpointState(model_checkpoint_path='a"b\n', last_preserved_timestamp=1e9 / 3)
    state.all_model_checkpoint_paths.extend(["x", "é"])
    assert text_format.parse(str(state), protos.CheckpointState()) == state
    with pytest.raises(text_format.ParseError, match='no field named "nonsense"'):
        text_format.parse("nonsense: 3", protos.CheckpointState())


def test_presence():
    feature = Feature()
    assert feature.WhichOneof("kind") is None and not feature.HasField("int64_list")
    assert list(feature.int64_list.value) == [] and feature.WhichOneof("kind") is None
    feature.int64_list.value.append(5)
    assert feature.WhichOneof("kind") == "int64_list"
    feature.float_list.value.extend([1.5])
    assert feature.WhichOneof("kind") == "float_list" and not feature.int64_list.value
    example = tf.train.Example()
    example.features.feature["x"].int64_list.value.append(7)
    assert example.HasField("features") and "x" in example.features.feature
    assert example.features.feature.get("y", 3) == 3
    example.ClearField("features")
    assert example == tf.train.Example() and str(example) == ""


def test_scalar_maps():
    cluster = tf.train.ClusterDef()
    job = cluster.job.add()
    job.name = "worker"
    job.tasks[0] = "a:1"
    job.tasks[1] = "b:2"
    assert str(cluster).splitlines()[2:6] == ["  tasks {", "    key: 0", '    value: "a:1"', "  }"]
    assert tf.train.ClusterDef.FromString(cluster.SerializeToString()) == cluster


def test_arrays_and_unknown_fields():
    assert tf.train.Int64List(value=np.arange(3)).value == [0, 1, 2]
    assert tf.train.FloatList(value=tf.constant([0.5, 2.0])).value == [0.5, 2.0]
    longer = protos.Event(step=5, file_version="v").SerializeToString() + wire.chunk(99, b"later")
    event = protos.Event.FromString(longer)
    assert event.SerializeToString() == longer and event.step == 5


@pytest.mark.parametrize("count", [0, 3, 1000])
def test_packed_integers(count):
    values = [0, 1, -1, 2**63 - 1, -2**63, *np.random.default_rng(0).integers(
        -2**40, 2**40, count).tolist()]
    data = wire.pack_varints(values)
    assert data == b"".join(wire.varint(one) for one in values)
    assert wire.unpack_varints(data).tolist() == values


@pytest.mark.parametrize("action, error, words", [
    (lambda: Int64List(value=[1.5]), TypeError, "'float' object cannot be interpreted as an int"),
    (lambda: Int64List(value=3), TypeError, "must assign iterable"),
    (lambda: Int64List(value=[2**63]), ValueError, "Value out of range: 9223372036854775808"),
    (lambda: Int64List(value=[True]), TypeError, "Expected an int, got a boolean."),
    (lambda: tf.train.BytesList(value=["str"]), TypeError, "expected bytes, str found"),
    (lambda: tf.train.BytesList(value=b"abc"), TypeError, "expected bytes, int found"),
    (lambda: tf.train.FloatList(value=["a"]), TypeError, "must be real number, not str"),
    (lambda: tf.train.FloatList(valu=[1]), ValueError, 'FloatList has no "valu" field'),
    (lambda: setattr(EXAMPLE, "features", 3), AttributeError, "Assignment not allowed to message"),
    (lambda: EXAMPLE.features.feature.__setitem__("q", Feature()), ValueError,
     "Message objects may not be assigned"),
    (lambda: tf.train.Example.FromString(b"\xff\xff"), wire.DecodeError,
     "Error parsing message with type 'tensorflow.Example'"),
    (lambda: Feature(int64_list=tf.train.FloatList(value=[1])), TypeError,
     "must be dict or instance of same class"),
    (lambda: hash(EXAMPLE), TypeError, "unhashable type: 'Example'"),
])
def test_errors(action, error, words):
    with pytest.raises(error, match=words):
        action()


def test_entries_of_maps_may_stand_in_any_form():
    entry = wire.chunk(1, b"key"), wire.chunk(2, wire.chunk(3, wire.chunk(1, b"\x05")))
    feature = Feature(int64_list=Int64List(value=[5]))

    def read(*parts):
        return tf.train.Features.FromString(wire.chunk(1, b"".join(parts)))

    assert dict(read(*entry).feature) == dict(read(*entry[::-1]).feature) == {"key": feature}
    assert dict(read(entry[0]).feature) == {"key": Feature()}
    assert dict(read(entry[1]).feature) == {"": feature}
    odd = read(*entry, wire.chunk(7, b"?"))
    assert not odd.feature and odd.SerializeToString().endswith(wire.chunk(7, b"?"))


def test_a_message_that_is_cut_short_anywhere_is_no_message():
    whole = EXAMPLE.SerializeToString()
    for size in range(1, len(whole)):
        with pytest.raises(wire.DecodeError):
            tf.train.Example.FromString(whole[:size])


def test_what_was_read_can_be_changed():
    again = tf.train.Example.FromString(EXAMPLE.SerializeToString())
    again.features.feature["zeta"].int64_list.value.append(4)
    again.features.feature["new"].float_list.value.append(1.0)
    copied = tf.train.Example.FromString(again.SerializeToString())
    assert copied.features.feature["zeta"].int64_list.value == [1, -2, 300, 4]
    assert copied.features.feature["new"].float_list.value == [1.0]
