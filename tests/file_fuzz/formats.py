"""The formats that are fuzzed: a valid sample of each, and how each is read.

`read(tf, name, data, folder)` reads bytes with either library (`tf` is tapeflow or TensorFlow).
`OWN` are formats of tapeflow's own, which TensorFlow does not read. Samples come from tapeflow
alone and are the same on every machine.
"""

from __future__ import annotations

import base64
import io
import os
import tempfile
import zlib
from typing import Any

import numpy as np

from tests.file_fuzz import model_files
from tests.file_fuzz.picture_samples import PICTURES

FEATURES = {"a": "int64", "b": "string", "c": "float"}
# Files that other versions of Pillow would write in another way: JPEG, grey and in colour; a GIF of
# two frames.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwz"
    "Oko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAA"
    "AAAABf/EAB0QAAAFBQAAAAAAAAAAAAAAAAACAwQFFSQyU9H/2gAIAQEAAD8AajY5jT0bJtjqLwf/2Q==")
COLOURED = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwz"
    "Oko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09P"
    "T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAIAAkDASIAAhEBAxEB/8QA"
    "FgABAQEAAAAAAAAAAAAAAAAAAAMF/8QAHxAAAQMDBQAAAAAAAAAAAAAAAQACAwURIRMUUWFx/8QAFAEB"
    "AAAAAAAAAAAAAAAAAAAAA//EAB4RAAECBwEAAAAAAAAAAAAAAAEABBEiMmGBkbHR/9oADAMBAAIRAxEA"
    "PwCRDBTGCEBhlhzxfTmaPMNC0dz2iJ29Jz0+I3AmJuRqC//Z")
GIF = base64.b64decode(
    "R0lGODlhBAADAIEAAAAAAP8AAAD/AAAA/yH5BAAKAAAALAAAAAAEAAMAAAgMAAEEEDBAIEGDAwICACH5"
    "BAEKAAQALAAAAAAEAAMAgQAAAP8AAAD/AAAA/wgMAAMIGABAIEGDAAICADs=")


def _rows(height: int, width: int, channels: int, dtype: str = "uint8") -> np.ndarray:
    count = height * width * channels
    return (np.arange(count) * 37 % 251).astype(dtype).reshape(height, width, channels)


def _bmp(bits: int) -> bytes:
    width, height, deep = 5, 3, bits // 8
    row = (width * deep + 3) // 4 * 4
    head = b"BM" + (54 + row * height).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = (40).to_bytes(4, "little") + width.to_bytes(4, "little") + height.to_bytes(4, "little")
    info += (1).to_bytes(2, "little") + bits.to_bytes(2, "little") + bytes(24)
    return head + info + bytes(i * 29 % 256 for i in range(row * height))


def _bundle(tf: Any) -> bytes:
    """The index of a checkpoint, its length before it, and its data."""
    with tempfile.TemporaryDirectory() as folder:
        held = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0, 3.0]), n=tf.Variable(7, dtype=tf.int64),
                                   s=tf.Variable(["ab", "", "xyz"]), k=[tf.Variable([[True]])])
        prefix = held.write(os.path.join(folder, "ckpt"))
        with open(prefix + ".index", "rb") as file:
            index = file.read()
        with open(prefix + ".data-00000-of-00001", "rb") as file:
            return len(index).to_bytes(4, "little") + index + file.read()


def _folder_bytes(folder: str) -> bytes:
    """All files of a folder: names and contents, each after its length."""
    parts = []
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                for one in (os.path.relpath(path, folder).encode(), file.read()):
                    parts.append(len(one).to_bytes(4, "little") + one)
    return b"".join(parts)


def unfold(data: bytes, folder: str) -> None:
    """The files of `_folder_bytes`, as far as the lengths make sense; never outside."""
    at = 0
    while at + 4 <= len(data):
        both = []
        for _ in range(2):
            size = int.from_bytes(data[at:at + 4], "little")
            both.append(data[at + 4:at + 4 + size])
            at += 4 + size
        name = both[0].decode("ascii", "ignore").replace("\0", "")
        path = os.path.normpath(os.path.join(folder, name))
        if name and path.startswith(folder + os.sep) and len(name) < 200:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.isdir(path):
                with open(path, "wb") as file:
                    file.write(both[1])


def _model(tf: Any) -> bytes:
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([[1.0], [2.0]])
            self.more = [tf.Variable(1.0), {"k": tf.Variable(2.0)}]
            self.table = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def __call__(self, x):
            for _ in tf.range(2):
                x = x * 2.0 if tf.reduce_sum(x) < 9.0 else x - 1.0
            return {"y": x @ self.w + self.more[0], "n": tf.shape(x)}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def find(self, x):
            return self.table.lookup(tf.strings.lower(x))

        @tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])
        def step(self, x):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.tanh(x * self.more[0]) ** 2)
            self.more[0].assign_sub(tape.gradient(y, self.more[0]))
            return y

    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(Model(), folder)
        return _folder_bytes(folder)


