"""tf.distribute.Server: the tasks of clusters that this process stands for.

No port is opened: what the tasks of a cluster say to each other stays in this process.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import export
from tapeflow.io.protobuf import protos
from tapeflow.train.cluster import ClusterSpec

_started: dict[str, Any] = {}  # servers by their addresses; they serve as long as the process


@export("distribute.Server")
class Server:
    """A task of a cluster, in this process.

    >>> cluster = tf.train.ClusterSpec({"worker": ["localhost:2222"], "ps": ["localhost:2223"]})
    >>> server = tf.distribute.Server(cluster, job_name="ps", task_index=0)
    >>> server.target
    'grpc://localhost:2223'
    """

    def __init__(self, server_or_cluster_def: Any, job_name: str | None = None,
                 task_index: int | None = None, protocol: str | None = None, config: Any = None,
                 start: bool = True):
        given = server_or_cluster_def
        if isinstance(given, protos.ServerDef):
            job_name = job_name or given.job_name
            task_index = given.task_index if task_index is None else task_index
            protocol = protocol or given.protocol
            given = given.cluster
        cluster = ClusterSpec(given)
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster.jobs[0]
        if task_index is None:
            indices = cluster.task_indices(job_name)
            if len(indices) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = indices[0]
        self._address = cluster.task_address(job_name, task_index)
        self._def = protos.ServerDef(cluster=cluster.as_cluster_def(), job_name=job_name,
                                     task_index=task_index, protocol=protocol or "grpc")
        if start:
            self.start()

    @property
    def server_def(self) -> Any:
        return self._def

    @property
    def target(self) -> str:
        return f"{self._def.protocol}://{self._address}"

    def start(self) -> None:
        """Serve: from now on strategies of this process find the task."""
        _started[self._address] = self

    def join(self) -> None:
        """Refused: other processes would be served meanwhile."""
        raise NotImplementedError(
            "tf.distribute.Server.join: tapeflow's servers serve their own process only, so there "
            "is nothing to wait for. A cluster over a network is not supported; "
            "tf.distribute.MultiWorkerMirroredStrategy under `tapeflow launch` runs in several "
            "processes.")


def require_servers(strategy: str, cluster: ClusterSpec, jobs: tuple[str, ...]) -> None:
    """Raise unless servers of this process stand for all tasks of these jobs."""
    for job in jobs:
        for index in cluster.task_indices(job):
            address = cluster.task_address(job, index)
            if address not in _started:
                raise NotImplementedError(
                    f"{strategy}: no tf.distribute.Server of this process is task {index} of job "
                    f"{job!r} at {address}. A cluster must lie within one process: start a "
                    "tf.distribute.Server for each of its tasks first. Clusters over a network are "
                    "not supported; tf.distribute.MultiWorkerMirroredStrategy under `tapeflow "
                    "launch` runs in several processes.")


Server.__module__ = "tensorflow.python.training.server_lib"
