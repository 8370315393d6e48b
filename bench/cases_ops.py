"""The cases of `ops.py`: every public op by itself, on small and on large inputs.

A case is an expression, the same for tapeflow and TensorFlow. It may name the inputs of `inputs`,
which are of one million elements or of a few hundred.
"""

import numpy as np

UNARY = {
    "x": """abs sin cos tan atan sinh cosh asinh tanh sigmoid exp square sign floor round negative
        identity zeros_like ones_like stop_gradient math.erf math.erfc math.expm1 math.ceil
        math.rint math.is_nan math.is_inf math.is_finite math.softplus math.log_sigmoid
        math.special.dawsn math.special.expint math.special.fresnel_cos math.special.bessel_j0
        math.bessel_i0e nn.relu nn.relu6 nn.elu nn.selu nn.gelu nn.silu nn.leaky_relu nn.softsign
        nn.softmax nn.log_softmax nn.l2_loss nn.zero_fraction
        reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_logsumexp
        math.reduce_std math.reduce_variance math.reduce_euclidean_norm math.count_nonzero
        cumsum math.cumprod math.cumulative_logsumexp argmax argmin sort argsort math.top_k
        transpose shape size rank linalg.trace linalg.diag_part linalg.normalize math.real""",
    "p": """sqrt math.log math.log1p math.rsqrt math.reciprocal math.lgamma math.digamma
        math.special.bessel_k0e math.special.spence acosh""",
    "u": "asin acos atanh math.erfinv math.ndtri math.bessel_i0 math.bessel_i1",
    "z": "math.conj math.real math.imag math.angle abs",
    "b": "logical_not reduce_all reduce_any where",
    "i": "bitwise.invert abs math.count_nonzero",
}
BINARY = {
    "x, y": """add subtract multiply divide maximum minimum equal less greater not_equal atan2
        math.squared_difference math.divide_no_nan math.multiply_no_nan math.floordiv
        math.floormod truncatemod math.xdivy math.nextafter""",
    "p, q": "pow math.xlogy math.xlog1py math.igamma math.igammac math.zeta",
    "b, c": "logical_and logical_or math.logical_xor",
    "i, j": "bitwise.bitwise_and bitwise.bitwise_xor add multiply",
}
OTHER = {
    "add scalar": "x + 1.0",
    "multiply broadcast": "x * row",
    "add column": "x + column",
    "bias_add": "tf.nn.bias_add(x, row[0])",
    "cast to float64": "tf.cast(x, tf.float64)",
    "cast to int32": "tf.cast(x, tf.int32)",
    "saturate_cast": "tf.saturate_cast(x, tf.uint8)",
    "reduce_sum axis 0": "tf.reduce_sum(x, 0)",
    "reduce_sum axis 1": "tf.reduce_sum(x, 1)",
    "reduce_mean axis 1": "tf.reduce_mean(x, 1)",
    "reduce_max axis 0": "tf.reduce_max(x, 0)",
    "reduce_max axis 1": "tf.reduce_max(x, 1)",
    "reduce_variance axis 0": "tf.math.reduce_variance(x, 0)",
    "argmax axis 1": "tf.argmax(x, 1)",
    "cumsum axis 1": "tf.cumsum(x, 1)",
    "where three": "tf.where(b, x, y)",
    "clip_by_value": "tf.clip_by_value(x, -0.5, 0.5)",
    "clip_by_norm": "tf.clip_by_norm(x, 1.0)",
    "clip_by_global_norm": "tf.clip_by_global_norm([x, y], 1.0)[0][0]",
    "add_n": "tf.add_n([x, y, x])",
    "complex": "tf.complex(x, y)",
    "polyval": "tf.math.polyval([x, y, x], y)",
    "concat 0": "tf.concat([x, y], 0)",
    "concat 1": "tf.concat([x, y], 1)",
    "stack": "tf.stack([x, y])",
    "unstack": "tf.unstack(x)[0]",
    "split": "tf.split(x, 2, 1)[0]",
    "reshape": "tf.reshape(x, [-1])",
    "expand_dims": "tf.expand_dims(x, 0)",
    "squeeze": "tf.squeeze(row)",
    "tile": "tf.tile(row, [n, 1])",
    "repeat": "tf.repeat(x, 2, 0)",
    "pad": "tf.pad(x, [[1, 1], [2, 2]])",
    "pad reflect": "tf.pad(x, [[1, 1], [2, 2]], 'REFLECT')",
    "reverse": "tf.reverse(x, [1])",
    "roll": "tf.roll(x, 3, 1)",
    "broadcast_to": "tf.broadcast_to(row, [n, n])",
    "fill": "tf.fill([n, n], 2.0)",
    "zeros": "tf.zeros([n, n])",
    "ones": "tf.ones([n, n])",
    "range": "tf.range(n * n)",
    "linspace": "tf.linspace(0.0, 1.0, n * n)",
    "eye": "tf.eye(n)",
    "one_hot": "tf.one_hot(k, n)",
    "meshgrid": "tf.meshgrid(row[0], row[0])[0]",
    "sequence_mask": "tf.sequence_mask(k, n)",
    "slice": "x[1:-1, 2:-2]",
    "strided slice": "x[::2, ::3]",
    "index": "x[0]",
    "slice op": "tf.slice(x, [1, 1], [n - 2, n - 2])",
    "gather 0": "tf.gather(x, k)",
    "gather 1": "tf.gather(x, k, axis=1)",
    "gather batch": "tf.gather(x, kk, batch_dims=1)",
    "gather_nd": "tf.gather_nd(x, pairs)",
    "scatter_nd": "tf.scatter_nd(pairs, row[0], [n, n])",
    "tensor_scatter_nd_update": "tf.tensor_scatter_nd_update(x, pairs, row[0])",
    "tensor_scatter_nd_add": "tf.tensor_scatter_nd_add(x, pairs, row[0])",
    "boolean_mask": "tf.boolean_mask(x, b)",
    "dynamic_partition": "tf.dynamic_partition(x, parts, 3)[0]",
    "dynamic_stitch": "tf.dynamic_stitch([k], [x])",
    "unique": "tf.unique(flat_i)[0]",
    "searchsorted": "tf.searchsorted(sorted_row, row[0])",
    "bincount": "tf.math.bincount(flat_i)",
    "histogram_fixed_width": "tf.histogram_fixed_width(x, [-1.0, 1.0])",
    "segment_sum": "tf.math.segment_sum(x, sorted_ids)",
    "segment_max": "tf.math.segment_max(x, sorted_ids)",
    "unsorted_segment_sum": "tf.math.unsorted_segment_sum(x, parts, 3)",
    "unsorted_segment_mean": "tf.math.unsorted_segment_mean(x, parts, 3)",
    "confusion_matrix": "tf.math.confusion_matrix(k, k, n)",
    "in_top_k": "tf.math.in_top_k(k, x, 3)",
    "top_k 10": "tf.math.top_k(x, 10).values",
    "sort axis 0": "tf.sort(x, 0)",
    "reverse_sequence": "tf.reverse_sequence(x, k, 1)",
    "space_to_batch": "tf.space_to_batch(image, [2, 2], [[0, 0], [0, 0]])",
    "depth_to_space": "tf.nn.depth_to_space(image, 2)",
    "space_to_depth": "tf.nn.space_to_depth(image, 2)",
    "betainc": "tf.math.betainc(p, q, u01)",
    "polygamma": "tf.math.polygamma(tf.constant(1.0), p)",
    "matmul": "tf.matmul(x, y)",
    "matmul transposed": "tf.matmul(x, y, transpose_b=True)",
    "matvec": "tf.linalg.matvec(x, row[0])",
    "tensordot": "tf.tensordot(x, y, 1)",
    "einsum": "tf.einsum('ij,kj->ik', x, y)",
    "batched matmul": "tf.matmul(batches, batches)",
    "cholesky": "tf.linalg.cholesky(spd)",
    "inv": "tf.linalg.inv(spd)",
    "solve": "tf.linalg.solve(spd, some)",
    "triangular_solve": "tf.linalg.triangular_solve(lower, some)",
    "cholesky_solve": "tf.linalg.cholesky_solve(lower, some)",
    "det": "tf.linalg.det(spd)",
    "slogdet": "tf.linalg.slogdet(spd)[1]",
    "eigvalsh": "tf.linalg.eigvalsh(spd)",
    "singular values": "tf.linalg.svd(spd, compute_uv=False)",
    "qr": "abs(tf.linalg.qr(spd)[1])",
    "lu": "tf.linalg.lu(spd)[0]",
    "expm": "tf.linalg.expm(spd)",
    "norm": "tf.norm(x)",
    "norm axis 1": "tf.norm(x, axis=1)",
    "band_part": "tf.linalg.band_part(x, 1, 1)",
    "diag": "tf.linalg.diag(row[0])",
    "set_diag": "tf.linalg.set_diag(x, row[0])",
    "global_norm": "tf.linalg.global_norm([x, y])",
    "l2_normalize": "tf.math.l2_normalize(x, 1)",
    "moments": "tf.nn.moments(x, 0)[1]",
    "batch_normalization": "tf.nn.batch_normalization(x, row, row, row, row, 0.001)",
    "softmax_cross_entropy": "tf.nn.softmax_cross_entropy_with_logits(p, x)",
    "sparse_softmax_cross_entropy": "tf.nn.sparse_softmax_cross_entropy_with_logits(k, x)",
    "sigmoid_cross_entropy": "tf.nn.sigmoid_cross_entropy_with_logits(u01, x)",
    "embedding_lookup": "tf.nn.embedding_lookup(x, k)",
    "local_response_normalization": "tf.nn.local_response_normalization(image)",
    "conv1d": "tf.nn.conv1d(image[0], kernel1, 1, 'SAME')",
    "conv2d": "tf.nn.conv2d(image, kernel, 1, 'SAME')",
    "conv2d strided": "tf.nn.conv2d(image, kernel, 2, 'VALID')",
    "conv2d 1x1": "tf.nn.conv2d(image, kernel[:1, :1], 1, 'SAME')",
    "conv2d large": "tf.nn.conv2d(photo, kernel_wide, 1, 'SAME')",
    "conv2d_transpose": "tf.nn.conv2d_transpose(image, kernel_t, out_shape, 2)",
    "depthwise_conv2d": "tf.nn.depthwise_conv2d(image, depthwise, [1, 1, 1, 1], 'SAME')",
    "depthwise_conv2d large": "tf.nn.depthwise_conv2d(photo, wide_depth, [1, 1, 1, 1], 'SAME')",
    "separable_conv2d": "tf.nn.separable_conv2d(image, depthwise, kernel[:1, :1], [1, 1, 1, 1],"
                        " 'SAME')",
    "conv3d": "tf.nn.conv3d(volume, kernel3, [1, 1, 1, 1, 1], 'SAME')",
    "max_pool2d": "tf.nn.max_pool2d(image, 2, 2, 'VALID')",
    "max_pool2d 3x3": "tf.nn.max_pool2d(image, 3, 1, 'SAME')",
    "max_pool2d large": "tf.nn.max_pool2d(photo, 2, 2, 'SAME')",
    "avg_pool2d": "tf.nn.avg_pool2d(image, 2, 2, 'VALID')",
    "avg_pool2d large": "tf.nn.avg_pool2d(photo, 2, 2, 'SAME')",
    "max_pool_with_argmax": "tf.nn.max_pool_with_argmax(image, 2, 2, 'VALID')[0]",
    "dilation2d": "tf.nn.dilation2d(image, kernel[..., 0], [1, 1, 1, 1], 'SAME', 'NHWC',"
                  " [1, 1, 1, 1])",
    "grad matmul": "gradient(lambda: tf.matmul(v, y))",
    "grad conv2d": "gradient(lambda: tf.nn.conv2d(image, w, 1, 'SAME'), w)",
    "grad conv2d input": "gradient(lambda: tf.nn.conv2d(vi, kernel, 1, 'SAME'), vi)",
    "grad max_pool2d": "gradient(lambda: tf.nn.max_pool2d(vi, 2, 2, 'VALID'), vi)",
    "grad avg_pool2d": "gradient(lambda: tf.nn.avg_pool2d(vi, 2, 2, 'VALID'), vi)",
    "grad softmax": "gradient(lambda: tf.nn.softmax(v))",
    "grad tanh": "gradient(lambda: tf.tanh(v))",
    "grad reduce_mean": "gradient(lambda: tf.reduce_mean(v))",
    "grad gather": "gradient(lambda: tf.gather(v, k) * 2.0)",
    "grad cumsum": "gradient(lambda: tf.cumsum(v))",
    "assign": "v.assign(x)",
    "assign_sub": "v.assign_sub(tiny)",
    "stateless_normal": "tf.random.stateless_normal([n, n], [1, 2])",
    "stateless_uniform": "tf.random.stateless_uniform([n, n], [1, 2])",
    "stateless_truncated_normal": "tf.random.stateless_truncated_normal([n, n], [1, 2])",
    "stateless_uniform ints": "tf.random.stateless_uniform([n, n], [1, 2], 0, 9, tf.int32)",
    "stateless_gamma": "tf.random.stateless_gamma([n], [1, 2], 2.0)",
    "stateless_categorical": "tf.random.stateless_categorical(x[:4], 9, [1, 2])",
    "stateless_shuffle": "tf.random.experimental.stateless_shuffle(x, [1, 2])",
    "stateless_dropout": "tf.nn.experimental.stateless_dropout(x, 0.5, [1, 2])",
    "fft": "tf.signal.fft(z)",
    "fft2d": "tf.signal.fft2d(z)",
    "rfft": "tf.signal.rfft(x)",
    "irfft": "tf.signal.irfft(z)",
    "dct": "tf.signal.dct(x)",
    "idct ortho": "tf.signal.idct(x, norm='ortho')",
    "fftshift": "tf.signal.fftshift(x)",
    "stft": "tf.signal.stft(sound, frame, frame // 4)",
    "frame": "tf.signal.frame(sound, frame, frame // 4)",
    "overlap_and_add": "tf.signal.overlap_and_add(x, n // 4)",
    "hann_window": "tf.signal.hann_window(n)",
    "grad stft": "gradient(lambda: abs(tf.signal.stft(vs, frame, frame // 4)), vs)",
    "resize": "tf.image.resize(picture, goal)",
    "resize nearest": "tf.image.resize(picture, goal, 'nearest')",
    "resize bicubic": "tf.image.resize(picture, goal, 'bicubic')",
    "resize area": "tf.image.resize(picture, goal, 'area')",
    "resize lanczos3": "tf.image.resize(picture, goal, 'lanczos3', antialias=True)",
    "resize doubled": "tf.image.resize(image, twice)",
    "grad resize": "gradient(lambda: tf.image.resize(vp, goal), vp)",
    "grad resize doubled": "gradient(lambda: tf.image.resize(vi, twice), vi)",
    "flip_left_right": "tf.image.flip_left_right(picture)",
    "rot90": "tf.image.rot90(picture)",
    "central_crop": "tf.image.central_crop(picture, 0.5)",
    "rgb_to_grayscale": "tf.image.rgb_to_grayscale(picture)",
    "rgb_to_hsv": "tf.image.rgb_to_hsv(picture)",
    "hsv_to_rgb": "tf.image.hsv_to_rgb(picture)",
    "rgb_to_yuv": "tf.image.rgb_to_yuv(picture)",
    "adjust_brightness": "tf.image.adjust_brightness(picture, 0.1)",
    "adjust_contrast": "tf.image.adjust_contrast(picture, 1.5)",
    "adjust_hue": "tf.image.adjust_hue(picture, 0.2)",
    "adjust_saturation": "tf.image.adjust_saturation(picture, 1.5)",
    "per_image_standardization": "tf.image.per_image_standardization(picture)",
    "convert_image_dtype": "tf.image.convert_image_dtype(picture, tf.uint8)",
    "total_variation": "tf.image.total_variation(picture)",
    "sobel_edges": "tf.image.sobel_edges(picture)",
    "psnr": "tf.image.psnr(picture, picture * 0.9, 1.0)",
    "ssim": "tf.image.ssim(picture, picture * 0.9, 1.0, filter_size=7)",
    "extract_patches": "tf.image.extract_patches(picture, [1, 3, 3, 1], [1, 2, 2, 1],"
                       " [1, 1, 1, 1], 'SAME')",
    "crop_and_resize": "tf.image.crop_and_resize(picture, boxes, [0] * 8, goal)",
    "non_max_suppression": "tf.image.non_max_suppression(many_boxes, row[0], n // 4)",
}

