"""tf.image beyond the records' own tests: definitions written out, threads, files, traces."""

import builtins
import io
import zlib

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops.image import interpolation, resizing, suppression
from tapeflow.ops.image.files import png

RNG = np.random.default_rng(3)
METHODS = ["bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian",
           "mitchellcubic"]


def noise(*shape):
    return RNG.random(shape, np.float32)


def matrix(n, out, method, centres="half"):
    """The weights of one direction, as a full matrix."""
    taps = interpolation.taps(n, out, method, centres, False)
    full = np.zeros((out, n))
    for i, (places, weights) in enumerate(zip(taps.indices, taps.weights)):
        np.add.at(full[i], places, weights)
    return full / float(taps.area)


# -- resizing --------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [(7, 3), (20, 26), (10, 39), (1, 1)])
@pytest.mark.parametrize("depth", [1, 3, 11])
def test_resizing_is_a_product_with_each_directions_weights(method, size, depth):
    x = noise(2, 10, 13, depth)
    y = tf.image.resize(x, size, method=method).numpy()
    centres = "legacy" if method == "area" else "half"
    down, across = matrix(10, size[0], method, centres), matrix(13, size[1], method, centres)
    np.testing.assert_allclose(y, np.einsum("ip,jq,bpqc->bijc", down, across, x), atol=2e-5)


@pytest.mark.parametrize("method", METHODS)
def test_weights_add_up_to_one(method):
    for n, out in ((5, 9), (9, 5), (6, 6), (3, 30)):
        total = matrix(n, out, method, "legacy" if method == "area" else "half").sum(1)
        np.testing.assert_allclose(total, 1, atol=1e-5)


def test_what_is_constant_stays_exactly_so():
    for value in (1.0, 99.0, 255.0):
        y = tf.image.resize(np.full((7, 9, 3), value, np.float32), (12, 20)).numpy()
        np.testing.assert_array_equal(y, value)


@pytest.mark.parametrize("part", [40, 1000, 1 << 16])
@pytest.mark.parametrize("method", ["bilinear", "bicubic", "lanczos3", "nearest"])
def test_parts_and_threads_change_nothing(method, part, monkeypatch):
    x = noise(3, 12, 14, 3)
    whole = tf.image.resize(x, (17, 9), method=method).numpy()
    monkeypatch.setattr(resizing, "PART", part)
    monkeypatch.setattr(interpolation, "SHARED", 1)
    parts = tf.image.resize(x, (17, 9), method=method).numpy()
    exact = method != "lanczos3"  # BLAS may add in another order
    np.testing.assert_allclose(parts, whole, rtol=0, atol=0 if exact else 1e-6)


def test_doubling_many_channels_is_what_it_is_for_few():
    x = noise(2, 5, 6, 16)
    whole = tf.image.resize(x, (10, 24)).numpy()
    for c in range(0, 16, 4):
        np.testing.assert_allclose(tf.image.resize(x[..., c:c + 4], (10, 24)),
                                   whole[..., c:c + 4], atol=1e-6)


@pytest.mark.parametrize("function", [
    lambda x: tf.image.resize(x, [3, 4]), lambda x: tf.image.resize_with_pad(x, 6, 5),
    lambda x: tf.image.resize_with_crop_or_pad(x, 4, 9), lambda x: tf.image.central_crop(x, 0.5),
    lambda x: tf.image.crop_to_bounding_box(x, 1, 1, 2, 3), lambda x: tf.image.flip_left_right(x),
    lambda x: tf.image.pad_to_bounding_box(x, 1, 1, 9, 9), lambda x: tf.image.rot90(x, 3),
    lambda x: tf.image.per_image_standardization(x), lambda x: tf.image.adjust_contrast(x, 2.0),
    lambda x: tf.image.rgb_to_hsv(x), lambda x: tf.image.adjust_hue(x, 0.1),
    lambda x: tf.image.rgb_to_yuv(x), lambda x: tf.image.total_variation(x),
    lambda x: tf.image.resize(x, [4, 9], preserve_aspect_ratio=True, method="bicubic"),
    lambda x: tf.image.extract_patches(x[None], [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1], "SAME"),
    lambda x: tf.image.crop_and_resize(x[None], [[0.1, 0.2, 0.8, 0.9]], [0], [3, 3]),
    lambda x: tf.image.psnr(x, x * 0.9, 1.0), lambda x: tf.image.sobel_edges(x[None]),
    lambda x: tf.image.ssim(x, x * 0.9, 1.0, filter_size=3)])
def test_sizes_that_a_trace_does_not_know(function):
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return y, tape.gradient(y, x)

    traced = tf.function(both, input_signature=[tf.TensorSpec([None, None, 3])])
    for shape in ((5, 6, 3), (7, 8, 3)):
        x = tf.constant(noise(*shape))
        for got, want in zip(traced(x), both(x)):
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_jacobian_and_vectorized_map():
    x = tf.constant(noise(3, 4, 5, 3))
    one = [tf.image.resize(image, [2, 3]).numpy() for image in x]
    many = tf.vectorized_map(lambda image: tf.image.resize(image, [2, 3]), x)
    np.testing.assert_allclose(many, np.stack(one), rtol=1e-6)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.crop_and_resize(x, [[0.1, 0.2, 0.8, 0.9]], [1], [2, 2])
    assert tape.jacobian(y, x).shape == (1, 2, 2, 3, 3, 4, 5, 3)


