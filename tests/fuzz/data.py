"""The numbers that programs begin with, as arrays and as the Python that makes them."""

from __future__ import annotations

import ml_dtypes
import numpy as np

SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, 1e12)


def numbers(seed, shape, dtype="float32", scale=1.0, special=0):
    """Numbers of both signs; `special` of them are not finite, zero, tiny or large."""
    rng = np.random.default_rng(seed)
    found = (scale * rng.uniform(-1.5, 1.5, shape)).round(rng.integers(1, 9))
    if special and found.size:
        places = rng.integers(0, found.size, special)
        found.reshape(-1)[places] = rng.choice(SPECIAL, special)
    with np.errstate(all="ignore"):
        return np.asarray(found, kind(dtype))


def wholes(seed, shape, low, high, dtype="int32"):
    """Whole numbers from low to high - 1."""
    return np.asarray(np.random.default_rng(seed).integers(low, high, shape), dtype)


def kind(name):
    """The NumPy dtype of a name."""
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


class Data:
    """An array, and the text that makes it."""

    def __init__(self, text: str):
        self.text = text
        self.array = np.asarray(eval(text, {"np": np, "numbers": numbers, "wholes": wholes}))

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)
    size = property(lambda self: self.array.size)


def literal(value) -> str:
    """An array as Python. A large one has the same shape only: its numbers do not matter."""
    if isinstance(value, Data):
        return value.text
    value = np.asarray(value)
    if value.dtype.kind == "V" or (value.size > 64 and value.dtype.kind == "f"):
        return f"numbers(0, {list(value.shape)}, {value.dtype.name!r})"
    if value.size > 64 or not value.size:
        return f"np.zeros({list(value.shape)}, np.{value.dtype.name})"
    return f"np.array({value.tolist()!r}, np.{value.dtype.name})".replace(
        "nan", "np.nan").replace("inf", "np.inf")
