"""Runs a case of random_cases.py under a library and sums up what it shows."""

import zlib

import numpy as np


def run(name: str, program: str, tf) -> list[list]:
    shown: list[list] = []
    loose = name.startswith("libm_")
    names = {"tf": tf, "np": np,
             "show": lambda value: shown.append(summary(value.numpy(), loose))}
    try:
        exec(compile(program, "<case>", "exec"), names)
    finally:
        tf.random.set_seed(None)
    return shown


def summary(value, loose: bool) -> list:
    """dtype, shape, checksum of the bytes, and a few numbers of those that may be off a little."""
    array = np.asarray(value)
    found = [array.dtype.name, list(array.shape), zlib.crc32(np.ascontiguousarray(array).tobytes())]
    if loose:
        flat = array.reshape(-1)
        found.append((flat if flat.size <= 3 else flat[[0, 1, -1]]).tolist())
    return found
