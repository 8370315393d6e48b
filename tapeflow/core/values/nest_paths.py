"""Structures with the paths of their leaves, and structures down to a depth: the rest of `nest`.

Imports `nest` only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tapeflow.base import nest


def is_nested_or_composite(seq: Any) -> bool:
    """Whether a value is a structure or a composite."""
    return nest._NODES_AND_COMPOSITES[type(seq)] is not None


def is_mapping(obj: Any) -> bool:
    """Whether a value is a mapping."""
    return isinstance(obj, Mapping)


def is_attrs(obj: Any) -> bool:
    """Whether a value is of a class made by attrs."""
    return hasattr(type(obj), "__attrs_attrs__")


def is_namedtuple(instance: Any, strict: bool = False) -> bool:
    """Whether a value is a namedtuple; strict: of a class that is a tuple and nothing else."""
    cls = type(instance)
    if strict and cls.__base__ is not tuple:
        return False
    fields = getattr(cls, "_fields", None)
    return isinstance(instance, tuple) and isinstance(fields, tuple) and all(
        isinstance(name, str) for name in fields)


def same_namedtuples(nest1: Any, nest2: Any) -> bool:
    """Whether two namedtuples have one name and the same fields."""
    first, second = type(nest1), type(nest2)
    return first.__name__ == second.__name__ and first._fields == second._fields


def sequence_like(instance: Any, args: Any) -> Any:
    """A structure of the kind of `instance` with other members."""
    node: Any = nest._NODES_AND_COMPOSITES[type(instance)]
    return node.rebuild(instance, list(args))


def _yield_sorted_items(iterable: Any) -> Iterator[tuple[Any, Any]]:
    """Keys (or places, or names) and members of one structure."""
    if isinstance(iterable, Mapping):
        for key in nest._sorted_keys(iterable):
            yield key, iterable[key]
    elif is_attrs(iterable):
        for one in type(iterable).__attrs_attrs__:
            yield one.name, getattr(iterable, one.name)
    elif is_namedtuple(iterable):
        yield from zip(type(iterable)._fields, iterable, strict=True)
    else:
        node = nest._NODES_AND_COMPOSITES[type(iterable)]
        yield from enumerate(iterable if node is None else node.children(iterable))


def _yield_value(iterable: Any) -> Iterator[Any]:
    """The members of one structure."""
    for _, member in _yield_sorted_items(iterable):
        yield member


def _walk(structure: Any, path: tuple, table: Any) -> Iterator[tuple[tuple, Any]]:
    if table[type(structure)] is None:
        yield path, structure
        return
    for key, member in _yield_sorted_items(structure):
        yield from _walk(member, (*path, key), table)


def yield_flat_paths(nest_: Any, expand_composites: bool = False) -> Iterator[tuple]:
    """The path of each leaf, as a tuple of keys and places.

    >>> list(yield_flat_paths({"b": [1, 2], "a": 3}))
    [('a',), ('b', 0), ('b', 1)]
    """
    for path, _ in _walk(nest_, (), nest._table(expand_composites)):
        yield path


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list:
    """Pairs of each leaf's path and the leaf."""
    return list(zip(yield_flat_paths(structure, expand_composites),
                    nest.flatten(structure, expand_composites), strict=True))


def flatten_with_joined_string_paths(structure: Any, separator: str = "/",
                                     expand_composites: bool = False) -> list:
    """Pairs of each leaf's path as text and the leaf."""
    return [(separator.join(map(str, path)), leaf)
            for path, leaf in flatten_with_tuple_paths(structure, expand_composites)]


def flatten_with_tuple_paths_up_to(shallow_tree: Any, input_tree: Any, check_types: bool = True,
                                   expand_composites: bool = False) -> list:
    """Pairs of a path and what stands in `input_tree` where `shallow_tree` has its leaves."""
    parts = nest.flatten_up_to(shallow_tree, input_tree, check_types, expand_composites)
    return list(zip(yield_flat_paths(shallow_tree, expand_composites), parts, strict=True))


def map_structure_with_tuple_paths_up_to(shallow_tree: Any, func: Callable, *inputs: Any,
                                         **kwargs: Any) -> Any:
    """`func(path, *parts)` where `shallow_tree` has its leaves."""
    if not inputs:
        raise ValueError("Argument `inputs` is empty: a structure is needed.")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    flat = [nest.flatten_up_to(shallow_tree, one, check_types, expand) for one in inputs]
    paths = yield_flat_paths(shallow_tree, expand)
    results = [func(path, *parts, **kwargs) for path, *parts in zip(paths, *flat, strict=True)]
    return nest.pack_sequence_as(shallow_tree, results, expand)


def map_structure_with_tuple_paths(func: Callable, *structure: Any, **kwargs: Any) -> Any:
    """`func(path, *leaves)` for the leaves of equal structures."""
    for other in structure[1:]:
        nest.assert_same_structure(structure[0], other, kwargs.get("check_types", True),
                                   kwargs.get("expand_composites", False))
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable, *structure: Any, **kwargs: Any) -> Any:
    """The same with paths as text."""
    def named(path: tuple, *leaves: Any, **more: Any) -> Any:
        return func("/".join(map(str, path)), *leaves, **more)

    return map_structure_with_tuple_paths(named, *structure, **kwargs)


def get_traverse_shallow_structure(traverse_fn: Callable, structure: Any,
                                   expand_composites: bool = False) -> Any:
    """The structure of booleans down to where `traverse_fn` says to go no further."""
    table = nest._table(expand_composites)
    into = traverse_fn(structure)
    if table[type(structure)] is None:
        if not isinstance(into, bool):
            raise TypeError(f"traverse_fn returned {into!r} for a leaf; a bool is expected.")
        return into
    if isinstance(into, bool):
        if not into:
            return False
        return nest_like(structure, [get_traverse_shallow_structure(
            traverse_fn, one, expand_composites) for one in _yield_value(structure)])
    nest.assert_shallow_structure(into, structure, expand_composites=expand_composites)
    return nest_like(structure, [
        get_traverse_shallow_structure(traverse_fn, one, expand_composites) if wanted else False
        for wanted, one in zip(_yield_value(into), _yield_value(structure), strict=True)])


def nest_like(structure: Any, members: list) -> Any:
    """A structure of one kind with other members; of what cannot hold them, a list."""
    return sequence_like(structure, members)


def list_to_tuple(structure: Any) -> Any:
    """The structure with tuples for its lists."""
    if isinstance(structure, list):
        return tuple([list_to_tuple(one) for one in structure])
    if not nest.is_nested(structure):
        return structure
    return sequence_like(structure, [list_to_tuple(one) for one in _yield_value(structure)])


def flatten_dict_items(dictionary: Mapping) -> dict:
    """A dict whose keys and values may be equal structures, one entry for each leaf."""
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys = nest.flatten(key) if nest.is_nested(key) else [key]
        values = nest.flatten(value) if nest.is_nested(key) else [value]
        if len(keys) != len(values):
            raise ValueError(f"Could not flatten dictionary: key had {len(keys)} elements, but "
                             f"value had {len(values)} elements.")
        for one, leaf in zip(keys, values, strict=True):
            if one in flat:
                raise ValueError(f"Cannot flatten dict because this key is not unique: {one}")
            flat[one] = leaf
    return flat
