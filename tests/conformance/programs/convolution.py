# Convolutions and pooling: values, gradients, paddings, strides, formats, errors.

# --- conv2d_paddings_and_strides
x = tf.reshape(tf.sin(tf.range(60.0)), [1, 5, 6, 2])
k = tf.reshape(tf.cos(tf.range(36.0)), [3, 2, 2, 3])
for strides in (1, 2, [2, 1], [1, 3, 2, 1]):
    for padding in ("SAME", "VALID", [[0, 0], [1, 0], [2, 1], [0, 0]]):
        y = tf.nn.conv2d(x, k, strides, padding)
        print(y.shape, tf.reduce_sum(y), tf.reduce_sum(y * y), y[0, -1, -1])

# --- conv2d_gradients
x = tf.Variable(np.sin(np.arange(60)).reshape(1, 5, 6, 2))
k = tf.Variable(np.cos(np.arange(36)).reshape(3, 2, 2, 3))
for strides, padding in ((1, "SAME"), (2, "VALID"), ([2, 1], [[0, 0], [1, 0], [2, 1], [0, 0]])):
    with tf.GradientTape() as tape:
        y = tf.nn.conv2d(x, k, strides, padding)
        loss = tf.reduce_sum(y ** 3)
    gx, gk = tape.gradient(loss, [x, k])
    print(gx[0, :, 2], gk[:, :, 0, 1])

# --- conv2d_second_order
x = tf.constant(np.sin(np.arange(32)).reshape(1, 4, 4, 2))
k = tf.Variable(np.cos(np.arange(24)).reshape(2, 2, 2, 3))
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        loss = tf.reduce_sum(tf.nn.conv2d(x, k, 2, "SAME") ** 3)
    g = inner.gradient(loss, x)
    penalty = tf.reduce_sum(g ** 2)
print(outer.gradient(penalty, [x, k]))

# --- conv2d_dilated_and_grouped_forward
x = tf.reshape(tf.sin(tf.range(100.0)), [1, 5, 5, 4])
k = tf.reshape(tf.cos(tf.range(32.0)), [2, 2, 2, 4])
print(tf.nn.conv2d(x, k, 1, "SAME"))
print(tf.nn.conv2d(x, tf.tile(k, [1, 1, 2, 1]), 1, "VALID", dilations=2)[0, 0])
print(tf.nn.conv2d(x, tf.tile(k, [1, 1, 2, 1]), 2, "SAME", dilations=[1, 3])[0, 0])

# --- conv2d_leading_axes_and_dtypes
x = tf.reshape(tf.range(48), [2, 1, 3, 4, 2])
k = tf.reshape(tf.range(8), [2, 1, 2, 2])
print(tf.nn.conv2d(x, k, 1, "SAME"))
for dtype in (tf.float16, tf.bfloat16, tf.float64):
    print(tf.nn.conv2d(tf.cast(x, dtype), tf.cast(k, dtype), 1, "VALID")[1])

# --- conv2d_empty
k = tf.ones([2, 2, 2, 3])
print(tf.nn.conv2d(tf.zeros([0, 4, 4, 2]), k, 1, "SAME").shape)
print(tf.nn.conv2d(tf.zeros([1, 0, 4, 2]), k, 1, "SAME").shape)
print(tf.nn.conv2d(tf.zeros([1, 1, 4, 2]), k, 1, "VALID").shape)

