"""NaNs and infinities of applied work: physics, graphics, finance, signals, graphs.
Each says what remedy a report must name."""

import math

import tapeflow as tf
from tests.insight.unusual_nan_mistakes import mistakes

TABLE, mistake = mistakes()


@mistake("divide_no_nan", 0.0, 1.0)
def force_between_a_particle_and_itself(x):
    r = tf.abs(x - x[0])
    return tf.reduce_sum(1.0 / r)  # here


@mistake("1e-12", 1.0, 1.0)
def distances_of_all_pairs(x):
    d = x[:, None] - x[None, :]
    return tf.reduce_sum(tf.sqrt(d * d))  # here


@mistake("clip", 1.0, 0.0)
def angle_between_parallel_vectors(x):
    y = tf.constant([1.0, 0.0])
    return tf.acos(tf.reduce_sum(x * y))  # here


@mistake("tf.math.log(x + 1e-12)", 1.0, 0.0)
def returns_of_a_worthless_share(price):
    return tf.reduce_sum(tf.math.log(price[1:]))  # here


@mistake("divide_no_nan", 0.0)
def sharpe_ratio_without_risk(x):
    returns = x * tf.constant([1.0, 1.0])
    risk = tf.reduce_sum((returns - tf.reduce_mean(returns)) ** 2)
    return tf.reduce_mean(returns) / risk  # here


@mistake("divide_no_nan", 0.0)
def sinc_by_hand(x):
    return tf.reduce_sum(tf.sin(math.pi * x) / (math.pi * x))  # here


@mistake("tf.math.log(x + 1e-12)", 0.0, 1.0)
def decibels_of_silence(power):
    return tf.reduce_sum(10.0 * tf.math.log(power) / math.log(10.0))  # here


@mistake("divide_no_nan", 0.0, 0.0)
def isolated_node_of_a_graph(degree):
    return tf.reduce_sum(degree / degree)  # here


@mistake("divide_no_nan", 0.0, 2.0)
def inverse_degrees(degree):
    return tf.reduce_sum(tf.math.rsqrt(degree))  # here


@mistake("softplus", 800.0)
def softplus_by_hand(x):
    return tf.reduce_sum(tf.math.log(1.0 + tf.exp(x)))  # here


@mistake("88.7", 100.0)
def arrhenius_rate(x):
    return tf.reduce_sum(tf.exp(x))  # here


@mistake("tf.abs(x)", -0.001)
def gamma_correction_below_black(pixel):
    return tf.reduce_sum(pixel ** (1 / 2.2))  # here


@mistake("divide_no_nan", 0.0, 0.0)
def overlap_of_two_empty_boxes(x):
    both = tf.minimum(x[0], x[1])
    either = x[0] + x[1] - both
    return both / either  # here


@mistake("divide_no_nan", 0.0, 0.0)
def dice_of_empty_masks(x):
    return 2.0 * tf.reduce_sum(x * x) / tf.reduce_sum(x)  # here


@mistake("divide_no_nan", 5.0, 5.0)
def scaled_by_a_range_of_nothing(x):
    low, high = tf.reduce_min(x), tf.reduce_max(x)
    return tf.reduce_sum((x - low) / (high - low))  # here


@mistake("65504", 300.0, dtype="float16")
def square_in_float16(x):
    return tf.reduce_sum(x * x)  # here


@mistake("tf.math.expm1", 0.0)
def annuity_without_interest(rate):
    return tf.reduce_sum(tf.math.log(tf.exp(rate) - 1.0))  # here


@mistake("clip", 1.0)
def fisher_transform_of_a_perfect_correlation(r):
    return tf.reduce_sum(tf.atanh(r))  # here
