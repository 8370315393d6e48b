"""The examples in the docstrings of the layer run and print what they say."""

import doctest
import importlib

import pytest

import tapeflow as tf


@pytest.mark.parametrize(
    ("name", "fewest"),
    [("dtypes", 1), ("errors", 1), ("shapes", 2), ("specs", 1), ("nest", 5), ("formatting", 3)],
)
def test_examples(name, fewest):
    result = doctest.testmod(importlib.import_module("tapeflow.base." + name),
                             extraglobs={"tf": tf})  # for those that docstrings are composed of
    assert result.failed == 0 and result.attempted >= fewest
