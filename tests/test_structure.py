"""The README of a folder is true: its table names each file and folder beside it once."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "tapeflow"
ROW = re.compile(r"^\| (?:\[)?`([\w/]+(?:\.py)?)`")
OPS = [PACKAGE / "ops", *[path for path in sorted((PACKAGE / "ops").rglob("*"))
                          if (path / "__init__.py").exists()]]


def named(readme: str) -> list[str]:
    """The files and folders in the table of a README."""
    return [found[1].rstrip("/") for line in readme.splitlines() if (found := ROW.match(line))]


def held(folder: Path) -> list[str]:
    """The files and folders beside a README."""
    return [path.name for path in sorted(folder.iterdir())
            if path.name not in ("__init__.py", "__pycache__", "README.md")
            and (path.suffix == ".py" or path.is_dir())]


@pytest.mark.parametrize("folder", OPS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_readme_names_each_file_once(folder):
    assert sorted(named((folder / "README.md").read_text())) == held(folder)


def test_the_check_finds_what_it_should():
    assert named("| file | idea |\n| `a.py` | x |\n| [`b/`](b/README.md) | y |") == ["a.py", "b"]
