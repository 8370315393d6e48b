"""More ways to a NaN or infinity, met later than those of `nan_mistakes.py`."""

import tapeflow as tf


def mistakes():
    """A table, and the decorator that fills it: a word of the remedy, and the data."""
    table = []

    def mistake(remedy, *data, dtype="float32"):
        def add(function):
            table.append((function, tf.constant(data, dtype), remedy))
            return function
        return add

    return table, mistake


TABLE, mistake = mistakes()


@mistake("1e-12", 1.0)
def standard_deviation_of_a_batch_of_one(x):
    return tf.math.reduce_std(x)  # here


@mistake("clip_by_value(x, -1 + 1e-6", 1.0)
def atanh_at_its_end(x):
    return tf.reduce_sum(tf.atanh(x))  # here


@mistake("log(0)", -1.0)
def log1p_at_its_pole(x):
    return tf.reduce_sum(tf.math.log1p(x))  # here


@mistake("tf.eye", 2.0)
def cholesky_of_an_indefinite_matrix(x):
    a = tf.reshape(tf.stack([1.0, x[0], x[0], 1.0]), [2, 2])
    return tf.reduce_sum(tf.linalg.cholesky(a))  # here


@mistake("positive", 0.0)
def logarithm_of_gamma_at_zero(x):
    return tf.reduce_sum(tf.math.lgamma(x))  # here


@mistake("6e-8", 0.0, dtype="float16")
def an_epsilon_that_float16_does_not_know(x):
    return tf.reduce_sum(x / (tf.abs(x) + tf.constant(1e-8, tf.float16)))  # here


@mistake("65504", 1e6)
def a_cast_to_float16(x):
    h = tf.cast(x, tf.float16)  # here
    return tf.reduce_sum(h)


@mistake("65504", 200.0, 200.0, dtype="float16")
def a_sum_of_squares_in_float16(x):
    return tf.reduce_sum(x * x)  # here


@mistake("log1p(-p)", 1.0)
def a_clip_that_float32_rounds_away(p):
    p = tf.clip_by_value(p, 1e-10, 1 - 1e-10)
    return -tf.reduce_sum(tf.math.log(1 - p))  # here


@mistake("log(0)", -0.5)
def clipped_to_zero_and_logged(x):
    return -tf.reduce_sum(tf.math.log(tf.clip_by_value(x, 0.0, 1.0)))  # here


@mistake("tf.reduce_logsumexp", -200.0, -300.0)
def log_sum_exp_by_hand(x):
    return tf.math.log(tf.reduce_sum(tf.exp(x)))  # here


@mistake("sin(x) / x", 0.0)
def a_quotient_with_a_limit(x):
    return tf.reduce_sum(tf.sin(x) / x)  # here


@mistake("l2_normalize", 0.0, 0.0)
def a_zero_vector_normalised(x):
    return tf.reduce_sum(tf.linalg.normalize(x)[0])  # here


@mistake("negative power", 0.0)
def a_negative_power_of_zero(x):
    return tf.reduce_sum(x ** -1.0)  # here


@mistake("divide_no_nan", 0.0)
def density_of_a_normal_without_width(x):
    z = 1.0 / x
    return tf.reduce_sum(-0.5 * z * z - tf.math.log(x))  # here


@mistake("clip_by_value", 3.0, 4.0)
def angle_of_a_vector_with_itself(x):
    cosine = tf.reduce_sum(x * x) / (tf.norm(x) * tf.norm(x))  # here
    return tf.acos(cosine)


@mistake("softplus", 200.0)
def divergence_of_a_large_log_variance(x):
    return -0.5 * tf.reduce_sum(1 + x - tf.exp(x))  # here


@mistake("divide_no_nan", 1.0, 2.0)
def mean_over_a_mask_of_nothing(x):
    mask = tf.cast(x > 5.0, x.dtype)
    return tf.reduce_sum(x * mask) / tf.reduce_sum(mask)  # here


@mistake("1e-12", 1.0, 1.0)
def distances_with_themselves(x):
    d = tf.sqrt(tf.maximum((x[:, None] - x[None]) ** 2, 0.0))  # here
    return tf.reduce_sum(d)


@mistake("learning rate", 10.0)
def a_product_of_many(x):
    return tf.reduce_sum(tf.math.cumprod(tf.repeat(x, 60)))  # here


@mistake("1e-12", 0.0, 1.0)
def a_root_in_a_vectorised_map(x):
    y = tf.vectorized_map(lambda v: tf.sqrt(v), x)  # here
    return tf.reduce_sum(y)


@mistake("division by zero", 1.0, 0.0)
def a_quotient_in_a_scan(x):
    y = tf.scan(lambda a, v: a / v, x, tf.constant(1.0))  # here
    return tf.reduce_sum(y)


@mistake("division by zero", 0.0)
def a_quotient_in_a_branch(x):
    return tf.cond(x[0] > 0.0, lambda: x[0], lambda: 1.0 / x[0])  # here


@mistake("division by zero", 0.0)
def a_gradient_of_ones_own(x):
    @tf.custom_gradient
    def root(x):
        return tf.sqrt(x), lambda g: g / (2.0 * tf.sqrt(x))  # here
    return tf.reduce_sum(root(x))