# --- conv2d_errors
x, k = tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 3])
print(outcome(tf.nn.conv2d, x, k, [1, 2, 2], "SAME"))
print(outcome(tf.nn.conv2d, x, k, 0, "SAME"))
print(outcome(tf.nn.conv2d, x, k, 1, "same"))
print(outcome(tf.nn.conv2d, x, k, 1, "EXPLICIT"))
print(outcome(tf.nn.conv2d, x, k, 1, [[0, 0], [1, 1]]))
print(outcome(tf.nn.conv2d, x, k, 1, [[1, 0], [0, 0], [0, 0], [0, 0]]))
print(outcome(tf.nn.conv2d, x, k, 1, [[0, 0], [-1, 0], [0, 0], [0, 0]]))
print(outcome(tf.nn.conv2d, x[0], k, 1, "SAME"))
print(outcome(tf.nn.conv2d, x, k[0], 1, "SAME"))
print(outcome(tf.nn.conv2d, x, tf.ones([2, 2, 3, 3]), 1, "SAME"))
print(outcome(tf.nn.conv2d, tf.ones([1, 4, 4, 4]), k, 1, "SAME"))
print(outcome(tf.nn.conv2d, x, tf.ones([9, 9, 2, 3]), 1, "VALID"))
print(outcome(tf.nn.conv2d, x, tf.cast(k, tf.float64), 1, "SAME"))
print(outcome(tf.nn.conv2d, tf.cast(x, tf.int8), tf.cast(k, tf.int8), 1, "SAME"))
print(outcome(tf.nn.conv2d, x, k, [2, 1, 1, 1], "SAME"))
print(outcome(tf.nn.conv2d, x, k, 1, "SAME", data_format="NWHC"))
print(outcome(tf.nn.conv2d, x, k, 1, "SAME", dilations=0))

# --- conv1d_variants
x = tf.reshape(tf.sin(tf.range(28.0)), [2, 7, 2])
k = tf.Variable(tf.reshape(tf.cos(tf.range(18.0)), [3, 2, 3]))
for stride, padding, dilations in ((1, "SAME", 1), (2, "VALID", None), ([3], "SAME", None), (1, "VALID", 2)):
    print(tf.nn.conv1d(x, k, stride, padding, dilations=dilations))
print(tf.nn.conv1d(tf.reshape(x, [2, 1, 7, 2]), k, 1, "VALID").shape)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.nn.conv1d(x, k, 2, "SAME") ** 2)
print(tape.gradient(loss, k))
print(outcome(tf.nn.conv1d, x, k, [1, 2], "SAME"), outcome(tf.nn.conv1d, x, k, 1, [[0, 0], [1, 1], [0, 0]]))
print(outcome(tf.nn.conv1d, x, k, 1, "SAME", data_format="ABC"), outcome(tf.nn.conv1d, x, k, 1, "CAUSAL"))

# --- conv3d_variants
x = tf.Variable(tf.reshape(tf.sin(tf.range(96.0)), [1, 3, 4, 4, 2]))
k = tf.Variable(tf.reshape(tf.cos(tf.range(24.0)), [2, 3, 1, 2, 2]))
for strides, padding in (([1] * 5, "SAME"), ([1, 2, 1, 2, 1], "VALID")):
    with tf.GradientTape() as tape:
        y = tf.nn.conv3d(x, k, strides, padding)
        loss = tf.reduce_sum(y ** 2)
    gx, gk = tape.gradient(loss, [x, k])
    print(y[0, 0], gx[0, 1], gk)
print(outcome(tf.nn.conv3d, x, k, 1, "SAME"), outcome(tf.nn.conv3d, x, k, [1] * 5, [[0, 0]] * 5))

# --- convolution_generic
x = tf.reshape(tf.sin(tf.range(72.0)), [1, 6, 6, 2])
k = tf.Variable(tf.reshape(tf.cos(tf.range(24.0)), [2, 2, 2, 3]))
print(tf.nn.convolution(x, k)[0, 0], tf.nn.convolution(x, k, strides=2, padding="SAME")[0, 0])
with tf.GradientTape() as tape:
    y = tf.nn.convolution(x, k, padding="SAME", dilations=[2, 3])
    loss = tf.reduce_sum(y ** 2)
print(y[0, 0], tape.gradient(loss, k))
print(tf.nn.convolution(x[0], k[0]).shape)
print(outcome(tf.nn.convolution, x, k, strides=2, dilations=2), outcome(tf.nn.convolution, x[0, 0], k[0, 0]))
print(outcome(tf.nn.convolution, x, k, dilations=0), outcome(tf.nn.convolution, x, k, padding=[[0, 0]] * 4))

