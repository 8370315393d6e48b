"""implicit_gradient: derivatives of solutions, without those of the solver's steps.

A solution x(θ) of F(x, θ) = 0 has dx = -A⁻¹ ∂F/∂θ dθ with A = ∂F/∂x. The rule of `_solution`, an op
that hands the solution on, solves Aᵀu = g and pulls -u back through F; it is made of ops and of
solutions of linear systems, which are solutions too, so derivatives of every order follow.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.core import state as states
from tapeflow.core.autodiff.custom_gradient import VariableWatcher
from tapeflow.core.autodiff.forward_accumulator import ForwardAccumulator
from tapeflow.core.autodiff.jacobian import jacobian
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import read
from tapeflow.gradients.linear_solvers import bicgstab, conjugate_gradients
from tapeflow.gradients.primals import dense, known_shape

DENSE = 500  # unknowns up to which the matrix itself is made, where nothing else is asked for
_OPERAND = object()  # stands in a structure of arguments for what is an operand
_SOLVES: dict[str, Any] = {"cg": conjugate_gradients, "bicgstab": bicgstab}


def implicit_gradient(solver: Callable | None = None, *, optimality: Callable | None = None,
                      fixed_point: Callable | None = None, objective: Callable | None = None,
                      solve: Any = "auto", tolerance: float = 1e-6,
                      max_iterations: int = 1000) -> Callable:
    """Make a solver's result differentiable by the implicit function theorem.

    What the solver does is not recorded: it may be NumPy, SciPy, or any number of steps. One of
    `optimality`, `fixed_point` and `objective` says what it solves; gradients flow to its arguments
    and to the variables that this function reads. Derivatives of every order, in both modes.

    Args:
      solver: Called as `solver(*arguments)`, returns x, a tensor or a structure of tensors. Left
        out, a decorator is returned.
      optimality: `optimality(x, *arguments)` is zero at the solution; it has x's structure.
      fixed_point: `fixed_point(x, *arguments)` is x at the solution.
      objective: `objective(x, *arguments)`, a scalar, is least at the solution.
      solve: How linear systems are solved: "dense" (the matrix is made), "cg" (symmetric positive
        definite, as of an objective), "bicgstab", or a function `solve(product, b)` over lists of
        tensors. "auto": "dense" up to 500 unknowns, then "cg" for an objective, else "bicgstab".
      tolerance: Of the iterations, relative to the right-hand side.
      max_iterations: Their limit.

    Returns:
      A function with the solver's arguments and results.

    Example:
      >>> @tf.gradients.implicit_gradient(optimality=lambda x, a: x * x - a)
      ... def root(a):
      ...     return np.sqrt(a)
      >>> with tf.GradientTape() as tape:
      ...     tape.watch(a := tf.constant(4.0))
      ...     x = root(a)
      >>> print(x.numpy(), tape.gradient(x, a).numpy())
      2.0 0.25
    """
    given = {"optimality": optimality, "fixed_point": fixed_point, "objective": objective}
    named = [name for name, one in given.items() if one is not None]
    if len(named) != 1:
        raise ValueError("implicit_gradient: give one of optimality, fixed_point and objective; "
                         f"got {named or 'none'}.")
    if solve not in ("auto", "dense", *_SOLVES) and not callable(solve):
        raise ValueError(f"implicit_gradient: solve must be 'auto', 'dense', 'cg', 'bicgstab' or a "
                         f"function, got {solve!r}.")
    if solver is None:
        return lambda solver: implicit_gradient(
            solver, optimality=optimality, fixed_point=fixed_point, objective=objective,
            solve=solve, tolerance=tolerance, max_iterations=max_iterations)
    equation = _Equation(_residual(**given), solve, objective is not None, tolerance,
                         max_iterations)

    @functools.wraps(solver)
    def solved(*arguments: Any) -> Any:
        return equation.solution(solver, arguments)

    # Its signature is its own: tf.function would fill in defaults, which `optimality` has not.
    for name in ("__wrapped__", "__signature__"):
        solved.__dict__.pop(name, None)
    return solved


def _residual(optimality: Any, fixed_point: Any, objective: Any) -> Callable:
    """The function that is zero at the solution."""
    if optimality is not None:
        return optimality
    if fixed_point is not None:
        return lambda x, *rest: nest.map_structure(lambda a, b: a - b, fixed_point(x, *rest), x)

    def slope(x: Any, *rest: Any) -> Any:
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(nest.flatten(x))
            y = objective(x, *rest)
        found = tape.gradient(y, nest.flatten(x), unconnected_gradients="zero")
        return nest.pack_sequence_as(x, dense(found))

    return slope


def _held(argument: Any) -> Any:
    """An argument as a tensor; what can be none is handed on as it is."""
    if argument is None or isinstance(argument, (str, bytes, bool)) or callable(argument):
        return argument
    return convert(argument)


class _Equation:
    """F(x, *arguments) = 0, and how linear systems of its derivative are solved."""

    def __init__(self, residual: Callable, solve: Any, symmetric: bool, tolerance: float,
                 limit: int):
        self.residual, self.solve, self.symmetric = residual, solve, symmetric
        self.tolerance, self.limit = tolerance, limit

    def solution(self, solver: Callable, arguments: tuple) -> Any:
        """The solver's result, which tapes and accumulators take for what it is."""
        quiet = tuple([one for one in state.stack if one is state.trace or hasattr(one, "level")])
        with states.only(quiet):
            x = nest.map_structure(convert, solver(*arguments))
            flat = nest.flatten(x)
            held = [_held(one) for one in nest.flatten(arguments)]
            with VariableWatcher() as watcher:
                residual = nest.flatten(self.residual(x, *nest.pack_sequence_as(arguments, held)))
        if [shape_of(a) for a in residual] != [shape_of(b) for b in flat]:
            raise ValueError(
                "implicit_gradient: the function that is solved must have a result like x, with "
                f"shapes {[tuple(shape_of(b)) for b in flat]}; it has "
                f"{[tuple(shape_of(a)) for a in residual]}.")
        variables = [v for _, v in sorted(watcher.variables.items())]
        inputs = [_held(one) for one in nest.flatten(arguments)]  # read again: tapes listen now
        structure = (x, nest.pack_sequence_as(arguments, [
            _OPERAND if isinstance(one, Tensor) else one for one in inputs]))
        operands = [one for one in inputs if isinstance(one, Tensor)]
        found = _solution(*flat, *operands, *[read(v) for v in variables], equation=self,
                          structure=structure, variables=tuple(variables))
        return nest.pack_sequence_as(x, list(found))

    def evaluated(self, xs: list, operands: list, structure: tuple) -> list:
        x, left = nest.pack_sequence_as(structure[0], xs), iter(operands)
        arguments = [next(left) if one is _OPERAND else one for one in nest.flatten(structure[1])]
        return nest.flatten(self.residual(x, *nest.pack_sequence_as(structure[1], arguments)))

    def linear_solution(self, at: _Point, b: list, transposed: bool) -> list:
        """u with A u = b, or Aᵀ u = b."""
        kind = self.solve
        if kind == "auto":
            sizes = [int(np.prod(shape_of(one))) if known_shape(one) else DENSE for one in b]
            kind = "dense" if sum(sizes) <= DENSE else "cg" if self.symmetric else "bicgstab"
        if kind == "dense":
            return at.dense_solution(b, transposed)
        tools = (kind if callable(kind) else
                 lambda product, b: _SOLVES[kind](product, b, self.tolerance, self.limit))

        def system(u: list, b: list, xs: list, operands: list) -> list:
            made = at.with_values(xs, operands)
            product = made.transposed_product(u) if transposed else made.product(u)
            return [p - one for p, one in zip(product, b, strict=True)]

        def iterated(b: list, xs: list, operands: list) -> list:
            made = at.with_values(xs, operands)
            return tools(made.transposed_product if transposed else made.product, b)

        inner = _Equation(system, self.solve, self.symmetric, self.tolerance, self.limit)
        return inner.solution(iterated, (b, at.xs, at.operands))


