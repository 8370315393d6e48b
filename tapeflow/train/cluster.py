"""tf.train.ClusterSpec: which jobs a cluster has, and the addresses of their tasks."""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import export


@export("train.ClusterSpec", "compat.v1.train.ClusterSpec")
class ClusterSpec:
    """Jobs by name, each with the addresses of its tasks."""

    def __init__(self, cluster: Any):
        from tapeflow.io.protobuf import protos
        self._jobs: dict[str, dict[int, str]] = {}
        if isinstance(cluster, ClusterSpec):
            self._jobs = {job: dict(tasks) for job, tasks in cluster._jobs.items()}
        elif isinstance(cluster, protos.ClusterDef):
            self._jobs = {one.name: dict(one.tasks) for one in cluster.job}
        elif isinstance(cluster, dict):
            self._jobs = {job: self._tasks(job, cluster[job]) for job in cluster}
        else:
            raise TypeError("`cluster` must be a dictionary mapping one or more job names to lists "
                            "of network addresses, or a `ClusterDef` protocol buffer")

    @staticmethod
    def _tasks(job: str, tasks: Any) -> dict[int, str]:
        if isinstance(tasks, (list, tuple)):
            tasks = dict(enumerate(tasks))
        elif not isinstance(tasks, dict):
            raise TypeError(f"The tasks for job {job!r} must be a list or a dictionary from "
                            "integers to strings.")
        for index, address in tasks.items():
            if not isinstance(index, int) or not isinstance(address, (str, bytes)):
                raise TypeError(f"Task addresses must be strings by integer, got {index!r}: "
                                f"{address!r} for job {job!r}.")
        return dict(sorted(tasks.items()))

    def as_dict(self) -> dict[str, Any]:
        """Jobs by name; tasks numbered from 0 as lists, others as dictionaries."""
        return {job: list(tasks.values()) if list(tasks) == list(range(len(tasks))) else dict(tasks)
                for job, tasks in self._jobs.items()}

    def as_cluster_def(self) -> Any:
        """The cluster as a ClusterDef message."""
        from tapeflow.io.protobuf import protos
        message = protos.ClusterDef()
        for job in sorted(self._jobs):
            added = message.job.add(name=job)
            for index, address in self._jobs[job].items():
                added.tasks[index] = address
        return message

    @property
    def jobs(self) -> list[str]:
        return list(self._jobs)

    def _job(self, job_name: str) -> dict[int, str]:
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has."""
        return len(self._job(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The indices of a job's tasks."""
        return list(self._job(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of one task."""
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of a job's tasks; None for indices that have none."""
        tasks = self._job(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def __bool__(self) -> bool:
        return bool(self._jobs)

    __nonzero__ = __bool__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        jobs = sorted(self.as_dict().items())
        inner = ", ".join(f"{job!r}: {tasks!r}" for job, tasks in jobs)
        return f"ClusterSpec({{{inner}}})"

    __str__ = __repr__


ClusterSpec.__module__ = "tensorflow.python.training.server_lib"