# -- boxes -----------------------------------------------------------------------------------------
def greedy(boxes, scores, limit, threshold):
    """The definition: by falling scores, each box that overlaps none of the chosen too much."""
    def overlap(a, b):
        high = max(0, min(a[2], b[2]) - max(a[0], b[0]))
        wide = max(0, min(a[3], b[3]) - max(a[1], b[1]))
        union = ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - high * wide)
        return high * wide / union

    chosen = []
    for i in np.argsort(-scores, kind="stable"):
        if len(chosen) < limit and all(
                overlap(boxes[i], boxes[j]) <= threshold for j in chosen):
            chosen.append(i)
    return chosen


@pytest.mark.parametrize("block", [1, 7, 64])
@pytest.mark.parametrize("threshold", [0.1, 0.5])
def test_suppression_is_greedy_however_boxes_come(threshold, block, monkeypatch):
    monkeypatch.setattr(suppression, "BOX_BLOCK", block)
    corner = RNG.random((80, 2))
    boxes = np.concatenate([corner, corner + 0.1 + RNG.random((80, 2)) * 0.3], 1).astype("f")
    scores = RNG.random(80).astype("f")
    for limit in (5, 80):
        got = tf.image.non_max_suppression(boxes, scores, limit, threshold).numpy()
        assert got.tolist() == greedy(boxes.astype("d"), scores, limit, threshold)


def test_boxes_of_no_size_never_overlap():
    boxes = np.array([[0, 0, 1, 1], [0, 0, 0, 1], [0.2, 0.2, 0.2, 0.2]], np.float32)
    scores = np.array([0.9, 0.8, 0.7], np.float32)
    assert tf.image.non_max_suppression(boxes, scores, 3, 0.0).numpy().tolist() == [0, 1, 2]


# -- files -----------------------------------------------------------------------------------------
def filtered(pixels, kind):
    """A PNG file with every row filtered in one way."""
    height, width, depth = pixels.shape
    rows = pixels.reshape(height, -1).astype(int)
    left = np.pad(rows, ((0, 0), (depth, 0)))[:, :-depth]
    up = np.pad(rows, ((1, 0), (0, 0)))[:-1]
    corner = np.pad(up, ((0, 0), (depth, 0)))[:, :-depth]
    guess = left + up - corner
    near = [abs(guess - one) for one in (left, up, corner)]
    paeth = np.where((near[0] <= near[1]) & (near[0] <= near[2]), left,
                     np.where(near[1] <= near[2], up, corner))
    less = [0, left, up, (left + up) // 2, paeth][kind]
    body = np.pad((rows - less) % 256, ((0, 0), (1, 0)), constant_values=kind).astype(np.uint8)
    file = bytearray(png.write(pixels, -1))
    start = bytes(file).index(b"IDAT") - 4
    data = zlib.compress(body.tobytes())
    check = zlib.crc32(b"IDAT" + data).to_bytes(4, "big")
    return bytes(file[:start]) + len(data).to_bytes(4, "big") + b"IDAT" + data + check + png._chunk(
        b"IEND", b"")


@pytest.fixture
def no_pillow(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **more):
        if name.split(".")[0] == "PIL":
            raise ImportError("no Pillow")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_png_files_are_read_without_pillow(kind, depth, no_pillow):
    pixels = RNG.integers(0, 256, (6, 5, depth)).astype(np.uint8)
    got = tf.io.decode_png(filtered(pixels, kind))
    np.testing.assert_array_equal(got, pixels)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGB", "RGBA", "I;16"])
def test_png_files_of_pillow(mode, no_pillow, monkeypatch):
    monkeypatch.undo()
    image = pytest.importorskip("PIL.Image")
    pixels = image.fromarray(RNG.integers(0, 256, (9, 7, 3)).astype(np.uint8))
    pixels = image.fromarray((RNG.random((9, 7)) * 60000).astype(np.uint16)) if mode == "I;16" \
        else pixels.convert(mode)
    file = io.BytesIO()
    pixels.save(file, "PNG")
    got, _ = png.expanded(png.split(file.getvalue()))
    want = np.asarray(pixels.convert("RGB") if mode == "P" else
                      pixels.convert("L") if mode == "1" else pixels)
    np.testing.assert_array_equal(got, want if want.ndim == 3 else want[..., None])


def test_without_pillow_other_files_say_what_to_install(no_pillow):
    with pytest.raises(tf.errors.UnimplementedError, match=r"tapeflow\[image\]"):
        tf.io.encode_jpeg(np.zeros((2, 2, 3), np.uint8))


def test_files_inside_a_function():
    pixels = tf.constant(RNG.integers(0, 256, (4, 5, 3)), tf.uint8)

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def load(data):
        return tf.image.resize(tf.io.decode_png(data, channels=3), [2, 2])

    got = load(tf.io.encode_png(pixels))
    np.testing.assert_allclose(got, tf.image.resize(pixels, [2, 2]), atol=1e-4)
