"""The settings of tapeflow, in one object; environment variables are read here and nowhere else.

    tf.config.settings.jit = "off"
    with tf.config.settings.using(jit="now", checks=0):
        ...

They hold for the whole process. `docs/configuration.md` has a line for each, which a test compares
with the fields below. What a setting may be is checked when it is set.

`TAPEFLOW_JIT`, `TAPEFLOW_CHECK` and those of collectives give first values at import. The other two
are looked up when they are needed (`folder_for_objects`, `threads_asked_for`): programs set them
after an import, too, and a setting of the program's goes before.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

JIT_MODES = ("auto", "off", "now")


def setting(default: Any, doc: str, variable: str | None = None) -> Any:
    """A field with its meaning, and the environment variable that gives its first value."""
    return dataclasses.field(default=default, metadata={"doc": doc, "variable": variable})


@dataclasses.dataclass
class Settings:
    """What a program can set of tapeflow itself, beside TensorFlow's own switches."""

    jit: str = setting("auto", '"auto": compile what is called often, if it pays; "off": never; '
                               '"now": at the first call', "TAPEFLOW_JIT")
    checks: int = setting(1000, "one native run in so many is compared with NumPy, beside the "
                                "first; 0: none", "TAPEFLOW_CHECK")
    cache_folder: str | None = setting(None, "where compiled code is kept; empty: nowhere; None: "
                                             "as the variable says, or in the user's cache folder",
                                       "TAPEFLOW_CACHE")
    num_threads: int = setting(0, "threads that one op may use; 0: as the variable says, or one "
                                  "for each core", "TF_NUM_INTRAOP_THREADS")
    determinism: bool = setting(False, "one executor serves a function from its first call on")
    run_functions_eagerly: bool = setting(False, "tf.functions run as plain Python")
    verify_passes: bool = setting(False, "graphs are checked after the passes over them")
    collective_overlap: str = setting("auto", '"auto": gradients are exchanged during the backward '
                                              'pass if ranks have cores to spare; "on"; "off"')
    collective_warning: float = setting(30.0, "seconds after which a rank that waits for others "
                                              "says for whom; 0: never",
                                        "TAPEFLOW_COLLECTIVE_WARNING")
    collective_timeout: float = setting(1800.0, "seconds after which a rank that waits for others "
                                                "gives up; 0: never",
                                        "TAPEFLOW_COLLECTIVE_TIMEOUT")

    def __setattr__(self, name: str, value: Any) -> None:
        check = _CHECKS.get(name)
        if check is None:
            raise AttributeError(f"tf.config.settings has no {name!r}; there are "
                                 f"{', '.join(_CHECKS)}")
        object.__setattr__(self, name, check(name, value))
        for changed in _WATCHERS.get(name, ()):
            changed()

    @staticmethod
    def watch(name: str, changed: Callable[[], None]) -> None:
        """Call `changed` whenever a setting is set: for those who act at once."""
        _WATCHERS.setdefault(name, []).append(changed)

    def folder_for_objects(self) -> str | None:
        """Where compiled code is to be kept; empty: nowhere; None: nobody has said where."""
        return os.environ.get("TAPEFLOW_CACHE") if self.cache_folder is None else self.cache_folder

    def threads_asked_for(self) -> int:
        """Threads that one op is to use; 0: nobody has said how many."""
        given = os.environ.get("TF_NUM_INTRAOP_THREADS", "").strip()
        return self.num_threads or (int(given) if given.isdecimal() else 0)

    @contextmanager
    def using(self, **changes: Any) -> Iterator[Settings]:
        """The same settings with changes, which are undone at the end of the block."""
        before = {name: getattr(self, name) for name in changes}
        try:
            for name, value in changes.items():
                setattr(self, name, value)
            yield self
        finally:
            for name, value in before.items():
                setattr(self, name, value)


def variable_of(name: str) -> str:
    """The environment variable of a setting, for what sets it in another process."""
    return Settings.__dataclass_fields__[name].metadata["variable"]


def _mode(name: str, value: Any) -> str:
    if value not in JIT_MODES:
        raise ValueError(f"{name} must be 'auto', 'off' or 'now', not {value!r}")
    return value


def _count(name: str, value: Any) -> int:
    if value < 0:
        raise ValueError(f"{name}: expected 0 or a positive number, got {value!r}")
    return int(value)


def _switch(name: str, value: Any) -> str:
    if value not in ("auto", "on", "off"):
        raise ValueError(f"{name} must be 'auto', 'on' or 'off', not {value!r}")
    return value


def _seconds(name: str, value: Any) -> float:
    if not value >= 0:
        raise ValueError(f"{name}: expected 0 or a positive number of seconds, got {value!r}")
    return float(value)


def _folder(name: str, value: Any) -> str | None:
    return None if value is None else os.fspath(value)


def _flag(name: str, value: Any) -> bool:
    return bool(value)


_CHECKS = {"jit": _mode, "checks": _count, "cache_folder": _folder, "num_threads": _count,
           "determinism": _flag, "run_functions_eagerly": _flag, "verify_passes": _flag,
           "collective_overlap": _switch, "collective_warning": _seconds,
           "collective_timeout": _seconds}
_WATCHERS: dict[str, list[Callable[[], None]]] = {}


_SECONDS = (("collective_warning", "TAPEFLOW_COLLECTIVE_WARNING"),
            ("collective_timeout", "TAPEFLOW_COLLECTIVE_TIMEOUT"))


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings with which a process begins."""
    mode = environment.get("TAPEFLOW_JIT")
    made = Settings(jit=mode if mode in JIT_MODES else "auto",
                    checks=int(environment.get("TAPEFLOW_CHECK", "1000") or 0))
    for name, variable in _SECONDS:
        if environment.get(variable):
            setattr(made, name, float(environment[variable]))
    return made


settings = from_environment(os.environ)
