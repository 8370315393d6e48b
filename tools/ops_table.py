"""Writes docs/ops.md: one row for each op record, from the record itself.

    python tools/ops_table.py            write the page
    python tools/ops_table.py --check    fail if the page is not what would be written

Public names are found by following what each public function refers to: an op belongs to the
functions that carry its name, else to those nearest to it.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import types
from collections import deque
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import tapeflow  # noqa: E402, F401
from tapeflow.base import exports  # noqa: E402
from tapeflow.core.record.op import OPS, Op  # noqa: E402

PAGE = ROOT / "docs" / "ops.md"
MOST_NAMES = 4
FAR = 4  # how many functions lie between a public name and an op, at most
OURS = ("tapeflow.ops", "tapeflow.core", "tapeflow.graph")

HEAD = """# Ops

One row for each op record, written by `tools/ops_table.py` from the records (`make ops-table`); a
test fails when it is out of date. What the columns say is tested by `tests/ops` for every record
and its sample inputs.

| column | meaning |
| --- | --- |
| names | public functions that call the op (of many, the nearest); none: used by other ops' rules |
| gradient | `yes`, the operands that have one, or why there is none |
| second | the rule is made of ops, so gradients of gradients work, to any order |
| forward | `tf.autodiff.ForwardAccumulator` |
| batch | one run for a whole batch: `tf.vectorized_map`, `jacobian` |
| native | it has a form in native code; the others are called from there |

Operands that the gradient leaves out are indices, orders and masks, or parameters for which
TensorFlow has no gradient either.

"""


def referred(function: Any) -> list[Any]:
    """What a function's code refers to: globals, closure, defaults, decorated functions."""
    found: list[Any] = []
    function = inspect.unwrap(function)  # what waits for sizes
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [one for one in code.co_consts if isinstance(one, types.CodeType)]
        found += [function.__globals__[name] for name in code.co_names
                  if name in function.__globals__]
        for name in code.co_names:  # module.function
            found += [getattr(one, name) for one in found
                      if isinstance(one, types.ModuleType) and one.__name__.startswith(OURS)
                      and name in vars(one)]
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue
    return found


def distances(function: Any, public: set[int]) -> dict[str, int]:
    """The ops that a public function reaches, with how many functions lie between."""
    found: dict[str, int] = {}
    seen = {id(function)}
    queue = deque([(function, 0)])
    while queue:
        one, far = queue.popleft()
        for other in referred(one):
            if isinstance(other, Op):
                found.setdefault(other.name, far)
                continue
            op = getattr(other, "op", None)
            if isinstance(op, Op):
                found.setdefault(op.name, far)
            elif (isinstance(other, types.FunctionType) and id(other) not in seen
                    and far < FAR and id(other) not in public
                    and (other.__module__ or "").startswith(OURS)):
                seen.add(id(other))
                queue.append((other, far + 1))
    return found


def plain(name: str) -> str:
    for start in ("reduce_", "tensor_"):
        name = name.removeprefix(start)
    return name.replace("_", "").lower()


def names_of_ops() -> dict[str, list[str]]:
    """Public names for each op: those that carry its name, else the nearest."""
    functions = {name: value for name, value in exports.PUBLIC.items()
                 if isinstance(value, types.FunctionType)
                 and not name.startswith(("experimental.numpy.", "__", "compat."))}
    public = {id(value) for value in functions.values()}
    reached: dict[str, list[tuple[int, str]]] = {}
    for name, function in functions.items():
        for op, far in distances(function, public).items():
            reached.setdefault(op, []).append((far, name))
    result = {}
    for op, places in reached.items():
        if op not in OPS:  # made for one function, not registered
            continue
        same = [name for _, name in places if plain(name.rpartition(".")[2]) in
                (plain(op), plain(OPS[op].tf_name), plain(OPS[op].tf_name.rstrip("V23456")))]
        least = min(far for far, _ in places)
        nearest = [name for far, name in places if far == least]
        result[op] = sorted(same or nearest, key=lambda name: (len(name), name))
    return result


def gradient(op: Op) -> str:
    if op.reason is not None:
        return f"none: {op.reason}"
    if op.rules is None or None not in op.rules:
        return "yes"
    return ", ".join(arg for arg, rule in zip(op.args, op.rules) if rule is not None)


def row(op: Op, names: list[str]) -> str:
    shown = [f"`{name}`" for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        shown.append("…")
    smooth = op.reason is None
    yes = {True: "yes", False: "–"}
    cells = [f"`{op.name}`", " ".join(shown), gradient(op).replace("|", "\\|"), yes[smooth],
             yes[smooth], yes[op.batch is not None],
             yes[getattr(op, "lower", None) is not None]]
    return "| " + " | ".join(cells) + " |"


def text() -> str:
    exports.load_all()
    names = names_of_ops()
    rows = [row(OPS[name], names.get(name, [])) for name in sorted(OPS)]
    smooth = sum(op.reason is None for op in OPS.values())
    counts = f"{len(OPS)} ops, {smooth} of them differentiable.\n\n"
    columns = ("op", "names", "gradient", "second", "forward", "batch", "native")
    head = "| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns) + "\n"
    return HEAD + counts + head + "\n".join(rows) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args()
    new = text()
    if args.check:
        return PAGE.read_text(encoding="utf-8") != new
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
