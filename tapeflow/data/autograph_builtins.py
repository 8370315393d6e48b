"""Python's builtins on datasets, in functions that AutoGraph converts."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from tapeflow.core.state import state
from tapeflow.core.values.tensor import wrap
from tapeflow.data.dataset import DatasetV2, method
from tapeflow.ops.math import logical


@method
def __tf_builtin__(self: DatasetV2, function: Any, args: tuple, kwargs: dict) -> Any:
    """A builtin on a dataset in a function that AutoGraph converts."""
    return builtin(function, args, kwargs) if state.trace is not None else NotImplemented


def builtin(function: Any, args: tuple, kwargs: dict) -> Any:
    """enumerate, zip, map, filter, any, all, len of datasets; NotImplemented for all else."""
    if function is builtins.enumerate and isinstance(args[0], DatasetV2):
        return args[0].enumerate(*args[1:], **kwargs)
    if function is builtins.zip and all(isinstance(one, DatasetV2) for one in args):
        return DatasetV2.zip(args)
    if function is builtins.map and all(isinstance(one, DatasetV2) for one in args[1:]):
        return (args[1] if len(args) == 2 else DatasetV2.zip(args[1:])).map(args[0])
    if function is builtins.filter and args[0] is not None:
        return args[1].filter(args[0])
    if function is builtins.any:
        return args[0].filter(lambda x: x).take(1).reduce(
            wrap(np.False_), lambda found, x: wrap(np.True_))
    if function is builtins.all:
        return args[0].filter(lambda x: logical.logical_not_public(x)).take(1).reduce(
            wrap(np.True_), lambda found, x: wrap(np.False_))
    if function is builtins.len:
        return args[0].cardinality()
    return NotImplemented
