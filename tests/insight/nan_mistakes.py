"""Classic ways to a NaN or infinity: each function has its guilty line marked, and the remedy.

`x` and `w` stand for what the program computes from; the functions run eagerly and as tf.functions.
"""

import tapeflow as tf

TABLE = []


def mistake(remedy, *data, dtype="float32"):
    """A function of the watched tensor `x`; a word of the remedy."""
    def add(function):
        TABLE.append((function, tf.constant(data, dtype), remedy))
        return function
    return add


@mistake("1e-12", 0.0, 4.0)
def slope_of_sqrt_at_zero(x):
    d = tf.sqrt(x)  # here
    return tf.reduce_sum(d)


@mistake("squared norm", 0.0, 0.0)
def slope_of_a_norm_at_zero(x):
    return tf.norm(x)  # here


@mistake("squared norm", 1.0, 2.0)
def distance_of_equal_points(x):
    a, b = x * 1.0, tf.constant([1.0, 2.0])
    return tf.linalg.norm(a - b)  # here


@mistake("from_logits", 0.0, 0.5)
def log_of_zero(p):
    return -tf.reduce_sum(tf.math.log(p))  # here


@mistake("negative", -1.0, 0.5)
def log_of_a_negative_number(x):
    y = tf.math.log(x)  # here
    return tf.reduce_sum(y)


@mistake("xlogy", 0.0, 1.0)
def entropy_with_zeros(p):
    logs = tf.math.log(p)
    return -tf.reduce_sum(p * logs)  # here


@mistake("divide_no_nan", 0.0, 2.0)
def x_over_x(x):
    return tf.reduce_sum(x / x)  # here


@mistake("divide_no_nan", 0.0, 2.0)
def division_by_zero(x):
    return tf.reduce_sum(3.0 / x)  # here


@mistake("both branches", 0.0, 2.0)
def where_does_not_protect_the_slope(x):
    y = tf.where(x > 0.0, tf.math.log(x), tf.zeros_like(x))  # here
    return tf.reduce_sum(y)


@mistake("both branches", 0.0, 2.0)
def where_around_a_division(x):
    safe = 1.0 / x  # here
    return tf.reduce_sum(tf.where(x > 0.0, safe, tf.ones_like(x)))


@mistake("clip_by_value", 1.5, 0.5)
def where_around_an_acos(x):
    angle = tf.acos(x)  # here
    return tf.reduce_sum(tf.where(x < 1.0, angle, tf.zeros_like(x)))


@mistake("softplus", 100.0, 1.0)
def exp_that_overflows(x):
    return tf.reduce_sum(tf.exp(x))  # here


@mistake("tf.nn.softmax", 100.0, 1.0)
def softmax_by_hand(x):
    e = tf.exp(x)
    p = e / tf.reduce_sum(e)  # here
    return p[0]


@mistake("multiplication", 800.0, -800.0)
def sigmoid_by_hand_has_a_nan_slope(x):
    e = tf.exp(-x)
    return tf.reduce_sum(e * tf.zeros_like(e))  # here


@mistake("65504", 300.0, 2.0, dtype="float16")
def float16_overflows(x):
    return tf.reduce_sum(tf.square(x))  # here


@mistake("65504", 12.0, 2.0, dtype="float16")
def exp_in_float16(x):
    return tf.reduce_sum(tf.exp(x))  # here


@mistake("clip_by_value", 1.0, 0.5)
def slope_of_acos_at_one(x):
    angle = tf.acos(x)  # here
    return tf.reduce_sum(angle)


@mistake("1.0000001", 1.0000002, 0.5)
def acos_outside_its_domain(x):
    return tf.reduce_sum(tf.acos(x))  # here


@mistake("clip_by_value", -1.0, 0.5)
def slope_of_asin_at_minus_one(x):
    return tf.reduce_sum(tf.asin(x))  # here


@mistake("tf.abs", -1.0, 4.0)
def negative_base_of_a_power(x):
    return tf.reduce_sum(x ** 1.5)  # here


@mistake("below 1", 0.0, 4.0)
def slope_of_a_fractional_power_at_zero(x):
    return tf.reduce_sum(x ** 0.5)  # here


@mistake("variance", -1e-7, 1.0)
def root_of_a_negative_variance(x):
    std = tf.sqrt(x)  # here
    return tf.reduce_sum(std)