class _Point:
    """The equation at a solution: products with the derivative of F with respect to x."""

    def __init__(self, equation: _Equation, xs: list, operands: list, structure: tuple):
        self.equation, self.structure = equation, structure
        self.xs, self.operands = list(xs), list(operands)

    def with_values(self, xs: list, operands: list) -> _Point:
        return _Point(self.equation, xs, operands, self.structure)

    def residual(self, xs: list) -> list:
        return self.equation.evaluated(xs, self.operands, self.structure)

    def product(self, u: list) -> list:
        xs = [tf.identity(x) for x in self.xs]
        with ForwardAccumulator(xs, u) as accumulator:
            r = self.residual(xs)
        return accumulator.jvp(r, unconnected_gradients="zero")

    def transposed_product(self, u: list) -> list:
        xs = [tf.identity(x) for x in self.xs]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(xs)
            r = self.residual(xs)
        return dense(tape.gradient(r, xs, u, unconnected_gradients="zero"))

    def dense_solution(self, b: list, transposed: bool) -> list:
        shapes = [shape_of(one) for one in b]
        sizes = [int(np.prod(shape)) for shape in shapes]
        whole = tf.concat([tf.reshape(x, [-1]) for x in self.xs], 0)
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(whole)
            parts = [tf.reshape(one, shape) for one, shape in zip(
                tf.split(whole, sizes), shapes, strict=True)]
            r = tf.concat([tf.reshape(one, [-1]) for one in self.residual(parts)], 0)
        matrix = jacobian(tape, r, whole, unconnected_gradients="zero")
        right = tf.concat([tf.reshape(one, [-1]) for one in b], 0)
        found = tf.linalg.solve(matrix, right[:, None], adjoint=transposed)[:, 0]
        return [tf.reshape(one, shape) for one, shape in zip(
            tf.split(found, sizes), shapes, strict=True)]


