"""Nested structures: TensorFlow's rules for what is a leaf, in which order, and what is refused."""

import collections
import gc
import types
import weakref

import numpy as np
import pytest

from tapeflow.base import nest

Point = collections.namedtuple("Point", "b a")
Other = collections.namedtuple("Other", "b a")
Twin = collections.namedtuple("Point", "b a")


class ReadOnly(collections.abc.Mapping):
    def __init__(self, items):
        self.d = dict(items)

    def __getitem__(self, key):
        return self.d[key]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)

    def __eq__(self, other):
        return type(other) is ReadOnly and self.d == other.d and list(self.d) == list(other.d)


class Record:
    """Takes part through the protocol; `label` is not a leaf."""

    def __init__(self, label, *parts):
        self.label, self.parts = label, parts

    def __tf_flatten__(self):
        return (self.label,), self.parts

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(*metadata, *components)

    def __eq__(self, other):
        return (self.label, self.parts) == (other.label, other.parts)


class AttrsLike:
    __attrs_attrs__ = (types.SimpleNamespace(name="q"), types.SimpleNamespace(name="p"))

    def __init__(self, q, p):
        self.q, self.p = q, p

    def __eq__(self, other):
        return (self.q, self.p) == (other.q, other.p)


class MyList(list):
    pass


def default_dict(**items):
    d = collections.defaultdict(list)
    d.update(items)
    return d


STRUCTURES = [
    ([1, 2], [1, 2]),
    ((1, (2, 3)), [1, 2, 3]),
    ([], []),
    ([[], {}, ()], []),
    ({"b": 1, "a": [2, 3]}, [2, 3, 1]),
    (collections.OrderedDict([("b", 1), ("a", 2)]), [2, 1]),
    (default_dict(z=1, a=2), [2, 1]),
    ({3: 1, 1: 2}, [2, 1]),
    (Point(1, (2,)), [1, 2]),
    (ReadOnly({"b": 1, "a": 2}), [2, 1]),
    (collections.UserDict(b=1, a=2), [2, 1]),
    (MyList([1, 2]), [1, 2]),
    (collections.deque([1, 2]), [1, 2]),
    (Record("m", 1, [2, 3]), [1, 2, 3]),
    (AttrsLike(1, [2]), [1, 2]),
    ([{"x": (1, [2]), "a": None}, Point([], "s")], [None, 1, 2, "s"]),
]


@pytest.mark.parametrize(("structure", "leaves"), STRUCTURES)
def test_flatten_and_pack_are_inverse(structure, leaves):
    assert nest.is_nested(structure)
    assert nest.flatten(structure) == leaves
    again = nest.pack_sequence_as(structure, leaves)
    assert type(again) is type(structure) and again == structure
    assert nest.flatten(nest.map_structure(lambda x: (x, "new"), again)) == [
        part for x in leaves for part in (x, "new")
    ]


@pytest.mark.parametrize(
    "leaf", [1, None, "ab", b"a", {1}, frozenset([1]), slice(1), object(), np.float32(1), Ellipsis]
)
def test_leaves(leaf):
    assert not nest.is_nested(leaf) and nest.flatten(leaf) == [leaf]
    assert nest.map_structure(lambda x: [x], leaf) == [leaf]
    assert nest.pack_sequence_as(leaf, ["new"]) == "new"


def test_arrays_and_generators_are_leaves():
    array, generator = np.ones(2), (i for i in ())
    assert nest.flatten(array)[0] is array and nest.flatten(generator)[0] is generator


def test_ranges_and_views_become_lists():
    views = {"b": 1, "a": 2}
    assert nest.flatten(range(3)) == [0, 1, 2] and nest.flatten(views.values()) == [1, 2]
    assert nest.map_structure(str, range(2)) == ["0", "1"]
    assert nest.map_structure(str, views.keys()) == ["b", "a"]
    assert nest.map_structure(str, views.items()) == [("b", "1"), ("a", "2")]


def test_dicts_keep_their_order_and_type():
    assert list(nest.map_structure(str, {"b": 1, "a": 2}).items()) == [("b", "1"), ("a", "2")]
    mapped = nest.map_structure(str, default_dict(z=1, a=2))
    assert mapped.default_factory is list and list(mapped) == ["z", "a"]
    calls = []
    nest.map_structure(calls.append, {"b": 1, "a": 2})
    assert calls == [2, 1]


@pytest.mark.parametrize("keys", [{1: 2, "a": 3}, {None: 1, "a": 2}])
def test_unsortable_keys(keys):
    for call in (nest.flatten, lambda d: nest.map_structure(str, d)):
        with pytest.raises(TypeError, match="nest only supports dicts with sortable keys"):
            call(keys)


def test_a_mapping_that_cannot_be_rebuilt():
    with pytest.raises(TypeError, match="Error creating an object of type <class 'mappingproxy'>"):
        nest.map_structure(str, types.MappingProxyType({"a": 1}))


