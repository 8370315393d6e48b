"""Values made of several tensors (ragged, sparse), and how ops meet them.

A `Composite` has a `_type_spec` that takes it apart and puts it together; `nest` with
`expand_composites=True`, tf.function and tapes go by that. An op that is given one gets a
`CompositeProxy` for it, a tensor without a value, from `convert`: the proxy's interpreter, a
`Dispatcher`, then runs the op in the composite's own way. Nothing of this is on the path of plain
tensors. May be imported by `values/convert.py` and all above.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TypeSpec
from tapeflow.core.values.tensor import CompositeTensor, Tensor

_new = object.__new__


class Composite(CompositeTensor):
    """A value made of tensors, described by a CompositeSpec."""

    __slots__ = ()
    _dispatcher: Any = None
    _becomes_tensor = False  # True: a conversion is registered for the class

    @property
    def _type_spec(self) -> CompositeSpec:
        raise NotImplementedError(f"{type(self).__name__} does not define _type_spec")

    def _refusal(self) -> Exception:
        """The error where a plain tensor is wanted."""
        return ValueError(f"Attempt to convert a value ({self!r}) with an unsupported type "
                          f"({type(self)}) to a Tensor.")

    def _print_parts(self, summarize: int) -> list:
        """What tf.print shows: texts, tensors, and in lists of one, tensors that are text."""
        return [str(self)]

    def _gradient_parts(self) -> list:
        """The tensors that are differentiated where this is a source or target of a gradient."""
        raise ValueError(f"Type {type(self).__name__} is not supported as a gradient source or "
                         "gradient target.")

    def _gradient_like(self, parts: list) -> Any:
        """The gradient to this, from those to its `_gradient_parts`."""
        raise NotImplementedError(f"{type(self).__name__} does not define _gradient_like")


@export("__internal__.CompositeTensor")
class UserComposite(Composite, metaclass=abc.ABCMeta):
    """The base of users' own composites: `_type_spec` tells what tensors they are made of.

    Variables and slices count as composites too, though `nest` leaves them whole.
    """

    @classmethod
    def __subclasshook__(cls, subclass: type) -> Any:
        return issubclass(subclass, CompositeTensor) if cls is UserComposite else NotImplemented


class CompositeProxy(Tensor):
    """A composite as the operand of an op."""

    __slots__ = ("_composite", "_interpreter")
    _composite: Any

    @property
    def _value(self) -> Any:
        raise self._composite._refusal()

    @property
    def shape(self) -> TensorShape:
        shape = getattr(self._composite, "shape", None)
        return shape if isinstance(shape, TensorShape) else TensorShape(shape)

    @property
    def dtype(self) -> DType:
        found = getattr(self._composite, "dtype", None)
        if found is None:  # of a class of the user's: that of its first tensor
            found = nest.flatten(self._composite, expand_composites=True)[0].dtype
        return found

    @property
    def ndim(self) -> int | None:  # type: ignore[override]
        return self.shape.rank

    def _dynamic_shape(self) -> Any:
        return _Sizes()

    def __repr__(self) -> str:
        return repr(self._composite)

    __str__ = __repr__


class _Sizes:
    """The sizes of a composite where one integer does not tell them: none is known."""

    def __getitem__(self, axis: Any) -> None:
        return None


def proxy_for(value: Composite) -> CompositeProxy:
    """The operand that represents a composite."""
    if value._dispatcher is None:
        raise value._refusal()
    proxy = _new(CompositeProxy)
    proxy._composite, proxy._interpreter, proxy._uid = value, value._dispatcher, 0
    return proxy


def plain(x: Any) -> Any:
    """An operand that is returned as it came: a composite, not what stood for it."""
    return x._composite if type(x) is CompositeProxy else x


class Dispatcher:
    """The interpreter of ops on composites of one class: a table by records."""

    level = 1 << 20  # before traces and batches: what it calls meets those

    def __init__(self) -> None:
        self.table: dict[Any, Callable] = {}
        self.rest: Callable | None = None  # rest(op, operands, attrs) of records not in the table

    def on(self, *calls: Any) -> Callable:
        """Register `handler(op, *operands, **attrs)` for the records of these calls."""

        def decorate(handler: Callable) -> Callable:
            for call in calls:
                self.table[call.op] = handler
            return handler

        return decorate

    def run(self, op: Any, xs: tuple, attrs: dict) -> Any:
        operands = [x._composite if type(x) is CompositeProxy else x for x in xs]
        handler = self.table.get(op)
        if handler is not None:
            return handler(op, *operands, **attrs)
        if self.rest is not None:
            return self.rest(op, operands, attrs)
        raise self.refusal(operands)

    @staticmethod
    def refusal(operands: list) -> Exception:
        """The error of an op that knows plain tensors only."""
        return next(x for x in operands if isinstance(x, Composite))._refusal()


def described(value: Any) -> Any:
    """A structure with the type specs of composites instead of them."""
    return nest.map_structure(lambda x: x._type_spec if isinstance(x, Composite) else x, value)


def _parts(value: Composite) -> list:
    return _listed(value._type_spec._to_components(value))


def _rebuilt(value: Composite, parts: list) -> Any:
    return _remade(value._type_spec, parts)


def _listed(components: Any) -> list:
    """Components in order: a spec may keep them in a dict or in any structure."""
    return list(components) if type(components) in (list, tuple) else nest.flatten(components)


def _remade(spec: TypeSpec, parts: list) -> Any:
    wanted = spec._component_specs
    if type(wanted) not in (list, tuple):
        parts = nest.pack_sequence_as(wanted, parts)
    return spec._from_components(parts)


nest.register_composite(Composite, _parts, _rebuilt)
nest.register_composite(CompositeSpec, lambda spec: _listed(spec._component_specs), _remade)


def spec_of(value: Any) -> TypeSpec | None:
    """The type spec of a composite or of its spec; None for anything else."""
    if isinstance(value, Composite):
        return value._type_spec
    return value if isinstance(value, CompositeSpec) else None
