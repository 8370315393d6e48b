"""Classic ways to a gradient that is None: the guilty line is marked, with a word of the remedy.

`w` is the variable whose gradient is wanted; the functions run eagerly and as tf.functions.
"""

import tapeflow as tf

TABLE = []


def mistake(remedy):
    def add(function):
        TABLE.append((function, remedy))
        return function
    return add


@mistake("straight-through")
def rounded(w):
    p = tf.round(w * 2.0)  # here
    return tf.reduce_sum(p)


@mistake("straight-through")
def counted_by_the_batch_size(w):
    p = tf.round(w)  # here
    return tf.reduce_sum(p) / tf.cast(tf.shape(p)[0], tf.float32)


@mistake("Remove it")
def stopped(w):
    target = tf.stop_gradient(w * 3.0)  # here
    return tf.reduce_sum(target * 2.0)


@mistake("integers")
def cast_to_integers(w):
    k = tf.cast(w * 10.0, tf.int32)  # here
    return tf.reduce_sum(tf.cast(k, tf.float32))


@mistake("differentiable")
def argmax_as_a_prediction(w):
    best = tf.argmax(w)  # here
    return tf.cast(best, tf.float32) * 2.0


@mistake("differentiable")
def accuracy_as_a_loss(w):
    right = tf.equal(w, 1.0)  # here
    return tf.reduce_mean(tf.cast(right, tf.float32))


@mistake("differentiable")
def threshold(w):
    on = w > 0.5  # here
    return tf.reduce_sum(tf.cast(on, tf.float32))


@mistake("straight-through")
def floor_of_a_bin(w):
    return tf.reduce_sum(tf.floor(w * 4.0))  # here


@mistake("straight-through")
def ceiling_of_a_weight(w):
    return tf.reduce_sum(tf.math.ceil(w))  # here


@mistake("differentiable")
def one_hot_of_a_choice(w):
    k = tf.argmax(w)  # here
    return tf.reduce_sum(tf.one_hot(k, 2))


@mistake("index")
def only_an_index(w):
    table = tf.constant([1.0, 2.0, 3.0])
    k = tf.cast(w[0], tf.int32)  # here
    return tf.gather(table, k)


@mistake("tf.py_function")
def numpy_code(w):
    y = tf.numpy_function(lambda a: a * 2.0, [w], tf.float32)  # here
    return tf.reduce_sum(y)
