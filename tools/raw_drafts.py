"""Examples for `tf.raw_ops`, drafted from the declarations of the ops.

Each input gets one of a few values of its type, each attribute without a default one of its kind;
the first combination that the op takes, and of which it gives the same twice, is the example.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import tapeflow as tf
from tapeflow.tensorflow_graphs.definition import Argument, Attribute, definition

FLOATS = ("[1.0, 2.0, 3.0]", "[-0.5, 0.25]", "[[4.0, 1.0], [1.0, 3.0]]", "0.5", "[0.25, 0.5]",
          "tf.reshape(tf.range(16.0), [1, 4, 4, 1])", "tf.reshape(tf.range(9.0), [3, 3])")
WHOLE = ("[0, 1]", "1", "[1, 2]", "[2, 3]", "[0, 1, 1]", "[[0], [1]]", "[[0, 1], [1, 0]]",
         "[1, 2, 2, 1]")
BY_TYPE = {
    "bool": ("[True, False]", "True", "[True, False, True]"),
    "string": ("['a', 'b c']", "'a'", "['1', '2']", "'1 2'"),
    "int32": WHOLE, "int64": WHOLE, "uint8": ("[[[0, 128, 255]]]", "[1, 2, 3]"),
    "float32": FLOATS, "float": FLOATS, "float64": FLOATS, "double": FLOATS,
    "complex64": ("tf.complex([1.0, 2.0], [0.5, -1.0])", "tf.complex([[1.0, 2.0]], 0.0)")}
ANY = (*FLOATS[:4], "[1, 2, 3]", "[True, False]", *FLOATS[4:], "[0, 1]",
       "tf.complex([1.0, 2.0], [0.5, -1.0])", "['a', 'b']")
ATTRIBUTES = {
    "int": ("2", "1", "0"), "float": ("0.5",), "bool": ("False", "True"),
    "type": ("tf.float32", "tf.int32"), "string": ("'SAME'", "'VALID'", "''", "'sum'", "'%s'"),
    "shape": ("[2]",), "list(int)": ("[1, 2, 2, 1]", "[2]", "[1]", "[1, 1, 1, 1]"),
    "list(float)": ("[1.0]",), "list(string)": ("['a']",), "list(type)": ("[tf.float32]",)}
# Names of inputs that are axes, indices and sizes, whatever type they have.
COUNTED = re.compile("axis|dim|indices|segment_ids|shape|size|begin|padding|block|crop|perm|num|"
                     "shift|^k$|^n$|lower|upper|_id|_len|depth|limit|multiples|split|repeats|lengths")
COUNTS = ("0", "[0]", "1", "[0, 1]", "2", "[0, 1, 1]", "[[0], [1]]", "[3, 1]", "[[1, 1]]",
          "[[0, 0], [1, 1]]", "[[0, 0], [0, 0]]")
MOST = 400  # combinations that are tried
FIRST = 4  # of them may serve: not all give finite numbers
# Ops with effects, whose results belong to a process, or that are drawn at random.
EFFECTS = ("Anonymous", "Assert", "Barrier", "Dataset", "Debug", "Delete", "File", "Iterator",
           "Print", "Queue", "Random", "Save", "Restore", "Summary", "Table", "Var", "Stack",
           "Multinomial", "Generator", "Host", "Timestamp", "Merge", "Collective", "Shuffle",
           "Truncated", "Parameterized")


def _input(one: Argument) -> tuple[str, ...]:
    if one.number or one.is_list:
        return ("[[1.0, 2.0], [3.0, 4.0]]", "[[1, 2], [3, 4]]", "[[0, 1], [1, 2]]", "['a', 'b']",
                "[['a'], ['b']]", "[1.0, 2.0]")
    if COUNTED.search(one.public) and one.type not in BY_TYPE:
        return COUNTS
    return BY_TYPE.get(one.type, ANY)


def _attribute(one: Attribute) -> tuple[str, ...]:
    return ATTRIBUTES.get(one.type, ())


def calls(name: str) -> list[str]:
    """Calls of an op that may serve, simple ones first."""
    found = definition(name)
    if found is None or any(word in name for word in EFFECTS) or any(
            one.type in ("resource", "variant") or one.is_reference
            for one in (*found.inputs, *found.outputs)):
        return []
    given: dict[str, tuple[str, ...]] = {one.public: _input(one) for one in found.inputs}
    decided = found.inferred()
    given.update({one.public: _attribute(one) for one in found.attributes
                  if one.required and one.name not in decided})
    ranked = sorted(itertools.islice(itertools.product(*[range(len(one)) for one in
                                                         given.values()]), 200_000), key=sum)
    return [f"tf.raw_ops.{name}(" + ", ".join(
        f"{key}={values[i]}" for (key, values), i in zip(given.items(), choice, strict=True)) + ")"
        for choice in ranked[:MOST]]


def repeats(call: str, space: dict[str, Any]) -> bool:
    """Whether a call gives the same twice."""
    first, second = [repr(eval(call, dict(space))) for _ in range(2)]
    return first == second and " at 0x" not in first


def raw_candidates(name: str) -> list[str]:
    """The first calls that an op takes."""
    space, found = {"tf": tf}, []
    for call in calls(name):
        try:
            if repeats(call, space):
                found.append(call)
        except Exception:
            continue
        if len(found) == FIRST:
            break
    return found