# -- the solution as an op -------------------------------------------------------------------------
def _parted(structure: tuple, variables: tuple, operands: tuple) -> tuple[list, list]:
    """The operands that are arguments, and those that are variables' values."""
    n = len(nest.flatten(structure[0]))
    end = len(operands) - len(variables)
    return list(operands[n:end]), list(operands[end:])


def _vjp(gs: tuple, ys: tuple, *operands: Any, equation: _Equation, structure: tuple,
         variables: tuple) -> tuple:
    bare = not any(isinstance(g, Tensor) for g in gs)
    g = [convert(one) for one in gs]
    xs = [convert(y) for y in ys]
    arguments, _ = _parted(structure, variables, tuple([convert(one) for one in operands]))
    u = equation.linear_solution(_Point(equation, xs, arguments, structure), g, True)
    # Fresh tensors: what is asked for here is F's own dependence, with x held.
    fresh = [tf.identity(one) for one in arguments]
    floating = [one for one in fresh if one.dtype.is_floating]
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([*floating, *variables])
        r = equation.evaluated(xs, fresh, structure)
    found = dense(tape.gradient(r, [*floating, *variables], [-one for one in u],
                                unconnected_gradients="zero"))
    results: list[Any] = [one._value for one in found] if bare else found
    of_floats, of_variables = iter(results[:len(floating)]), results[len(floating):]
    return (*[None] * len(xs), *[next(of_floats) if one.dtype.is_floating else None
                                 for one in fresh], *of_variables)


def _jvp(ts: tuple, ys: tuple, *operands: Any, equation: _Equation, structure: tuple,
         variables: tuple) -> tuple:
    arguments, _ = _parted(structure, variables, operands)
    moving, held = _parted(structure, variables, ts)
    fresh = [tf.identity(one) for one in arguments]
    pairs = [(x, t) for x, t in zip([*fresh, *variables], [*moving, *held], strict=True)
             if t is not None]
    if not pairs:
        return (None,) * len(ys)
    with ForwardAccumulator([x for x, _ in pairs], [t for _, t in pairs]) as accumulator:
        r = equation.evaluated(list(ys), fresh, structure)
    right = accumulator.jvp(r, unconnected_gradients="zero")
    point = _Point(equation, list(ys), arguments, structure)
    return tuple(equation.linear_solution(point, [-one for one in right], False))


def _batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> tuple:
    count = len(nest.flatten(attrs["structure"][0]))
    return tuple([x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
                  for x, mark in zip(xs[:count], batched[:count], strict=True)])


def _kernel(*operands: Any, structure: tuple, **attrs: Any) -> tuple:
    return operands[:len(nest.flatten(structure[0]))]


_solution = define("implicit_solution", kernel=_kernel, shape=_kernel, vjp=_vjp, jvp=_jvp,
                   batch=_batch, multi=True, saves="in out", args=("*operands",), internal=True,
                   unsavable="it calls a Python function when it is differentiated")
