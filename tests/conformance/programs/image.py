# --- resize_bilinear
x = tf.constant(np.random.RandomState(0).rand(1, 4, 5, 2), tf.float32)
for size in ([8, 10], [2, 3], [4, 5], [7, 2]):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.resize(x, size)
        loss = tf.reduce_sum(y ** 2)
    print(y.shape, y.dtype, y.numpy().round(4).ravel()[:12].tolist())
    print(tape.gradient(loss, x).numpy().round(4).ravel()[:12].tolist())

# --- resize_methods
x = tf.constant(np.random.RandomState(1).rand(6, 7, 3), tf.float32)
for method in ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
    for antialias in (False, True):
        up = tf.image.resize(x, [9, 11], method=method, antialias=antialias)
        down = tf.image.resize(x, [3, 4], method=method, antialias=antialias)
        print(method, antialias, up.numpy().round(4)[4, 5].tolist(), down.numpy().round(4)[:, 1, 0].tolist())

# --- resize_method_gradients
x = tf.constant(np.random.RandomState(2).rand(1, 5, 6, 1), tf.float32)
for method in ("nearest", "bicubic", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
    for size in ([3, 4], [8, 9]):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.image.resize(x, size, method=method, antialias=True)
            loss = tf.reduce_sum(y ** 3)
        print(method, tape.gradient(loss, x).numpy().round(3).ravel().tolist())

# --- resize_integers
u = tf.constant(np.random.RandomState(3).randint(0, 256, (5, 5, 3)), tf.uint8)
for method in ("bilinear", "nearest", "area"):
    y = tf.image.resize(u, [8, 9], method=method)
    print(method, y.dtype, y.numpy().ravel()[:12].round(4).tolist(), tf.cast(y, tf.uint8).numpy().sum())
print(tf.image.resize(tf.cast(u, tf.float64), [2, 2]).dtype, tf.image.resize(tf.cast(u, tf.float16), [2, 2]).dtype)
print(tf.image.resize(tf.cast(u, tf.int32), [3, 3], tf.image.ResizeMethod.NEAREST_NEIGHBOR).numpy().ravel().tolist())
x = tf.constant(1.0) * tf.ones([2, 2, 1])
with tf.GradientTape() as tape:
    tape.watch(u)
    y = tf.image.resize(u, [2, 2])
print(tape.gradient(y, u))

# --- resize_aspect
x = tf.constant(np.random.RandomState(4).rand(2, 10, 20, 1), tf.float32)
for size in ([5, 5], [30, 30], [7, 100], [100, 7]):
    print(tf.image.resize(x, size, preserve_aspect_ratio=True).shape)
    y = tf.image.resize_with_pad(x, *size)
    print(y.shape, float(tf.reduce_sum(y)), y.numpy()[0, :, size[1] // 2, 0].round(3).tolist()[:6])

# --- resize_errors
x = tf.ones([4, 4, 3])
print(outcome(tf.image.resize, x, [0, 2]), outcome(tf.image.resize, x, 3), outcome(tf.image.resize, x, [2]))
print(outcome(tf.image.resize, x, [2.5, 2]), outcome(tf.image.resize, x, [2, 2], method="cubic"))
print(outcome(tf.image.resize, x[0], [2, 2]), outcome(tf.image.resize_with_pad, x, 0, 3))

# --- resize_legacy
x = tf.constant(np.random.RandomState(5).rand(1, 4, 3, 1), tf.float32)
for method in range(4):
    for corners in (False, True):
        y = tf.compat.v1.image.resize(x, [6, 5], method=method, align_corners=corners)
        print(method, corners, y.numpy().round(4).ravel().tolist())
print(tf.compat.v1.image.resize_bilinear(x, [2, 2], half_pixel_centers=True).numpy().round(4).ravel().tolist())
print(tf.compat.v1.image.ResizeMethod.AREA, tf.image.ResizeMethod.AREA)

# --- resize_in_a_function
@tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.float32), tf.TensorSpec([2], tf.int32)])
def smaller(image, size):
    return tf.image.resize(image, size), tf.image.resize(image, [2, 3])

