"""Keras's model files: a valid sample of each kind, and how each is read.

They are read by Keras, which tapeflow loads; Keras takes seconds to import, so these formats belong
to `python -m tests.file_fuzz` alone. `.npz` files are those that Keras keeps in an archive.
"""

from __future__ import annotations

import importlib
import io
import os
import random
import tempfile
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

FORMATS = ("keras", "keras_npz", "weights_h5")


def _model(keras: Any, *more: Any) -> Any:
    keras.utils.set_random_seed(3)
    layers = keras.layers
    model = keras.Sequential([
        keras.Input((4,)), layers.Dense(3, "relu"), layers.BatchNormalization(), *more,
        layers.Dense(2)])
    model.compile("adam", "mse")
    return model


def _saved(model: Any, name: str, **options: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        if name.endswith(".h5"):
            model.save_weights(path)
        else:
            saving = importlib.import_module("keras.src.saving.saving_lib")
            saving.save_model(model, path, **options)
        with open(path, "rb") as file:
            return file.read()


def model_samples(tf: Any) -> dict[str, list[bytes]]:
    """Files of every kind; of one the Lambda layer holds code, which is to be refused."""
    keras = tf.keras
    plain, coded = _model(keras), _model(keras, keras.layers.Lambda(lambda x: x * 2.0))
    return {"keras": [_saved(model, "m.keras") for model in (plain, plain, coded)],
            "keras_npz": [_saved(plain, "m.keras", weights_format="npz")],
            "weights_h5": [_saved(plain, "m.weights.h5")]}


def read_model(tf: Any, name: str, data: bytes, folder: str) -> list[np.ndarray]:
    """The weights, and what the model makes of ones."""
    keras = tf.keras
    path = os.path.join(folder, "m.weights.h5" if name == "weights_h5" else "m.keras")
    with open(path, "wb") as file:
        file.write(data)
    if name == "weights_h5":
        model = _model(keras)
        model.load_weights(path)
    else:
        model = keras.models.load_model(path)
    return [*model.get_weights(), np.asarray(model(np.ones((2, 4), "f"), training=False)).round(3)]


def changed_member(r: random.Random, data: bytes,
                   change: Callable[[random.Random, bytearray, str], None]) -> bytes:
    """An archive of which one file is changed, and which is sound otherwise."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        chosen = r.choice(old.namelist())
        for member in old.infolist():
            body = bytearray(old.read(member))
            if member.filename == chosen:
                change(r, body, "")
            new.writestr(member, bytes(body))
    return made.getvalue()
