"""tf.print: streams and structures that the conformance programs cannot show."""

import logging
import sys
from collections import OrderedDict

import numpy as np

import tapeflow as tf


def test_default_stream_is_stderr_of_the_moment(capsys):
    tf.print("text", tf.constant([1.5]))
    out, err = capsys.readouterr()
    assert (out, err) == ("", "text [1.5]\n")


def test_logging_functions(caplog):
    with caplog.at_level(logging.INFO):
        tf.print("value", tf.constant(2), output_stream=logging.info)
    assert caplog.messages == ["value 2"]


def test_ordered_dict_keeps_its_values_by_their_keys(capsys):
    tf.print(OrderedDict([("b", tf.constant(2)), ("a", tf.constant(1))]), output_stream=sys.stdout)
    assert capsys.readouterr().out == "OrderedDict([('b', 2), ('a', 1)])\n"


def test_braces_and_percent_signs_are_plain_text(capsys):
    tf.print({"{}": tf.constant(1)}, "%s {0}", tf.constant("{}"), output_stream=sys.stdout)
    assert capsys.readouterr().out == "{'{}': 1} %s {0} \"{}\"\n"


def test_many_tensors(capsys):
    tf.print(*[tf.constant(i) for i in range(300)], output_stream=sys.stdout)
    assert capsys.readouterr().out == " ".join(map(str, range(300))) + "\n"


def test_printing_is_not_recorded(capsys):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        tf.print(y)
    assert tape.gradient(y, x).numpy() == 4.0


def test_text_that_the_stream_cannot_encode(tmp_path):
    path = tmp_path / "out.txt"
    with open(path, "w", encoding="utf-8") as file:
        before, sys.stdout = sys.stdout, file
        try:
            tf.print(tf.constant(b"\xff\xfe"), output_stream=sys.stdout)
        finally:
            sys.stdout = before
    assert path.read_text().endswith("\n")


def test_format_in_a_map():
    got = tf.vectorized_map(lambda x: tf.strings.format("<{}>", x), tf.constant([1, 2]))
    assert got.numpy().tolist() == [b"<1>", b"<2>"]


def test_as_string_keeps_the_shape():
    got = tf.strings.as_string(tf.constant([[1, 2], [3, 4]]))
    assert got.shape == (2, 2) and got.numpy()[1, 0] == b"3"
    assert np.array_equal(tf.vectorized_map(tf.strings.as_string, tf.constant([7, 8])).numpy(),
                          [b"7", b"8"])
