"""Writes the stubs (`stubs/tapeflow-stubs`) that editors read, from the live package.

    python tools/stubs.py            write the stubs
    python tools/stubs.py --check    fail if the stubs are not what would be written

The stub of `tf.a.b` is `tapeflow-stubs/a/b/__init__.pyi`: a package of stubs alone, which checkers
prefer to the sources.
A value with several public names is defined under one of them, its home, and the other stubs import
it from there: a function lives in its namespace, a class at the top where it has a name there.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import stub_callables as callables  # noqa: E402
from stub_overrides import KEEPING, KEEPING_LISTED, TYPING, WHOLE  # noqa: E402
from stub_types import Names, Scope  # noqa: E402

import tapeflow  # noqa: E402
from tapeflow.base import exports  # noqa: E402
from tapeflow.core.record.op import OPS  # noqa: E402

PACKAGE = ROOT / "stubs" / "tapeflow-stubs"
HEAD = "# Written by tools/stubs.py (make stubs).\n"
FROM_KERAS = ("initializers", "losses", "metrics", "optimizers")
MODULES = ("compiler", "gradients", "insight", "onnx")  # tapeflow's own, real modules
SECOND = ("compat.", "raw_ops.", "experimental.", "data.experimental.")  # no homes if others exist


def public() -> dict[str, Any]:
    """All public names and their values, without those that only libraries use."""
    exports.load_all()
    found = {name: value for name, value in exports.PUBLIC.items()
             if not name.startswith("__internal__")}
    for module in MODULES:
        for name in getattr(tapeflow, module).__all__:
            found[f"{module}.{name}"] = getattr(getattr(tapeflow, module), name)
    found |= keras_names(tapeflow.keras)
    return dict(sorted(found.items(), key=lambda one: (one[0].lower(), one[0])))


def home_of(names: list[str], value: Any) -> str:
    """The one of a value's public names that it is defined under."""
    top = isinstance(value, type) or not callable(value)
    return min(names, key=lambda name: (
        name.startswith(SECOND), not top and "." not in name, name.count("."), name))


def homes(found: dict[str, Any]) -> dict[int, str]:
    """The home of each value that is one object for all its names: not of plain constants."""
    names: dict[int, list[str]] = {}
    for name, value in found.items():
        if not isinstance(value, (int, float, str, tuple, type(None))) and not _is_numpy(value):
            names.setdefault(id(value), []).append(name)
    return {key: home_of(some, found[some[0]]) for key, some in names.items()}


def _is_numpy(value: Any) -> bool:
    return getattr(value, "__module__", "").split(".")[0] == "numpy"


# -- one namespace ---------------------------------------------------------------------------------
class Stub:
    """The stub of one namespace."""

    def __init__(self, space: str, members: dict[str, Any], children: set[str], names: Names):
        self.space = space
        self.members = members
        self.children = children
        self.scope = Scope(names, {*members, *children})
        self.scope.open = space.split(".")[0] == "keras"
        self.scope.structures = space.split(".")[0] in ("data", "nest", "test")

    def text(self) -> str:
        """The whole file."""
        bodies = [self.definition(name, value) for name, value in self.members.items()]
        bodies = [one for one in bodies if one]
        for child in sorted(self.children - {
                name for name, value in self.members.items() if inspect.ismodule(value)}):
            self.scope.imports.setdefault(module_of(self.space), set()).add(f"{child} as {child}")
        said = self.documentation()
        return assembled(said, self.scope, bodies)

    def documentation(self) -> str:
        """What the namespace is, in a line."""
        if self.space == "keras":
            return f'"""tf.keras: Keras {tapeflow.keras.__version__}"""'
        return f'"""tf.{self.space}"""' if self.space else callables.doc(tapeflow)

    def definition(self, name: str, value: Any) -> str:
        """One name: a definition, or an import into the scope."""
        dotted = f"{self.space}.{name}".lstrip(".")
        home = self.scope.names.homes.get(id(value))
        if home is not None and home != dotted:
            return self.imported(name, home)
        if inspect.ismodule(value):
            return self.callable_module(name, value)
        if dotted in WHOLE:
            return callables.by_template(name, value, WHOLE[dotted], self.scope)
        if isinstance(value, type) and _is_numpy(value):
            return f"{name} = {self.scope.reference(value)}"
        if isinstance(value, type):
            return callables.class_text(name, value, self.scope)
        if callable(value):
            if dotted in KEEPING_LISTED or not self.scope.open and keeps_kind(dotted, value):
                return callables.keeping(name, value, self.scope, dotted in KEEPING_LISTED)
            return callables.function(name, value, self.scope, key=dotted)
        return f"{name}: {self.scope.reference(type(value)) if value is not None else 'None'}"

    def callable_module(self, name: str, module: types.ModuleType) -> str:
        """A module that can be called: to checkers an object with its functions."""
        members = list(module.__all__)
        self.scope.imports.setdefault(f"tapeflow.{name}", set()).update(
            f"{one} as _{one}" for one in members)
        call = callables.function("__call__", type(module).__call__, self.scope, first="self")
        lines = [*call.splitlines(), *[f"{one} = staticmethod(_{one})" for one in members]]
        return "\n".join([f"class _{name.capitalize()}:", *[
            f"{callables.INDENT}{line}".rstrip() for line in lines],
            "", f"{name}: _{name.capitalize()}"])

    def imported(self, name: str, home: str) -> str:
        """A name whose value is defined elsewhere."""
        space, _, own = home.rpartition(".")
        module = module_of(space)
        if own == name:
            self.scope.imports.setdefault(module, set()).add(f"{name} as {name}")
            return ""
        if space == self.space:
            return f"{name} = {own}"
        self.scope.imports.setdefault(module, set()).add(f"{own} as _{own}")
        return f"{name} = _{own}"


