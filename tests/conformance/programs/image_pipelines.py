# --- pipeline_of_files
pixels = np.random.RandomState(0).randint(0, 256, (4, 6, 8, 3)).astype(np.uint8)
files = tf.stack([tf.io.encode_png(p) for p in pixels])

def load(data):
    image = tf.io.decode_png(data, channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, [3, 4])

data = tf.data.Dataset.from_tensor_slices(files).map(load).batch(2)
print(data.element_spec)
for batch in data:
    print(batch.shape, batch.numpy().round(4)[:, 1, 1].tolist())

# --- augmentation_pipeline
images = tf.constant(np.random.RandomState(1).rand(4, 5, 6, 3), tf.float32)
seeds = tf.data.Dataset.range(4).map(lambda i: tf.stack([i, i + 1]))

def augment(image, seed):
    image = tf.image.stateless_random_crop(image, [4, 4, 3], seed)
    image = tf.image.stateless_random_flip_left_right(image, seed)
    image = tf.image.stateless_random_contrast(image, 0.5, 1.5, seed)
    return tf.clip_by_value(image, 0.0, 1.0)

for image in tf.data.Dataset.zip((tf.data.Dataset.from_tensor_slices(images), seeds)).map(augment):
    print(image.shape, image.numpy().round(4)[1, 1].tolist())

# --- random_changes_in_a_function
tf.random.set_seed(11)
x = tf.constant(np.random.RandomState(2).rand(3, 2, 2, 3), tf.float32)

@tf.function
def change(x):
    x = tf.image.random_flip_left_right(x)
    x = tf.image.random_brightness(x, 0.3)
    x = tf.image.random_contrast(x, 0.5, 1.5)
    return tf.image.random_crop(x, [3, 1, 2, 3])

for i in range(3):
    print(change(x).numpy().round(4).ravel()[:6].tolist())

# --- denoising_by_total_variation
r = np.random.RandomState(3)
clean = np.zeros((1, 8, 8, 1), np.float32)
clean[:, 2:6, 2:6] = 1.0
noisy = tf.constant(clean + 0.3 * r.randn(1, 8, 8, 1).astype(np.float32))
x = tf.Variable(noisy)
for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((x - noisy) ** 2) + 0.2 * tf.reduce_sum(tf.image.total_variation(x))
    x.assign_sub(0.05 * tape.gradient(loss, x))
print(loss.numpy().round(4), tf.image.psnr(x, clean, 1.0).numpy().round(4))

# --- training_by_similarity
r = np.random.RandomState(4)
target = tf.constant(r.rand(1, 16, 16, 1), tf.float32)
x = tf.Variable(tf.fill([1, 16, 16, 1], 0.5) + 0.1 * r.randn(1, 16, 16, 1).astype(np.float32))
losses = []
for step in range(5):
    with tf.GradientTape() as tape:
        loss = 1.0 - tf.reduce_mean(tf.image.ssim(x, target, 1.0, filter_size=7))
    x.assign_sub(5.0 * tape.gradient(loss, x))
    losses.append(float(loss))
print(np.round(losses, 4).tolist())

# --- dream_in_octaves
r = np.random.RandomState(5)
w = tf.constant(r.randn(3, 3, 3, 4) * 0.3, tf.float32)
image = tf.constant(r.rand(1, 8, 8, 3), tf.float32)
for scale in (1.0, 1.5, 2.0):
    size = tf.cast(tf.cast([8, 8], tf.float32) * scale, tf.int32)
    image = tf.image.resize(image, size)
    for step in range(3):
        with tf.GradientTape() as tape:
            tape.watch(image)
            score = tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(image, w, 1, "SAME")))
        g = tape.gradient(score, image)
        image = image + 0.1 * g / (tf.math.reduce_std(g) + 1e-8)
    print(image.shape, score.numpy().round(5), image.numpy().mean().round(5))

# --- learned_crop
r = np.random.RandomState(6)
image = tf.constant(r.rand(1, 12, 12, 1), tf.float32)
target = tf.image.crop_and_resize(image, [[0.23, 0.31, 0.71, 0.84]], [0], [6, 6])
box = tf.Variable([[0.2, 0.25, 0.75, 0.8]])
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.image.crop_and_resize(image, box, [0], [6, 6]) - target) ** 2)
    box.assign_sub(0.01 * tape.gradient(loss, box))
print(loss.numpy().round(5), box.numpy().round(4).tolist())

# --- super_resolution_step
r = np.random.RandomState(7)
low = tf.constant(r.rand(2, 4, 4, 3), tf.float32)
high = tf.image.resize(low, [8, 8], method="bicubic")
w = tf.Variable(r.randn(3, 3, 3, 12) * 0.1, dtype=tf.float32)

