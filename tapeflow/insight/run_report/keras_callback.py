"""`Monitor().callback()`: a callback of Keras that looks at what Keras's own step computes."""

from __future__ import annotations

from typing import Any

from tapeflow.core.autodiff.record import Record
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.insight.run_report.gradient_watch import Call, unwatch, watch


class _Feeder:
    """Passes on to a monitor what is heard of gradients."""

    def __init__(self, monitor: Any):
        self.monitor, self.step = monitor, 0
        self.model: Any = None
        self.paths: dict[int, str] = {}  # of Keras's variables, by uid

    def begins(self, call: Call, record: Record, targets: list, sources: list) -> None:
        pass

    def ends(self, call: Call, record: Record, targets: list, sources: list,
             gradients: list) -> None:
        pass

    def values(self, call: Call, targets: list, sources: list, gradients: list) -> None:
        known = [i for i, one in enumerate(sources) if one is not None]
        scale = self._scale()
        self.monitor.note(self.step, [self._name(sources[i], call.names[i]) for i in known],
                          [sources[i] for i in known],
                          [_divided(gradients[i], scale) for i in known],
                          _divided(targets[0], scale) if targets else None)
        self.step += 1

    def _name(self, source: Any, name: str) -> str:
        """The path by which Keras calls a variable: a layer that is built late has no other."""
        uid = getattr(source, "_uid", 0)
        if uid and uid not in self.paths and self.model is not None:
            self.paths.update({getattr(one.value, "_uid", 0): one.path
                               for one in self.model.trainable_variables})
            self.paths.setdefault(uid, name)
        return self.paths.get(uid, name)

    def _scale(self) -> float:
        """By how much mixed precision has made loss and gradients larger."""
        scale = getattr(getattr(self.model, "optimizer", None), "dynamic_scale", None)
        return 1.0 if scale is None else float(scale.numpy())


def _divided(value: Any, scale: float) -> Any:
    if value is None or scale == 1.0:
        return value
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values / scale, value.indices, value.dense_shape)
    return value / scale


def callback_for(monitor: Any) -> Any:
    """The callback that feeds a Monitor; Keras is imported now."""
    from keras.callbacks import Callback

    class MonitorCallback(Callback):
        """Feeds a Monitor with every step of `fit`."""

        def __init__(self) -> None:
            super().__init__()
            self.feeder = _Feeder(monitor)

        def on_train_begin(self, logs: Any = None) -> None:
            self.feeder.model = self.model
            watch(self.feeder)
            self.model.make_train_function(force=True)  # a trace from before tells nothing

        def on_train_end(self, logs: Any = None) -> None:
            unwatch(self.feeder)
            self.feeder.model = None
            self.model.train_function = None  # the next one is made without probes

    return MonitorCallback()
