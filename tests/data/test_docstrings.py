"""The examples in docstrings of tf.data run and print what they say."""

import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf

FOLDER = Path(tf.__file__).parent / "data"
MODULES = sorted(".".join(path.relative_to(FOLDER).with_suffix("").parts)
                 for path in FOLDER.rglob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where examples write files
    tf.random.set_seed(None)
    assert tf.data.Dataset.range  # its methods come from all modules
    module = importlib.import_module(f"tapeflow.data.{name}")
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for one in doctest.DocTestFinder().find(module, globs={"tf": tf, "np": np}):
        runner.run(one)
    assert runner.failures == 0
