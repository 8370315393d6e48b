"""Tests of the alias take it away; where Keras is loaded, what comes after needs it."""

import sys

import pytest

from tapeflow import alias


@pytest.fixture(autouse=True, scope="module")
def keras_finds_tensorflow_again():
    yield
    if "keras" in sys.modules:
        alias.install()
