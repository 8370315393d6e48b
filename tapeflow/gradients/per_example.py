"""per_example_gradients: one vectorised run and walk for the gradients of every example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.primitive_ops import expand
from tapeflow.core.values.convert import convert
from tapeflow.gradients.primals import dense, is_variable, scalar

_vectorized_map = LatePublic("vectorized_map")
_NOTE = ("per_example_gradients runs the loss once for all examples: it may not turn a tensor into "
         "a Python value, nor assign an example's value to a variable. BatchNormalization does "
         "that with training=True; use it with training=False, or another normalisation.")


def per_example_gradients(loss_fn: Callable, variables: Any, batch: Any,
                          return_losses: bool = False) -> Any:
    """The gradients of a loss for each example of a batch by itself, in one vectorised call.

    `loss_fn` is the function that a training step calls: it gets a batch, here of one example, and
    returns a scalar. Its run and the walk back happen once for all examples, by each op's batch
    rule; inside tf.function they are compiled as everything else.

    Layers that mix the examples of a batch have no gradient of one example alone: for
    BatchNormalization with `training=True` the statistics would be those of a batch of one, so use
    it in inference mode, or another normalisation. Look-ups give dense gradients.

    Args:
      loss_fn: Called as `loss_fn(batch)`, or `loss_fn(*batch)` if `batch` is a tuple; every tensor
        has a leading axis of size 1.
      variables: A structure of tf.Variable, e.g. `model.trainable_variables`.
      batch: A tensor, or a structure of tensors, with the examples along the first axis.
      return_losses: Whether to return the losses as well.

    Returns:
      Gradients in the structure of `variables`, each with the examples along its first axis;
      zeros where the loss does not depend on a variable. With `return_losses=True` the pair
      (losses, gradients).

    Example:
      >>> w = tf.Variable([1.0, 2.0])
      >>> loss = lambda x, y: tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
      >>> x, y = tf.constant([[1.0, 0.0], [0.0, 1.0]]), tf.constant([0.0, 0.0])
      >>> print(tf.gradients.per_example_gradients(loss, w, (x, y)).numpy())
      [[2. 0.]
       [0. 4.]]
    """
    if not nest.flatten(variables):
        raise ValueError("per_example_gradients: `variables` is empty. A Keras model has its "
                         "variables once it is built: call it on a batch first.")
    for one in nest.flatten(variables):
        if not is_variable(one):
            raise TypeError("per_example_gradients: `variables` must hold tf.Variables, got "
                            f"{one!r}. Inside tf.function refer to a model's variables; as "
                            "arguments they become tensors, which the loss does not read.")

    def gradients_of(example: Any) -> Any:
        single = nest.map_structure(lambda x: expand(x, axis=0), example)
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(nest.flatten(variables))
            try:
                result = loss_fn(*single) if isinstance(single, tuple) else loss_fn(single)
            except TypeError as error:
                error.add_note(_NOTE)
                raise
            loss = scalar(result, "per_example_gradients")
        found = tape.gradient(loss, nest.flatten(variables), unconnected_gradients="zero")
        return loss, dense(found)

    losses, found = _vectorized_map(gradients_of, nest.map_structure(convert, batch))
    gradients = nest.pack_sequence_as(variables, found)
    return (losses, gradients) if return_losses else gradients