# --- conv2d_transpose_variants
x = tf.Variable(tf.reshape(tf.sin(tf.range(24.0)), [1, 3, 4, 2]))
k = tf.Variable(tf.reshape(tf.cos(tf.range(54.0)), [3, 3, 3, 2]))
for shape, strides, padding in (([1, 3, 4, 3], 1, "SAME"), ([1, 6, 8, 3], 2, "SAME"), ([1, 5, 7, 3], 2, "SAME"),
                                ([1, 7, 9, 3], 2, "VALID"), ([1, 5, 7, 3], 2, [[0, 0], [1, 1], [1, 1], [0, 0]])):
    with tf.GradientTape() as tape:
        y = tf.nn.conv2d_transpose(x, k, shape, strides, padding)
        loss = tf.reduce_sum(y ** 2)
    gx, gk = tape.gradient(loss, [x, k])
    print(y[0, 0], gx[0, 0], gk[0, 0])
print(tf.nn.conv2d_transpose(x, k, tf.constant([1, 6, 8, 3]), 2).shape)
print(tf.nn.conv2d_transpose(x, k, [tf.shape(x)[0], 6, 8, 3], 2).shape)

# --- conv_transpose_errors
x, k = tf.ones([1, 3, 4, 2]), tf.ones([3, 3, 3, 2])
print(outcome(tf.nn.conv2d_transpose, x, k, [1, 9, 8, 3], 2))
print(outcome(tf.nn.conv2d_transpose, x, k, [2, 6, 8, 3], 2))
print(outcome(tf.nn.conv2d_transpose, x, k, [1, 6, 8, 2], 2))
print(outcome(tf.nn.conv2d_transpose, tf.ones([1, 3, 4, 5]), k, [1, 6, 8, 3], 2))
print(outcome(tf.nn.conv2d_transpose, x[0], k, [1, 6, 8, 3], 2))
print(outcome(tf.nn.conv2d_transpose, x, k, [-1, 6, 8, 3], 2))
print(outcome(tf.nn.conv_transpose, x, k, [6, 8], 2))

# --- conv1d_and_3d_transpose
x = tf.Variable(tf.reshape(tf.sin(tf.range(10.0)), [1, 5, 2]))
k = tf.reshape(tf.cos(tf.range(18.0)), [3, 3, 2])
with tf.GradientTape() as tape:
    y = tf.nn.conv1d_transpose(x, k, [1, 10, 3], 2)
    loss = tf.reduce_sum(y ** 2)
print(y, tape.gradient(loss, x))
print(tf.nn.conv1d_transpose(x, k, [1, 11, 3], 2, "VALID"), tf.nn.conv_transpose(x, k, [1, 5, 3], 1))
z = tf.reshape(tf.sin(tf.range(16.0)), [1, 2, 2, 2, 2])
w = tf.reshape(tf.cos(tf.range(16.0)), [2, 2, 2, 1, 2])
print(tf.nn.conv3d_transpose(z, w, [1, 4, 4, 4, 1], 2)[0, 1], tf.nn.conv_transpose(z, w, [1, 3, 3, 3, 1], 1, "VALID")[0, 0])

# --- depthwise_and_separable
x = tf.Variable(tf.reshape(tf.sin(tf.range(75.0)), [1, 5, 5, 3]))
k = tf.Variable(tf.reshape(tf.cos(tf.range(36.0)), [3, 2, 3, 2]))
p = tf.Variable(tf.reshape(tf.sin(tf.range(24.0)), [1, 1, 6, 4]))
for strides, padding, dilations in (([1] * 4, "SAME", None), ([1, 2, 2, 1], "VALID", None), ([1] * 4, "SAME", [2, 1]),
                                    ([1] * 4, [[0, 0], [1, 0], [0, 2], [0, 0]], None)):
    with tf.GradientTape() as tape:
        y = tf.nn.depthwise_conv2d(x, k, strides, padding, dilations=dilations)
        z = tf.nn.separable_conv2d(x, k, p, strides, padding, dilations=dilations)
        loss = tf.reduce_sum(y ** 2) + tf.reduce_sum(z ** 2)
    gx, gk, gp = tape.gradient(loss, [x, k, p])
    print(y.shape, y[0, 1, 1], z[0, 0, 0], gx[0, 2], gk[0, 1], gp[0, 0, 0])
