"""Gradients of all ranks together: the tape, and what optimizers call."""

from __future__ import annotations

from typing import Any

from tapeflow.base import nest
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.horovod.keras_2_programs import tolerate
from tapeflow.horovod.process_sets import ProcessSet, global_process_set
from tapeflow.horovod.reductions import Average, Compression, grouped_allreduce


class GradientReduction:
    """How gradients of ranks are combined: the arguments that tape and optimizer share."""

    def __init__(self, compression: Any, sparse_as_dense: bool, op: Any,
                 gradient_predivide_factor: float, process_set: ProcessSet):
        if gradient_predivide_factor != 1.0 and op != Average:
            raise ValueError("gradient_predivide_factor not supported with op != Average")
        self._compression, self._dense, self._op = compression, sparse_as_dense, op
        self._factor, self._set = gradient_predivide_factor, process_set

    def __call__(self, gradients: Any) -> list:
        """The reduced gradients; None stays None."""
        grads = list(gradients)
        there = [i for i, g in enumerate(grads) if g is not None]
        given = [convert(grads[i]) if self._dense and isinstance(grads[i], IndexedSlices) else
                 grads[i] for i in there]
        reduced = grouped_allreduce(
            given, compression=self._compression, op=self._op, process_set=self._set,
            prescale_factor=1.0 / self._factor, postscale_factor=self._factor)
        for i, g in zip(there, reduced):
            grads[i] = g
        return grads


class _DistributedGradientTape:
    """A tape whose gradients are those of all ranks."""

    def __init__(self, tape: Any, reduction: GradientReduction):
        self._tape, self._reduction = tape, reduction
        self._local: list[Any] = []

    def register_local_source(self, source: Any) -> None:
        """The gradient of this source stays the rank's own."""
        self._local.append(source)

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None,
                 use_generic_names: bool = False, **options: Any) -> Any:
        """The tape's gradient, reduced over ranks."""
        found = self._tape.gradient(target, sources, output_gradients, **options)
        flat = nest.flatten(found)
        own = [any(source is one for one in self._local) for source in nest.flatten(sources)]
        reduced = iter(self._reduction([g for g, mine in zip(flat, own) if not mine]))
        return nest.pack_sequence_as(
            found, [g if mine else next(reduced) for g, mine in zip(flat, own)])

    def __enter__(self) -> _DistributedGradientTape:
        self._tape.__enter__()
        return self

    def __exit__(self, *failure: Any) -> Any:
        return self._tape.__exit__(*failure)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tape, name)


def DistributedGradientTape(gradtape: Any, device_dense: str = "", device_sparse: str = "",
                            compression: Any = Compression.none, sparse_as_dense: bool = False,
                            op: Any = Average, gradient_predivide_factor: float = 1.0,
                            num_groups: int = 0, groups: Any = None,
                            process_set: ProcessSet = global_process_set,
                            scale_local_gradients: bool = True) -> Any:
    """A tape like `gradtape` whose `gradient` is reduced over ranks."""
    tolerate()
    return _DistributedGradientTape(gradtape, GradientReduction(
        compression, sparse_as_dense, op, gradient_predivide_factor, process_set))


def PartialDistributedGradientTape(gradtape: Any, device_dense: str = "", device_sparse: str = "",
                                   compression: Any = Compression.none,
                                   sparse_as_dense: bool = False, op: Any = Average,
                                   gradient_predivide_factor: float = 1.0, num_groups: int = 0,
                                   groups: Any = None, process_set: ProcessSet = global_process_set,
                                   local_layers: Any = None, scale_local_gradients: bool = True
                                   ) -> Any:
    """`DistributedGradientTape` that leaves the variables of some layers to each rank."""
    made = DistributedGradientTape(gradtape, device_dense, device_sparse, compression,
                                   sparse_as_dense, op, gradient_predivide_factor, num_groups,
                                   groups, process_set)
    layers = [] if local_layers is None else (
        local_layers if isinstance(local_layers, (list, tuple)) else [local_layers])
    for layer in layers:
        for variable in layer.trainable_weights:
            made.register_local_source(variable)
    return made
