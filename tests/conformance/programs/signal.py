# --- complex_transforms
x = np.random.RandomState(0).randn(2, 3, 4) + 1j * np.random.RandomState(1).randn(2, 3, 4)
x = tf.constant(x, tf.complex64)
for f in (tf.signal.fft, tf.signal.ifft, tf.signal.fft2d, tf.signal.ifft2d, tf.signal.fft3d, tf.signal.ifft3d):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        loss = tf.reduce_sum(tf.abs(y) ** 3)
    print(y.dtype, y.shape, y.numpy().round(4).tolist())
    print(tape.gradient(loss, x).numpy().round(3).tolist())

# --- real_transforms
x = tf.constant(np.random.RandomState(0).randn(2, 3, 5), tf.float32)
for f in (tf.signal.rfft, tf.signal.rfft2d):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        loss = tf.reduce_sum(tf.abs(y) ** 2)
    print(y.dtype, y.shape, y.numpy().round(4).tolist())
    print(tape.gradient(loss, x).numpy().round(3).tolist())
print(tf.signal.rfft3d(x).numpy().round(4).tolist())

# --- rfft_with_length
x = tf.constant(np.random.RandomState(0).randn(2, 5), tf.float64)
for n in (5, 6, 8):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.signal.rfft(x, [n])
        loss = tf.reduce_sum(tf.math.real(y) ** 3 + tf.math.imag(y))
    print(y.dtype, y.shape, y.numpy().round(5).tolist())
    print(tape.gradient(loss, x).numpy().round(5).tolist())
print(tf.signal.rfft(x, [3]).numpy().round(5).tolist())
print(tf.signal.rfft(x, fft_length=tf.constant([7])).shape)

# --- rfft2d_with_length
x = tf.constant(np.random.RandomState(3).randn(3, 4), tf.float32)
print(tf.signal.rfft2d(x, [4, 6]).numpy().round(4).tolist())
print(tf.signal.rfft2d(x, [2, 3]).numpy().round(4).tolist())

# --- irfft
r = np.random.RandomState(4)
z = tf.constant(r.randn(2, 4) + 1j * r.randn(2, 4), tf.complex64)
for n in (None, [6], [7]):
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.signal.irfft(z, n)
        loss = tf.reduce_sum(y ** 3)
    print(y.dtype, y.shape, y.numpy().round(4).tolist())
    print(tape.gradient(loss, z).numpy().round(4).tolist())
print(tf.signal.irfft(z, [3]).numpy().round(4).tolist(), tf.signal.irfft(z, [12]).shape)

# --- irfft2d
r = np.random.RandomState(5)
z = tf.constant(r.randn(3, 3) + 1j * r.randn(3, 3), tf.complex128)
with tf.GradientTape() as tape:
    tape.watch(z)
    y = tf.signal.irfft2d(z)
    loss = tf.reduce_sum(y ** 3)
print(y.numpy().round(5).tolist())
print(tape.gradient(loss, z).numpy().round(5).tolist())

# --- fft_of_what
print(tf.signal.fft([1, 2, 3]).dtype, tf.signal.fft(np.ones(3)).dtype, tf.signal.fft(np.ones(3, complex)).dtype)
print(tf.signal.rfft([1, 2, 3]).dtype, tf.signal.rfft(np.ones(3)).dtype, tf.signal.irfft([1, 2, 3]).dtype)
print(outcome(tf.signal.fft, tf.ones([3])), outcome(tf.signal.rfft, tf.ones([3], tf.float16)))
print(outcome(tf.signal.irfft, tf.ones([3])), outcome(tf.signal.rfft, tf.constant(1.0)))
print(outcome(tf.signal.fft2d, tf.ones([3], tf.complex64)), outcome(tf.signal.rfft, tf.ones([3]), 3))
print(tf.signal.fft(tf.zeros([2, 0], tf.complex64)).shape, tf.signal.rfft(tf.zeros([0, 4])).shape)

# --- round_trip
x = tf.constant(np.random.RandomState(6).randn(3, 8), tf.float32)
print(tf.reduce_max(tf.abs(tf.signal.irfft(tf.signal.rfft(x)) - x)).numpy() < 1e-5)
print(tf.reduce_max(tf.abs(tf.signal.irfft2d(tf.signal.rfft2d(x)) - x)).numpy() < 1e-5)
z = tf.complex(x, x * 2.0)
print(tf.reduce_max(tf.abs(tf.signal.ifft(tf.signal.fft(z)) - z)).numpy() < 1e-5)