print(outcome(tf.nn.depthwise_conv2d, x, k, 1, "SAME"), outcome(tf.nn.depthwise_conv2d, x, k[:, :, :2], [1] * 4, "SAME"))
print(outcome(tf.nn.depthwise_conv2d, x, k, [1, 1, 1], "SAME"), outcome(tf.nn.depthwise_conv2d, x[0], k, [1] * 4, "SAME"))

# --- depthwise_backprop_functions
x = tf.reshape(tf.sin(tf.range(32.0)), [1, 4, 4, 2])
k = tf.reshape(tf.cos(tf.range(16.0)), [2, 2, 2, 2])
g = tf.reshape(tf.cos(tf.range(64.0)), [1, 4, 4, 4])
print(tf.nn.depthwise_conv2d_backprop_input([1, 4, 4, 2], k, g, [1] * 4, "SAME")[0, 0])
print(tf.nn.depthwise_conv2d_backprop_filter(x, [2, 2, 2, 2], g, [1] * 4, "SAME"))

# --- atrous
x = tf.Variable(tf.reshape(tf.sin(tf.range(98.0)), [1, 7, 7, 2]))
k = tf.reshape(tf.cos(tf.range(36.0)), [3, 3, 2, 2])
for padding in ("SAME", "VALID"):
    with tf.GradientTape() as tape:
        y = tf.nn.atrous_conv2d(x, k, 2, padding)
        loss = tf.reduce_sum(y ** 2)
    print(y[0, 0], tape.gradient(loss, x)[0, 3])
print(tf.nn.atrous_conv2d_transpose(x[:, :6, :6], k, [1, 6, 6, 2], 2, "SAME")[0, 0])
print(tf.nn.atrous_conv2d_transpose(x[:, :4, :4], k, [1, 8, 8, 2], 2, "VALID")[0, 0])
print(outcome(tf.nn.atrous_conv2d, x, k, 0, "SAME"), outcome(tf.nn.atrous_conv2d_transpose, x, k, [1, 7, 7, 2], 0, "SAME"))

# --- max_pool_variants
x = tf.Variable(tf.reshape(tf.sin(tf.range(84.0) * 3.0), [2, 6, 7, 1]))
for ksize, strides, padding in ((2, 2, "VALID"), (3, 2, "SAME"), ([3, 2], [1, 2], "SAME"), (2, 1, "VALID"), (1, 2, "SAME"),
                                ([1, 2, 3, 1], [1, 3, 2, 1], "VALID"), (2, 2, [[0, 0], [1, 0], [1, 1], [0, 0]])):
    with tf.GradientTape() as tape:
        y = tf.nn.max_pool2d(x, ksize, strides, padding)
        loss = tf.reduce_sum(y ** 2)
    print(y[0, :, :, 0], tape.gradient(loss, x)[1, :, :, 0])

# --- max_pool_ties
x = tf.zeros([1, 4, 4, 1])
for f in (lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID"),
          lambda x: tf.nn.max_pool(x, 2, 2, "SAME")):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(tape.gradient(y, x)[0, :, :, 0])
v = tf.zeros([1, 2, 4, 2, 1])
with tf.GradientTape() as tape:
    tape.watch(v)
    y = tf.nn.max_pool3d(v, 2, 2, "VALID")
print(tape.gradient(y, v)[0, :, :, :, 0])

