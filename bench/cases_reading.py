"""The cases of `reading.py` for tapeflow and TensorFlow: one step reads files or bytes once."""

import atexit
import os
import shutil
import struct
import tempfile
import zlib

import numpy as np
from cases_data import passing

RECORDS, LINES = 2000, 2000


def cases(tf):
    """A dict from case to a function of no arguments that reads once, and gives the last."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {**_records(tf, folder), **_examples(tf, folder), **_lines(tf, folder), **_images(tf)}


# -- records ---------------------------------------------------------------------------------------
def _write(tf, path, records, compression=""):
    with tf.io.TFRecordWriter(path, compression) as writer:
        for record in records:
            writer.write(record)
    return path


def _records(tf, folder):
    rng = np.random.default_rng(0)
    small = _write(tf, os.path.join(folder, "small"), [rng.bytes(200) for _ in range(5000)])
    large = _write(tf, os.path.join(folder, "large"), [rng.bytes(100_000) for _ in range(100)])
    packed = _write(tf, os.path.join(folder, "packed"),
                    [bytes(100) + rng.bytes(100) for _ in range(5000)], "GZIP")

    def sizes(path, compression=None):
        return tf.data.TFRecordDataset(path, compression).batch(256).map(tf.strings.length)

    return {"records": passing(tf.data.TFRecordDataset(small).map(tf.strings.length)),
            "records_batch": passing(sizes(small)),
            "records_large": passing(sizes(large)),
            "records_gzip": passing(sizes(packed, "GZIP"))}


# -- Examples --------------------------------------------------------------------------------------
def _example(tf, rng):
    train = tf.train
    return train.Example(features=train.Features(feature={
        "image": train.Feature(float_list=train.FloatList(value=rng.random(64))),
        "tokens": train.Feature(int64_list=train.Int64List(
            value=rng.integers(0, 30000, rng.integers(5, 40)))),
        "label": train.Feature(int64_list=train.Int64List(value=[rng.integers(10)])),
        "weight": train.Feature(float_list=train.FloatList(value=[1.0])),
        "name": train.Feature(bytes_list=train.BytesList(value=[rng.bytes(12)])),
    })).SerializeToString()


def _examples(tf, folder):
    rng = np.random.default_rng(1)
    examples = [_example(tf, rng) for _ in range(RECORDS)]
    path = _write(tf, os.path.join(folder, "examples"), examples)
    batch = tf.constant(examples[:256])
    one = tf.constant(examples[0])
    dense = {"image": tf.io.FixedLenFeature([64], tf.float32),
             "label": tf.io.FixedLenFeature([], tf.int64),
             "weight": tf.io.FixedLenFeature([], tf.float32, 1.0),
             "name": tf.io.FixedLenFeature([], tf.string)}
    every = {**dense, "tokens": tf.io.VarLenFeature(tf.int64)}
    ragged = {"tokens": tf.io.RaggedFeature(tf.int64),
              "label": tf.io.FixedLenFeature([], tf.int64)}

    def single(x):
        found = tf.io.parse_single_example(x, dense)
        return found["image"], found["label"]

    def sparse(x):
        found = tf.io.parse_example(x, every)
        return found["image"], found["tokens"].values

    def rows(x):
        return tf.io.parse_example(x, ragged)["tokens"].values

    files = tf.data.TFRecordDataset(path)
    return {"parse_single": lambda: tf.io.parse_single_example(one, dense)["image"],
            "parse_batch": lambda: tf.io.parse_example(batch, dense)["image"],
            "parse_sparse": lambda: tf.io.parse_example(batch, every)["tokens"].values,
            "parse_ragged": lambda: rows(batch),
            "map_single": passing(files.map(single)),
            "map_single_batch": passing(files.map(single).batch(64)),
            "batch_map": passing(files.batch(64).map(sparse)),
            "batch_map_ragged": passing(files.batch(64).map(rows))}


# -- text ------------------------------------------------------------------------------------------
def _lines(tf, folder):
    rng = np.random.default_rng(2)
    rows = [f"{a:.5f},{b:.4f},{c},{d},word{e}" for a, b, c, d, e in zip(
        rng.normal(size=LINES), rng.normal(size=LINES), rng.integers(0, 100, LINES),
        rng.integers(-10**9, 10**9, LINES), rng.integers(0, 9, LINES))]
    path = os.path.join(folder, "table.csv")
    with open(path, "w") as file:
        file.write("a,b,c,d,e\n" + "\n".join(rows) + "\n")
    defaults = [0.0, 0.0, 0, tf.constant([0], tf.int64), ""]
    column = tf.constant(rows)
    text = tf.data.TextLineDataset(path)

    def decoded(x):
        return tf.io.decode_csv(x, defaults)[0]

    named = tf.data.experimental.make_csv_dataset(
        path, 64, num_epochs=1, shuffle=False, column_defaults=defaults, label_name="c")
    return {"lines": passing(text.map(tf.strings.length)),
            "lines_batch": passing(text.batch(128).map(tf.strings.length)),
            "decode_csv": lambda: decoded(column),
            "csv_map": passing(text.skip(1).map(decoded)),
            "csv_batch_map": passing(text.skip(1).batch(64).map(decoded)),
            "csv_dataset": passing(tf.data.experimental.CsvDataset(path, defaults, header=True)),
            "make_csv": passing(named.map(lambda x, y: x["a"]))}


# -- images ----------------------------------------------------------------------------------------
def _picture(height, width, channels):
    rng = np.random.default_rng(3)
    grid = np.mgrid[:height, :width]
    waves = [np.sin(grid[0] / (7 + 5 * k)) * np.cos(grid[1] / (11 + 3 * k))
             for k in range(channels)]
    noisy = 128 + 100 * np.stack(waves, axis=-1) + rng.normal(scale=4, size=(height, width, 1))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _png(pixels):
    """A PNG of which each library gets the same bytes: rows hold differences of neighbours."""
    height, width, channels = pixels.shape
    rows = np.ones((height, 1 + width * channels), np.uint8)  # 1: the filter that a row begins with
    rows[:, 1:] = np.diff(pixels, axis=1, prepend=np.uint8(0)).reshape(height, -1)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(
            ">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(
        b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")


def _bmp(pixels):
    height, width, _ = pixels.shape
    body = np.ascontiguousarray(pixels[::-1, :, ::-1]).tobytes()  # width divides by four
    return b"BM" + struct.pack("<IIIIiiHHIIiiII", 54 + len(body), 0, 54, 40, width, height, 1, 24,
                               0, len(body), 0, 0, 0, 0) + body


def _gif(pixels, frames):
    """A GIF whose codes are literals of 9 bits, and a clear code before they would grow."""
    height, width = pixels.shape[:2]
    palette = bytes(v for k in range(256) for v in (k, 255 - k, k // 2))
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + palette
    for shift in range(frames):
        codes = []
        for k, value in enumerate(np.roll(pixels[:, :, 0], shift, 0).ravel().tolist()):
            codes += [256, value] if k % 250 == 0 else [value]
        bits = np.array([*codes, 257])[:, None] >> np.arange(9) & 1
        data = np.packbits(bits.ravel().astype(np.uint8), bitorder="little").tobytes()
        blocks = [data[i:i + 255] for i in range(0, len(data), 255)]
        out += b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x08"
        out += b"".join([bytes([len(one)]) + one for one in blocks]) + b"\0"
    return out + b";"


def _images(tf):
    coloured, small, large = _picture(240, 320, 3), _picture(28, 28, 1), _picture(1024, 1536, 3)
    png, digit, large_png = (tf.constant(_png(one)) for one in (coloured, small, large))
    jpeg, large_jpeg = tf.io.encode_jpeg(coloured), tf.io.encode_jpeg(large)
    small_jpeg = tf.io.encode_jpeg(coloured[:16, :16])
    bmp, gif = tf.constant(_bmp(coloured)), tf.constant(_gif(coloured, 4))
    digits = tf.data.Dataset.from_tensors(digit).repeat(200).map(tf.io.decode_png)
    return {"png": lambda: tf.io.decode_png(png),
            "png_large": lambda: tf.io.decode_png(large_png),
            "png_small": lambda: tf.io.decode_png(digit),
            "png_map": passing(digits),
            "jpeg": lambda: tf.io.decode_jpeg(jpeg, dct_method="INTEGER_ACCURATE"),
            "jpeg_small": lambda: tf.io.decode_jpeg(small_jpeg),
            "jpeg_large": lambda: tf.io.decode_jpeg(large_jpeg, dct_method="INTEGER_ACCURATE"),
            "bmp": lambda: tf.io.decode_bmp(bmp),
            "gif": lambda: tf.io.decode_gif(gif),
            "image": lambda: tf.io.decode_image(png)}