x = tf.constant(np.random.RandomState(6).rand(5, 6, 3), tf.float32)
a, b = smaller(x, [3, 3])
print(a.numpy().round(4)[1].tolist(), b.shape, smaller.get_concrete_function().structured_outputs)

# --- resize_second_order
x = tf.constant(np.random.RandomState(7).rand(1, 3, 3, 1), tf.float32)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        loss = tf.reduce_sum(tf.exp(tf.image.resize(x, [4, 5])))
    g = inner.gradient(loss, x)
    total = tf.reduce_sum(g ** 2)
print(g.numpy().round(4).ravel().tolist())

# --- flips_and_turns
x = tf.reshape(tf.range(12), [2, 3, 2])
print(tf.image.flip_left_right(x).numpy().ravel().tolist(), tf.image.flip_up_down(x).numpy().ravel().tolist())
print(tf.image.transpose(x).numpy().ravel().tolist())
for k in range(-1, 5):
    print(k, tf.image.rot90(x, k).shape, tf.image.rot90(x, k).numpy().ravel().tolist())
b = tf.reshape(tf.range(24.0), [2, 2, 3, 2])
with tf.GradientTape() as tape:
    tape.watch(b)
    y = tf.image.rot90(b) * tf.image.transpose(b) + tf.image.transpose(tf.image.flip_up_down(b))
print(tape.gradient(y, b).numpy().ravel().tolist())
print(outcome(tf.image.flip_left_right, x[0]), outcome(tf.image.rot90, x, [1]))

# --- crops_and_borders
x = tf.reshape(tf.range(60.0), [5, 6, 2])
print(tf.image.central_crop(x, 0.5).numpy().ravel().tolist(), tf.image.central_crop(x[tf.newaxis], 0.3).shape)
print(tf.image.crop_to_bounding_box(x, 1, 2, 2, 2).numpy().ravel().tolist())
print(tf.image.pad_to_bounding_box(x[:2, :2], 1, 0, 4, 3).numpy().ravel().tolist())
for size in ((3, 8), (8, 3), (4, 4), (7, 7)):
    y = tf.image.resize_with_crop_or_pad(x, *size)
    print(y.shape, y.numpy()[..., 0].ravel().tolist())
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.image.resize_with_crop_or_pad(x, 3, 8) ** 2
print(tape.gradient(y, x).numpy().ravel().tolist())

# --- crop_errors
x = tf.ones([5, 6, 2])
print(outcome(tf.image.central_crop, x, 0.0), outcome(tf.image.central_crop, x, 1.5), tf.image.central_crop(x, 1.0).shape)
print(outcome(tf.image.crop_to_bounding_box, x, 4, 0, 3, 3), outcome(tf.image.crop_to_bounding_box, x, -1, 0, 3, 3))
print(outcome(tf.image.pad_to_bounding_box, x, 0, 0, 3, 3), outcome(tf.image.resize_with_crop_or_pad, x, 0, 3))

# --- dtypes_of_images
u = tf.constant([0, 1, 127, 255], tf.uint8)
f = tf.constant([-0.1, 0.0, 0.25, 0.9999, 1.0, 1.5])
for d in (tf.float32, tf.float64, tf.float16, tf.uint8, tf.uint16, tf.int16, tf.int32):
    print(d.name, tf.image.convert_image_dtype(u, d).numpy().tolist(), tf.image.convert_image_dtype(f[1:5], d).numpy().tolist())
print(tf.image.convert_image_dtype(f, tf.uint8, saturate=True).numpy().tolist())
print(tf.image.convert_image_dtype(tf.constant([100, 32767], tf.int16), tf.uint8).numpy().tolist())
print(outcome(tf.image.convert_image_dtype, tf.constant([True]), tf.float32), outcome(tf.image.convert_image_dtype, f, tf.bool))