# --- max_pool_special_values
x = tf.reshape([1.0, np.nan, 3.0, 4.0, 5.0, 6.0, np.nan, 1.0, -np.inf, -np.inf, np.inf, 1.0, -np.inf, -np.inf, 0.0, 1.0], [1, 4, 4, 1])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.max_pool2d(x, 2, 2, "VALID")
print(y[0, :, :, 0], tape.gradient(y, x)[0, :, :, 0])

# --- pool_dtypes_and_errors
x = tf.reshape(tf.range(32), [1, 4, 4, 2])
for dtype in (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.int64, tf.float16, tf.bfloat16, tf.float64):
    print(tf.nn.max_pool2d(tf.cast(x, dtype), 2, 2, "VALID")[0, 0])
for dtype in (tf.float16, tf.bfloat16, tf.float64):
    print(tf.nn.avg_pool2d(tf.cast(x, dtype), 2, 2, "VALID")[0, 0])
f = tf.cast(x, tf.float32)
print(outcome(tf.nn.max_pool2d, tf.cast(x, tf.uint32), 2, 2, "SAME"), outcome(tf.nn.avg_pool2d, x, 2, 2, "SAME"))
print(outcome(tf.nn.max_pool2d, f, 0, 2, "SAME"), outcome(tf.nn.max_pool2d, f, 2, 0, "SAME"))
print(outcome(tf.nn.max_pool2d, f, 7, 1, "VALID"), outcome(tf.nn.max_pool2d, f[0], 2, 2, "VALID"))
print(outcome(tf.nn.max_pool2d, f, [2, 1, 1, 1], 1, "VALID"), outcome(tf.nn.max_pool2d, f, [1, 2, 2, 2], 2, "VALID"))
print(outcome(tf.nn.max_pool2d, f, 2, 2, [[0, 0], [2, 1], [1, 1], [0, 0]]), outcome(tf.nn.avg_pool2d, f, 2, 2, [[0, 0]] * 4))
print(outcome(tf.nn.max_pool, f[0, 0], 2, 2, "SAME"), outcome(tf.nn.avg_pool, f[0, 0], 2, 2, "SAME"))
print(outcome(tf.nn.max_pool2d, f, 2, 2, "FOO"), outcome(tf.nn.max_pool2d, f, [1, 2, 2], 2, "SAME"))

# --- avg_pool_variants
x = tf.Variable(tf.reshape(tf.sin(tf.range(84.0)), [2, 6, 7, 1]))
for ksize, strides, padding in ((2, 2, "VALID"), (3, 2, "SAME"), ([3, 2], [1, 2], "SAME"), (2, 1, "SAME"), ([1, 2, 3, 1], [1, 3, 2, 1], "VALID")):
    with tf.GradientTape() as tape:
        y = tf.nn.avg_pool2d(x, ksize, strides, padding)
        loss = tf.reduce_sum(y ** 2)
    print(y[0, :, :, 0], tape.gradient(loss, x)[1, :, :, 0])

# --- pools_in_one_and_three_dimensions
x = tf.Variable(tf.reshape(tf.sin(tf.range(14.0)), [1, 7, 2]))
v = tf.Variable(tf.reshape(tf.sin(tf.range(54.0)), [1, 3, 3, 3, 2]))
with tf.GradientTape(persistent=True) as tape:
    ys = [tf.nn.max_pool1d(x, 3, 2, "SAME"), tf.nn.avg_pool1d(x, 3, 1, "SAME"), tf.nn.max_pool(x, 2, 2, "VALID"),
          tf.nn.avg_pool(x, 2, 2, "VALID"), tf.nn.max_pool1d(x, 2, 2, [[0, 0], [1, 0], [0, 0]])]
    zs = [tf.nn.max_pool3d(v, 2, 2, "SAME"), tf.nn.avg_pool3d(v, 2, 1, "SAME"), tf.nn.max_pool(v, 2, 1, "VALID", "NDHWC"),
          tf.nn.avg_pool(v, 3, 1, "VALID", "NDHWC")]