def expressions() -> dict[str, str]:
    """All cases by name."""
    found = {}
    for table in (UNARY, BINARY):
        for arguments, names in table.items():
            for name in names.split():
                label = name if name not in found else f"{name} ({arguments})"
                found[label] = f"tf.{name}({arguments})"
    return {**found, **OTHER}


def inputs(tf, large: bool) -> dict:
    """What the expressions name."""
    n = 1000 if large else 16
    m = 256 if large else 8
    rng = np.random.RandomState(0)

    def normal(*shape):
        return tf.constant(rng.randn(*shape).astype(np.float32))

    def between(low, high, *shape):
        return tf.constant(rng.uniform(low, high, shape).astype(np.float32))

    size = 1024 if large else n
    square = rng.randn(m, m)
    spd = square @ square.T / m + np.eye(m)
    side, depth = (28, 16) if large else (8, 4)
    images = 32 if large else 1
    ids = rng.randint(0, n, n).astype(np.int32)
    names = {
        "tf": tf, "n": n, "x": normal(n, n), "y": normal(n, n), "p": between(0.2, 4.0, n, n),
        "q": between(1.2, 3.0, n, n), "u": between(-0.9, 0.9, n, n), "u01": between(0.1, 0.9, n, n),
        "z": tf.constant((rng.randn(n, n) + 1j * rng.randn(n, n)).astype(np.complex64)),
        "b": tf.constant(rng.rand(n, n) > 0.5), "c": tf.constant(rng.rand(n, n) > 0.3),
        "i": tf.constant(rng.randint(-99, 99, (n, n)).astype(np.int32)),
        "j": tf.constant(rng.randint(-99, 99, (n, n)).astype(np.int32)),
        "flat_i": tf.constant(rng.randint(0, 99, n * n).astype(np.int32)),
        "row": between(0.5, 1.5, 1, n), "column": normal(n, 1), "k": tf.constant(ids),
        "kk": tf.constant(rng.randint(0, n, (n, n)).astype(np.int32)),
        "pairs": tf.constant(np.stack([np.arange(n), ids], 1).astype(np.int32)),
        "parts": tf.constant(rng.randint(0, 3, n).astype(np.int32)),
        "sorted_ids": tf.constant(np.sort(rng.randint(0, 9, n)).astype(np.int32)),
        "sorted_row": tf.constant(np.sort(rng.randn(n)).astype(np.float32)),
        "spd": tf.constant(spd.astype(np.float32)),
        "lower": tf.constant(np.linalg.cholesky(spd).astype(np.float32)),
        "some": normal(m, 16), "batches": normal(m, 16, 16),
        "image": normal(images, side, side, depth), "kernel1": normal(3, depth, 32),
        "kernel": normal(3, 3, depth, 32), "depthwise": normal(3, 3, depth, 1),
        "photo": normal(8, 112, 112, 64) if large else normal(1, 8, 8, 4),
        "kernel_wide": normal(3, 3, 64, 64) if large else normal(3, 3, 4, 4),
        "wide_depth": normal(3, 3, 64 if large else 4, 1),
        "kernel_t": normal(3, 3, 8, depth), "out_shape": [images, 2 * side, 2 * side, 8],
        "volume": normal(2, 8, 16, 16, 8) if large else normal(1, 3, 3, 3, 2),
        "kernel3": normal(3, 3, 3, 8, 8) if large else normal(2, 2, 2, 2, 2),
        "tiny": between(-1e-9, 1e-9, n, n),
        "picture": between(0, 1, 8, 224, 224, 3) if large else between(0, 1, 1, 8, 8, 3),
        "goal": [128, 160] if large else [4, 6], "twice": [2 * side, 2 * side],
        "sound": normal(n * n), "frame": 1024 if large else 16,
        "boxes": between(0.1, 0.9, 8, 4), "many_boxes": between(0, 1, n, 4),
    }
    names.update(v=tf.Variable(names["x"]), w=tf.Variable(names["kernel"]),
                 vi=tf.Variable(names["image"]), vs=tf.Variable(names["sound"]),
                 vp=tf.Variable(names["picture"]), gradient=gradients(tf))
    names["gradient"] = gradients(tf, names["v"])
    if large:
        names.update(mx=normal(size, size), my=normal(size, size))
    return names


def gradients(tf, default=None):
    def gradient(function, source=default):
        with tf.GradientTape() as tape:
            y = function()
        return tf.convert_to_tensor(tape.gradient(y, source))

    return gradient


def cases(tf):
    """A dict from `small NAME` and `large NAME`, without spaces, to a function of no arguments."""
    made = {}
    for size in ("small", "large"):
        names = inputs(tf, size == "large")
        for label, text in expressions().items():
            if size == "large" and label == "matmul":
                text = "tf.matmul(mx, my)"
            made[f"{size}:{label}".replace(" ", "_")] = eval(f"lambda: {text}", names)
    return made
