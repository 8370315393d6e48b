"""Nested structures, as `tf.nest` sees them: flatten, map, pack, compare.

Imports the standard library only; any layer may import it. Lists, tuples, namedtuples, mappings
(in the order of their sorted keys), ranges, views of dicts, attrs classes and objects that define
`__tf_flatten__` and `__tf_unflatten__` are structures; everything else, also None, strings, sets
and arrays, is a leaf. Plain Python rather than optree: TensorFlow's rules differ from optree's in
most of these points, and importing optree costs more than this module.

How a type is taken apart and rebuilt is decided once and kept in a table by type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    MappingView,
    MutableMapping,
    Sequence,
)
from typing import Any, NamedTuple

from tapeflow.base.exception_origin import unsignalled

_MOST_TYPES = 4096  # tables are emptied beyond: programs may create classes without end
_MOST_LEVELS = 100_000  # what nests deeper holds itself


class Node(NamedTuple):
    """How values of one type come apart into children, and back from a list of new children."""

    children: Callable[[Any], Iterable[Any]]
    rebuild: Callable[[Any, list], Any]


class _Table(dict):
    """type -> Node, or None for a leaf; filled at first sight of a type."""

    def __init__(self, resolve: Callable[[type], Node | None]) -> None:
        super().__init__()
        self._resolve = resolve

    def __missing__(self, cls: type) -> Node | None:
        if len(self) > _MOST_TYPES:
            self.clear()
        node = self[cls] = self._resolve(cls)
        return node


# Taking apart and rebuilding, by kind


def _itself(structure: Any) -> Any:
    return structure


def _sorted_keys(mapping: Mapping) -> list:
    try:
        return sorted(mapping)
    except unsignalled(TypeError) as error:
        raise TypeError(f"nest only supports dicts with sortable keys: {error}") from None


def _sorted_values(mapping: Mapping) -> list:
    return [mapping[key] for key in _sorted_keys(mapping)]


def _new_dict(old: Any, values: list) -> Any:
    fresh = defaultdict(old.default_factory) if type(old) is defaultdict else type(old)()
    by_key = dict(zip(_sorted_keys(old), values))
    for key in old:
        fresh[key] = by_key[key]
    return fresh


def _new_mapping(old: Any, values: list) -> Any:
    by_key = dict(zip(_sorted_keys(old), values))
    try:
        return type(old)((key, by_key[key]) for key in old)
    except unsignalled(TypeError) as error:
        raise TypeError(
            f"Error creating an object of type {type(old)} like {old}: a mapping must accept one "
            f"iterable of key-value pairs. Cause: {error}"
        ) from error


def _attrs_children(structure: Any) -> list:
    return [getattr(structure, a.name) for a in type(structure).__attrs_attrs__]


def _protocol_children(structure: Any) -> Iterable[Any]:
    return structure.__tf_flatten__()[1]


def _new_by_protocol(old: Any, children: list) -> Any:
    return type(old).__tf_unflatten__(old.__tf_flatten__()[0], tuple(children))


def _is_namedtuple_type(cls: type) -> bool:
    return issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


def _numbers(one: range) -> range:
    if one[1 << 31:]:  # small itself, however long; a list of its numbers is not
        raise MemoryError(f"{one} is too long to be a structure")
    return one


def _node_of(cls: type) -> Node | None:
    if cls is list:
        return Node(_itself, lambda old, children: children)
    if cls is tuple:
        return Node(_itself, lambda old, children: tuple(children))
    if issubclass(cls, (str, bytes)):
        return None
    if hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__"):
        return Node(_protocol_children, _new_by_protocol)
    if _is_namedtuple_type(cls):
        return Node(_itself, lambda old, children: type(old)(*children))
    if hasattr(cls, "__attrs_attrs__"):
        return Node(_attrs_children, lambda old, children: type(old)(*children))
    if issubclass(cls, MutableMapping):
        return Node(_sorted_values, _new_dict)
    if issubclass(cls, Mapping):
        return Node(_sorted_values, _new_mapping)
    if issubclass(cls, MappingView) or cls is range:
        return Node(_numbers if cls is range else _itself, lambda old, children: children)
    if issubclass(cls, Sequence):
        return Node(_itself, lambda old, children: type(old)(children))
    return None


def _node_or_composite(cls: type) -> Node | None:
    for base in cls.__mro__:
        if base in _COMPOSITES:
            return _COMPOSITES[base]
    return _NODES[cls]


_COMPOSITES: dict[type, Node] = {}
_NODES = _Table(_node_of)
_NODES_AND_COMPOSITES = _Table(_node_or_composite)


def register_composite(
    cls: type,
    to_components: Callable[[Any], Iterable[Any]],
    from_components: Callable[[Any, list], Any],
) -> None:
    """Have `expand_composites=True` take values of `cls` and its subclasses apart.

    `to_components(value)` lists the parts, which may be nested themselves, and
    `from_components(value, parts)` makes a value like `value` of new parts.
    """
    _COMPOSITES[cls] = Node(to_components, from_components)
    _NODES_AND_COMPOSITES.clear()


def _table(expand_composites: bool) -> _Table:
    return _NODES_AND_COMPOSITES if expand_composites else _NODES


# The public functions


def is_nested(seq: Any) -> bool:
    """Whether `seq` is a structure, even an empty one, and not a leaf.

    >>> is_nested([]), is_nested({"a": 1}), is_nested("text"), is_nested(None)
    (True, True, False, False)
    """
    return _table(False)[type(seq)] is not None


def children_of(structure: Any) -> list:
    """What a structure holds, in the order of `flatten`."""
    node = _NODES[type(structure)]
    assert node is not None
    return list(node.children(structure))


def metadata_of(structure: Any) -> Any:
    """What an object with `__tf_flatten__` says of itself beside its children; () of others."""
    return structure.__tf_flatten__()[0] if hasattr(structure, "__tf_flatten__") else ()


def flatten(structure: Any, expand_composites: bool = False) -> list:
    """The leaves in order; mappings give them by sorted key. A leaf gives a list of itself.

    >>> flatten({"b": 1, "a": [2, (3, None)]})
    [2, 3, None, 1]
    """
    table = _NODES_AND_COMPOSITES if expand_composites else _NODES
    node = table[type(structure)]
    if node is None:
        return [structure]
    leaves: list = []
    try:
        _collect(node[0](structure), leaves, table)
    except RecursionError:
        return _collect_deep(structure, table)
    return leaves


def _collect_deep(structure: Any, table: _Table) -> list:
    """The leaves of a structure that nests deeper than Python's stack."""
    leaves: list = []
    open_nodes = [iter((structure,))]
    while open_nodes:
        for child in open_nodes[-1]:
            node = table[type(child)]
            if node is not None:
                open_nodes.append(iter(node[0](child)))
                _check_levels(open_nodes)
                break
            leaves.append(child)
        else:
            open_nodes.pop()
    return leaves


