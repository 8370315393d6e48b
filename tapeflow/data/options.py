"""tf.data.Options: settings of datasets. `deterministic` has an effect; the others are kept."""

from __future__ import annotations

import enum
from typing import Any

from tapeflow.base.exports import export

AUTOTUNE = -1  # as a number of threads, a buffer or a cycle: the pipeline decides


@export("data.experimental.AutoShardPolicy")
class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among workers."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


@export("data.experimental.AutotuneAlgorithm")
class AutotuneAlgorithm(enum.Enum):
    """How buffer sizes and parallelism would be found."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


@export("data.experimental.ExternalStatePolicy")
class ExternalStatePolicy(enum.Enum):
    """What to do about state outside of a dataset when it is saved."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class OptionsBase:
    """Named settings, each None until it is set; a value of another type is a TypeError."""

    _fields: dict[str, Any] = {}

    def __init__(self) -> None:
        object.__setattr__(self, "_options", {})
        object.__setattr__(self, "_mutable", True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        kind = self._fields[name]
        found = self._options.get(name)
        if found is None and isinstance(kind, type) and issubclass(kind, OptionsBase):
            found = self._options[name] = kind()
            found._set_mutable(self._mutable)
        return found if found is not None else _DEFAULTS.get((type(self).__name__, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._mutable:
            raise ValueError("Mutating `tf.data.Options()` returned by `tf.data.Dataset.options()` "
                             "has no effect. Use `tf.data.Dataset.with_options(options)` to set or "
                             "update dataset options.")
        if name not in self._fields:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        kind = self._fields[name]
        if value is not None and not isinstance(value, kind):
            raise TypeError(f'Property "{name}" must be of type {kind}, got: {value!r} (type: '
                            f"{type(value)})")
        self._options[name] = value

    def _set_mutable(self, mutable: bool) -> None:
        object.__setattr__(self, "_mutable", mutable)
        for value in self._options.values():
            if isinstance(value, OptionsBase):
                value._set_mutable(mutable)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            getattr(self, name) == getattr(other, name) for name in self._fields)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""
        if type(options) is not type(self):
            raise TypeError(f"The options {options!r} cannot be merged with those of "
                            f"{type(self).__name__}.")
        made = type(self)()
        for name in self._fields:
            ours, theirs = self._options.get(name), options._options.get(name)
            if isinstance(ours, OptionsBase) and isinstance(theirs, OptionsBase):
                made._options[name] = ours.merge(theirs)
            elif ours is not None or theirs is not None:
                one = ours if theirs is None else theirs
                # A copy: what is merged here may be frozen, and the user's own not.
                made._options[name] = type(one)().merge(one) if isinstance(
                    one, OptionsBase) else one
        return made


_FLAG = bool


@export("data.experimental.AutotuneOptions")
class AutotuneOptions(OptionsBase):
    """Settings of the tuning of a dataset while it runs."""

    _fields = {"enabled": bool, "cpu_budget": int, "ram_budget": int,
               "autotune_algorithm": AutotuneAlgorithm, "initial_parallelism": int,
               "min_parallelism": int}


@export("data.experimental.DistributeOptions")
class DistributeOptions(OptionsBase):
    """Settings of datasets that several workers share."""

    _fields = {"auto_shard_policy": AutoShardPolicy, "num_devices": int}


@export("data.experimental.OptimizationOptions")
class OptimizationOptions(OptionsBase):
    """Rewrites of datasets."""

    _fields = dict.fromkeys((
        "apply_default_optimizations", "filter_fusion", "filter_parallelization",
        "inject_prefetch", "map_and_batch_fusion", "map_and_filter_fusion", "map_fusion",
        "map_parallelization", "noop_elimination", "parallel_batch", "seq_interleave_prefetch",
        "shuffle_and_repeat_fusion"), _FLAG)


@export("data.experimental.ServiceOptions")
class ServiceOptions(OptionsBase):
    """Settings of a data service."""

    _fields = {"pinned": bool}


@export("data.ThreadingOptions", "data.experimental.ThreadingOptions")
class ThreadingOptions(OptionsBase):
    """Numbers of threads."""

    _fields = {"max_intra_op_parallelism": int, "private_threadpool_size": int}


@export("data.Options")
class Options(OptionsBase):
    """Settings for `Dataset.with_options`.

    >>> options = tf.data.Options()
    >>> options.deterministic = False
    >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
    False
    """

    _fields = {
        "autotune": AutotuneOptions, "dataset_name": str, "deterministic": bool,
        "experimental_distribute": DistributeOptions,
        "experimental_external_state_policy": ExternalStatePolicy,
        "experimental_optimization": OptimizationOptions, "experimental_service": ServiceOptions,
        "experimental_slack": bool, "experimental_symbolic_checkpoint": bool,
        "experimental_warm_start": bool, "framework_type": list, "threading": ThreadingOptions,
    }

    @property
    def experimental_deterministic(self) -> Any:
        return self.deterministic

    @property
    def experimental_threading(self) -> Any:
        return self.threading

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__({"experimental_deterministic": "deterministic",
                             "experimental_threading": "threading"}.get(name, name), value)


_DEFAULTS = {("DistributeOptions", "auto_shard_policy"): AutoShardPolicy.AUTO}

for _cls in (Options, ThreadingOptions, ServiceOptions, OptimizationOptions, DistributeOptions,
             AutotuneOptions):
    _cls.__module__ = "tensorflow.python.data.ops.options"
