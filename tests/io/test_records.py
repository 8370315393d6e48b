"""Record files: the checksum, what is written, what damage says. Bytes are TensorFlow's."""

import functools
import gzip
import sys
import types
import zlib

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.io.checksum import crc32c as crc
from tapeflow.io.tfrecord import read_records

# Three records, "rec0" … five times each, as TensorFlow's writer makes them.
WRITTEN = (
    b"\x14\x00\x00\x00\x00\x00\x00\x00^=)\x15rec0rec0rec0rec0rec0\xe6]f\xdb"
    b"\x14\x00\x00\x00\x00\x00\x00\x00^=)\x15rec1rec1rec1rec1rec1\xc3\xbc\xdc'"
    b"\x14\x00\x00\x00\x00\x00\x00\x00^=)\x15rec2rec2rec2rec2rec2\x9d!\x19\xe6")
RECORDS = [b"rec%d" % i * 5 for i in range(3)]


def bitwise(data: bytes) -> int:
    """CRC-32C by its definition."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = (state >> 1) ^ (0x82F63B78 if state & 1 else 0)
    return state ^ 0xFFFFFFFF


@pytest.mark.parametrize("size", [0, 1, 9, 47, 48, 1023, 1024, 1025, 5686, 10241, 20000])
def test_checksum(size):
    data = np.random.default_rng(size).bytes(size)
    assert crc.crc32c(data) == bitwise(data)
    mixed = (crc.masked_crc32c(data) - 0xA282EAD8) & 0xFFFFFFFF
    assert ((mixed >> 17) | (mixed << 15)) & 0xFFFFFFFF == crc.crc32c(data)


def test_the_library_is_used_where_it_is_installed(monkeypatch):
    ours, asked = crc.crc32c, []

    def extend(before, data):  # as google-crc32c has it
        asked.append(data)
        with monkeypatch.context() as without:
            without.setattr(crc, "_library", lambda: None)
            return ours(data, before)

    package, code = types.ModuleType("google_crc32c"), types.ModuleType("google_crc32c.cext")
    package.cext, code.extend = code, extend
    monkeypatch.setitem(sys.modules, "google_crc32c", package)
    monkeypatch.setitem(sys.modules, "google_crc32c.cext", code)
    monkeypatch.setattr(crc, "_library", functools.cache(crc._library.__wrapped__))
    assert crc.crc32c(memoryview(b"6789"), crc.crc32c(b"12345")) == 0xE3069283
    assert asked == [b"12345", b"6789"]


@pytest.mark.parametrize("size", [163841, (1 << 20) + 2, (3 << 20) + 70])
def test_checksum_of_long_data_is_that_of_its_parts(size):
    data = np.random.default_rng(size).bytes(size)
    by_parts = 0
    for start in range(0, size, 10000):  # short enough not to be folded
        by_parts = crc.crc32c(data[start:start + 10000], by_parts)
    assert crc.crc32c(data) == by_parts
    assert crc.crc32c(memoryview(data)) == by_parts


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_written_as_tensorflow_writes(tmp_path, compression):
    path = tmp_path / "a.tfrecord"
    options = tf.io.TFRecordOptions(compression_type=compression)
    with tf.io.TFRecordWriter(str(path), options) as writer:
        for record in RECORDS:
            writer.write(record)
            writer.flush()
    opened = {"": bytes, "GZIP": gzip.decompress, "ZLIB": zlib.decompress}[compression]
    assert opened(path.read_bytes()) == WRITTEN
    assert list(read_records(path, compression)) == RECORDS
    assert list(tf.compat.v1.io.tf_record_iterator(path, options)) == RECORDS


@pytest.mark.parametrize("compression, error, words", [
    ("", tf.errors.InvalidArgumentError, "negative number of bytes"),
    ("ZLIB", tf.errors.DataLossError, "truncated record at 36")])
def test_a_length_below_zero(compression, error, words, tmp_path):
    head = (2**64 - 9).to_bytes(8, "little")
    data = WRITTEN[:36] + head + crc.masked_crc32c(head).to_bytes(4, "little") + b"rest"
    path = tmp_path / "records"
    path.write_bytes(zlib.compress(data) if compression else data)
    found = read_records(path, compression)
    assert next(found) == RECORDS[0]
    with pytest.raises(error, match=words):
        next(found)


def test_several_gzip_members_are_one_file(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(WRITTEN) + gzip.compress(WRITTEN))
    assert list(read_records(path, "GZIP")) == RECORDS * 2


def flipped(place):
    return WRITTEN[:place] + bytes([WRITTEN[place] ^ 1]) + WRITTEN[place + 1:]


@pytest.mark.parametrize("data, compression, before, message", [
    (WRITTEN[:-1], "", 2, "truncated record at 72' failed with Read less bytes than requested"),
    (WRITTEN[:40], "", 1, None),
    (WRITTEN[:5], "", 0, None),
    (flipped(1), "", 0, "corrupted record at 0 (Is this even a TFRecord file?)"),
    (flipped(14), "", 0, "corrupted record at 12"),
    (flipped(50), "", 1, "corrupted record at 48"),
    (WRITTEN, "GZIP", 0, "inflate() failed with error -3: incorrect header check"),
    (zlib.compress(WRITTEN)[:-12], "ZLIB", 2, "truncated record at 72' failed with EOF reached"),
])
def test_damage(tmp_path, data, compression, before, message):
    path = tmp_path / "damaged"
    path.write_bytes(data)
    found = []
    if message is None:
        found.extend(read_records(path, compression))
    else:
        with pytest.raises(tf.errors.DataLossError) as error:
            found.extend(read_records(path, compression))
        assert str(error.value) == message
    assert found == RECORDS[:before]


def test_errors(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        list(read_records(tmp_path / "none"))
    with pytest.raises(tf.errors.NotFoundError, match="/none/x; No such file or directory"):
        tf.io.TFRecordWriter("/none/x")
    with pytest.raises(ValueError, match='Not a valid compression_type: "FOO"'):
        tf.io.TFRecordOptions(compression_type="FOO")
    writer = tf.io.TFRecordWriter(str(tmp_path / "a"))
    with pytest.raises(TypeError, match="incompatible function arguments"):
        writer.write(3)
    writer.close()
    writer.close()
    with pytest.raises(tf.errors.FailedPreconditionError, match="Writer is closed."):
        writer.write(b"a")
    with pytest.raises(tf.errors.UnimplementedError, match="'s3' not implemented"):
        list(read_records("s3://bucket/file"))


def test_machine_code_gives_the_same_checksums():
    pieces = [bytes(range(256)) * 5 + b"x" * n for n in range(9)] + [b"", b"1", b"123456789"]
    with tf.config.settings.using(jit="off"):
        slow = [crc.crc32c(one, 5) for one in pieces]
    with tf.config.settings.using(jit="now"):
        if crc.LOOPS.ready(0.0) is None:
            pytest.skip("nothing can be compiled here")
        assert [crc.crc32c(one, 5) for one in pieces] == slow


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_an_iterator_of_records_goes_on_when_the_file_grows(tmp_path, kind):
    def write(path, records):
        with tf.io.TFRecordWriter(str(path), kind) as writer:
            for record in records:
                writer.write(record)
        return path.read_bytes()

    whole = write(tmp_path / "whole", [b"a", b"bc", b"def"])
    path = tmp_path / "growing"
    path.write_bytes(write(tmp_path / "first", [b"a"]))
    records = tf.compat.v1.io.tf_record_iterator(
        str(path), tf.io.TFRecordOptions(compression_type=kind))
    assert list(records) == [b"a"] and list(records) == []
    path.write_bytes(write(tmp_path / "second", [b"a", b"bc"]) if kind else whole[:-5])
    assert next(records) == b"bc"
    with pytest.raises(StopIteration if kind else tf.errors.DataLossError):
        next(records)
    path.write_bytes(whole)
    records.close()
    records.reopen()
    assert list(records) == [b"def"]
    with pytest.raises(tf.errors.NotFoundError):
        tf.compat.v1.io.tf_record_iterator(str(tmp_path / "absent"))