def _dataset(tf: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        tf.data.Dataset.from_tensor_slices(
            {"a": [1, 2, 3], "b": ["x", "", "zz"], "c": [[1.0], [2.0], [3.0]]}).save(folder)
        return _folder_bytes(folder)


def _records(tf: Any, records: list, compression: str = "") -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r")
        with tf.io.TFRecordWriter(path, compression) as writer:
            for one in records:
                writer.write(one)
        with open(path, "rb") as file:
            return file.read()


def _events(tf: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        with tf.summary.create_file_writer(folder).as_default():
            tf.summary.scalar("loss", 0.5, step=1)
        with open(os.path.join(folder, os.listdir(folder)[0]), "rb") as file:
            return file.read()


def _example(tf: Any) -> bytes:
    train = tf.train
    return train.Example(features=train.Features(feature={
        "a": train.Feature(int64_list=train.Int64List(value=[1, -2, 300])),
        "b": train.Feature(bytes_list=train.BytesList(value=[b"xy", b""])),
        "c": train.Feature(float_list=train.FloatList(value=[1.5, -2.0])),
    })).SerializeToString(deterministic=True)


def _sequence(tf: Any) -> bytes:
    train = tf.train
    lists = {"s": train.FeatureList(feature=[
        train.Feature(int64_list=train.Int64List(value=[1, 2])),
        train.Feature(int64_list=train.Int64List(value=[3]))])}
    return train.SequenceExample(
        context=train.Features(feature={"a": train.Feature(
            int64_list=train.Int64List(value=[5]))}),
        feature_lists=train.FeatureLists(feature_list=lists)).SerializeToString(deterministic=True)


JSON_EXAMPLE = (b'{"features": {"feature": {"a": {"int64List": {"value": ["1", "2"]}}, "b": '
                b'{"bytesList": {"value": ["eHk="]}}}}}')


def samples(tf: Any) -> dict[str, list[bytes]]:
    """Valid files of every format, written by tapeflow."""
    encode = tf.io.encode_png
    sparse = tf.io.serialize_sparse(tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])).numpy()
    tensors = [tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 2, 3], tf.int64),
               tf.constant(["ab", "", "c"]), tf.constant(True), tf.constant([1j], tf.complex64)]
    written = {
        "png": [encode(_rows(3, 5, n)).numpy() for n in (1, 3, 4)] + [
            encode(_rows(4, 3, 3, "uint16"), compression=0).numpy()],
        "bmp": [_bmp(24), _bmp(32), _bmp(8)],
        "gif": [GIF],
        "jpeg": [JPEG, COLOURED],
        "wav": [tf.audio.encode_wav(np.linspace(-1, 1, 2 * n, dtype="float32").reshape(n, 2),
                                    8000).numpy() for n in (3, 8)],
        "image": [encode(_rows(2, 2, 3)).numpy(), _bmp(24), GIF, JPEG, PICTURES["gif"][1]],
        "tfrecord": [_records(tf, [b"one", b"", b"three" * 9])],
        "tfrecord_gzip": [_records(tf, [b"one", b"three" * 9], "GZIP")],
        "tfrecord_zlib": [_records(tf, [b"one", b"three" * 9], "ZLIB")],
        "example": [_example(tf)],
        "parse_example": [_example(tf)],
        "sequence_example": [_sequence(tf)],
        "parse_sequence": [_sequence(tf)],
        "json_example": [JSON_EXAMPLE],
        "tensor": [tf.io.serialize_tensor(one).numpy() for one in tensors] + [
            tf.make_tensor_proto(3.0, shape=[2, 2]).SerializeToString()],
        "sparse": [b"".join(len(one).to_bytes(4, "little") + one for one in sparse)],
        "csv": [b'1,2.5,"a,b"', b"7,,x"],
        "base64": [base64.urlsafe_b64encode(b"some bytes, encoded")],
        "raw": [bytes(range(24))],
        "zlib": [zlib.compress(b"some bytes " * 9)],
        "gzip": [_gzip(b"some bytes " * 9)],
        "checkpoint": [_bundle(tf)],
        "events": [_events(tf)],
        "saved_model": [_model(tf)],
        "dataset": [_dataset(tf)],
    }
    return {name: files + PICTURES.get(name, []) for name, files in written.items()}


def _gzip(data: bytes) -> bytes:
    made = zlib.compressobj(9, zlib.DEFLATED, 31)
    return made.compress(data) + made.flush()


OWN = ("saved_model", "dataset")


# -- reading ---------------------------------------------------------------------------------------
def _parts(data: bytes) -> list[bytes]:
    file, parts = io.BytesIO(data), []
    while head := file.read(4):
        parts.append(file.read(int.from_bytes(head, "little")))
    return parts


