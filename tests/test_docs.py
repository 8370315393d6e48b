"""The Python in README, CONTRIBUTING and docs/ runs, and prints what the page says it prints.

The blocks of a page run in order in one process. A ```text block right below a ```python block is
its output, to the letter. Relative links of the pages lead somewhere.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md",
         *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*/README.md")),
         *sorted((ROOT / "tapeflow").rglob("README.md"))]  # fmt: skip
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BETWEEN = "\x1e"  # printed between blocks, to tell their outputs apart


def programs(page: Path) -> list[tuple[str, str | None]]:
    """(program, output that the page claims or None) of a page, in reading order."""
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    found: list[tuple[str, str | None]] = []
    for number, block in enumerate(blocks):
        if block[1] != "python":
            continue
        claimed = None
        if number + 1 < len(blocks) and blocks[number + 1][1] == "text":
            if not text[block.end() : blocks[number + 1].start()].strip():
                claimed = blocks[number + 1][2]
        found.append((block[2], claimed))
    return found


# The pages inside the package show fragments of its own source.
RUNNABLE = [page for page in PAGES if "tapeflow" not in page.relative_to(ROOT).parts]


@pytest.mark.parametrize(
    "page", [page for page in RUNNABLE if programs(page)], ids=lambda page: page.name
)
def test_programs_of_a_page(page, tmp_path):
    found = programs(page)
    script = tmp_path / "page.py"
    script.write_text(f"\nprint({BETWEEN!r}, end='')\n".join(source for source, _ in found))
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    for (source, claimed), printed in zip(found, done.stdout.split(BETWEEN), strict=True):
        if claimed is not None:
            assert printed == claimed, source


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_readme_has_exactly_two_commands_to_set_up():
    text = (ROOT / "README.md").read_text()
    start = text.index("## Start")
    commands = BLOCK.search(text, start)[2].split("\n")
    assert [line.split("#")[0].strip() for line in commands if line] == ["make demo", "make test"]


def test_ci_runs_the_test_command():
    assert "exec make test" in (ROOT / ".ci" / "run").read_text()


def test_layout_names_every_folder_and_no_other():
    """docs/layout.md is a map of the package: each layer in it exists, and none is missing."""
    named = set(re.findall(r"^  (\w+)/ ", (ROOT / "docs" / "layout.md").read_text(), re.MULTILINE))
    package = ROOT / "tapeflow"
    there = {path.name for path in package.iterdir() if list(path.glob("*.py"))}
    assert named == there


def places_in_code(page: Path) -> list[tuple[str, list[str]]]:
    """(file below tapeflow/, names in it) of the cells of a page that are `file.py` `name` …"""
    cells = [cell.strip() for line in page.read_text().splitlines() if line.startswith("|")
             for cell in line.split("|")]
    found = [re.findall(r"`([^`]+)`", cell) for cell in cells
             if re.fullmatch(r"`\w[\w/]*\.py`( `\w+`)*", cell)]
    return [(file, names) for file, *names in found if not file.startswith("tests/")]


@pytest.mark.parametrize("page, least", [("glossary.md", 70), ("layout.md", 30)])
def test_tables_lead_to_the_code(page, least):
    """Each file in docs/glossary.md and docs/layout.md exists, and has the names beside it."""
    found = places_in_code(ROOT / "docs" / page)
    assert len(found) >= least
    for file, names in found:
        path = ROOT / "tapeflow" / file
        assert path.exists(), f"docs/{page}: there is no tapeflow/{file}; say where it is now"
        source = path.read_text()
        missing = [name for name in names if not re.search(rf"\b{name}\b", source)]
        assert not missing, f"docs/{page}: {missing} not in tapeflow/{file}; say where it is now"


# How names of files end that are not ours: Keras has its tests beside its modules.
OF_KERAS = "_test.py"


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page):
    """`path/file.py` in a page is a file: from the root, from tapeflow/, or beside the page."""
    places = (ROOT, ROOT / "tapeflow", ROOT / "docs", page.parent)
    for name in re.findall(r"`([\w./]+\.(?:py|md|svg))`", page.read_text()):
        assert name.endswith(OF_KERAS) or any((place / name).exists() for place in places), (
            f"{page.relative_to(ROOT)} names {name}, which does not exist: say where it is now")


def test_the_drawing_shows_the_folders():
    """Folders in docs/layout.svg exist; layers are drawn, and the parts of core, graph, jit."""
    package = ROOT / "tapeflow"
    texts = " ".join(re.findall(r">([^<>]+)<", (ROOT / "docs/layout.svg").read_text()))
    drawn = set(re.findall(r"\b([a-z_]+)/", texts))
    folders = [path for path in package.rglob("*/") if list(path.glob("*.py"))]
    wanted = {path.name for path in folders
              if path.parent in (package, *[package / name for name in ("core", "graph", "jit")])}
    assert drawn <= {path.name for path in folders}, "drawn folders that do not exist"
    assert wanted <= drawn, f"docs/layout.svg does not show {sorted(wanted - drawn)}"
