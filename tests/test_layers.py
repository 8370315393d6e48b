"""Imports go only downwards, in the order of LAYERS: base, core, ops, graph … api, alias, cli.

Checked by reading the import statements, those inside functions too, so that a cycle cannot hide
in a lazy import.
"""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "tapeflow"
LAYERS = ["base", "core", "ops", "graph", "jit", "compiler", "io", "data", "train", "summary",
          "saved_model", "distribute", "api", "numpy_api", "linear_operators", "insight", "alias",
          "cli"]
# Files beside the layers, with the layer that they count as. `tapeflow/__init__.py` is the public
# face: it takes what api built, and what stands above it only when asked for (never at import).
# `_wiring.py` connects the layers, and keeps to the same rule.
COUNTS_AS = {"__init__": "api", "_wiring": "insight", "keras": "alias", "doctor": "cli",
             "__main__": "cli"}


def layer(module: str) -> str:
    """The layer of a dotted module name of tapeflow."""
    parts = module.split(".")
    first = parts[1] if len(parts) > 1 else "__init__"
    return COUNTS_AS.get(first, first)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST, module: str, is_package: bool):
    """(line, module) of every import of tapeflow in a file, at any depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == "tapeflow":
                    yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")[: None if is_package else -1]
                parents = parents[: len(parents) - node.level + 1]
                base = ".".join([*parents, *filter(None, [base])])
            if base.split(".")[0] != "tapeflow":
                continue
            for name in node.names:
                # `from tapeflow import core` names a layer, `from tapeflow import Tensor` the face.
                inner = base == "tapeflow" and (PACKAGE / name.name).exists()
                file = base == "tapeflow" and (PACKAGE / f"{name.name}.py").exists()
                yield node.lineno, f"tapeflow.{name.name}" if inner or file else base


def violations(source: str, module: str, is_package: bool = False) -> list[str]:
    """The imports of a file that do not go down, in words."""
    own = LAYERS.index(layer(module))
    found = []
    for line, target in imports(ast.parse(source), module, is_package):
        if module == "tapeflow" and LAYERS.index(layer(target)) > own:
            continue  # covered by test_the_face_loads_nothing_above_api
        if LAYERS.index(layer(target)) > own:
            found.append(f"{module}:{line} ({layer(module)}) imports {target} ({layer(target)})")
    return found


FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if "children" not in path.parts]


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_go_down(path):
    module = module_name(path)
    assert layer(module) in LAYERS, f"{module} belongs to no layer; add the layer to LAYERS"
    assert violations(path.read_text(), module, path.name == "__init__.py") == []


@pytest.mark.parametrize("file", ["__init__.py", "_wiring.py"])
def test_the_face_loads_nothing_above_api(file):
    tree = ast.parse((PACKAGE / file).read_text())
    loaded = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    found = [name for _, name in imports(ast.Module(loaded, []), "tapeflow", True)]
    assert [name for name in found if name != "tapeflow._wiring"
            and LAYERS.index(layer(name)) > LAYERS.index("api")] == []


@pytest.mark.parametrize(
    "module, source, count",
    [
        ("tapeflow.core.autodiff.tape", "from tapeflow.base import dtypes", 0),
        ("tapeflow.core.autodiff.tape", "import tapeflow.ops.math", 1),
        ("tapeflow.core.autodiff.tape", "def f():\n    from tapeflow.api import build", 1),
        ("tapeflow.core.autodiff.tape", "from ...ops import elementwise", 1),
        ("tapeflow.core.autodiff.tape", "from . import state\nfrom .state import scope", 0),
        ("tapeflow.core.autodiff.tape", "import tapeflow as tf", 1),
        ("tapeflow.ops.reduce", "from tapeflow import core", 0),
        ("tapeflow.ops.reduce", "from tapeflow import insight, graph", 2),
        ("tapeflow.insight.explain", "import tapeflow as tf", 0),
        ("tapeflow.alias.finder", "from tapeflow import cli", 1),
        ("tapeflow.cli", "from tapeflow import doctor, alias", 0),
    ],
)
def test_the_check_finds_what_it_should(module, source, count):
    assert len(violations(source, module)) == count
