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
    """Tensors that differ in their first size, end to end; `known`: what elements are like.

    Elements that are ragged themselves stand end to end too: `values` are Pieces then.
    """

    def __init__(self, values: Any, lengths: Any, known: dict[str, Any] | None = None):
        self.values, self.lengths = values, lengths
        self._known: dict[str, Any] = {"levels": _levels(values)} if known is None else known

    @staticmethod
    def of(values: Any, lengths: Any) -> Pieces:
        return Pieces(values, tf.cast(lengths, tf.int64))

    @staticmethod
    def of_splits(values: Any, nested_splits: list) -> Any:
        """The rows of a ragged tensor; the tensor itself if there are no splits."""
        for splits in reversed(nested_splits):
            values = Pieces.of(values, splits[1:] - splits[:-1])
        return values

    @staticmethod
    def blank(count: Any) -> Pieces:
        """So many elements of which nothing is known yet."""
        lengths = tf.zeros(tf.reshape(count, [1]), tf.int64)
        return Pieces(tf.zeros([0]), lengths, {})

    @property
    def parts(self) -> list:
        """What a loop carries."""
        inner = self.values.parts if isinstance(self.values, Pieces) else [self.values]
        return [*inner, self.lengths]

    def shapes(self) -> list:
        """What holds of the parts in every iteration."""
        if isinstance(self.values, Pieces):
            return [*self.values.shapes(), tf.TensorShape([None])]
        rest = self.values.shape[1:]
        return [tf.TensorShape([None]).concatenate(rest), tf.TensorShape([None])]

    def begun(self) -> Pieces:
        """The same list, now that it has learned what its elements are; only a blank one learns."""
        if "rest" not in self._known:
            return self
        known: Any = self._known
        values: Any = tf.zeros([0, *known["rest"]], known["dtype"])
        for _ in range(known["levels"]):
            values = Pieces(values, tf.zeros([0], tf.int64))
        return Pieces(values, self.lengths)

    def like(self, parts: list) -> Pieces:
        """The list of these parts."""
        *inner, lengths = parts
        values = self.values.like(inner) if isinstance(self.values, Pieces) else inner[0]
        return Pieces(values, lengths, self._known)

    def nested_splits(self, dtype: Any) -> list:
        """Where rows begin and end, from the outermost to the innermost."""
        ends = tf.math.cumsum(tf.cast(self.lengths, dtype))
        inner = self.values.nested_splits(dtype) if isinstance(self.values, Pieces) else []
        return [tf.concat([tf.zeros([1], dtype), ends], 0), *inner]

    @property
    def flat_values(self) -> Any:
        return self.values.flat_values if isinstance(self.values, Pieces) else self.values

    def size(self) -> Any:
        return tf.size(self.lengths)

    def _ends(self, index: Any) -> tuple[Any, Any]:
        after = tf.math.cumsum(self.lengths)[index]
        return after - self.lengths[index], after

    def read(self, index: Any) -> Any:
        begin, end = self._ends(index)
        return self.values[begin:end]

    def __getitem__(self, rows: slice) -> Pieces:
        """Elements one after the other."""
        ends = tf.concat([[0], tf.math.cumsum(self.lengths)], 0)
        begin = 0 if rows.start is None else ends[rows.start]
        end = ends[-1] if rows.stop is None else ends[rows.stop]
        return Pieces(self.values[begin:end], self.lengths[rows])

    def write(self, index: Any, item: Any) -> Pieces:
        """Another list, with this element; it becomes as long as the index needs."""
        if "levels" not in self._known:
            flat = item.flat_values if isinstance(item, Pieces) else item
            if flat.shape.rank is None or None in flat.shape[1:].as_list():
                raise NotImplementedError("a list of tensors of which more than the length is not "
                                          f"known: {flat.shape}")
            self._known.update(dtype=flat.dtype, rest=flat.shape[1:].as_list(),
                               levels=_levels(item))
            raise Learned
        index = tf.cast(index, tf.int32)
        more = tf.zeros(tf.reshape(tf.maximum(index + 1 - self.size(), 0), [1]), tf.int64)
        grown = Pieces(self.values, tf.concat([self.lengths, more], 0), self._known)
        begin, end = grown._ends(index)
        values = _joined([grown.values[:begin], item, grown.values[end:]])
        count = item.size() if isinstance(item, Pieces) else tf.shape(item)[0]
        lengths = tf.tensor_scatter_nd_update(
            grown.lengths, tf.reshape(index, [1, 1]), tf.reshape(tf.cast(count, tf.int64), [1]))
        return Pieces(values, lengths, self._known)


def _levels(values: Any) -> int:
    """How often elements are ragged themselves."""
    return 1 + _levels(values.values) if isinstance(values, Pieces) else 0


def _joined(rows: list) -> Any:
    if len({isinstance(one, Pieces) for one in rows}) > 1:
        raise ValueError("a list of tensors, and of rows of such")
    if isinstance(rows[0], Pieces):
        return Pieces(_joined([one.values for one in rows]),
                      tf.concat([one.lengths for one in rows], 0))
    return tf.concat(rows, 0)
