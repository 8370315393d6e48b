"""Arguments of tf.functions: structures of users' classes, signatures, and what is refused."""

import dataclasses
import inspect

import pytest

import tapeflow as tf


@dataclasses.dataclass
class Masked:
    mask: bool
    value: object

    def __tf_flatten__(self):
        return (self.mask,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(metadata[0], components[0])


def test_objects_that_say_how_they_flatten():
    traced = []

    @tf.function
    def double(x):
        traced.append(x.mask)
        return Masked(x.mask, x.value * 2.0 if x.mask else x.value)

    assert double(Masked(True, tf.constant(1.0))).value.numpy() == 2.0
    assert double(Masked(True, tf.constant(3.0))).value.numpy() == 6.0
    assert double(Masked(False, tf.constant(3.0))).value.numpy() == 3.0
    assert traced == [True, False]


@pytest.mark.parametrize("change", [
    lambda n: n[0]["a"].append(1.0), lambda n: n[0].update(b=1.0), lambda n: n.pop(),
    lambda n: n.reverse(), lambda n: n[0]["a"].append(n.pop())])
def test_arguments_are_not_modified(change):
    @tf.function
    def modify(n):
        change(n)

    with pytest.raises(ValueError, match=r"modify\(n\) should not modify.*were modified: n"):
        modify([{"a": [tf.constant(1.0)]}, tf.constant(2.0)])


def test_a_copy_may_be_modified():
    @tf.function
    def total(n):
        n = list(n)
        n.append(3.0)
        return tf.add_n(n)

    assert total([tf.constant(1.0)]).numpy() == 4.0


def test_what_is_no_function():
    with pytest.raises(TypeError, match="1 is not a callable object"):
        tf.function(1)


def test_an_input_signature_that_is_too_short():
    decorate = tf.function(input_signature=(tf.TensorSpec([], tf.int32),))
    with pytest.raises(TypeError, match="input_signature missing type constraint for b"):
        decorate(lambda a, b, c: a)(1, 2, 3)
    with pytest.raises(TypeError, match="input_signature missing type constraint for b"):
        decorate(lambda a, b, *args, **kwargs: a)(1, 2, 3)
    assert decorate(lambda a, b=4, **kwargs: a + b)(1).numpy() == 5


def test_specs_that_do_not_fit_the_input_signature():
    f = tf.function(lambda a: a, input_signature=[tf.TensorSpec([2], tf.float32)])
    for spec in (tf.TensorSpec([3], tf.float32), tf.TensorSpec([None], tf.float32),
                 tf.TensorSpec([2], tf.int32)):
        with pytest.raises(TypeError, match="Can not cast"):
            f.get_concrete_function(spec)
    assert f.get_concrete_function(tf.TensorSpec([2], tf.float32)) is f.get_concrete_function()


def test_a_function_of_a_bound_function():
    class Model:
        @tf.function
        def add(self, a, b):
            return a + b

    add = tf.function(Model().add)
    assert add(a=tf.constant(1), b=tf.constant(2)).numpy() == 3
    assert list(inspect.signature(Model().add).parameters) == ["a", "b"]
    with pytest.raises(TypeError, match="missing a required argument"):
        add(b=tf.constant(2))


def test_a_signature_on_one_line():
    @tf.function
    def f(x, size=7):
        return x

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert concrete.pretty_printed_signature(verbose=False) == (
        "(x: TensorSpec(shape=(None,), dtype=tf.float32, name=None), size: Literal[7]) -> "
        "TensorSpec(shape=(None,), dtype=tf.float32, name=None)")


def test_a_loop_of_a_function_in_a_graph_has_its_gradient():
    @tf.function
    def quadruple(x):
        return tf.while_loop(lambda _, i: i < 2, lambda x, i: (2.0 * x, i + 1), [x, 0])[0]

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = quadruple(x)
        assert session.run(tape.gradient(y, x)) == 4.0