@tf.function
def step():
    with tf.GradientTape() as tape:
        y = tf.nn.depth_to_space(tf.nn.conv2d(low, w, 1, "SAME"), 2)
        loss = tf.reduce_mean(tf.abs(y - high))
    w.assign_sub(0.5 * tape.gradient(loss, w))
    return loss, tf.reduce_mean(tf.image.psnr(y, high, 1.0))

for i in range(4):
    loss, ratio = step()
    print(loss.numpy().round(5), ratio.numpy().round(4))

# --- saliency_of_a_resized_image
r = np.random.RandomState(8)
w = tf.constant(r.randn(4 * 4 * 3, 5), tf.float32)

@tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.float32)])
def saliency(image):
    with tf.GradientTape() as tape:
        tape.watch(image)
        logits = tf.reshape(tf.image.resize(image, [4, 4]), [1, -1]) @ w
        top = tf.reduce_max(logits)
    return tf.reduce_max(tf.abs(tape.gradient(top, image)), -1)

for size in (5, 9):
    s = saliency(tf.constant(r.rand(size, size + 1, 3), tf.float32))
    print(s.shape, s.numpy().round(4)[:2].tolist())

# --- spectrogram_classifier
r = np.random.RandomState(9)
x = tf.constant(r.randn(4, 64), tf.float32)
labels = tf.constant([0, 1, 1, 0])
w = tf.Variable(r.randn(9, 2) * 0.1, dtype=tf.float32)

@tf.function
def train(x, labels):
    with tf.GradientTape() as tape:
        s = tf.math.log(tf.abs(tf.signal.stft(x, 16, 8)) + 1e-6)
        logits = tf.reduce_mean(s, 1) @ w
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss

print([float(train(x, labels).numpy().round(4)) for _ in range(4)])

# --- spectral_filter
r = np.random.RandomState(10)
x = tf.constant(np.sin(np.arange(32) * 0.5) + 0.3 * r.randn(32), tf.float32)
mask = tf.Variable(tf.ones([17]))
target = tf.constant(np.sin(np.arange(32) * 0.5), tf.float32)
for i in range(5):
    with tf.GradientTape() as tape:
        y = tf.signal.irfft(tf.signal.rfft(x) * tf.cast(mask, tf.complex64))
        loss = tf.reduce_mean((y - target) ** 2)
    mask.assign_sub(2.0 * tape.gradient(loss, mask))
print(loss.numpy().round(5), mask.numpy().round(3).tolist())

# --- poisson_by_fft
n = 16
k = tf.constant(np.fft.fftfreq(n, 1.0 / n), tf.float32)
k2 = k[:, None] ** 2 + k[None, :] ** 2
f = tf.constant(np.random.RandomState(11).randn(n, n), tf.float32)
f = f - tf.reduce_mean(f)

def energy(f):
    z = tf.signal.fft2d(tf.cast(f, tf.complex64))
    u = tf.math.real(tf.signal.ifft2d(z / tf.cast(tf.where(k2 == 0, 1.0, k2), tf.complex64)))
    return tf.reduce_sum(u * f), u

with tf.GradientTape() as tape:
    tape.watch(f)
    e, u = energy(f)
print(e.numpy().round(4), tape.gradient(e, f).numpy()[0, :4].round(4).tolist(), (2 * u.numpy())[0, :4].round(4).tolist())

# --- griffin_lim_step
x = tf.constant(np.random.RandomState(12).randn(40), tf.float32)
s = tf.signal.stft(x, 8, 2)
magnitude = tf.cast(tf.abs(s), tf.complex64)
y = tf.zeros([40])
estimate = magnitude
for i in range(3):
    y = tf.signal.inverse_stft(estimate, 8, 2, window_fn=tf.signal.inverse_stft_window_fn(2))
    again = tf.signal.stft(y, 8, 2)
    estimate = magnitude * again / tf.cast(tf.maximum(1e-8, tf.abs(again)), tf.complex64)
print(y.shape, y.numpy().round(3)[:10].tolist())

# --- per_image_hue_in_a_map
x = tf.constant(np.random.RandomState(13).rand(3, 2, 2, 3), tf.float32)
print(tf.map_fn(lambda a: tf.image.adjust_saturation(a, 0.5), x).numpy().round(4).ravel()[:9].tolist())
print(tf.vectorized_map(lambda a: tf.image.rgb_to_grayscale(a), x).numpy().round(4).ravel().tolist())
print(tf.map_fn(lambda a: tf.image.resize(a, [1, 2]), x).shape)
