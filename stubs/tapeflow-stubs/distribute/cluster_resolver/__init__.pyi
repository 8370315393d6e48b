# Written by tools/stubs.py (make stubs).
"""tf.distribute.cluster_resolver"""

from typing import Any

import tapeflow as tf

class ClusterResolver:
    """Says which jobs a cluster has and which task this process is; a base class."""
    task_type: Any
    task_id: Any
    def cluster_spec(self) -> tf.train.ClusterSpec:
        """The cluster."""
    def master(
        self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None,
    ) -> str:
        """The address of the master, or of a task."""
    def num_accelerators(
        self, task_type: Any = None, task_id: Any = None, config_proto: Any = None,
    ) -> dict:
        """The accelerators of this process: none."""
    @property
    def environment(self) -> str: ...

class SimpleClusterResolver(tf.distribute.cluster_resolver.ClusterResolver):
    """A cluster that the program names."""
    def __init__(
        self, cluster_spec: Any, master: str = '', task_type: Any = None, task_id: Any = None,
        environment: str = '', num_accelerators: Any = None, rpc_layer: Any = None,
    ) -> None: ...
    def cluster_spec(self) -> tf.train.ClusterSpec: ...
    def master(
        self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None,
    ) -> str: ...
    def num_accelerators(
        self, task_type: Any = None, task_id: Any = None, config_proto: Any = None,
    ) -> dict: ...
    @property
    def environment(self) -> str: ...
    task_type: Any
    task_id: Any
    rpc_layer: Any

class TFConfigClusterResolver(tf.distribute.cluster_resolver.ClusterResolver):
    """The cluster that the environment variable TF_CONFIG names."""
    def __init__(
        self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None,
        environment: Any = None,
    ) -> None: ...
    @property
    def task_type(self) -> Any: ...
    @task_type.setter
    def task_type(self, value: Any) -> None: ...
    @property
    def task_id(self) -> Any: ...
    @task_id.setter
    def task_id(self, value: Any) -> None: ...
    @property
    def environment(self) -> Any: ...
    @property
    def rpc_layer(self) -> Any: ...
    def cluster_spec(self) -> tf.train.ClusterSpec: ...
    def master(
        self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None,
    ) -> str: ...

class UnionResolver(tf.distribute.cluster_resolver.ClusterResolver):
    """The jobs of several resolvers together; tasks are those of the first."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def cluster_spec(self) -> tf.train.ClusterSpec: ...
    def master(
        self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None,
    ) -> str: ...
    task_type: Any
    task_id: Any
    rpc_layer: Any