# --- colour_spaces
x = tf.constant(np.random.RandomState(8).rand(2, 3, 3), tf.float32)
for f in (tf.image.rgb_to_hsv, tf.image.rgb_to_yiq, tf.image.yiq_to_rgb, tf.image.rgb_to_yuv, tf.image.yuv_to_rgb, tf.image.rgb_to_grayscale):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        loss = tf.reduce_sum(y ** 2)
    print(y.numpy().round(4).ravel().tolist(), tape.gradient(loss, x).numpy().round(3).ravel().tolist())
print(tf.image.hsv_to_rgb(x).numpy().round(4).ravel().tolist())
print(np.abs(tf.image.hsv_to_rgb(tf.image.rgb_to_hsv(x)).numpy() - x.numpy()).max() < 1e-5)
print(tf.image.rgb_to_grayscale(tf.cast(x * 255, tf.uint8)).numpy().ravel().tolist())
print(tf.image.grayscale_to_rgb(x[..., :1]).numpy().round(4).ravel().tolist())
print(outcome(tf.image.grayscale_to_rgb, x), outcome(tf.image.rgb_to_hsv, x[..., :2]))

# --- hsv_of_special_colours
x = tf.constant([[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]], tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.image.rgb_to_hsv(x)
print(y.numpy().round(5).tolist())
print(tape.gradient(y, x).numpy().round(5).tolist())

# --- adjustments
x = tf.constant(np.random.RandomState(9).rand(2, 2, 3), tf.float32)
u = tf.cast(x * 255, tf.uint8)
print(tf.image.adjust_brightness(x, 0.2).numpy().round(4).ravel().tolist(), tf.image.adjust_brightness(u, 0.4).numpy().ravel().tolist())
print(tf.image.adjust_contrast(x, 1.5).numpy().round(4).ravel().tolist(), tf.image.adjust_contrast(u, 2.0).numpy().ravel().tolist())
print(tf.image.adjust_gamma(x, 0.5, 2.0).numpy().round(4).ravel().tolist(), tf.image.adjust_gamma(u, 2.0).numpy().ravel().tolist())
print(tf.image.adjust_hue(x, 0.2).numpy().round(4).ravel().tolist(), tf.image.adjust_hue(u, -0.3).numpy().ravel().tolist())
print(tf.image.adjust_saturation(x, 0.5).numpy().round(4).ravel().tolist(), tf.image.adjust_saturation(u, 3.0).numpy().ravel().tolist())
print(outcome(tf.image.adjust_gamma, x, -1.0), outcome(tf.image.adjust_hue, x, 1.5), outcome(tf.image.adjust_hue, x[..., :2], 0.5))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.image.adjust_gamma(tf.image.adjust_brightness(x, 0.1), 2.0)
print(tape.gradient(y, x).numpy().round(4).ravel().tolist())

# --- standardization
x = tf.constant(np.random.RandomState(10).rand(2, 3, 4, 1), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.image.per_image_standardization(x)
    loss = tf.reduce_sum(y ** 3)
print(y.numpy().round(4).ravel().tolist(), tape.gradient(loss, x).numpy().round(3).ravel().tolist())
print(tf.image.per_image_standardization(tf.ones([2, 2, 1], tf.uint8)).numpy().ravel().tolist())

# --- total_variation
x = tf.constant(np.random.RandomState(11).rand(2, 3, 4, 2), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.image.total_variation(x)
print(y.numpy().round(4).tolist(), tape.gradient(y, x).numpy().ravel().tolist())
print(tf.image.total_variation(x[0]).numpy().round(4), outcome(tf.image.total_variation, x[0, 0]))

# --- edges
x = tf.constant(np.random.RandomState(12).rand(1, 4, 4, 2), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.image.sobel_edges(x)
    loss = tf.reduce_sum(y ** 2)
print(y.shape, y.numpy().round(3).ravel()[:16].tolist(), tape.gradient(loss, x).numpy().round(3).ravel()[:8].tolist())
dy, dx = tf.image.image_gradients(x)
print(dy.numpy().round(4).ravel()[:10].tolist(), dx.numpy().round(4).ravel()[:10].tolist())

# --- psnr_and_ssim
r = np.random.RandomState(13)
a = tf.constant(r.rand(2, 14, 15, 3), tf.float32)
b = tf.clip_by_value(a + r.randn(2, 14, 15, 3) * 0.1, 0.0, 1.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(b)
    p = tf.image.psnr(a, b, 1.0)
    s = tf.image.ssim(a, b, 1.0)
print(p.numpy().round(4).tolist(), s.numpy().round(5).tolist())
print(tape.gradient(p, b).numpy()[0, 0, :3].round(3).tolist(), tape.gradient(s, b).numpy()[0, 5, :3].round(5).tolist())
print(tf.image.ssim(a, b, 1.0, filter_size=5, filter_sigma=1.0, k1=0.02, k2=0.05).numpy().round(5).tolist())
print(tf.image.ssim(a, b, 1.0, return_index_map=True).shape)
u, v = tf.cast(a * 255, tf.uint8), tf.cast(b * 255, tf.uint8)
print(tf.image.psnr(u, v, 255).numpy().round(4).tolist(), tf.image.ssim(u, v, 255).numpy().round(5).tolist())
print(tf.image.psnr(a, a, 1.0).numpy(), tf.image.psnr(a, b[0], 1.0).numpy().round(3).tolist())
print(outcome(tf.image.ssim, a, b[:, :5], 1.0), outcome(tf.image.ssim, a[:, :5], b[:, :5], 1.0))

# --- ssim_multiscale
r = np.random.RandomState(14)
a = tf.constant(r.rand(1, 45, 46, 1), tf.float32)
b = tf.clip_by_value(a + r.randn(1, 45, 46, 1) * 0.1, 0.0, 1.0)
with tf.GradientTape() as tape:
    tape.watch(a)
    m = tf.image.ssim_multiscale(a, b, 1.0, power_factors=(0.3, 0.3, 0.4), filter_size=7)
print(m.numpy().round(5), tape.gradient(m, a).numpy()[0, 20, 20:24, 0].round(6).tolist())
print(outcome(tf.image.ssim_multiscale, a, b, 1.0))

# --- patches
x = tf.reshape(tf.range(1.0, 61.0), [1, 5, 6, 2])
for sizes, strides, rates, padding in (([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"), ([1, 3, 2, 1], [1, 2, 3, 1], [1, 1, 2, 1], "SAME")):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.extract_patches(x, sizes, strides, rates, padding)
        loss = tf.reduce_sum(y ** 2)
    print(y.shape, y.numpy().ravel()[:24].tolist(), tape.gradient(loss, x).numpy().ravel().tolist())
print(tf.image.extract_patches(images=tf.cast(x, tf.uint8), sizes=[1, 5, 6, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="VALID").shape)
print(outcome(tf.image.extract_patches, x[0], [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"))
print(outcome(tf.image.extract_patches, x, [1, 2, 2, 2], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"))
print(outcome(tf.image.extract_patches, x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "FULL"))

# --- glimpses
x = tf.reshape(tf.range(1.0, 31.0), [1, 5, 6, 1])
for offset in ([[0.0, 0.0]], [[0.4, -0.3]], [[-0.9, 0.9]]):
    print(tf.image.extract_glimpse(x, [3, 2], offset, noise="zero").numpy().ravel().tolist())
    print(tf.image.extract_glimpse(x, [3, 2], offset, centered=False, noise="zero").numpy().ravel().tolist())
print(tf.image.extract_glimpse(x, [2, 2], [[2.0, 1.0]], centered=False, normalized=False, noise="zero").numpy().ravel().tolist())

# --- crop_and_resize
x = tf.constant(np.random.RandomState(15).rand(2, 6, 7, 1), tf.float32)
boxes = tf.constant([[0.1, 0.2, 0.7, 0.93], [-0.2, 0.0, 0.53, 1.3], [0.83, 0.9, 0.2, 0.1]])
for method in ("bilinear", "nearest"):
    with tf.GradientTape() as tape:
        tape.watch([x, boxes])
        y = tf.image.crop_and_resize(x, boxes, [0, 1, 1], [3, 4], method=method, extrapolation_value=0.5)
        loss = tf.reduce_sum(y ** 2)
    print(y.shape, y.dtype, y.numpy().round(4).ravel().tolist())
    gx, gb = tape.gradient(loss, [x, boxes])
    print(gx.numpy().round(3).ravel().tolist())
    if method == "bilinear":
        print(gb.numpy().round(3).ravel().tolist())
print(tf.image.crop_and_resize(x, boxes, [0, 1, 1], [1, 1]).numpy().round(4).ravel().tolist())
print(tf.image.crop_and_resize(tf.cast(x * 9, tf.uint8), boxes[:1], [0], [2, 2]).numpy().round(4).ravel().tolist())
print(outcome(tf.image.crop_and_resize, x, boxes, [0, 1], [2, 2]), outcome(tf.image.crop_and_resize, x, boxes, [0, 1, 2], [2, 2]))
print(outcome(tf.image.crop_and_resize, x, boxes, [0, 1, 1], [0, 2]), outcome(tf.image.crop_and_resize, x[0], boxes, [0, 0, 0], [2, 2]))

# --- draw_boxes
x = tf.zeros([1, 6, 7, 3])
boxes = [[[0.1, 0.2, 0.7, 0.9], [-0.5, 0.5, 0.5, 1.5]]]
print(tf.image.draw_bounding_boxes(x, boxes, [[1.0, 0.5, 0.25]]).numpy()[0, :, :, 0].tolist())
print(tf.image.draw_bounding_boxes(x, boxes, None).numpy().sum(axis=(1, 2)).tolist())
print(tf.image.draw_bounding_boxes(x[..., :1], boxes, None).numpy()[0, :, :, 0].tolist())

# --- suppression
r = np.random.RandomState(16)
corner = r.rand(30, 2)
boxes = tf.constant(np.concatenate([corner, corner + 0.1 + r.rand(30, 2) * 0.3], 1), tf.float32)
scores = tf.constant(r.rand(30), tf.float32)
for threshold in (0.1, 0.3, 0.7):
    print(tf.image.non_max_suppression(boxes, scores, 10, threshold).numpy().tolist())
    print(tf.image.non_max_suppression(boxes, scores, 10, threshold, 0.5).numpy().tolist())
    i, s = tf.image.non_max_suppression_with_scores(boxes, scores, 6, threshold, 0.2, soft_nms_sigma=0.4)
    print(i.numpy().tolist(), s.numpy().round(4).tolist())
    i, n = tf.image.non_max_suppression_padded(boxes, scores, 12, threshold, pad_to_max_output_size=True)
    print(i.numpy().tolist(), n.numpy())
print(tf.image.non_max_suppression(boxes, scores, 3), tf.image.non_max_suppression(boxes, scores, 0))
overlaps = tf.constant(r.rand(30, 30), tf.float32)
print(tf.image.non_max_suppression_overlaps(overlaps, scores, 5, 0.5).numpy().tolist())
print(outcome(tf.image.non_max_suppression, boxes, scores[:3], 3), outcome(tf.image.non_max_suppression, boxes, scores, 3, 2.0))

# --- combined_suppression
r = np.random.RandomState(17)
corner = r.rand(2, 20, 1, 2)
boxes = np.concatenate([corner, corner + 0.1 + r.rand(2, 20, 1, 2) * 0.3], 3).astype(np.float32)
scores = r.rand(2, 20, 3).astype(np.float32)
for pad_per_class in (False, True):
    out = tf.image.combined_non_max_suppression(boxes, scores, 3, 12, 0.4, 0.3, pad_per_class=pad_per_class)
    print(out.nmsed_boxes.shape, out.nmsed_boxes.numpy().round(4)[0, :3].tolist(), out.nmsed_scores.numpy().round(4).tolist())
    print(out.nmsed_classes.numpy().tolist(), out.valid_detections.numpy().tolist())

# --- random_changes
tf.random.set_seed(5)
x = tf.constant(np.random.RandomState(18).rand(3, 2, 2, 3), tf.float32)
for i in range(2):
    for y in (tf.image.random_flip_left_right(x), tf.image.random_flip_up_down(x, seed=3), tf.image.random_brightness(x, 0.3),
              tf.image.random_contrast(x, 0.5, 1.5), tf.image.random_hue(x, 0.2), tf.image.random_saturation(x, 0.5, 1.5),
              tf.image.random_crop(x, [2, 1, 2, 3]), tf.image.random_flip_left_right(x[0])):
        print(y.shape, y.numpy().round(4).ravel()[:9].tolist())

# --- stateless_changes
x = tf.constant(np.random.RandomState(19).rand(3, 2, 2, 3), tf.float32)
for seed in ((1, 2), (3, 4)):
    for y in (tf.image.stateless_random_flip_left_right(x, seed), tf.image.stateless_random_flip_up_down(x[0], seed),
              tf.image.stateless_random_brightness(x, 0.3, seed), tf.image.stateless_random_contrast(x, 0.5, 1.5, seed),
              tf.image.stateless_random_hue(x, 0.2, seed), tf.image.stateless_random_saturation(x, 0.5, 1.5, seed),
              tf.image.stateless_random_crop(x, [2, 1, 2, 3], seed)):
        print(y.shape, y.numpy().round(4).ravel()[:9].tolist())

# --- random_errors
x = tf.ones([2, 2, 3])
print(outcome(tf.image.random_crop, x, [3, 2, 3]), outcome(tf.image.random_brightness, x, -0.1), outcome(tf.image.random_contrast, x, 1.5, 0.5))
print(outcome(tf.image.random_hue, x, 0.7), outcome(tf.image.random_saturation, x, -1.0, 0.5), outcome(tf.image.random_jpeg_quality, x, 50, 20))

# --- augmentation_in_a_function
@tf.function
def augment(image, seed):
    image = tf.image.stateless_random_crop(image, [4, 4, 3], seed)
    image = tf.image.stateless_random_flip_left_right(image, seed)
    image = tf.image.stateless_random_brightness(image, 0.2, seed)
    return tf.image.resize(image, [3, 3])

x = tf.constant(np.random.RandomState(20).rand(6, 6, 3), tf.float32)
for s in range(3):
    print(augment(x, tf.constant([s, 7])).numpy().round(4)[1, 1].tolist())

# --- png_files
u = tf.constant(np.random.RandomState(21).randint(0, 256, (3, 4, 4)), tf.uint8)
for channels in (1, 2, 3, 4):
    data = tf.io.encode_png(u[..., :channels])
    y = tf.io.decode_png(data)
    print(y.shape, y.dtype, bool(tf.reduce_all(y == u[..., :channels])), tf.io.is_jpeg(data).numpy())
data = tf.io.encode_png(u[..., :3])
print(tf.io.decode_png(data, channels=1).numpy().ravel().tolist(), tf.io.decode_png(data, channels=4).numpy()[0, 0].tolist())
print(tf.io.decode_png(data, dtype=tf.uint16).numpy()[0, 0].tolist(), tf.io.decode_image(data, dtype=tf.float32).numpy()[0, 0].round(5).tolist())
w = tf.cast(u, tf.uint16) * 200
print(bool(tf.reduce_all(tf.io.decode_png(tf.io.encode_png(w), dtype=tf.uint16) == w)), tf.io.decode_png(tf.io.encode_png(w)).numpy()[0, 0].tolist())
print(outcome(tf.io.decode_png, b"abc"), outcome(tf.io.encode_png, tf.ones([2, 2, 3])), outcome(tf.io.decode_png, data, channels=2))

# --- jpeg_files
u = (tf.range(0, 256, 2)[:, tf.newaxis, tf.newaxis] + tf.range(0, 100, 4)[tf.newaxis, :, tf.newaxis] // 2 + [0, 10, 20]) // 2
u = tf.cast(u, tf.uint8)
data = tf.io.encode_jpeg(u)
print(len(data.numpy()), data.numpy()[:20], tf.io.is_jpeg(data).numpy(), tf.io.extract_jpeg_shape(data).numpy().tolist())
y = tf.io.decode_jpeg(data)
print(y.shape, y.dtype, int(tf.reduce_max(tf.abs(tf.cast(y, tf.int32) - tf.cast(u, tf.int32)))) < 8)
print(tf.io.decode_jpeg(data, channels=1).shape, tf.io.decode_jpeg(data, ratio=2).shape, tf.image.decode_image(data).shape)
print(len(tf.io.encode_jpeg(u, quality=20).numpy()), len(tf.io.encode_jpeg(u[..., :1], progressive=True).numpy()))
print(tf.io.decode_and_crop_jpeg(data, [2, 3, 10, 12]).shape, outcome(tf.io.decode_jpeg, b"abc"), outcome(tf.io.encode_jpeg, tf.ones([2, 2, 3])))
print(tf.image.adjust_jpeg_quality(u, 50).shape, tf.image.adjust_jpeg_quality(tf.cast(u, tf.float32) / 255.0, 50).dtype)

# --- bmp_and_gif
pixels = bytes([10, 20, 30, 40, 50, 60, 0, 0, 70, 80, 90, 100, 110, 120, 0, 0])
head = b"BM" + (54 + 16).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little") + (40).to_bytes(4, "little")
head += (2).to_bytes(4, "little") + (2).to_bytes(4, "little") + (1).to_bytes(2, "little") + (24).to_bytes(2, "little") + bytes(24)
print(tf.io.decode_bmp(head + pixels).numpy().tolist(), tf.io.decode_image(head + pixels, channels=3).shape)
gif = b"GIF89a\x02\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\xff\x00,\x00\x00\x00\x00\x02\x00\x01\x00\x00\x02\x02D\n\x00;"
print(tf.io.decode_gif(gif).numpy().tolist(), tf.io.decode_image(gif).shape, tf.io.decode_image(gif, expand_animations=False).shape)
print(outcome(tf.io.decode_bmp, b"BMx"), outcome(tf.io.decode_image, b"what"), outcome(tf.io.decode_png, head + pixels))

# --- distorted_boxes
tf.random.set_seed(3)
boxes = [[[0.1, 0.2, 0.6, 0.7], [0.3, 0.4, 0.9, 0.95]]]
for i in range(3):
    begin, size, box = tf.image.sample_distorted_bounding_box([60, 80, 3], boxes, seed=5)
    print(begin.numpy().tolist(), size.numpy().tolist(), box.numpy().round(5).ravel().tolist())
    out = tf.image.stateless_sample_distorted_bounding_box([60, 81, 3], boxes, seed=[i, 4], min_object_covered=0.5,
                                                           aspect_ratio_range=[0.5, 2.0], area_range=[0.1, 0.8], max_attempts=20)
    print(out.begin.numpy().tolist(), out.size.numpy().tolist(), out.bboxes.numpy().round(5).ravel().tolist())
image = tf.ones([60, 80, 3])
begin, size, _ = tf.image.stateless_sample_distorted_bounding_box(tf.shape(image), boxes, seed=[1, 1])
print(tf.slice(image, begin, size).shape)
print(outcome(tf.image.sample_distorted_bounding_box, [60, 80, 3], [[[0.0, 0.0, 2.0, 1.0]]], seed=1))
