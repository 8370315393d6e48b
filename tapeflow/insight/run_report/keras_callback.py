"""`Monitor().callback()`: a callback of Keras that looks at what Keras's own step computes."""

from __future__ import annotations

from typing import Any

from tapeflow.core.autodiff.record import Record
from tapeflow.insight.run_report.gradient_watch import Call, unwatch, watch


class _Feeder:
    """Passes on to a monitor what is heard of gradients."""

    def __init__(self, monitor: Any):
        self.monitor, self.step = monitor, 0

    def begins(self, call: Call, record: Record, targets: list, sources: list) -> None:
        pass

    def ends(self, call: Call, record: Record, targets: list, sources: list,
             gradients: list) -> None:
        pass

    def values(self, call: Call, targets: list, sources: list, gradients: list) -> None:
        known = [i for i, one in enumerate(sources) if one is not None]
        self.monitor.note(self.step, [call.names[i] for i in known], [sources[i] for i in known],
                          [gradients[i] for i in known], targets[0] if targets else None)
        self.step += 1


def callback_for(monitor: Any) -> Any:
    """The callback that feeds a Monitor; Keras is imported now."""
    from keras.callbacks import Callback

    class MonitorCallback(Callback):
        """Feeds a Monitor with every step of `fit`."""

        def __init__(self) -> None:
            super().__init__()
            self.feeder = _Feeder(monitor)

        def on_train_begin(self, logs: Any = None) -> None:
            watch(self.feeder)
            self.model.make_train_function(force=True)  # a trace from before tells nothing

        def on_train_end(self, logs: Any = None) -> None:
            unwatch(self.feeder)
            self.model.train_function = None  # the next one is made without probes

    return MonitorCallback()
