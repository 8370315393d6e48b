"""Classes of what tapeflow lacks: libraries ask whether a value is one of them. None ever is.

Datasets and checkpoints of `tf.experimental.dtensor`. `tf.distribute` has data parallelism.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import publish

_MESHES = "dtensor.relayout lays batches out, and tf.train.Checkpoint saves DVariables"


def _absent(path: str, reason: str, *other_paths: str) -> None:
    """Publish a class that cannot be made, with the reason."""
    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(f"tapeflow does not have tf.{path}: {reason}.")

    name = path.rpartition(".")[2]
    made = type(name, (), {"__init__": refuse, "__doc__": f"Refused: {reason}."})
    publish(made, path, *other_paths)


for _name in ("DTensorDataset", "DTensorCheckpoint"):
    _absent(f"experimental.dtensor.{_name}", _MESHES)
