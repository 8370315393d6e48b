"""More ways to a None, met in applied work: quantising, sampling, counting, texts, images."""

import numpy as np

import tapeflow as tf

TABLE = []


def mistake(remedy):
    def add(function):
        TABLE.append((function, remedy))
        return function
    return add


@mistake("straight-through")
def quantised_and_rounded(w):
    levels = tf.clip_by_value(w * 4.0, 0.0, 15.0)
    return tf.reduce_sum(tf.round(levels) / 4.0)  # here


@mistake("differentiable ops")
def bins_of_a_histogram(w):
    k = tf.searchsorted(tf.constant([0.0, 1.0, 2.0]), w)  # here
    return tf.reduce_sum(tf.cast(k, tf.float32))


@mistake("differentiable ops")
def counts_of_a_histogram(w):
    counts = tf.histogram_fixed_width(w, [0.0, 3.0], 5)  # here
    return tf.reduce_sum(tf.cast(counts, tf.float32) ** 2)


@mistake("not smooth")
def bits_of_numbers(w):
    bits = tf.bitcast(w, tf.int32)  # here
    return tf.reduce_sum(tf.cast(bits, tf.float32))


@mistake("a text has no derivative")
def through_a_text(w):
    text = tf.strings.as_string(w)  # here
    return tf.reduce_sum(tf.strings.to_number(text))


@mistake("bytes have no derivative")
def through_bytes(w):
    data = tf.io.serialize_tensor(w)  # here
    return tf.reduce_sum(tf.ensure_shape(tf.io.parse_tensor(data, tf.float32), [2]))


@mistake("Gumbel noise")
def sampled_actions(w):
    action = tf.random.categorical(w[None], 3)  # here
    return tf.reduce_sum(tf.cast(action, tf.float32))


@mistake("tapeflow.numerical_gradient")
def simulated_in_numpy(w):
    y = tf.numpy_function(lambda a: np.sin(a), [w], tf.float32)  # here
    return tf.reduce_sum(tf.ensure_shape(y, [2]))


@mistake("indices")
def ranks_as_a_loss(w):
    order = tf.argsort(w)  # here
    return tf.reduce_sum(tf.cast(order, tf.float32))


@mistake("a boolean result")
def hits_among_the_first(w):
    hit = tf.math.in_top_k([0], w[None], 1)  # here
    return 1.0 - tf.reduce_mean(tf.cast(hit, tf.float32))


@mistake("True or False")
def places_above_a_threshold(w):
    above = w > 2.0  # here
    return tf.reduce_sum(tf.cast(tf.where(above), tf.float32))


@mistake("straight-through")
def cells_of_a_grid(w):
    cell = w // 0.5  # here
    return tf.reduce_sum(cell)


@mistake("Remove it")
def target_and_prediction_swapped(w):
    loss = tf.square(tf.stop_gradient(w * 2.0) - tf.constant([1.0, 2.0]))  # here
    return tf.reduce_mean(loss)


@mistake("Stay in floating point")
def an_image_saved_as_bytes(w):
    image = tf.image.convert_image_dtype(w / 4.0, tf.uint8)  # here
    return tf.reduce_mean(tf.image.convert_image_dtype(image, tf.float32))


@mistake("Stay in floating point")
def a_key_of_a_table(w):
    values = tf.constant([0.5, 0.7, 0.9])
    return tf.reduce_sum(tf.gather(values, tf.cast(w, tf.int32)))  # here


@mistake("True or False")
def accuracy_of_two_classes(w):
    said = tf.cast(w > 0.0, tf.float32)  # here
    return tf.reduce_mean(tf.abs(said - tf.constant([1.0, 0.0])))


@mistake("True or False")
def agreement_with_labels(w):
    same = tf.equal(w, tf.constant([1.0, 2.0]))  # here
    return tf.reduce_mean(tf.cast(same, tf.float32))