# --- shifts
x = tf.reshape(tf.range(15.0), [3, 5])
print(tf.signal.fftshift(x).numpy().tolist())
print(tf.signal.ifftshift(x).numpy().tolist())
print(tf.signal.fftshift(x, axes=1).numpy().tolist(), tf.signal.fftshift(x, axes=[0]).numpy().tolist())
print(tf.signal.ifftshift(x, axes=-1).numpy().tolist())
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.signal.fftshift(x) * x
print(tape.gradient(y, x).numpy().tolist())

# --- frames
x = tf.range(10.0)
print(tf.signal.frame(x, 4, 3).numpy().tolist())
print(tf.signal.frame(x, 4, 3, pad_end=True, pad_value=-1).numpy().tolist())
print(tf.signal.frame(x, 2, 4, pad_end=True).numpy().tolist(), tf.signal.frame(x, 2, 4).numpy().tolist())
print(tf.signal.frame(tf.range(3), 4, 3).shape, tf.signal.frame(tf.range(3), 4, 3, pad_end=True).numpy())
print(tf.signal.frame(tf.reshape(tf.range(24), [2, 6, 2]), 3, 2, axis=1).numpy().tolist())
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.signal.frame(x, 4, 3) ** 2
print(tape.gradient(y, x).numpy().tolist())

# --- frame_errors
x = tf.range(10.0)
print(outcome(tf.signal.frame, x, 4.0, 2), outcome(tf.signal.frame, 1.0, 4, 2))
print(outcome(tf.signal.frame, x, [4], 2), outcome(tf.signal.overlap_and_add, x, 2))
print(outcome(tf.signal.overlap_and_add, tf.ones([2, 2]), 2.0))

# --- overlap_and_add
x = tf.reshape(tf.range(24.0), [2, 3, 4])
for step in (1, 2, 3, 4, 6):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.signal.overlap_and_add(x, step)
        loss = tf.reduce_sum(y ** 2)
    print(y.numpy().tolist(), tape.gradient(loss, x).numpy().tolist())
print(tf.signal.overlap_and_add(tf.cast(x, tf.int32), 2).dtype)

# --- windows
for f in (tf.signal.hann_window, tf.signal.hamming_window):
    for n in (1, 2, 5, 8):
        print(f(n).numpy(), f(n, periodic=False).numpy())
for f in (tf.signal.kaiser_window, tf.signal.kaiser_bessel_derived_window, tf.signal.vorbis_window):
    print(f(8).numpy(), f(8, dtype=tf.float64).numpy())
print(tf.signal.kaiser_window(6, beta=4.0).numpy(), tf.signal.kaiser_window(1).numpy(), tf.signal.hann_window(0).shape)
print(outcome(tf.signal.hann_window, 4, dtype=tf.int32), outcome(tf.signal.hann_window, 4.0), outcome(tf.signal.hann_window, [4]))
print(tf.signal.hann_window(4, dtype=tf.float16).dtype)

