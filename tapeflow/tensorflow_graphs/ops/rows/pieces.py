"""Lists of tensors whose lengths differ: what TensorFlow calls lists of variants, among others.

The tensors stand end to end in one, beside how long each is. A list that is made before anything
is in it does not know what its elements are: a loop that fills it is traced once to find out.
"""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf


class Learned(Exception):
    """A list that knew nothing of its elements has learned it: the loop is traced again."""


class Pieces:
    """Tensors that differ in their first size, in one tensor; `known`: what elements are like."""

    def __init__(self, values: Any, lengths: Any, known: dict[str, Any]):
        self.values, self.lengths, self._known = values, lengths, known

    @staticmethod
    def of(values: Any, lengths: Any) -> Pieces:
        return Pieces(values, tf.cast(lengths, tf.int64), {"dtype": values.dtype})

    @staticmethod
    def blank(count: Any) -> Pieces:
        """So many elements of which nothing is known yet."""
        lengths = tf.zeros(tf.reshape(count, [1]), tf.int64)
        return Pieces(tf.zeros([0]), lengths, {})

    @property
    def parts(self) -> list:
        """What a loop carries."""
        return [self.values, self.lengths]

    def shapes(self) -> list:
        """What holds of the parts in every iteration."""
        rest = self.values.shape[1:]
        return [tf.TensorShape([None]).concatenate(rest), tf.TensorShape([None])]

    def begun(self) -> Pieces:
        """The same list, now that it has learned what its elements are; only a blank one learns."""
        if "rest" not in self._known:
            return self
        blank = tf.zeros([0, *self._known["rest"]], self._known["dtype"])
        return Pieces(blank, self.lengths, {"dtype": blank.dtype})

    def like(self, parts: list) -> Pieces:
        return Pieces(parts[0], parts[1], self._known)

    def size(self) -> Any:
        return tf.size(self.lengths)

    def _ends(self, index: Any) -> tuple[Any, Any]:
        after = tf.math.cumsum(self.lengths)[index]
        return after - self.lengths[index], after

    def read(self, index: Any) -> Any:
        begin, end = self._ends(index)
        return self.values[begin:end]

    def write(self, index: Any, item: Any) -> Pieces:
        """Another list, with this element; it becomes as long as the index needs."""
        if "dtype" not in self._known:
            if item.shape.rank is None or None in item.shape[1:].as_list():
                raise NotImplementedError("a list of tensors of which more than the length is not "
                                          f"known: {item.shape}")
            self._known.update(dtype=item.dtype, rest=item.shape[1:].as_list())
            raise Learned
        index = tf.cast(index, tf.int32)
        more = tf.zeros(tf.reshape(tf.maximum(index + 1 - self.size(), 0), [1]), tf.int64)
        grown = self.like([self.values, tf.concat([self.lengths, more], 0)])
        begin, end = grown._ends(index)
        values = tf.concat([grown.values[:begin], item, grown.values[end:]], 0)
        length = tf.reshape(tf.cast(tf.shape(item)[0], tf.int64), [1])
        lengths = tf.tensor_scatter_nd_update(grown.lengths, tf.reshape(index, [1, 1]), length)
        return self.like([values, lengths])