def test_map_structure_of_several():
    assert nest.map_structure(lambda *x: x, [1], [2], [3]) == [(1, 2, 3)]
    assert nest.map_structure(lambda x, y: x + y, (1, 2), [10, 20], check_types=False) == (11, 22)
    assert nest.map_structure(lambda x, y: x - y, {"a": 1, "b": 2}, {"b": 1, "a": 5}) == {
        "a": -4,
        "b": 1,
    }


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: nest.map_structure(1, [1]), TypeError, "func must be callable, got: 1"),
        (lambda: nest.map_structure(str), ValueError, "Must provide at least one structure"),
        (lambda: nest.map_structure(str, [1], foo=1), ValueError, "not: `foo`"),
        (lambda: nest.pack_sequence_as([1], 5), TypeError, "Attempted to pack value:\n  5"),
        (lambda: nest.pack_sequence_as([1], "a"), TypeError, "Attempted to pack value"),
        (lambda: nest.pack_sequence_as([1], np.ones(1)), TypeError, "incompatible type"),
        (lambda: nest.pack_sequence_as(1, []), ValueError, "The target structure is of type"),
        (lambda: nest.pack_sequence_as(1, [1, 2]), ValueError, "of length 2"),
        (
            lambda: nest.pack_sequence_as((1, (2, 3)), [0, 1]),
            ValueError,
            "Structure had 3 atoms, but flat_sequence had 2 items.  Structure: .1, .2, 3..",
        ),
        (lambda: nest.pack_sequence_as([1], [1, 2]), ValueError, "had 1 atoms, .* had 2 items"),
        (lambda: nest.flatten(), TypeError, "structure"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 2], [3, None]),
        ([1, 2], MyList([1, 2])),
        (collections.OrderedDict(b=1, a=2), {"a": 1, "b": 2}),
        (ReadOnly({"a": 1}), {"a": 1}),
        (Point(1, 2), Twin(1, 2)),
        ("abc", 1),
        (Record("m", 1), Record("q", 1)),
        ([[], {}], [[], {}]),
    ],
)
def test_same_structure(a, b):
    assert nest.assert_same_structure(a, b) is None


@pytest.mark.parametrize(
    ("a", "b", "error", "words"),
    [
        ((1, 2), [1, 2], TypeError, "has type tuple, while second .* has type list"),
        ([], (), TypeError, "has type list, while second .* has type tuple"),
        ({}, [], TypeError, "has type dict, while second .* has type list"),
        (Point(1, 2), (1, 2), TypeError, "has type Point, while second .* has type tuple"),
        (Point(1, 2), Other(1, 2), TypeError, "has type Point, while second .* has type Other"),
        ({"a": [1]}, {"a": (1,)}, TypeError, "has type list, while second .* has type tuple"),
        (range(2), [1, 2], TypeError, "has type range"),
        ([1, [2]], [1, 2], ValueError, 'Substructure "type=list str=.2." is a sequence'),
        ([1, 2], [1, [2]], ValueError, 'while substructure "type=int str=2" is not'),
        (None, [], ValueError, 'while substructure "type=NoneType str=None" is not'),
        ([1, 2, 3], [1, 2], ValueError, "don't have the same number of elements"),
        ({"a": 1}, {"b": 1}, ValueError, "don't have the same set of keys.*'a'.*'b'"),
        ({"a": 1}, {"a": 1, "b": 2}, ValueError, "don't have the same set of keys"),
    ],
)
def test_different_structure(a, b, error, words):
    with pytest.raises(error, match=words) as caught:
        nest.assert_same_structure(a, b)
    assert type(caught.value) is error
    with pytest.raises(error):
        nest.map_structure(lambda x, y: 0, a, b)
    if error is TypeError:
        assert nest.assert_same_structure(a, b, check_types=False) is None


def test_message_shows_both_outlines():
    with pytest.raises(ValueError) as caught:
        nest.assert_same_structure([[1], [2, 3]], [[1, 2], [3]])
    assert str(caught.value) == (
        "The two structures don't have the same nested structure.\n\n"
        "First structure: type=list str=[[1], [2, 3]]\n\n"
        "Second structure: type=list str=[[1, 2], [3]]\n\n"
        "More specifically: The two structures don't have the same number of elements. "
        "First structure: type=list str=[1]. Second structure: type=list str=[1, 2]\n"
        "Entire first structure:\n[[.], [., .]]\n"
        "Entire second structure:\n[[., .], [.]]"
    )
    with pytest.raises(TypeError, match="has type bytearray"):
        nest.assert_same_structure(bytearray(b"a"), [1])


@pytest.mark.parametrize(
    ("shallow", "deep", "parts"),
    [
        ([1, 2], [[3], 4], [[3], 4]),
        (1, [2], [[2]]),
        ("ab", ["c"], [["c"]]),
        ({"b": 0, "a": 0}, {"a": [1, 2], "b": 3}, [[1, 2], 3]),
        (Point(1, 2), Point([1], 2), [[1], 2]),
        ([[1]], [[[2, 3]]], [[2, 3]]),
        ([], [], []),
    ],
)
def test_up_to(shallow, deep, parts):
    assert nest.flatten_up_to(shallow, deep) == parts
    assert nest.assert_shallow_structure(shallow, deep) is None
    assert nest.map_structure_up_to(
        shallow, lambda x, y: (x, y), deep, deep
    ) == nest.pack_sequence_as(shallow, [(p, p) for p in parts])


