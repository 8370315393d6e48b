"""The cases of `function.py` for tapeflow and TensorFlow: the same lines serve both."""

import cases_tf


def cases(tf, jit_compile=None):
    """A dict from case to a function of no arguments that does one step of it."""
    def compiled(step):
        return tf.function(step, jit_compile=jit_compile)

    return {
        "regression": compiled(cases_tf.regression(tf)),
        "mlp": compiled(cases_tf.mlp(tf)),
        "sines": compiled(cases_tf.sines(tf)),
        "outside": outside(tf, compiled),
        "tracing": tracing(tf, compiled),
    }


def outside(tf, compiled):
    x = tf.Variable(0.5)

    @compiled
    def chain(y):
        for _ in range(100):
            y = tf.sin(y)
        return y

    def step():
        with tf.GradientTape() as tape:
            y = chain(x)
        return tape.gradient(y, x)

    return step


def tracing(tf, compiled):
    """A new function each time, since a trace is kept."""
    spec = tf.TensorSpec([4])

    def step():
        def chain(x):
            y = x
            for _ in range(250):
                y = tf.tanh(y * 0.5 + x) - 0.1
            return y

        tf.function(chain).get_concrete_function(spec)
        return tf.constant(0.0)

    return step
