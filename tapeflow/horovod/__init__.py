"""Horovod's API on tapeflow's engine: `import horovod.tensorflow as hvd` where Horovod is missing.

Ranks are those of the launcher (`tapeflow launch -n 4 train.py`); alone, a process is the only one.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.28.1"


def run(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Not here: ranks are started from outside."""
    raise NotImplementedError("horovod.run: start the ranks from outside, with `tapeflow launch "
                              "-n 4 train.py` or `mpiexec -n 4 tapeflow run train.py`.")
