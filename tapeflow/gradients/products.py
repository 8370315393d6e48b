"""Products of curvature matrices with vectors, without the matrices: hvp, gauss_newton_vp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.core.autodiff.forward_accumulator import ForwardAccumulator
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.values.convert import convert
from tapeflow.gradients.primals import Primals, dense, gradient_of


def hvp(f: Callable, primals: Any, tangents: Any) -> Any:
    """The Hessian of `f` times a vector: forward mode over reverse mode, one run of `f`.

    Args:
      f: A function that returns a scalar.
      primals: A tensor, a tuple of arguments, or a list of variables that `f` reads by itself (it
        is called without arguments then).
      tangents: The vector, in the structure of the primals.

    Returns:
      The product, in the structure of the primals.

    Example:
      >>> f = lambda x: x[0] ** 2 * x[1]
      >>> print(tf.gradients.hvp(f, tf.constant([1.0, 3.0]), tf.constant([1.0, 0.0])).numpy())
      [6. 2.]
    """
    given = Primals(primals, "hvp")
    with ForwardAccumulator(given.leaves, given.tangents(tangents)) as accumulator:
        gradients = gradient_of(f, given)
    return given.pack(accumulator.jvp(gradients, unconnected_gradients="zero"))


def gauss_newton_vp(f: Callable, loss: Callable, primals: Any, tangents: Any) -> Any:
    """The Gauss-Newton matrix of loss(f(primals)) times a vector.

    That matrix is Jᵀ H J with J the Jacobian of `f` and H the Hessian of `loss` at f's result: the
    Hessian without the curvature of `f`. It is positive semi-definite where `loss` is convex; for
    the negative log-likelihood of an exponential family it is the Fisher matrix.

    Args:
      f: The model: a function whose result is one tensor.
      loss: A function of that result that returns a scalar.
      primals: A tensor, a tuple of arguments, or a list of variables that `f` reads by itself (it
        is called without arguments then).
      tangents: The vector, in the structure of the primals.

    Returns:
      The product, in the structure of the primals.

    Example:
      >>> model = lambda w: tf.exp(w)
      >>> loss = lambda z: 0.5 * tf.reduce_sum((z - 1.0) ** 2)
      >>> print(tf.gradients.gauss_newton_vp(model, loss, tf.zeros(2), tf.ones(2)).numpy())
      [1. 1.]
    """
    given = Primals(primals, "gauss_newton_vp")
    with ForwardAccumulator(given.leaves, given.tangents(tangents)) as accumulator:
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(given.leaves)
            result = convert(given.call(f))
        slope = accumulator.jvp(result, unconnected_gradients="zero")
    curved = hvp(loss, result, slope)
    return given.pack(dense(tape.gradient(result, given.leaves, curved,
                                          unconnected_gradients="zero")))
