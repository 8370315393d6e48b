"""Several elements as one: their components stacked along a new first axis."""

from __future__ import annotations

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.data.iterators.iteration import failed


def stack_all(elements: list) -> list:
    """The components of several elements, each stacked."""
    return [stack(list(column), i) for i, column in enumerate(zip(*elements, strict=True))]


def stack(values: list, component: int = 0) -> np.ndarray:
    """Values of one shape along a new first axis."""
    first = values[0]
    shape = first.shape
    if not shape:
        if first.dtype.kind == "O":
            made = np.empty(len(values), object)
            for i, value in enumerate(values):
                made[i] = value.item()
            return made
        try:
            made = np.array(values, first.dtype)
            if made.ndim == 1:
                return made
        except unsignalled(ValueError):
            pass  # shapes differ, which is told below
    for i, value in enumerate(values):
        if value.shape != shape:
            raise failed(f"Cannot batch tensors with different shapes in component {component}. "
                         f"First element had shape {list(shape)} and element {i} had shape "
                         f"{list(value.shape)}.".replace(", ", ","))
    made = np.empty((len(values), *shape), first.dtype)
    for i, value in enumerate(values):
        made[i] = value
    return made
