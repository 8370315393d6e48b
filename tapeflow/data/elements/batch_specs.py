"""Element specs of batches, and of the elements in batches."""

from __future__ import annotations

from typing import Any

from tapeflow.base import nest
from tapeflow.base.specs import TensorSpec
from tapeflow.data.elements.structure import NoneTensorSpec, sizes


def with_batch(spec: Any, size: int | None, where: str) -> Any:
    """The element spec of batches."""
    def leaf(one: Any) -> Any:
        if isinstance(one, TensorSpec):
            known = sizes(one.shape)
            return TensorSpec(None if known is None else (size, *known), one.dtype)
        if isinstance(one, NoneTensorSpec):
            return one
        from tapeflow.data.elements.ragged_sparse import batched_spec
        return batched_spec(one, size, where)

    return nest.map_structure(leaf, spec)


def without_batch(spec: Any, where: str) -> Any:
    """The element spec of the rows of batches."""
    def leaf(one: Any) -> Any:
        if isinstance(one, TensorSpec):
            known = sizes(one.shape)
            if known == ():
                raise ValueError("Unbatching a tensor is only supported for rank >= 1")
            return TensorSpec(None if known is None else known[1:], one.dtype)
        if isinstance(one, NoneTensorSpec):
            return one
        from tapeflow.data.elements.ragged_sparse import element_spec_of
        return element_spec_of(one, where)

    return nest.map_structure(leaf, spec)
