"""What datasets of TensorFlow 1 have besides: iterators for sessions, shapes and types."""

from __future__ import annotations

from typing import Any

from tapeflow.base.late import LatePublic
from tapeflow.data.dataset import DatasetV2, method

_one_shot = LatePublic("compat.v1.data.make_one_shot_iterator")
_initializable = LatePublic("compat.v1.data.make_initializable_iterator")
_shapes = LatePublic("compat.v1.data.get_output_shapes")
_types = LatePublic("compat.v1.data.get_output_types")
_classes = LatePublic("compat.v1.data.get_output_classes")


@method
def make_one_shot_iterator(self: DatasetV2) -> Any:
    """An iterator that needs no start; in a tf.Graph, one that sessions run.

    >>> [int(x) for x in tf.data.Dataset.range(2).make_one_shot_iterator()]
    [0, 1]
    """
    return _one_shot(self)


@method
def make_initializable_iterator(self: DatasetV2, shared_name: str | None = None) -> Any:
    """An iterator of a tf.Graph that begins where its `initializer` is run.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     iterator = tf.data.Dataset.range(2).make_initializable_iterator()
    ...     session.run(iterator.initializer)
    ...     print(session.run(iterator.get_next()))
    0
    """
    return _initializable(self, shared_name)


def _of_elements(part: Any) -> property:
    return property(lambda self: part(self))


for _name, _part in (("output_shapes", _shapes), ("output_types", _types),
                     ("output_classes", _classes)):
    setattr(DatasetV2, _name, _of_elements(_part))