def module_of(space: str) -> str:
    """`tapeflow.math` of `math`."""
    return f"tapeflow.{space}".rstrip(".")


def keeps_kind(dotted: str, value: Any) -> bool:
    """Whether a function gives a ragged or sparse tensor where it is given one."""
    op = OPS.get(getattr(value, "__name__", ""))
    elementwise = op is not None and op.kind == "elementwise"
    return dotted in KEEPING or elementwise and not dotted.startswith(SECOND)


def assembled(said: str, scope: Scope, bodies: list[str]) -> str:
    """A file: imports, constants, definitions, and other names for what is defined or imported."""
    constants = [one for one in bodies if "\n" not in one and " = " not in one]
    synonyms = [one for one in bodies if "\n" not in one and " = " in one]
    long = [one for one in bodies if "\n" in one]
    words = set(re.findall(r"\w+", "\n".join(bodies)))
    ours: list[str] = []
    others: list[str] = []
    for module, names in sorted(scope.imports.items()):
        used = [one for one in names if one in words or " as " in one]
        target = ours if module.startswith("tapeflow") else others
        target += import_lines(module, sorted(used, key=str.lower)) if used else []
    plain = [one for one in sorted(scope.modules) if one != "import tapeflow as tf"]
    if "import tapeflow as tf" in scope.modules:
        ours.insert(0, "import tapeflow as tf")
    blocks = ["\n".join(one) for one in (plain + others, ours, constants) if one]
    end = ["\n".join(synonyms)] if synonyms else []
    return "\n\n".join([HEAD + said.strip(), *blocks, *long, *end]).rstrip() + "\n"


def import_lines(module: str, names: list[str]) -> list[str]:
    """`from module import …`; one name a line where they are many."""
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= callables.WIDTH:
        return [line]
    return [f"from {module} import (", *[f"    {name}," for name in names], ")"]


# -- all files -------------------------------------------------------------------------------------
def stubs() -> dict[Path, str]:
    """The text of every stub."""
    found = public()
    names = Names(homes(found))
    spaces: dict[str, dict[str, Any]] = {"": {}}
    for name, value in found.items():
        space, _, own = name.rpartition(".")
        while space not in spaces or own:
            spaces.setdefault(space, {})
            if own:
                spaces[space][own] = value
                own = ""
            space = space.rpartition(".")[0]
    files = {}
    for space, members in spaces.items():
        start = f"{space}." if space else ""
        children = {one[len(start):] for one in spaces
                    if one and one.startswith(start) and "." not in one[len(start):]} - {""}
        stub = Stub(space, members, children, names)
        if not space:
            add_root(stub)
        files[place(space)] = stub.text()
    files[PACKAGE / "_typing.pyi"] = typing_text(names)
    return files


def place(space: str) -> Path:
    """The file of a namespace."""
    return PACKAGE.joinpath(*space.split("."), "__init__.pyi") if space else (
        PACKAGE / "__init__.pyi")


def add_root(stub: Stub) -> None:
    """What the package itself has beside the register."""
    stub.scope.defined |= {*FROM_KERAS}
    stub.scope.imports["tapeflow.keras"] = {f"{name} as {name}" for name in FROM_KERAS}
    for name in ("__version__", "tapeflow_version"):
        stub.members[name] = getattr(tapeflow, name)


def typing_text(names: Names) -> str:
    """`_typing.pyi`: aliases, and the classes that have no public name."""
    scope = Scope(names, (), "tapeflow._typing")
    names.closed = True
    written: dict[str, str] = {}
    while set(names.unnamed) - set(written):
        name = min(set(names.unnamed) - set(written))
        written[name] = callables.class_text(name, names.unnamed[name], scope)
    said, _, aliases = TYPING.strip().partition('\n"""\n')
    for name in ("Any", "ParamSpec", "Protocol", "SupportsIndex", "TypeAlias", "TypeVar"):
        scope.use("typing", name)
    scope.use("collections.abc", "Sequence")
    scope.modules |= {"import numpy as np", "import tapeflow as tf"}
    return assembled(said + '\n"""', scope,
                     [aliases.strip(), *[written[name] for name in sorted(written)]])


def keras_names(module: types.ModuleType, space: str = "keras") -> dict[str, Any]:
    """The public names of Keras: what its modules hold, but for modules of its source."""
    found: dict[str, Any] = {}
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        if not inspect.ismodule(value):
            found[f"{space}.{name}"] = value
        elif re.fullmatch(rf"keras\.(?!src\.)(.*\.)?{name}", value.__name__):
            found |= keras_names(value, f"{space}.{name}")
    return found


def is_of_other_keras(path: Path) -> bool:
    """Whether a stub is Keras's and was written with another version of it."""
    front = PACKAGE / "keras" / "__init__.pyi"
    return front.parent in path.parents and front.exists() and (
        f"Keras {tapeflow.keras.__version__}" not in front.read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; compare")
    check = parser.parse_args().check
    wanted = stubs()
    stale = set(PACKAGE.rglob("*.pyi")) - set(wanted)
    changed = {path for path, text in wanted.items()
               if not path.exists() or path.read_text(encoding="utf-8") != text}
    if check:
        wrong = [path for path in sorted({*changed, *stale}) if not is_of_other_keras(path)]
        for path in wrong:
            print(f"{path.relative_to(ROOT)} is not up to date", file=sys.stderr)
        return 1 if wrong else 0
    for path in stale:
        path.unlink()
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    print(f"{len(wanted)} stubs, {len(changed)} changed, {len(stale)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
