"""The examples in the docstrings of the layer run and print what they say."""

import doctest
import importlib

import pytest

import tapeflow as tf


class Finder(doctest.DocTestFinder):
    """Finds classes too that say they are TensorFlow's."""

    def _from_module(self, module, object):
        return super()._from_module(module, object) or (
            isinstance(object, type) and object.__module__.startswith("tensorflow."))


@pytest.mark.parametrize(
    ("name", "fewest"),
    [("dtypes", 1), ("errors", 1), ("shapes", 2), ("specs", 1), ("nest", 5), ("formatting", 3)],
)
def test_examples(name, fewest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    runner = doctest.DocTestRunner()
    for test in Finder().find(importlib.import_module("tapeflow.base." + name), name,
                              extraglobs={"tf": tf}):  # for those that docstrings are composed of
        runner.run(test)
    assert runner.failures == 0 and runner.tries >= fewest
