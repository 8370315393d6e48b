"""The name under which TensorFlow knows a public function that has several, and the way back.

Files of Keras 2 models name the functions in them so.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

from tapeflow.base.exports import PUBLIC

# Of several names TensorFlow prefers one in a namespace, the first by the alphabet, but for these.
PREFERRED = frozenset("""
    cast einsum eye io.decode_and_crop_jpeg io.decode_bmp io.decode_gif io.decode_image
    io.decode_jpeg io.decode_jxl io.decode_png io.decode_webp io.encode_jpeg io.encode_png
    io.extract_jpeg_shape math.l2_normalize norm tensordot nn.log_softmax nn.softmax nn.softsign
    random.fixed_unigram_candidate_sampler random.learned_unigram_candidate_sampler space_to_batch
    random.fold_in random.split
""".split())
# TensorFlow 2's functions that call TensorFlow 1's, whose name then counts.
AS_IN_V1 = frozenset("boolean_mask gather norm shape squeeze transpose".split())


def canonical_name(function: Any) -> str | None:
    """The name of a public function below `tf`; None if it has none."""
    inner = inspect.unwrap(function) if callable(function) else function
    names = [name for name, value in PUBLIC.items() if callable(value) and (
        value is function or inspect.unwrap(value) is inner)]
    name = min(names, key=_rank, default=None)
    return f"compat.v1.{name}" if name in AS_IN_V1 else name


def _rank(name: str) -> tuple:
    return name not in PREFERRED, name.startswith("compat.v1."), "." not in name, name


def by_name(name: str) -> Any:
    """What `tf.<name>` is; None if there is no such thing."""
    found: Any = sys.modules["tapeflow"]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
