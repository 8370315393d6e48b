"""What notebooks show of tensors, variables, tapes and concrete functions."""

import tapeflow as tf


def test_tensors_are_tables_with_shape_and_dtype():
    html = tf.constant([[1.0, 2.5], [3.0, 4.0]])._repr_html_()
    assert "shape (2, 2), float32" in html and "<td>2.5</td>" in html
    assert tf.constant(["<b>"])._repr_html_().count("&lt;b&gt;") == 1
    assert len(tf.zeros([1000, 1000])._repr_html_()) < 3000
    assert "<pre>3</pre>" in tf.constant(3)._repr_html_()
    assert "<pre>" in tf.zeros([2, 2, 2])._repr_html_() and tf.zeros([0])._repr_html_()


def test_symbolic_tensors_have_no_values():
    shown = []

    @tf.function(autograph=False)
    def f(x):
        shown.append((x + 1.0)._repr_html_())
        return x

    f(tf.constant([1.0]))
    assert "shape (1,), float32" in shown[0] and "<table>" not in shown[0]


def test_variables_have_names():
    html = tf.Variable([1.0], name="w", trainable=False)._repr_html_()
    assert "w:0" in html and "not trainable" in html and "<td>1</td>" in html


def test_tapes_count_their_entries():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.sin(x) * 2.0
    assert "entries recorded" in tape._repr_html_()
    tape.gradient(y, x)
    assert "used" in tape._repr_html_()


def test_concrete_functions_show_their_signature():
    html = tf.function(tf.sin, autograph=False).get_concrete_function(
        tf.TensorSpec([2]))._repr_html_()
    assert "1 node" in html and "TensorSpec(shape=(2,)" in html
