"""Attributes checked by kind."""

from __future__ import annotations

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.attributes import attributes, flag, listed, real, text, truth, whole


@attributes(reverse=flag, name=text, count=whole, rate=real)
def function(x, reverse=True, name="n", count=2, rate=0.5):
    return x, reverse, name, count, rate


def test_none_is_the_default_and_values_are_converted():
    assert function(1, None, name=None, count=None, rate=None) == (1, True, "n", 2, 0.5)
    assert function(1, False, b"b", 3.9, np.float32(2)) == (1, False, "b", 3, 2.0)
    assert function(1, count=tf.constant(4)) == (1, True, "n", 4, 0.5)


@pytest.mark.parametrize("arguments", [
    {"reverse": 1}, {"reverse": np.True_}, {"reverse": []}, {"name": 3}, {"count": "3"},
    {"count": float("nan")}, {"count": [1]}, {"count": np.array([1])}, {"rate": "1"},
    {"rate": 1j}, {"rate": tf.constant(1.0)}])
def test_other_kinds_are_refused(arguments):
    with pytest.raises(TypeError, match=f"for argument '{next(iter(arguments))}' not"):
        function(1, **arguments)


def test_positional_arguments_are_checked_too():
    with pytest.raises(TypeError, match="'reverse' not 'yes'"):
        function(1, "yes")


def test_lists_and_truth():
    assert listed("key", [1, 2]) == [1, 2] and truth("check", "x") is True
    with pytest.raises(TypeError, match="Expected list"):
        listed("key", tf.constant([1, 2]))
    with pytest.raises(ValueError, match="ambiguous"):
        truth("check", np.zeros(2))