for y in ys:
    print(y, tape.gradient(y, x))
for z in zs:
    print(z[0, 0], tape.gradient(z, v)[0, 1])

# --- generic_pool
x = tf.Variable(tf.reshape(tf.sin(tf.range(50.0)), [1, 5, 5, 2]))
for kind in ("MAX", "AVG"):
    with tf.GradientTape() as tape:
        y = tf.nn.pool(x, [2, 2], kind, dilations=[2, 1])
        loss = tf.reduce_sum(y ** 2)
    print(y[0, 0], tape.gradient(loss, x)[0, 2], tf.nn.pool(x, [3, 2], kind, strides=[2, 1], padding="SAME")[0, 0])
    print(tf.nn.pool(x[0], [2], kind)[0], tf.nn.pool(x[:, :, :, None], [2, 2, 1], kind, padding="SAME").shape)
print(outcome(tf.nn.pool, x, [2, 2], "MIN"), outcome(tf.nn.pool, x, 2, "MAX"), outcome(tf.nn.pool, x, [2, 2, 2], "MAX"))
print(outcome(tf.nn.pool, x, [2, 2], "MAX", strides=[2, 2], dilations=[2, 1]))
print(outcome(tf.nn.pool, x, [2, 2], "MAX", padding="SAME", dilations=[2, 1]))

# --- max_pool_with_argmax
x = tf.Variable(tf.reshape(tf.sin(tf.range(60.0) * 2.0), [2, 5, 3, 2]))
for batched in (False, True):
    with tf.GradientTape() as tape:
        y, i = tf.nn.max_pool_with_argmax(x, 2, 2, "SAME", include_batch_in_index=batched)
        loss = tf.reduce_sum(y ** 2)
    print(y, i, tape.gradient(loss, x))
y, i = tf.nn.max_pool_with_argmax(tf.zeros([1, 3, 3, 1]), 2, 1, "VALID", output_dtype=tf.int32)
print(i)
print(outcome(tf.nn.max_pool_with_argmax, x, 2, 2, "SAME", data_format="NCHW"))
print(outcome(tf.nn.max_pool_with_argmax, x, 2, 2, "SAME", output_dtype=tf.float32))

# --- jacobians
x = tf.Variable(np.sin(np.arange(18.0)).reshape(1, 3, 3, 2))
k = tf.Variable(np.cos(np.arange(16.0)).reshape(2, 2, 2, 2))
with tf.GradientTape(persistent=True) as tape:
    y = tf.nn.conv2d(x, k, 1, "VALID")
    z = tf.nn.max_pool2d(tf.nn.depthwise_conv2d(x, k, [1] * 4, "SAME"), 2, 1, "VALID")
    a = tf.nn.avg_pool2d(x, 2, 1, "SAME")
print(tape.jacobian(y, x)[0, 0, 1], tape.jacobian(y, k)[0, 1, 0])
print(tape.jacobian(z, k)[0, 1, 0, :2], tape.jacobian(a, x)[0, 2, 2, 0])

# --- forward_mode
x = tf.constant(np.sin(np.arange(32.0)).reshape(1, 4, 4, 2))
k = tf.constant(np.cos(np.arange(24.0)).reshape(2, 2, 2, 3))
with tf.autodiff.ForwardAccumulator([x, k], [tf.cos(x), tf.sin(k)]) as acc:
    y = tf.nn.conv2d(x, k, 2, "SAME")
    z = tf.nn.avg_pool2d(y, 2, 1, "VALID")
    m = tf.nn.max_pool2d(y, 2, 1, "VALID")
print(acc.jvp(y), acc.jvp(z), acc.jvp(m))

# --- inside_a_function
k = tf.Variable(tf.reshape(tf.cos(tf.range(36.0)), [3, 3, 2, 2]))

