"""Functions that implement one interface for several devices: the CPU's results are taken."""

import tapeflow as tf


def selecting(general, on_cpu, value):
    attributes = {"api_implements": "something_1"}
    one = tf.function(general, autograph=False, experimental_attributes=attributes)
    two = tf.function(on_cpu, autograph=False, experimental_attributes={
        **attributes, "api_preferred_device": "CPU"})
    result = one(x=value)
    concrete = two.get_concrete_function(x=value)
    concrete.add_to_graph()
    concrete.add_gradient_functions_to_graph()
    return result


def test_the_function_for_the_cpu_serves_in_a_graph():
    @tf.function(autograph=False)
    def f(x):
        a, b = selecting(lambda x: (x + 1, x), lambda x: (x * 10, -x), x)
        return a + 0, b

    assert [one.numpy() for one in f(tf.constant(3.0))] == [30.0, -3.0]


def test_outside_of_graphs_the_general_function_has_run():
    assert selecting(lambda x: x + 1, lambda x: x * 10, tf.constant(3.0)).numpy() == 4.0


def test_other_functions_take_the_calls():
    f = tf.function(lambda x: x + 1, experimental_attributes={"other": "a"})
    f.get_concrete_function(tf.constant(1.0)).add_to_graph()
    assert f(tf.constant(1.0)).numpy() == 2.0
