"""tf.compat.v1.nn's recurrent loops: a cell over the steps of a sequence, one way or both ways.

A cell is called as `cell(input, state)` and gives an output and the next state. Behind the end of
a sequence outputs are zeros and states stay. Loaded when one of the names is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor

_v1 = tf.compat.v1


@export("compat.v1.nn.dynamic_rnn")
def dynamic_rnn(cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None,
                dtype: Any = None, parallel_iterations: int | None = None,
                swap_memory: bool = False, time_major: bool = False, scope: Any = None) -> tuple:
    """Outputs of all steps, stacked, and the last state; the steps are a loop."""
    with _v1.variable_scope(scope or "rnn"):
        steps = _moved(nest.map_structure(tf.convert_to_tensor, inputs), time_major)
        first = nest.flatten(steps)[0]
        lengths = _lengths(sequence_length)
        state = _start(cell, initial_state, tf.shape(first)[1], first.shape[1], dtype)
        outputs, state = _loop(cell, steps, state, lengths, first)
        return _moved(outputs, time_major), state


@export("compat.v1.nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(
        cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: Any = None,
        initial_state_fw: Any = None, initial_state_bw: Any = None, dtype: Any = None,
        parallel_iterations: int | None = None, swap_memory: bool = False,
        time_major: bool = False, scope: Any = None) -> tuple:
    """The outputs and last states of two cells, of which the second reads backwards."""
    def reversed_(x: Any) -> Any:
        axis = 0 if time_major else 1
        if sequence_length is None:
            return nest.map_structure(lambda one: tf.reverse(one, [axis]), x)
        return nest.map_structure(lambda one: tf.reverse_sequence(
            one, sequence_length, axis, 1 - axis), x)

    given: dict[str, Any] = {"sequence_length": sequence_length, "dtype": dtype,
                             "time_major": time_major}
    with _v1.variable_scope(scope or "bidirectional_rnn"):
        there = dynamic_rnn(cell_fw, inputs, initial_state=initial_state_fw, scope="fw", **given)
        with _v1.variable_scope("bw") as inner:
            turned = reversed_(inputs)
            back = dynamic_rnn(cell_bw, turned, initial_state=initial_state_bw, scope=inner,
                               **given)
    return (there[0], reversed_(back[0])), (there[1], back[1])


@export("compat.v1.nn.static_rnn")
def static_rnn(cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None,
               sequence_length: Any = None, scope: Any = None) -> tuple:
    """The outputs of a list of steps, as a list, and the last state."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Argument `inputs` must be a sequence. Received: {inputs}")
    if not inputs:
        raise ValueError("Argument `inputs` must not be empty.")
    with _v1.variable_scope(scope or "rnn") as variables:
        first = tf.convert_to_tensor(nest.flatten(inputs)[0])
        lengths = _lengths(sequence_length)
        state = _start(cell, initial_state, tf.shape(first)[0], first.shape[0], dtype)
        outputs = []
        for step, x in enumerate(inputs):
            if step > 0:
                variables.reuse_variables()
            output, after = cell(x, state)
            output, state = _within(lengths, step, output, after, state)
            outputs.append(output)
    return outputs, state


@export("compat.v1.nn.static_bidirectional_rnn")
def static_bidirectional_rnn(
        cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
        initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
        scope: Any = None) -> tuple:
    """Outputs of a list of steps, each of both cells side by side, and the two last states."""
    def turned(steps: list) -> list:
        if sequence_length is None:
            return list(reversed(steps))
        flat = [nest.flatten(step) for step in steps]
        whole = [tf.unstack(tf.reverse_sequence(tf.stack(column), sequence_length, 0, 1))
                 for column in zip(*flat, strict=True)]
        return [nest.pack_sequence_as(steps[0], list(parts)) for parts in zip(*whole, strict=True)]

    with _v1.variable_scope(scope or "bidirectional_rnn"):
        there, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length,
                                     scope="fw")
        back, state_bw = static_rnn(cell_bw, turned(list(inputs)), initial_state_bw, dtype,
                                    sequence_length, scope="bw")
    pairs = zip(there, turned(back), strict=True)
    both = [nest.map_structure(lambda a, b: tf.concat([a, b], 1), *pair) for pair in pairs]
    return both, state_fw, state_bw


def _moved(x: Any, stays: bool) -> Any:
    """Time before batch, or batch before time."""
    return x if stays else nest.map_structure(
        lambda one: tf.transpose(one, [1, 0, *range(2, one.shape.rank)]), x)


def _lengths(given: Any) -> Tensor | None:
    if given is None:
        return None
    lengths = tf.cast(given, tf.int32)
    if lengths.shape.rank not in (None, 1):
        raise ValueError(f"sequence_length must be a vector of length batch_size, but saw shape: "
                         f"{lengths.shape}")
    return lengths


def _start(cell: Any, given: Any, batch: Any, known: int | None, dtype: Any) -> Any:
    """The state before the first step."""
    if given is not None:
        return given
    if dtype is None:
        raise ValueError("If no initial_state is provided, argument `dtype` must be specified")
    make: Callable | None = getattr(cell, "get_initial_state", None)
    if make is not None:
        return make(inputs=None, batch_size=batch if known is None else known, dtype=dtype)
    return cell.zero_state(batch if known is None else known, dtype)


def _loop(cell: Any, steps: Any, state: Any, lengths: Tensor | None, first: Tensor) -> tuple:
    count = tf.shape(first)[0]
    known = first.shape[0]
    sizes = getattr(cell, "output_size", None)
    flat = [None] if sizes is None else nest.flatten(sizes)
    dtype = nest.flatten(state)[0].dtype
    arrays = [tf.TensorArray(dtype, count, element_shape=_element(first, size)) for size in flat]
    structure: list[Any] = [sizes]

    def step(at: Any, arrays: list, state: Any) -> tuple:
        x = nest.map_structure(lambda one: one[at], steps)
        output, after = cell(x, state)
        output, after = _within(lengths, at, output, after, state)
        structure[0] = output
        written = [array.write(at, one) for array, one in zip(
            arrays, nest.flatten(output), strict=True)]
        return at + 1, written, after

    _, arrays, state = tf.while_loop(
        lambda at, arrays, state: at < count, step, (tf.constant(0), arrays, state),
        maximum_iterations=known)
    stacked = [array.stack() for array in arrays]
    for one, size in zip(stacked, flat, strict=True):
        if size is not None and tf.TensorShape(size).rank is not None:
            one.set_shape([known, first.shape[1], *tf.TensorShape(size).as_list()])
    return nest.pack_sequence_as(structure[0], stacked), state


def _element(first: Tensor, size: Any) -> list | None:
    """The shape of the output of a step, for a cell that tells the size of its output."""
    return None if size is None else [first.shape[1], *tf.TensorShape(size).as_list()]


def _within(lengths: Tensor | None, at: Any, output: Any, after: Any, before: Any) -> tuple:
    """A step's output and state: zeros and the state before where a sequence has ended."""
    if lengths is None:
        return output, after
    lives = at < lengths

    def chosen(new: Any, old: Any) -> Any:
        if new.shape.rank == 0:  # a count of a cell's own
            return new
        return tf.where(tf.reshape(lives, [-1, *[1] * (new.shape.rank - 1)]), new, old)

    return (nest.map_structure(lambda one: chosen(one, tf.zeros_like(one)), output),
            nest.map_structure(chosen, after, before))