@pytest.mark.parametrize(
    ("shallow", "deep", "error", "words"),
    [
        ([1, 2], [1], ValueError, "has length 1, while shallow structure has length 2"),
        ([], [1], ValueError, "has length 1, while shallow structure has length 0"),
        ([1, 2], 5, TypeError, "input must also be a sequence. Input has type: <class 'int'>"),
        ({"a": 1}, {"b": 1}, ValueError, "keys that are not in the input_tree: .'a'."),
        ((1, 2), [1, 2], TypeError, "has type <class 'list'>, while shallow structure has type"),
    ],
)
def test_up_to_refuses(shallow, deep, error, words):
    for call in (nest.flatten_up_to, nest.assert_shallow_structure):
        with pytest.raises(error, match=words):
            call(shallow, deep)


def test_up_to_without_types():
    assert nest.flatten_up_to((1, 2), [1, [2]], check_types=False) == [1, [2]]


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


class Half(Pair):
    pass


def test_composites_open_only_when_asked():
    assert nest.flatten([Pair(1, 2)], expand_composites=True) != [1, 2]  # seen before registered
    nest.register_composite(Pair, lambda p: [p.left, p.right], lambda p, parts: type(p)(*parts))
    try:
        value = [Half(1, [2, Pair(3, 4)]), 5]
        assert nest.flatten(value) == value[:1] + [5]
        assert nest.flatten(value, expand_composites=True) == [1, 2, 3, 4, 5]
        assert not nest.is_nested(Pair(1, 2))
        mapped = nest.map_structure(lambda x: x * 10, value, expand_composites=True)
        assert type(mapped[0]) is Half and mapped[0].right[1].left == 30 and mapped[1] == 50
        packed = nest.pack_sequence_as(value, list("abcde"), expand_composites=True)
        assert packed[0].right[1].right == "d"
        with pytest.raises(TypeError):
            nest.assert_same_structure(Pair(1, 2), [1, 2], expand_composites=True)
        with pytest.raises(ValueError):
            nest.assert_same_structure(Pair(1, 2), 3, expand_composites=True)
    finally:
        nest._COMPOSITES.pop(Pair)
        nest._NODES_AND_COMPOSITES.clear()


def test_no_value_is_kept_alive():
    record = Record("m", 1)
    dead = weakref.ref(record)
    nest.map_structure(str, [record])
    del record
    gc.collect()
    assert dead() is None


def test_endless_new_types_do_not_fill_memory():
    for i in range(nest._MOST_TYPES + 10):
        nest.flatten(type(f"T{i}", (), {})())
    assert len(nest._NODES) <= nest._MOST_TYPES + 1


def nested(depth, leaf):
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def depth_of(structure):
    depth = 0
    while isinstance(structure, list):
        structure, depth = structure[0], depth + 1
    return depth


def test_structures_deeper_than_pythons_stack():
    import tapeflow as tf
    deep = nested(10_000, 1)
    assert tf.nest.flatten(deep) == [1]
    assert tf.nest.flatten([{"b": deep, "a": 2}, deep]) == [2, 1, 1]
    assert depth_of(tf.nest.pack_sequence_as(deep, [2])) == 10_000
    made = tf.nest.map_structure(lambda x, y: x + y, [deep, 3], [deep, 4])
    assert tf.nest.flatten(made) == [2, 7] and depth_of(made[0]) == 10_000
    tf.nest.assert_same_structure(deep, nested(10_000, 2))
    with pytest.raises(ValueError, match="same nested structure"):
        tf.nest.assert_same_structure(deep, nested(9_999, 2))
    with pytest.raises(ValueError, match="deeply"):
        tf.convert_to_tensor(deep)


def test_chains_of_modules_longer_than_pythons_stack():
    import tapeflow as tf
    top = module = tf.Module()
    for _ in range(3_000):
        module.next = tf.Module()
        module = module.next
    module.v = tf.Variable(1.0)
    assert len(top.submodules) == 3_000
    assert [one is module.v for one in top.trainable_variables] == [True]


def test_a_structure_in_itself_is_refused():
    endless, other = [1], [1]
    endless.append(endless)
    other.append(other)
    for call in (lambda: nest.assert_same_structure(endless, other),
                 lambda: nest.map_structure(lambda x, y: x, endless, other),
                 lambda: nest.flatten(endless)):
        with pytest.raises(RecursionError, match="in itself"):
            call()
    with pytest.raises(ValueError, match="same nested structure"):
        nest.assert_same_structure(endless, [1, [1, 2]])


def test_messages_about_structures_deeper_than_pythons_stack():
    deep = nested(10_000, 1)
    with pytest.raises(ValueError, match="nested very deeply"):
        nest.pack_sequence_as(deep, [1, 2])
    with pytest.raises(ValueError, match="nested very deeply"):
        nest.pack_sequence_as(1, [deep, deep])
