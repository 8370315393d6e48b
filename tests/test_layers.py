"""Imports go only downwards, in the order of LAYERS: base, core, ops, graph … api, alias, cli.

Checked by reading the import statements, those inside functions too, so that a cycle cannot hide
in a lazy import. Inside a layer, too, modules import one another in one direction only.
"""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "tapeflow"
LAYERS = ["base", "core", "ops", "graph", "jit", "compiler", "io", "data", "train",
          "tensorflow_graphs", "summary", "saved_model", "onnx", "graph_mode", "distribute",
          "documentation", "api", "numpy_api", "linear_operators", "gradients", "insight",
          "horovod", "alias", "cli"]
# Files beside the layers, with the layer that they count as. `tapeflow/__init__.py` is the public
# face: it takes what api built, and what stands above it only when asked for (never at import).
# `_wiring.py` connects the layers, and keeps to the same rule.
COUNTS_AS = {"__init__": "api", "_wiring": "insight", "keras": "alias", "doctor": "cli",
             "export_command": "cli",
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


# -- cycles inside a layer -------------------------------------------------------------------------
MODULES = {module_name(path): path for path in FILES}


def imported_modules(tree: ast.AST, module: str, is_package: bool, known: set[str]) -> set[str]:
    """The modules that a file imports, at any depth; what only type checkers read does not count.

    Of `from package import name` it is the module `package.name` where there is one.
    """
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for one in node.orelse:
                visit(one)
            return
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")[: None if is_package else -1]
                base = ".".join([*parents[: len(parents) - node.level + 1], *filter(None, [base])])
            for name in node.names:
                inner = f"{base}.{name.name}"
                found.add(inner if inner in known else base)
        for one in ast.iter_child_nodes(node):
            visit(one)

    visit(tree)
    return found & known - {module}


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach one another (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    found: list[list[str]] = []

    def search(one: str) -> None:
        order[one] = low[one] = len(order)
        open_.append(one)
        for other in sorted(graph[one]):
            if other not in order:
                search(other)
            if other in open_:
                low[one] = min(low[one], low[other])
        if low[one] == order[one]:
            at = open_.index(one)
            group, open_[at:] = open_[at:], []
            if len(group) > 1:
                found.append(sorted(group))

    for one in sorted(graph):
        if one not in order:
            search(one)
    return found


def module_graph(layer_name: str) -> dict[str, set[str]]:
    """Who imports whom inside one layer."""
    own = {name for name in MODULES if layer(name) == layer_name}
    return {name: imported_modules(ast.parse(MODULES[name].read_text()), name,
                                   MODULES[name].name == "__init__.py", own) for name in own}


@pytest.mark.parametrize("name", LAYERS)
def test_modules_of_a_layer_import_in_one_direction(name):
    assert cycles(module_graph(name)) == []


def test_cycles_are_found():
    known = {"a.b", "a.c", "a.d"}
    graph = {
        "a.b": imported_modules(ast.parse("from a import c"), "a.b", False, known),
        "a.c": imported_modules(ast.parse("def f():\n    from .d import x"), "a.c", False, known),
        "a.d": imported_modules(ast.parse("import a.b"), "a.d", False, known),
    }
    assert cycles(graph) == [["a.b", "a.c", "a.d"]]
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a.b"
    assert cycles({**graph, "a.d": imported_modules(ast.parse(typed), "a.d", False, known)}) == []
