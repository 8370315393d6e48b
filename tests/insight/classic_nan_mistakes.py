"""NaNs and infinities of formulas written by hand: statistics, distributions, distances, losses.
Each says what remedy a report must name."""

import math

import tapeflow as tf
from tests.insight.unusual_nan_mistakes import mistakes

TABLE, mistake = mistakes()


@mistake("log_softmax", 100.0, -100.0)
def cross_entropy_of_exponentials(x):
    e = tf.exp(x)
    return -tf.math.log(e[1] / tf.reduce_sum(e))  # here


@mistake("log_softmax", 0.0, -200.0)
def surprise_of_a_class_that_never_happens(x):
    surprise = -tf.math.log(tf.nn.softmax(x))  # here
    return tf.reduce_sum(surprise * tf.constant([0.0, 1.0]))


@mistake("BinaryCrossentropy(from_logits=True)", 0.0, 1.0)
def cross_entropy_of_two_classes(p):
    y = tf.constant([1.0, 0.0])
    return -tf.reduce_mean(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))  # here


@mistake("BinaryCrossentropy(from_logits=True)", 0.0, 0.5)
def cross_entropy_of_a_class_that_is_absent(p):
    y = tf.constant([0.0, 1.0])
    return -tf.reduce_mean(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))  # here


@mistake("divide_no_nan", 0.0, 2.0)
def products_without_one_factor(x):
    return tf.reduce_sum(tf.math.cumprod(x) / x)  # here


@mistake("1e-12", 0.0, 2.0)
def slope_of_a_half_power(x):
    return tf.reduce_sum(tf.pow(x, 0.5))  # here


@mistake("tf.sign(x) * tf.abs(x) ** p", -2.0)
def cube_root_of_a_negative_number(x):
    return tf.reduce_sum(x ** (1 / 3))  # here


@mistake("65504", 60000.0, 60000.0, dtype="float16")
def a_sum_in_float16(x):
    return tf.reduce_sum(x)  # here


@mistake("65504", 300.0, dtype="float16")
def squared_error_in_float16(x):
    return tf.reduce_mean(tf.square(x))  # here


@mistake("1e-12", 2.0)
def scaled_by_the_deviation_of_one_number(x):
    mean = tf.reduce_mean(x)
    variance = tf.reduce_mean((x - mean) ** 2)
    return tf.reduce_sum((x - mean) / tf.sqrt(variance))  # here


@mistake("divide_no_nan", 2.0)
def variance_of_one_number_without_bias(x):
    count = tf.cast(tf.size(x), tf.float32)
    return tf.reduce_sum((x - tf.reduce_mean(x)) ** 2) / (count - 1.0)  # here


@mistake("l2_normalize", 0.0, 0.0)
def direction_by_an_inverse_root(x):
    return tf.reduce_sum(x * tf.math.rsqrt(tf.reduce_sum(x * x)))  # here


@mistake("epsilon", 0.0, 0.0)
def normalised_without_an_epsilon(x):
    return tf.reduce_sum(tf.math.l2_normalize(x, epsilon=0.0))  # here


@mistake("small number below", 3.0, 3.0)
def batch_of_equals_without_an_epsilon(x):
    mean, variance = tf.nn.moments(x, 0)
    y = tf.nn.batch_normalization(x, mean, variance, None, None, 0.0)  # here
    return tf.reduce_sum(y)


@mistake("division by zero", 0.0, 1.0)
def reciprocal_of_zero(x):
    return tf.reduce_sum(tf.math.reciprocal(x))  # here


@mistake("tf.where(ok, x, 1.0)", 0.0, 1.0)
def an_inverse_behind_a_choice(x):
    return tf.reduce_sum(tf.where(x == 0.0, 0.0, 1.0 / x))  # here


@mistake("xlogy", 0.0, 1.0)
def logarithms_under_a_mask(x):
    mask = tf.cast(x > 0, tf.float32)
    return tf.reduce_sum(mask * tf.math.log(x))  # here


@mistake("softplus", 100.0)
def softplus_by_hand(x):
    return tf.reduce_sum(tf.math.log(1.0 + tf.exp(x)))  # here


@mistake("log_sigmoid", -100.0)
def logarithm_of_a_sigmoid_by_hand(x):
    return tf.reduce_sum(tf.math.log(1.0 / (1.0 + tf.exp(-x))))  # here


@mistake("tf.tanh", 100.0)
def tanh_by_hand(x):
    return tf.reduce_sum((tf.exp(x) - tf.exp(-x)) / (tf.exp(x) + tf.exp(-x)))  # here


@mistake("tf.nn.softplus(-2.0 * x)", 100.0)
def logarithm_of_a_cosh(x):
    return tf.reduce_sum(tf.math.log(tf.cosh(x)))  # here


@mistake("tf.sinh", 100.0)
def a_sinh_that_overflows(x):
    return tf.reduce_sum(tf.sinh(x))  # here


@mistake("clip the argument", 100.0)
def an_expm1_that_overflows(x):
    return tf.reduce_sum(tf.math.expm1(x))  # here