@mistake("minus infinity", 100.0, 1.0)
def difference_of_infinities(x):
    a, b = tf.exp(x), tf.exp(x * 1.5)
    return tf.reduce_sum(a - b)  # here


@mistake("no elements", 1.0, 2.0)
def mean_of_an_empty_mask(x):
    kept = tf.boolean_mask(x, tf.constant([False, False]))
    return tf.reduce_mean(kept)  # here


@mistake("learning rate", 1e30, 1.0)
def numbers_that_grow(x):
    y = x * x  # here
    return tf.reduce_sum(y)


@mistake("division by zero", 0.0, 1.0)
def normalised_by_hand(x):
    return tf.reduce_sum(tf.math.rsqrt(x))  # here


@mistake("0 / 0", 3.0, 3.0)
def standard_deviation_of_equal_numbers(x):
    return (x[0] - 3.0) / tf.math.reduce_std(x)  # here


@mistake("divide_no_nan", 2.0, 2.0)
def scaled_by_the_range(x):
    scaled = (x - tf.reduce_min(x)) / (tf.reduce_max(x) - tf.reduce_min(x))  # here
    return tf.reduce_sum(scaled)


@mistake("0 / 0", 0.0, 0.0)
def cosine_similarity_of_a_zero_vector(x):
    n = tf.reduce_sum(tf.abs(x))
    return tf.reduce_sum(x / n)  # here


# -- as people have asked about them ---------------------------------------------------------------
@mistake("1e-12", 2.0, 3.0)
def root_of_a_difference_of_squares(x):
    targets = tf.constant([2.0, 1.0])
    return tf.reduce_mean(tf.sqrt(tf.abs(tf.square(targets) - tf.square(x))))  # here


@mistake("clip", 200.0, 0.0)
def ratio_of_policies(x):
    old = tf.constant([1.0, 0.5])
    ratio = tf.exp(x - old)  # here
    return tf.reduce_mean(ratio * old)


@mistake("log(0)", 0.0, 1.0)
def log_of_a_sigma_from_relu(x):
    sigma = tf.nn.relu(x)
    return tf.reduce_sum(tf.math.log(sigma) + sigma)  # here


@mistake("xlogy", 0.0, 1.0)
def divergence_with_zeros(x):
    q = tf.constant([0.5, 0.5])
    return tf.reduce_sum(x * tf.math.log(x / q))  # here


@mistake("xlogy", 1.0, 0.5)
def cross_entropy_by_hand(p):
    y = tf.constant([1.0, 0.0])
    logs = tf.math.log(1.0 - p)
    return -tf.reduce_mean(y * tf.math.log(p) + (1.0 - y) * logs)  # here


@mistake("log_sigmoid", -200.0, 1.0)
def log_of_a_sigmoid(x):
    return -tf.reduce_sum(tf.math.log(tf.sigmoid(x)))  # here


@mistake("log_softmax", 200.0, 0.0)
def log_of_a_softmax(x):
    p = tf.nn.softmax(x)
    return -tf.reduce_sum(tf.math.log(p))  # here


@mistake("0 / 0", 0.0, 0.0)
def dice_of_empty_masks(p):
    y = tf.constant([0.0, 0.0])
    return 1.0 - 2.0 * tf.reduce_sum(p * y) / tf.reduce_sum(p + y)  # here


@mistake("below 1", 1.0, 0.5)
def focal_weight_with_a_small_exponent(p):
    weight = (1.0 - p) ** 0.5  # here
    return tf.reduce_mean(weight)


@mistake("l2_normalize", 0.0, 0.0)
def direction_of_a_zero_vector(x):
    return tf.reduce_sum(x / tf.norm(x))  # here


@mistake("row", float("-inf"), float("-inf"))
def softmax_of_a_row_that_is_all_masked(x):
    p = tf.nn.softmax(x)  # here
    return p[0]


@mistake("no slope", 0.0, 1.0)
def angle_of_the_origin(x):
    return tf.reduce_sum(tf.atan2(x, x * 2.0))  # here


@mistake("xlogy", 0.0, 2.0)
def mask_by_multiplication(x):
    mask = tf.cast(x > 0.0, x.dtype)
    return tf.reduce_sum(mask * tf.math.log(x))  # here


@mistake("variance", 4096.0, 4096.25)
def variance_as_a_difference(x):
    mean = tf.reduce_mean(x)
    return tf.sqrt(tf.reduce_mean(x * x) - mean * mean - 1.0)  # here
