"""Runs the calls of cases.py eagerly and in functions; imported by record.py and the tests.

The caller hands in the module that plays `tf`.
"""

import numpy as np
from cases import Held

ERROR = "raises "


def described(tf, result):
    """A result as plain lists: dtype, shape and numbers of each tensor."""
    found = []
    for x in tf.nest.flatten(result):
        array = np.asarray(x)
        numbers = [round(float(n), 4) for n in array.ravel()] if array.dtype.kind == "f" else (
            array.ravel().tolist())
        found.append([array.dtype.name, list(array.shape), numbers])
    return found


def outcome(tf, call, *args):
    """What a call comes to: its tensors, or the type of what it raises."""
    try:
        return described(tf, call(*args))
    except Exception as error:
        return ERROR + type(error).__name__


def _signature(tf, given, first, shape_of):
    shapes = [*map(shape_of, given), *map(sizes_unknown, first)]
    return [tf.TensorSpec(shape, tf.as_dtype(x.dtype))
            for shape, x in zip(shapes, (*given, *first), strict=True)]


def _gradient_of(tf, call):
    """The gradient of the sum of a call's results by its first operand."""
    def gradient(x, *rest):
        with tf.GradientTape() as tape:
            tape.watch(x)
            results = [y for y in tf.nest.flatten(call(x, *rest)) if y.dtype == tf.float32]
            total = tf.add_n([tf.reduce_sum(y * y) for y in results]) if results else tf.zeros([])
        found = tape.gradient(total, x, unconnected_gradients="zero")
        return tf.convert_to_tensor(found)
    return gradient


def runners(tf, case, ways):
    """By name of the way: a function from the values of the last arguments to an outcome."""
    name, row, operands, choices = case
    made = {}
    for way, options in ways.items():
        held = [tf.Variable(x.array) for x in operands if isinstance(x, Held)]
        given = [x for x in operands if not isinstance(x, Held)]
        made[way] = _runner(tf, _over(tf, row, held), held, operands, given, choices, dict(options))
    return made


def _over(tf, row, held):
    def call(*args):
        return row(tf, *held, *args)
    return call


def _runner(tf, call, held, operands, given, choices, options):
    function = _gradient_of(tf, call) if options.pop("gradient", False) else call
    if options.pop("traced", True):
        shape = options.pop("shapes", None)
        if shape is not None:
            options["input_signature"] = _signature(tf, given, choices[0], shape)
        function = tf.function(function, **options)

    def run(*values):
        for v, x in zip(held, operands):
            v.assign(x.array)
        return outcome(tf, function, *[tf.constant(x) for x in (*given, *values)])

    return run


def sizes_unknown(x):
    return [None] * x.ndim


def rank_unknown(x):
    return None


WAYS = {
    "eager": {"traced": False},
    "function": {},
    "sizes unknown": {"shapes": sizes_unknown},
    "rank unknown": {"shapes": rank_unknown},
}
GRADIENT_WAYS = {
    "gradient": {"gradient": True, "traced": False},
    "gradient in a function": {"gradient": True},
}


def ways_of(case):
    """The ways in which a case can be run: variables have no gradient here."""
    with_variables = any(isinstance(x, Held) for x in case[2])
    return WAYS if with_variables else {**WAYS, **GRADIENT_WAYS}


def fits(way, case, values):
    """Whether a signature made from the first values takes these."""
    if "unknown" not in way:
        return True
    return all(a.ndim == b.ndim for a, b in zip(values, case[3][0], strict=True))
