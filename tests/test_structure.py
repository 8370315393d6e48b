"""The shape of the tree: folders that a README maps, files and functions of a readable size.

Checked by reading the source, without importing it. Each message says what to do. What must stay
larger than the limits stands in the exceptions below with its reason; those lists only shrink.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tapeflow"

LINES_OF_A_FILE = 600
LINES_OF_A_FUNCTION = 60
ATTRIBUTES_OF_A_CLASS = 15  # in tapeflow/jit
ENTRIES_OF_A_FOLDER = 15

# What may be larger, by path below tapeflow/, and why.
LARGE_FILES: dict[str, str] = {}
LARGE_FUNCTIONS: dict[str, str] = {}  # "path:name"
LARGE_CLASSES: dict[str, str] = {}  # "path:Class"
LARGE_FOLDERS: dict[str, str] = {
    ".": "the layers themselves, in the order of test_layers.LAYERS",
    "ops": "16 families of ops, as users know them by their namespaces",
}
# Base names that files of two layers share, and why that is right.
SHARED_NAMES: dict[str, str] = {}


def sources(folder: Path = PACKAGE) -> list[Path]:
    """The Python files below a folder, without the modules that child processes import."""
    return [path for path in sorted(folder.rglob("*.py")) if "children" not in path.parts]


def below(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def entries(folder: Path) -> set[str]:
    """The modules (`name.py`) and packages (`name/`) of a folder, without `__init__`."""
    modules = {path.name for path in folder.glob("*.py") if path.stem != "__init__"}
    packages = {f"{path.name}/" for path in folder.iterdir()
                if path.is_dir() and path.name != "children" and list(path.glob("*.py"))}
    return modules | packages


def expect_none(todo: list[str]) -> None:
    """Fail with what is to be done, one thing a line."""
    assert not todo, "\n".join(["", *todo])


FOLDERS = [path for path in [PACKAGE, *sorted(PACKAGE.rglob("*/"))]
           if "children" not in path.parts and list(path.glob("*.py"))]


# -- the maps --------------------------------------------------------------------------------------


def rows(page: str) -> list[list[str]]:
    """The names in the first column of tables, where that is headed `file` or `folder`."""
    found: list[list[str]] = []
    inside = False
    for line in page.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        first = line.split("|")[1].strip()
        if first in ("file", "folder"):
            inside = True
        elif inside and not set(first) <= set("-: "):
            found.append(re.findall(r"`([^`]+)`", first))
    return found


def disagreements(page: str, there: set[str]) -> list[str]:
    """How the table of a README differs from what its folder holds, as things to do."""
    named = [name for row in rows(page) for name in row]
    if not named:
        return ["add a table headed `| file | idea |` with a row for each file and subfolder"]
    todo = [f"add a row for `{name}` with its one idea" for name in sorted(there - set(named))]
    todo += [f"take out `{name}`: there is no such file or subfolder here"
             for name in sorted(set(named) - there)]
    todo += [f"name `{name}` once only" for name in sorted(set(named)) if named.count(name) > 1]
    return todo


@pytest.mark.parametrize("folder", FOLDERS, ids=below)
def test_a_folder_has_a_map(folder):
    there = entries(folder)
    if len(there) < 2:
        return
    page = folder / "README.md"
    where = page.relative_to(ROOT)
    assert page.exists(), (
        f"write {where}: what the folder is for, and a table `| file | idea |` that names each of "
        f"{', '.join(sorted(there))} once, in the order in which data meets them")
    assert not (todo := disagreements(page.read_text(), there)), f"{where}: " + "; ".join(todo)


def test_disagreements_are_found():
    page = "| file | idea |\n| --- | --- |\n| `a.py` | one |\n| `b/`, `c.py` | two |\n"
    assert disagreements(page, {"a.py", "b/", "c.py"}) == []
    assert len(disagreements(page, {"a.py", "b/", "c.py", "d.py"})) == 1  # not named
    assert len(disagreements(page, {"a.py", "b/"})) == 1  # not there
    assert len(disagreements(page + "| `a.py` | again |\n", {"a.py", "b/", "c.py"})) == 1
    other = page + "\n| setting | means |\n| --- | --- |\n| `d.py` | no file of the folder |\n"
    assert disagreements(other, {"a.py", "b/", "c.py"}) == []
    assert len(disagreements("Words alone.", {"a.py"})) == 1


# -- sizes -----------------------------------------------------------------------------------------


def excess(sizes: dict[str, int], limit: int, allowed: dict[str, str], advice: str) -> list[str]:
    """What is over a limit and not allowed to be, and exceptions that are needed no longer."""
    todo = [f"{name} has {size} (at most {limit}): {advice}"
            for name, size in sorted(sizes.items()) if size > limit and name not in allowed]
    return todo + [f"{name} is within {limit} or gone: take it out of the exceptions"
                   for name in sorted(allowed) if sizes.get(name, 0) <= limit]


def functions(path: Path) -> dict[str, int]:
    """Lines of each function of a file, by `path:name`; the longest of equal names."""
    sizes: dict[str, int] = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{below(path)}:{node.name}"
            sizes[name] = max(sizes.get(name, 0), node.end_lineno - node.lineno + 1)
    return sizes


def attributes(node: ast.ClassDef) -> set[str]:
    """What instances of a class hold: fields declared in its body, and targets of `self.x = …`."""
    fields = {one.target.id for one in node.body
              if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
              and "ClassVar" not in ast.unparse(one.annotation)}
    assigned = {one.attr for one in ast.walk(node)
                if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
                and isinstance(one.value, ast.Name) and one.value.id == "self"}
    return fields | assigned


def classes(path: Path) -> dict[str, int]:
    """Attributes of each class of a file, by `path:Class`; C structs are layouts, not classes."""
    return {f"{below(path)}:{node.name}": len(attributes(node))
            for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)
            and not any(ast.unparse(base).endswith(("Structure", "Struct")) for base in node.bases)}


def test_files_are_short():
    sizes = {below(path): len(path.read_text().splitlines()) for path in sources()}
    expect_none(excess(sizes, LINES_OF_A_FILE, LARGE_FILES, "split it into files of one idea each"))


def test_functions_fit_a_screen():
    sizes = {name: size for path in sources() for name, size in functions(path).items()}
    expect_none(excess(sizes, LINES_OF_A_FUNCTION, LARGE_FUNCTIONS,
                       "give its steps names, as functions of their own"))


def test_classes_of_the_compiler_are_small():
    sizes: dict[str, int] = {}
    for path in sources(PACKAGE / "jit"):
        sizes |= classes(path)
    expect_none(excess(sizes, ATTRIBUTES_OF_A_CLASS, LARGE_CLASSES,
                       "group what belongs together in a dataclass, or split it by its jobs"))


def test_folders_have_a_handful_of_entries():
    sizes = {below(folder): len(entries(folder)) for folder in FOLDERS}
    expect_none(excess(sizes, ENTRIES_OF_A_FOLDER, LARGE_FOLDERS,
                       "move the files of one idea into a subfolder with a README"))


def test_sizes_are_found():
    tree = ast.parse("class A:\n    x: int\n    def f(self):\n        self.y, self.z[0] = 1, 2\n"
                     "        self.x = other.w = 3\n    k: ClassVar[int] = 1\n")
    assert attributes(tree.body[0]) == {"x", "y"}
    assert excess({"a": 7, "b": 5}, 6, {}, "split") == ["a has 7 (at most 6): split"]
    assert excess({"a": 7, "b": 5}, 6, {"a": "why"}, "split") == []
    assert len(excess({"a": 7, "b": 5}, 6, {"a": "why", "b": "", "c": ""}, "split")) == 2


# -- names -----------------------------------------------------------------------------------------


def shared(paths: list[str]) -> dict[str, list[str]]:
    """Base names that files of several layers have; numpy_api has those of what it calls."""
    layers = defaultdict(list)
    for path in paths:
        layer, name = path.split("/")[0], path.split("/")[-1]
        if layer != "numpy_api" and not name.startswith("__"):
            layers[name].append(path)
    return {name: found for name, found in layers.items()
            if len({path.split("/")[0] for path in found}) > 1}


def test_files_of_different_layers_have_different_names():
    found = shared([below(path) for path in sources()])
    expect_none([f"{' and '.join(paths)}: say in the name what is special to each"
                 for name, paths in sorted(found.items()) if name not in SHARED_NAMES]
                + [f"{name} is shared no longer: take it out of SHARED_NAMES"
                   for name in SHARED_NAMES if name not in found])


def test_shared_names_are_found():
    assert list(shared(["core/a/nest.py", "base/nest.py", "core/b.py", "numpy_api/b.py"])) == [
        "nest.py"]
    assert shared(["core/a/nest.py", "core/b/nest.py", "core/__init__.py", "jit/__init__.py"]) == {}
