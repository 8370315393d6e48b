"""Classes of what tapeflow lacks: libraries ask whether a value is one of them. None ever is.

Tensors laid out over meshes of devices (`tf.experimental.dtensor`), and what parameter servers and
coordinators of remote workers make. `tf.distribute` has data parallelism.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import publish

_MESHES = "tensors are not laid out over meshes of devices; tf.distribute has data parallelism"
_SERVERS = "there are no parameter servers and no remote workers"


def _absent(path: str, reason: str, *other_paths: str) -> None:
    """Publish a class that cannot be made, with the reason."""
    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(f"tapeflow does not have tf.{path}: {reason}.")

    name = path.rpartition(".")[2]
    made = type(name, (), {"__init__": refuse, "__doc__": f"Refused: {reason}."})
    publish(made, path, *other_paths)


for _name in ("Mesh", "Layout", "DVariable", "DTensorDataset"):
    _absent(f"experimental.dtensor.{_name}", _MESHES)
publish("unsharded", "experimental.dtensor.UNSHARDED")
publish("match", "experimental.dtensor.MATCH")
_absent("__internal__.distribute.ShardedVariable", _SERVERS)
for _name in ("ClusterCoordinator", "PerWorkerValues", "RemoteValue"):
    _absent(f"distribute.experimental.coordinator.{_name}", _SERVERS,
            f"distribute.coordinator.{_name}")