@mistake("clip the argument", 200.0)
def a_factorial_that_overflows(x):
    return tf.exp(tf.math.lgamma(x[0]))  # here


@mistake("tf.eye", 0.0)
def logarithm_of_the_determinant_of_zero(x):
    return tf.linalg.logdet(tf.eye(2) * x)  # here


@mistake("a + 1e-6 * tf.eye(n)", 0.0)
def gradient_of_a_qr_of_zeros(x):
    q, _ = tf.linalg.qr(tf.ones((2, 2)) * x)  # here
    return tf.reduce_sum(q)


@mistake("a + 1e-6 * tf.eye(n)", 0.0)
def a_triangle_with_a_zero_on_its_diagonal(x):
    a = tf.reshape(tf.stack([1.0, 0.0, 1.0, x[0]]), [2, 2])
    return tf.reduce_sum(tf.linalg.triangular_solve(a, tf.ones((2, 1))))  # here


@mistake("clip_by_global_norm", 1e20, 1e20)
def a_product_that_overflows(x):
    return tf.reduce_prod(x)  # here


@mistake("xlogy", 0.0, 1.0)
def divergence_by_a_difference_of_logarithms(p):
    q = tf.constant([0.5, 0.5])
    return tf.reduce_sum(p * (tf.math.log(p) - tf.math.log(q)))  # here


@mistake("small number below", 0.5, 0.5)
def divergence_from_what_never_happens(p):
    q = tf.constant([0.0, 1.0])
    return tf.reduce_sum(p * tf.math.log(p / q))  # here


@mistake("mean of no elements", 1.0, 2.0)
def mean_of_a_mask_that_takes_nothing(x):
    return tf.reduce_mean(tf.boolean_mask(x, x > 10.0))  # here


@mistake("of no elements", 1.0, 2.0)
def largest_of_a_mask_that_takes_nothing(x):
    return tf.reduce_max(tf.boolean_mask(x, x > 10.0))  # here


@mistake("unmasked", 1.0, 2.0)
def attention_to_nothing(x):
    scores = tf.where(tf.constant([False, False]), x, -math.inf)
    return tf.reduce_sum(tf.nn.softmax(scores))  # here


@mistake("clip_by_value(p, 1e-6, 1 - 1e-6)", 1.0)
def inverse_error_function_at_its_end(x):
    return tf.reduce_sum(tf.math.erfinv(x))  # here


@mistake("clip_by_value(p, 1e-6, 1 - 1e-6)", 0.0)
def quantile_of_a_normal_at_zero(p):
    return tf.reduce_sum(tf.math.ndtri(p))  # here


@mistake("rounded to 1", 1.0)
def logarithm_of_the_rest_of_a_probability(p):
    return tf.reduce_sum(tf.math.log1p(-p))  # here


@mistake("logits", 0.0, 1.0)
def logit_by_hand(p):
    return tf.reduce_sum(tf.math.log(p / (1 - p)))  # here


@mistake("1e-12", 0.0, 0.5)
def gumbel_noise_of_a_zero(u):
    return tf.reduce_sum(-tf.math.log(-tf.math.log(u)))  # here


@mistake("1e-12", 0.0)
def likelihood_of_a_normal_without_variance(x):
    variance = x * x
    y = 0.5 * tf.math.log(variance) + (1.0 - x) ** 2 / (2 * variance)  # here
    return tf.reduce_sum(y)


@mistake("divide_no_nan", 0.0, 0.0)
def cosine_with_a_zero_vector(x):
    y = tf.constant([1.0, 2.0])
    d = tf.sqrt(tf.reduce_sum(x * x) * tf.reduce_sum(y * y))
    return tf.reduce_sum(x * y) / d  # here


@mistake("1e-12", 0.0)
def absolute_value_by_a_root(x):
    return tf.reduce_sum(tf.sqrt(x ** 2))  # here


@mistake("divisor", 0.0)
def remainder_of_a_division_by_zero(x):
    return tf.reduce_sum(tf.math.floormod(tf.constant([1.0]), x))  # here


@mistake("above 1", 1.0)
def zeta_at_its_pole(x):
    return tf.reduce_sum(tf.math.zeta(x, tf.constant([1.0])))  # here


@mistake("positive", 0.0, 1.0)
def beta_function_at_zero(x):
    return tf.math.lbeta(x)  # here


@mistake("clip_by_global_norm", 1.0)
def a_while_loop_that_diverges(x):
    def body(i, v):
        return i + 1, v * 10.0  # here
    return tf.reduce_sum(tf.while_loop(lambda i, v: i < 200, body, [tf.constant(0), x])[1])


@mistake("tf.math.log(x + 1e-12)", 0.0, 1.0)
def perplexity_of_a_zero(p):
    return tf.exp(-tf.reduce_mean(tf.math.log(p)))  # here


@mistake("65504", 20.0, 20.0, dtype="float16")
def a_product_of_infinities_in_float16(x):
    e = tf.exp(x)[None]
    return tf.reduce_sum(e @ tf.constant([[1.0], [-1.0]], tf.float16))  # here