def _check_levels(open_nodes: list) -> None:
    if len(open_nodes) > _MOST_LEVELS:
        raise RecursionError("a structure in itself")


def _collect(children: Iterable[Any], leaves: list, table: _Table) -> None:
    for child in children:
        node = table[type(child)]
        if node is None:
            leaves.append(child)
        else:
            _collect(node[0](child), leaves, table)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """`structure` with its leaves replaced, in the order of `flatten`, by `flat_sequence`.

    >>> pack_sequence_as({"b": 0, "a": (0, 0)}, [1, 2, 3])
    {'b': 3, 'a': (1, 2)}
    """
    if _NODES[type(flat_sequence)] is None:
        raise TypeError(
            f"Attempted to pack value:\n  {_shown(flat_sequence)}\ninto a structure, "
            f"but found incompatible type `{type(flat_sequence)}` instead."
        )
    leaves = list(flat_sequence)
    table = _table(expand_composites)
    if table[type(structure)] is None:
        if len(leaves) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {_shown(structure)}\n"
                f"However the input is a sequence ({type(flat_sequence)}) of length "
                f"{len(leaves)}.\n  {_shown(flat_sequence)}\n"
                "nest cannot guarantee that it is safe to map one to the other."
            )
        return leaves[0]
    count = len(flatten(structure, expand_composites))
    if count != len(leaves):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had "
            f"{len(leaves)} items.  Structure: {_shown(structure)}, "
            f"flat_sequence: {_shown(flat_sequence)}."
        )
    return _packed(structure, leaves, table)