def _put(folder: str, name: str, data: bytes) -> str:
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def _checkpoint(tf: Any, data: bytes, folder: str) -> Any:
    size = int.from_bytes(data[:4], "little")
    prefix = os.path.join(folder, "ckpt")
    _put(folder, "ckpt.index", data[4:4 + size])
    _put(folder, "ckpt.data-00000-of-00001", data[4 + size:])
    reader = tf.train.load_checkpoint(prefix)
    shapes = reader.get_variable_to_shape_map()
    dtypes = reader.get_variable_to_dtype_map()
    found = {name: reader.get_tensor(name) for name in sorted(shapes)}
    held = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0, 0.0]), k=[tf.Variable([[False]])])
    held.restore(prefix).expect_partial()
    return [found, {name: [list(shapes[name]), dtypes[name].name] for name in sorted(shapes)},
            held.v.numpy()]


def _saved_model(tf: Any, data: bytes, folder: str) -> Any:
    folder = os.path.join(folder, "model")
    os.makedirs(folder)
    unfold(data, folder)
    loaded = tf.saved_model.load(folder)
    found = []
    for call, given in ((loaded, tf.ones([2, 2])), (getattr(loaded, "find", None), ["A", "c"]),
                        (getattr(loaded, "step", None), tf.ones([3]))):
        if call is not None and callable(call):
            try:
                found.append(call(tf.constant(given)))
            except (TypeError, ValueError) as error:  # the function takes other arguments now
                if "Could not find matching concrete function" not in str(error) and (
                        "not callable" not in str(error) and (
                            "Binding inputs to tf.function failed" not in str(error))):
                    raise
    return found


def _dataset_in(tf: Any, data: bytes, folder: str) -> Any:
    folder = os.path.join(folder, "saved")
    os.makedirs(folder)
    unfold(data, folder)
    return list(tf.data.Dataset.load(folder))


def _parsed(tf: Any, data: bytes) -> Any:
    io_, kinds = tf.io, {"int64": tf.int64, "string": tf.string, "float": tf.float32}
    features = {name: io_.VarLenFeature(kinds[kind]) for name, kind in FEATURES.items()}
    fixed = {"a": io_.FixedLenFeature([3], tf.int64, [0, 0, 0]),
             "b": io_.FixedLenSequenceFeature([], tf.string, allow_missing=True),
             "r": io_.RaggedFeature(tf.float32, "c")}
    one = io_.parse_single_example(data, features)
    two = io_.parse_example([data, data], {"a": fixed["a"], "b": features["b"], "r": fixed["r"]})
    three = io_.parse_single_example(data, {"a": fixed["a"], "b": fixed["b"]})
    return [one, two, three]


def _parsed_sequence(tf: Any, data: bytes) -> Any:
    return tf.io.parse_single_sequence_example(
        data, {"a": tf.io.FixedLenFeature([], tf.int64)}, {"s": tf.io.VarLenFeature(tf.int64)})


def read(tf: Any, name: str, data: bytes, folder: str) -> Any:
    """What a library makes of a file."""
    io_ = tf.io
    if name in ("png", "gif", "bmp", "jpeg", "image"):
        call = getattr(io_, f"decode_{name}")
        if name == "png":
            return [call(data), call(data, channels=3), call(data, dtype=tf.uint16)]
        found = call(data)
        return [found.shape.as_list()] if data[:3] == JPEG[:3] else [found]  # decoders round
    if name == "wav":
        return list(tf.audio.decode_wav(data))
    if name.startswith("tfrecord"):
        path = _put(folder, "records", data)
        kind = name.partition("_")[2].upper()
        return [list(tf.data.TFRecordDataset(path, kind)),
                list(tf.compat.v1.io.tf_record_iterator(path, options=io_.TFRecordOptions(kind)))]
    if name == "events":
        path = _put(folder, "events", data)
        return [one.SerializeToString(deterministic=True)
                for one in tf.compat.v1.train.summary_iterator(path)]
    if name in ("example", "sequence_example"):
        kind = tf.train.Example if name == "example" else tf.train.SequenceExample
        return kind.FromString(data).SerializeToString(deterministic=True)
    if name == "parse_example":
        return _parsed(tf, data)
    if name == "parse_sequence":
        return _parsed_sequence(tf, data)
    if name == "json_example":
        return io_.decode_json_example(data)
    if name == "tensor":
        kind = {1: tf.float32, 9: tf.int64, 7: tf.string, 10: tf.bool, 8: tf.complex64}.get(
            data[1] if len(data) > 1 else 0, tf.float32)
        return io_.parse_tensor(data, kind)
    if name == "sparse":
        parts = tf.constant([(_parts(data) + [b"", b"", b""])[:3]])
        return io_.deserialize_many_sparse(parts, tf.float32)
    if name == "csv":
        return io_.decode_csv(tf.constant([data]), [[1], [2.0], [""]])
    if name == "base64":
        return io_.decode_base64(data)
    if name == "raw":
        return io_.decode_raw(data, tf.int32)
    if name in ("zlib", "gzip"):
        return io_.decode_compressed(data, name.upper())
    if name in model_files.FORMATS:
        return model_files.read_model(tf, name, data, folder)
    own = {"checkpoint": _checkpoint, "saved_model": _saved_model, "dataset": _dataset_in}
    return own[name](tf, data, folder)
