"""Records tell all: outside of `core/record`, nothing decides by the name of an op.

Checked by reading the sources: no comparison of `op.name`, no look-up of an op or of a public
function by a string, no list of ops' names. What a pass must know of an op is a trait of its record
(`core/record/traits.py`); an op that must be told apart is imported, `node.op is add.op`.
"""

import ast
from pathlib import Path

import pytest

from tapeflow.base.exports import load_all
from tapeflow.core.record.op import OPS

PACKAGE = Path(__file__).resolve().parents[1] / "tapeflow"
# Where names are kept, and where they come from files.
HOMES = {"base/exports.py", "base/late.py", "core/record/op.py",
         "core/values/extension_dispatch.py", "jit/verification/reproduction.py"}
MANY = 4  # names of ops in one literal that make it a list of ops
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if "children" not in path.parts
         and str(path.relative_to(PACKAGE)) not in HOMES]


def names_of_ops() -> frozenset[str]:
    load_all()
    return frozenset(OPS)


def findings(source: str, names: frozenset[str]) -> list[str]:
    """What a file says about ops by name, with its line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_is_name_of_op(side) for side in sides) and any(
                    _holds_text(side) for side in sides):
                found.append(f"{node.lineno}: compares the name of an op")
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and (
                node.value.id in ("OPS", "NAMED", "PUBLIC") and _holds_text(node.slice)):
            found.append(f"{node.lineno}: looks up {node.value.id} by a name")
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            held = [one.value for one in node.elts if isinstance(one, ast.Constant)
                    and isinstance(one.value, str)]
            if len(held) == len(node.elts) >= MANY and set(held) <= names:
                found.append(f"{node.lineno}: lists ops by name: {held}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            if len(words) >= MANY and set(words) <= names:
                found.append(f"{node.lineno}: lists ops by name: {words}")
    return found


def _is_name_of_op(node: ast.AST) -> bool:
    """`op.name`, `node.op.name`."""
    return isinstance(node, ast.Attribute) and node.attr == "name" and (
        isinstance(node.value, ast.Name) and node.value.id == "op"
        or isinstance(node.value, ast.Attribute) and node.value.attr == "op")


def _holds_text(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str)
               or isinstance(one, ast.Name) and one.id.isupper() for one in ast.walk(node))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_op_is_known_by_its_name(path):
    assert findings(path.read_text(), names_of_ops()) == []


@pytest.mark.parametrize("source, count", [
    ('if node.op.name == "add": pass', 1),
    ('if op.name in ("add", "multiply"): pass', 1),
    ('if op.name not in CHEAP: pass', 1),
    ('OPS["add"].call(x)', 1),
    ('PUBLIC["math.add"](x)', 1),
    ('PUBLIC[f"math.{kind}"](x)', 1),
    ('EXPENSIVE = ("sin", "cos", "exp", "log")', 1),
    ('EXPENSIVE = "sin cos exp log".split()', 1),
    ('if node.op is add.op: pass', 0),
    ('message = f"{op.name} failed"', 0),
    ('if dtype.name == "float16": pass', 0),
    ('if NAMED.get(op.name) is op: pass', 0),
    ('names = ("sin", "math.sin")', 0),
])
def test_the_check_finds_what_it_should(source, count):
    assert len(findings(source, names_of_ops())) == count
