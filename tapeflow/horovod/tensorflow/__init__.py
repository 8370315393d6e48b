"""`horovod.tensorflow`."""

from __future__ import annotations

from typing import Any

from tapeflow.horovod.elastic_state import HorovodInternalError
from tapeflow.horovod.gradients import (
    DistributedGradientTape,
    PartialDistributedGradientTape,
)
from tapeflow.horovod.process_sets import (
    ProcessSet,
    add_process_set,
    barrier,
    ccl_built,
    cross_rank,
    cross_size,
    cuda_built,
    ddl_built,
    global_process_set,
    gloo_built,
    gloo_enabled,
    init,
    is_homogeneous,
    is_initialized,
    join,
    local_rank,
    local_size,
    mpi_built,
    mpi_enabled,
    mpi_threads_supported,
    nccl_built,
    rank,
    remove_process_set,
    rocm_built,
    shutdown,
    size,
    start_timeline,
    stop_timeline,
)
from tapeflow.horovod.reductions import (
    Adasum,
    Average,
    Compression,
    Max,
    Min,
    Product,
    Sum,
    allgather,
    allreduce,
    alltoall,
    broadcast,
    grouped_allgather,
    grouped_allreduce,
    grouped_reducescatter,
    reducescatter,
)
from tapeflow.horovod.state_sharing import (
    allgather_object,
    broadcast_object,
    broadcast_object_fn,
    broadcast_variables,
)

__all__ = ["Adasum", "Average", "Compression", "DistributedGradientTape",
           "HorovodInternalError", "Max", "Min", "PartialDistributedGradientTape", "ProcessSet",
           "Product", "Sum", "add_process_set", "allgather", "allgather_object", "allreduce",
           "alltoall", "barrier", "broadcast", "broadcast_object", "broadcast_object_fn",
           "broadcast_variables", "ccl_built", "cross_rank", "cross_size", "cuda_built",
           "ddl_built", "global_process_set", "gloo_built", "gloo_enabled",
           "grouped_allgather", "grouped_allreduce", "grouped_reducescatter", "init",
           "is_homogeneous", "is_initialized", "join", "local_rank", "local_size",
           "mpi_built", "mpi_enabled", "mpi_threads_supported", "nccl_built", "rank",
           "reducescatter", "remove_process_set", "rocm_built", "shutdown", "size",
           "start_timeline", "stop_timeline"]


def __getattr__(name: str) -> Any:
    """What needs Keras is loaded when it is asked for."""
    if name == "DistributedOptimizer":
        from tapeflow.horovod.keras_optimizer import DistributedOptimizer
        return DistributedOptimizer
    if name in ("elastic", "keras"):
        import importlib
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'horovod.tensorflow' has no attribute {name!r}")