@tf.function(input_signature=[tf.TensorSpec([None, None, None, 2])])
def step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.relu(tf.nn.conv2d(x, k, 2, "SAME"))
        y = tf.nn.max_pool2d(y, 2, 1, "SAME") + tf.nn.avg_pool2d(y, 2, 1, "SAME")
        up = tf.nn.conv2d_transpose(y, k, tf.concat([tf.shape(x)[:3], [2]], 0), 2)
        loss = tf.reduce_mean(up ** 2)
    return loss, tape.gradient(loss, [x, k])

for shape in ([1, 4, 4, 2], [2, 5, 3, 2]):
    x = tf.reshape(tf.sin(tf.range(float(np.prod(shape)))), shape)
    loss, (gx, gk) = step(x)
    print(loss, gx[0, 0], gk[0, 0])

# --- shapes_while_tracing
@tf.function
def shapes(x):
    k = tf.ones([3, 2, 4, 6])
    print(tf.nn.conv2d(x, k, 2, "SAME").shape, tf.nn.conv2d(x, k, 1, "VALID").shape)
    print(tf.nn.max_pool2d(x, 2, 2, "VALID").shape, tf.nn.avg_pool2d(x, 3, 2, "SAME").shape)
    print(tf.nn.depthwise_conv2d(x, tf.ones([2, 2, 4, 2]), [1] * 4, "SAME").shape)
    return x

shapes.get_concrete_function(tf.TensorSpec([None, None, 9, 4]))
shapes.get_concrete_function(tf.TensorSpec([5, 8, 8, 4]))

# --- small_network
tf.random.set_seed(1)
x = tf.reshape(tf.sin(tf.range(2.0 * 64)), [2, 8, 8, 1])
t = tf.constant([0, 2])
w1 = tf.Variable(tf.reshape(tf.cos(tf.range(36.0)), [3, 3, 1, 4]) * 0.3)
w2 = tf.Variable(tf.reshape(tf.sin(tf.range(144.0)), [3, 3, 4, 4]) * 0.3)
w3 = tf.Variable(tf.reshape(tf.cos(tf.range(48.0)), [16, 3]) * 0.3)
for _ in range(5):
    with tf.GradientTape() as tape:
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w1, 1, "SAME")), 2, 2, "SAME")
        h = tf.nn.avg_pool2d(tf.nn.relu(tf.nn.conv2d(h, w2, 1, "SAME")), 2, 2, "SAME")
        logits = tf.reshape(h, [2, 16]) @ w3
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(t, logits))
    for w, g in zip([w1, w2, w3], tape.gradient(loss, [w1, w2, w3])):
        w.assign_sub(0.1 * g)
    print(loss)

# --- filters_that_are_not_finite
x, g0 = tf.cos(tf.range(2.0 * 25 * 2)), tf.sin(tf.range(4000.0))
def special(shape, value):
    w = np.cos(np.arange(np.prod(shape), dtype="f"))
    w[len(w) // 3] = value
    return tf.constant(w.reshape(shape))
for value in (np.nan, np.inf):
    for stride, padding in ((1, "SAME"), (2, "SAME"), (1, "VALID"), (2, "VALID")):
        image, line = tf.reshape(x, [2, 5, 5, 2]), tf.reshape(x, [2, 25, 2])
        for call, a, shape in (
                (lambda a, w: tf.nn.conv2d(a, w, stride, padding), image, [3, 3, 2, 3]),
                (lambda a, w: tf.nn.conv2d(a, w, stride, padding), image, [2, 3, 2, 6]),
                (lambda a, w: tf.nn.conv1d(a, w, stride, padding), line, [3, 2, 4])):
            w = special(shape, value)
            with tf.GradientTape() as tape:
                tape.watch([a, w])
                y = call(a, w)
            g = tf.reshape(g0[:tf.size(y)], y.shape)
            for found in (y, *tape.gradient(y, [a, w], output_gradients=g)):
                print(np.isfinite(found.numpy()).astype(int).sum(-1).tolist())