# --- stft
x = tf.constant(np.random.RandomState(7).randn(2, 20), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.signal.stft(x, 6, 4)
    loss = tf.reduce_sum(tf.abs(y) ** 2)
print(y.shape, y.dtype, y.numpy().round(4).tolist())
print(tape.gradient(loss, x).numpy().round(4).tolist())
print(tf.signal.stft(x, 6, 4, fft_length=6, pad_end=True, window_fn=None).numpy().round(4).tolist())
print(tf.signal.stft(x[0], frame_length=5, frame_step=5, fft_length=4, window_fn=tf.signal.hamming_window).numpy().round(4))
print(tf.signal.stft(tf.zeros([3]), 4, 2).shape)

# --- inverse_stft
x = tf.constant(np.random.RandomState(8).randn(24), tf.float32)
z = tf.signal.stft(x, 8, 2)
y = tf.signal.inverse_stft(z, 8, 2, window_fn=tf.signal.inverse_stft_window_fn(2))
print(y.shape, np.abs(y.numpy()[6:18] - x.numpy()[6:18]).max() < 1e-5)
print(tf.signal.inverse_stft(z, 8, 2).numpy().round(4).tolist())
print(tf.signal.inverse_stft(z, 6, 3, fft_length=8, window_fn=None).numpy().round(4).tolist())
print(tf.signal.inverse_stft_window_fn(3)(8, tf.float32).numpy().round(5).tolist())
with tf.GradientTape() as tape:
    tape.watch(z)
    loss = tf.reduce_sum(tf.signal.inverse_stft(z, 8, 2) ** 2)
print(tape.gradient(loss, z).numpy().round(3).tolist())

# --- spectrogram_in_a_function
@tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
def spectrogram(x):
    return tf.abs(tf.signal.stft(x, 8, 4, pad_end=True))

x = tf.constant(np.random.RandomState(9).randn(2, 21), tf.float32)
print(spectrogram(x).shape, spectrogram(x).numpy().round(4).tolist())
print(spectrogram(x[:1, :9]).numpy().round(4).tolist())

# --- dct
x = tf.constant(np.random.RandomState(10).randn(2, 6), tf.float32)
for t in (1, 2, 3, 4):
    for norm in (None, "ortho"):
        if t == 1 and norm:
            continue
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.signal.dct(x, type=t, norm=norm)
            loss = tf.reduce_sum(y ** 2 * tf.range(6.0))
        print(t, norm, y.numpy().round(4).tolist(), tape.gradient(loss, x).numpy().round(3).tolist())
        print(tf.signal.idct(x, type=t, norm=norm).numpy().round(4).tolist())
print(tf.signal.dct(x, n=4).numpy().round(4).tolist(), tf.signal.dct(x, n=8).numpy().round(4).tolist())
print(tf.signal.dct(tf.cast(x, tf.float64)).dtype)

# --- dct_errors
x = tf.ones([2, 4])
print(outcome(tf.signal.dct, x, axis=0), outcome(tf.signal.dct, x, type=5), outcome(tf.signal.dct, x, n=0))
print(outcome(tf.signal.dct, x, type=1, norm="ortho"), outcome(tf.signal.dct, x, norm="backward"))
print(outcome(tf.signal.dct, tf.ones([2, 1]), type=1), outcome(tf.signal.dct, tf.constant([1, 2])))

# --- mdct
x = tf.constant(np.random.RandomState(11).randn(1, 32), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(x)
    m = tf.signal.mdct(x, 8, norm="ortho")
    y = tf.signal.inverse_mdct(m, norm="ortho")
print(m.numpy().round(4).tolist())
print(np.abs(y.numpy()[:, 4:-4] - x.numpy()[:, 4:-4]).max() < 1e-5)
print(tape.gradient(y, x).numpy().round(4).tolist())
n = tf.signal.mdct(x, 8, pad_end=True, window_fn=None)
print(n.shape, tf.signal.inverse_mdct(n, window_fn=None).numpy().round(4).tolist())
print(outcome(tf.signal.mdct, x, 6))

# --- mel
m = tf.signal.linear_to_mel_weight_matrix(5, 17, 8000, 80.0, 3800.0)
print(m.shape, m.numpy().round(4).tolist())
print(tf.signal.linear_to_mel_weight_matrix().numpy().sum(0).round(3).tolist())
print(outcome(tf.signal.linear_to_mel_weight_matrix, 0), outcome(tf.signal.linear_to_mel_weight_matrix, lower_edge_hertz=-1.0))
print(outcome(tf.signal.linear_to_mel_weight_matrix, upper_edge_hertz=5000.0))

# --- mfccs
x = tf.constant(np.random.RandomState(12).randn(16000), tf.float32)
s = tf.abs(tf.signal.stft(x, 1024, 512, 1024))
m = tf.tensordot(s, tf.signal.linear_to_mel_weight_matrix(20, 513, 16000.0, 80.0, 7600.0), 1)
c = tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(m + 1e-6))[..., :5]
print(c.shape, c.numpy()[:3].round(2).tolist())

# --- fft_jacobian
x = tf.constant([1.0, 2.0, 3.0, -1.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.math.real(tf.signal.fft(tf.cast(x, tf.complex64)))
    z = tf.abs(tf.signal.rfft(x)) ** 2
print(tape.jacobian(y, x).numpy().round(4).tolist())
print(tape.jacobian(z, x).numpy().round(4).tolist())

# --- fft_convolution
r = np.random.RandomState(13)
x, k = tf.constant(r.randn(8), tf.float32), tf.Variable(r.randn(3), dtype=tf.float32)
with tf.GradientTape() as tape:
    y = tf.signal.irfft(tf.signal.rfft(x, [10]) * tf.signal.rfft(k, [10]), [10])
    loss = tf.reduce_sum(tf.square(y))
print(y.numpy().round(4).tolist(), tape.gradient(loss, k).numpy().round(4).tolist())

# --- wav
data = tf.audio.encode_wav([[0.0, 0.5], [-1.0, 1.0], [0.25, 2.0]], 8000)
print(data)
audio, rate = tf.audio.decode_wav(data)
print(audio.numpy().tolist(), rate)
w = tf.audio.decode_wav(data, desired_channels=1, desired_samples=5)
print(w.audio.numpy().tolist(), w.sample_rate.numpy())
print(tf.audio.decode_wav(tf.audio.encode_wav([[0.5]], 8000), desired_channels=2).audio.numpy())
print(outcome(tf.audio.decode_wav, b"nonsense"), outcome(tf.audio.encode_wav, [1.0], 8000))