def _packed(structure: Any, leaves: list, table: _Table) -> Any:
    try:
        return _pack(structure, iter(leaves), table)
    except RecursionError:
        return _pack_deep(structure, iter(leaves), table)


def _pack_deep(structure: Any, leaves: Iterator[Any], table: _Table) -> Any:
    """As `_pack`, for structures that nest deeper than Python's stack."""
    made: list = []
    open_nodes = [(structure, iter((structure,)), made)]
    while open_nodes:
        old, children, new = open_nodes[-1]
        for child in children:
            node = table[type(child)]
            if node is not None:
                open_nodes.append((child, iter(node[0](child)), []))
                break
            new.append(next(leaves))
        else:
            open_nodes.pop()
            if open_nodes:
                open_nodes[-1][2].append(table[type(old)][1](old, new))
    return made[0]


def _pack(structure: Any, leaves: Iterator[Any], table: _Table) -> Any:
    node = table[type(structure)]
    if node is None:
        return next(leaves)
    children = [
        next(leaves) if table[type(child)] is None else _pack(child, leaves, table)
        for child in node[0](structure)
    ]
    return node[1](structure, children)


def map_structure(func: Callable, *structure: Any, **kwargs: Any) -> Any:
    """A structure like the first one, of `func(leaf, ...)` of the leaves of all structures.

    Keywords: `check_types` (True) demands equal types of containers, `expand_composites` (False).

    >>> map_structure(lambda x, y: x + y, {"a": 1, "b": (2,)}, {"a": 10, "b": (20,)})
    {'a': 11, 'b': (22,)}
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, "
            f"not: `{'`, `'.join(kwargs)}`"
        )
    first = structure[0]
    if len(structure) == 1:
        results = [func(leaf) for leaf in flatten(first, expand_composites)]
    else:
        for other in structure[1:]:
            assert_same_structure(first, other, check_types, expand_composites)
        flat = [flatten(s, expand_composites) for s in structure]
        results = [func(*leaves) for leaves in zip(*flat)]
    return _packed(first, results, _table(expand_composites))


# Comparing structures


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """ValueError unless both nest alike; TypeError if `check_types` and containers differ in type.

    Any two lists, any two mappings, and namedtuples of the same name and fields count as the same
    type. Leaves may differ in type and value.
    """
    check_types = bool(check_types)
    table = _table(expand_composites)
    try:
        open_nodes = [iter([(nest1, nest2)])]
        while open_nodes:
            pair = next(open_nodes[-1], None)
            if pair is None:
                open_nodes.pop()
            elif pairs := _compare(*pair, check_types, table):
                open_nodes.append(iter(pairs))
                _check_levels(open_nodes)
    except (_Different, _DifferentType) as found:
        kind = TypeError if isinstance(found, _DifferentType) else ValueError
        raise kind(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_described(nest1)}\n\nSecond structure: {_described(nest2)}\n\n"
            f"More specifically: {found}\n"
            f"Entire first structure:\n{_shown(_outline(nest1))}\n"
            f"Entire second structure:\n{_shown(_outline(nest2))}"
        ) from None


class _Different(Exception):
    pass


class _DifferentType(Exception):
    pass


class _Dot:
    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


def _outline(structure: Any) -> Any:
    """The structure with a dot for each leaf, for messages."""
    try:
        return map_structure(lambda _: _DOT, structure)
    except unsignalled(Exception):
        return structure


def _described(value: Any) -> str:
    return f"type={type(value).__name__} str={_shown(value)}"


def _shown(value: Any) -> str:
    try:
        return str(value)
    except RecursionError:
        return f"<{type(value).__name__}, nested very deeply>"


def _compare(a: Any, b: Any, check_types: bool, table: _Table) -> list[tuple]:
    """Compare two nodes; the pairs of their children, which are still to be compared."""
    node_a, node_b = table[type(a)], table[type(b)]
    if node_a is None and node_b is None:
        return []
    if node_a is None or node_b is None:
        nested, leaf = (b, a) if node_a is None else (a, b)
        raise _Different(
            f'Substructure "{_described(nested)}" is a sequence, '
            f'while substructure "{_described(leaf)}" is not'
        )
    if check_types:
        _compare_types(a, b)
        if node_a[0] is _sorted_values:
            _compare_keys(a, b)
    children_a, children_b = list(node_a[0](a)), list(node_b[0](b))
    if len(children_a) != len(children_b):
        raise _Different(
            "The two structures don't have the same number of elements. "
            f"First structure: {_described(a)}. Second structure: {_described(b)}"
        )
    return list(zip(children_a, children_b))


def _same_type(a: Any, b: Any) -> bool:
    first, second = type(a), type(b)
    if first is second:
        return True
    if _is_namedtuple_type(first) and _is_namedtuple_type(second):
        return first.__name__ == second.__name__ and first._fields == second._fields
    return any(issubclass(first, c) and issubclass(second, c) for c in (list, Mapping))


def _compare_types(a: Any, b: Any) -> None:
    if not _same_type(a, b):
        raise _DifferentType(
            "The two structures don't have the same sequence type. "
            f"First structure {_described(a)} has type {type(a).__name__}, "
            f"while second structure {_described(b)} has type {type(b).__name__}"
        )


def _compare_keys(a: Mapping, b: Mapping) -> None:
    if set(a) != set(b):
        raise _Different(
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {_described(list(a))}, "
            f"while second structure has keys {_described(list(b))}"
        )


# Structures compared down to the depth of a shallower one


def assert_shallow_structure(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """ValueError or TypeError unless `input_tree` nests as `shallow_tree` does, or deeper."""
    _collect_up_to(shallow_tree, input_tree, [], check_types, _table(expand_composites))


def flatten_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list:
    """What stands in `input_tree` where `shallow_tree` has its leaves.

    >>> flatten_up_to([0, 0], [[1, 2], 3])
    [[1, 2], 3]
    """
    parts: list = []
    _collect_up_to(shallow_tree, input_tree, parts, check_types, _table(expand_composites))
    return parts


def map_structure_up_to(shallow_tree: Any, func: Callable, *inputs: Any, **kwargs: Any) -> Any:
    """Like `map_structure`, but stopping where `shallow_tree` has its leaves."""
    if not inputs:
        raise ValueError("Argument `inputs` is empty: map_structure_up_to needs a structure.")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}")
    flat = [flatten_up_to(shallow_tree, i, check_types, expand_composites) for i in inputs]
    results = [func(*parts) for parts in zip(*flat)]
    return pack_sequence_as(shallow_tree, results, expand_composites)


def _collect_up_to(shallow: Any, deep: Any, parts: list, check_types: bool, table: _Table) -> None:
    node = table[type(shallow)]
    if node is None:
        parts.append(deep)
        return
    deep_node = table[type(deep)]
    if deep_node is None:
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. "
            f"Input has type: {type(deep)}."
        )
    if check_types and not (_same_type(shallow, deep) or isinstance(deep, type(shallow))):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(deep)}, while shallow structure has type {type(shallow)}."
        )
    above, below = list(node.children(shallow)), list(deep_node.children(deep))
    if len(above) != len(below):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(below)}, while shallow structure has length {len(above)}."
        )
    if isinstance(shallow, Mapping) and isinstance(deep, Mapping):
        missing = [key for key in shallow if key not in deep]
        if missing:
            raise ValueError(
                "The shallow_tree's keys are not a subset of the input_tree's keys. The "
                f"shallow_tree has the following keys that are not in the input_tree: {missing}."
            )
    for x, y in zip(above, below):
        _collect_up_to(x, y, parts, check_types, table)
