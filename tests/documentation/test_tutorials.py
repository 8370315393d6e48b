"""The tutorials' cells run, and print what is stored; plots are left out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
# Pictures are drawn by `make notebooks`; here matplotlib is not installed.
HEAD = """
import sys
from unittest.mock import MagicMock
plots = MagicMock()
plots.subplots.side_effect = lambda *_, **__: (MagicMock(), (MagicMock(), MagicMock()))
sys.modules["matplotlib"], sys.modules["matplotlib.pyplot"] = MagicMock(pyplot=plots), plots
"""


def cells(path: Path) -> list[dict]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_is_stored(path, tmp_path):
    source = "\n".join("".join(cell["source"]) for cell in cells(path))
    stored = "".join("".join(output["text"]) for cell in cells(path)
                     for output in cell["outputs"] if output.get("name") == "stdout")
    script = tmp_path / "cells.py"
    script.write_text(HEAD + source)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                          timeout=600, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    if path.stem != "debugging_gradients":  # which names lines, and those are the cells' own
        assert done.stdout == stored


def test_notebooks_are_small_and_have_plots():
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        assert path.stat().st_size < 60_000 and "image/png" in path.read_text(), path.name
