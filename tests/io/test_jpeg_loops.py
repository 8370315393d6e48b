"""JPEG files by machine code: TensorFlow's pixels with either transform."""

import random
import zlib

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops.image.files import jpeg
from tests.file_fuzz.mutate import mutated

pytest.importorskip("PIL")
# Options of a file, and the checksum of the pixels that TensorFlow reads from it.
SUMS = [
    ({}, 723967289),
    ({"quality": 30}, 276743136),
    ({"chroma_downsampling": False}, 1905342950),
    ({"channels": 1, "quality": 75}, 182230169),
    # Of less than five columns the colours are repeated, not mixed.
    ({"height": 2, "width": 1}, 2235332922),
    ({"height": 2, "width": 2}, 2877998030),
    ({"height": 5, "width": 3}, 2705441848),
    ({"width": 4}, 3419662931),
    ({"height": 3, "width": 5}, 1122948718),
]


def file_of(height=33, width=47, channels=3, **options):
    y, x = np.mgrid[:height, :width]
    waves = [128 + 100 * np.sin(y / (3 + k)) * np.cos(x / (5 + k)) for k in range(channels)]
    pixels = np.stack(waves, -1) + np.random.default_rng(1).integers(0, 20, (height, width, 1))
    return tf.io.encode_jpeg(np.clip(pixels, 0, 255).astype(np.uint8), **options).numpy()


def native(data, channels=0, fast=False):
    with tf.config.settings.using(jit="now"):
        return jpeg.pixels(data, channels, fast)


def by_pillow(data, channels=0):
    with tf.config.settings.using(jit="off"):
        return tf.io.decode_jpeg(data, channels, dct_method="INTEGER_ACCURATE").numpy()


@pytest.mark.parametrize("size", [(8, 8), (33, 47), (16, 9), (65, 130), (17, 3)])
@pytest.mark.parametrize("options", [{}, {"quality": 20}, {"chroma_downsampling": False},
                                     {"optimize_size": True}, {"channels": 1}])
def test_pixels(size, options):
    data = file_of(*size, **options)
    for channels in (0, 1, 3):
        np.testing.assert_array_equal(native(data, channels), by_pillow(data, channels))


def test_restarts_and_samplings():
    from io import BytesIO

    from PIL import Image
    pixels = np.random.default_rng(0).integers(0, 256, (50, 70, 3)).astype(np.uint8)
    for subsampling in (0, 1, 2):
        for restart in (0, 1, 3):
            for width in (70, 5, 4, 1):
                file = BytesIO()
                Image.fromarray(pixels[:, :width]).save(
                    file, "JPEG", quality=90, subsampling=subsampling,
                    restart_marker_blocks=restart)
                np.testing.assert_array_equal(native(file.getvalue()), by_pillow(file.getvalue()))


@pytest.mark.parametrize(("options", "sum_"), SUMS)
def test_fast_pixels(options, sum_):
    """TensorFlow's pixels by default: their checksum."""
    with tf.config.settings.using(jit="now"):
        pixels = tf.io.decode_jpeg(file_of(**options)).numpy()
    assert zlib.crc32(pixels.tobytes()) == sum_


def test_unusual_files_are_left():
    assert native(file_of(progressive=True)) is None


def test_other_threads_go_on():
    native(file_of())
    holds_lock = 4  # of ctypes: FUNCFLAG_PYTHONAPI
    assert not type(jpeg.LOOPS.ready(0.0).decode)._flags_ & holds_lock


def test_damaged_files():
    """Nothing beyond the memory is touched; most are left to Pillow."""
    data, rng = file_of(24, 31), random.Random(3)
    read = 0
    for _ in range(200):
        damaged = mutated(rng, "jpeg", data)
        pixels = native(damaged) if damaged[:3] == data[:3] else None
        if pixels is not None:
            read += 1
            assert pixels.dtype == np.uint8
    assert read
