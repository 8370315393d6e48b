"""value_and_grad, vjp, jvp: a function's derivatives as functions, without a tape in sight."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tapeflow.base import nest
from tapeflow.core.autodiff.forward_accumulator import ForwardAccumulator
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.values.convert import convert
from tapeflow.gradients.primals import Primals, as_tensors, dense, scalar


def value_and_grad(f: Callable, argnums: int | Sequence[int] | None = None,
                   variables: Any = None, has_aux: bool = False,
                   unconnected_gradients: str = "none") -> Callable:
    """A function that gives `f`'s value and its gradient in one call.

    Args:
      f: A function that returns a scalar tensor, or (scalar, aux) with `has_aux=True`.
      argnums: Which positional arguments to differentiate with respect to: a position, or several.
        Default: the first, or none if `variables` are given.
      variables: A structure of tf.Variable (e.g. `model.trainable_variables`) to differentiate
        with respect to.
      has_aux: Whether `f` returns a pair, whose second part is handed on as it is.
      unconnected_gradients: "none" or "zero": what stands where `f` does not depend on a source.

    Returns:
      A function with `f`'s arguments that returns (value, gradients), or ((value, aux), gradients).
      `gradients` has the structure of the argument; it is a tuple for several positions, has the
      structure of `variables`, or is the pair (of arguments, of variables) if both were asked for.
      It runs eagerly, inside tf.function, in tf.vectorized_map and under other tapes.

    Example:
      >>> def loss(w, x):
      ...     return tf.reduce_sum((w * x) ** 2)
      >>> value, gradient = tf.gradients.value_and_grad(loss)(2.0, tf.constant([1.0, 3.0]))
      >>> print(value.numpy(), gradient.numpy())
      40.0 40.0
    """
    if not callable(f):
        raise TypeError(f"value_and_grad: `f` must be a function, got {f!r}.")
    if argnums is None and variables is None:
        argnums = 0
    several = argnums is not None and not isinstance(argnums, int)
    positions: list[int] = [] if argnums is None else (
        [argnums] if isinstance(argnums, int) else list(argnums))

    @functools.wraps(f)
    def both(*args: Any, **kwargs: Any) -> Any:
        chosen = [_position(n, args) for n in positions]
        inputs = list(args)
        for n in chosen:
            inputs[n] = as_tensors(args[n])
            for leaf in nest.flatten(inputs[n]):
                if not (leaf.dtype.is_floating or leaf.dtype.is_complex):
                    raise TypeError(f"value_and_grad: argument {n} is {leaf.dtype.name}; only "
                                    "floating-point and complex values can be differentiated.")
        sources = tuple([inputs[n] for n in chosen])
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(nest.flatten((sources, variables if variables is not None else ())))
            result = f(*inputs, **kwargs)
            value, aux = _split(result) if has_aux else (result, None)
            value = scalar(value, "value_and_grad")
        found, of_variables = tape.gradient(
            value, (sources, variables if variables is not None else ()),
            unconnected_gradients=unconnected_gradients)
        gradients = found if several else found[0] if found else None
        if variables is not None:
            gradients = of_variables if argnums is None else (gradients, of_variables)
        return ((value, aux) if has_aux else value), gradients

    return both


def _position(n: int, args: tuple) -> int:
    if not -len(args) <= n < len(args):
        raise ValueError(f"value_and_grad: argnums has {n}, but the function was called with "
                         f"{len(args)} positional argument(s).")
    return n % len(args)


def _split(result: Any) -> tuple:
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError("value_and_grad: with has_aux=True the function must return "
                        f"(value, aux), got {type(result).__name__}.")
    return result


def vjp(f: Callable, *primals: Any) -> tuple[Any, Callable]:
    """The value of `f` and the function that pulls cotangents of the value back.

    Args:
      f: A function of the primals; its result is a tensor or a structure of tensors.
      *primals: Arguments, each a tensor or a structure of tensors.

    Returns:
      (value, pull_back): `pull_back(cotangents)`, with the structure of the value, gives a tuple
      with a gradient for each of the primals; zeros where the value does not depend on it. It may
      be called several times.

    Example:
      >>> value, pull_back = tf.gradients.vjp(tf.sin, tf.constant([0.0, 0.0]))
      >>> print(pull_back(tf.constant([2.0, 3.0]))[0].numpy())
      [2. 3.]
    """
    given = Primals(primals, "vjp")
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(given.leaves)
        value = nest.map_structure(convert, given.call(f))

    def pull_back(cotangents: Any) -> tuple:
        nest.assert_same_structure(value, cotangents)
        seeds = [convert(one, y.dtype) for one, y in zip(
            nest.flatten(cotangents), nest.flatten(value), strict=True)]
        return given.pack(dense(tape.gradient(nest.flatten(value), given.leaves, seeds,
                                              unconnected_gradients="zero")))

    return value, pull_back


def jvp(f: Callable, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """The value of `f` and the derivative of the value along `tangents`: forward mode.

    Args:
      f: A function of the primals; its result is a tensor or a structure of tensors.
      primals: A tensor, a tuple of arguments, or a list of variables that `f` reads by itself (it
        is called without arguments then).
      tangents: The direction, in the structure of the primals.

    Returns:
      (value, tangent), both in the structure of `f`'s result.

    Example:
      >>> value, slope = tf.gradients.jvp(lambda x: x ** 3, 2.0, 1.0)
      >>> print(value.numpy(), slope.numpy())
      8.0 12.0
    """
    given = Primals(primals, "jvp")
    with ForwardAccumulator(given.leaves, given.tangents(tangents)) as accumulator:
        value = nest.map_structure(convert, given.call(f))
    return value, accumulator.jvp(value, unconnected_gradients="zero")
