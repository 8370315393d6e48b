"""tf.io.gfile and the ops on files and bytes; what they print is in the conformance programs."""

import pathlib

import numpy as np
import pytest

import tapeflow as tf

gfile = tf.io.gfile


def test_reading_and_writing(tmp_path):
    path = str(tmp_path / "f.txt")
    with gfile.GFile(path, "w") as file:
        file.write("line1\nété\n")
        file.write(b"bytes")
        assert file.tell() == 17 == file.size()
        with pytest.raises(tf.errors.PermissionDeniedError, match="isn't open for reading"):
            file.read()
    with gfile.GFile(path) as file:
        assert file.read(3) == "lin" and file.readline() == "e1\n"
        assert list(file) == ["été\n", "bytes"]
        file.seek(0)
        assert file.readlines()[0] == "line1\n"
    with gfile.GFile(path, "rb") as file:
        assert file.read() == "line1\nété\nbytes".encode()
    with gfile.GFile(path, "a") as file:
        file.write("!")
    assert pathlib.Path(path).read_bytes().endswith(b"bytes!")


def test_trees(tmp_path):
    base = str(tmp_path)
    gfile.makedirs(f"{base}/a/b")
    gfile.mkdir(f"{base}/a")
    (tmp_path / "a" / "f").write_text("1")
    gfile.copy(f"{base}/a/f", f"{base}/g")
    with pytest.raises(tf.errors.AlreadyExistsError, match="file already exists"):
        gfile.copy(f"{base}/a/f", f"{base}/g")
    gfile.rename(f"{base}/g", f"{base}/h")
    assert gfile.exists(f"{base}/h") and not gfile.exists(f"{base}/g")
    assert sorted(gfile.listdir(base)) == ["a", "h"] and gfile.isdir(f"{base}/a")
    assert gfile.glob([f"{base}/h*", f"{base}/a/?"]) != []
    assert [one[0] for one in gfile.walk(base)] == [base, f"{base}/a", f"{base}/a/b"]
    assert gfile.stat(f"{base}/h").length == 1 and gfile.stat(base).is_directory
    gfile.rmtree(f"{base}/a")
    gfile.remove(f"{base}/h")
    assert gfile.listdir(base) == []
    with pytest.raises(tf.errors.NotFoundError, match="Could not find directory"):
        gfile.listdir(f"{base}/none")


def test_ops_in_functions(tmp_path):
    path = str(tmp_path / "new" / "x")

    @tf.function
    def keep(text):
        tf.io.write_file(path, text)

    @tf.function
    def read():
        return tf.io.read_file(path)

    keep(tf.constant(b"one"))
    assert read().numpy() == b"one"
    keep(tf.constant(b"two"))
    assert read().numpy() == b"two"  # not folded
    assert tf.io.matching_files(str(tmp_path / "n*")).numpy().tolist() == [
        str(tmp_path / "new").encode()]


@pytest.mark.parametrize("value", [
    tf.constant([[1.0, 2.0]]), tf.constant(["a", "b"]), tf.constant(True), tf.constant(b"x"),
    tf.constant([1.5], tf.bfloat16), tf.zeros([0, 2], tf.float16), tf.constant(1 + 2j)])
def test_tensors_as_bytes(value):
    back = tf.io.parse_tensor(tf.io.serialize_tensor(value), value.dtype)
    assert back.dtype == value.dtype and back.shape == value.shape
    assert np.array_equal(back.numpy(), value.numpy())
    assert np.array_equal(tf.make_ndarray(tf.make_tensor_proto(value)), value.numpy())


def test_decode_raw_in_a_function():
    decode = tf.function(lambda x: tf.io.decode_raw(x, tf.int16, little_endian=False) + 1)
    assert decode(tf.constant([b"\x00\x01\x00\x02"])).numpy().tolist() == [[2, 3]]
