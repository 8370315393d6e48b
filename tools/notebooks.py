"""Executes the tutorials (docs/tutorials/*.ipynb) again, and keeps what they print and plot.

    python tools/notebooks.py [NAME …]     in the virtualenv of the documentation (`make notebooks`)

What changes from run to run, times and ids, is left out of the files.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "tutorials"
SETTINGS = ("%matplotlib inline\n"
            "%config InlineBackend.figure_formats = ['png']\n"
            "import matplotlib\n"
            "matplotlib.rcParams.update({'figure.figsize': (5, 3), 'figure.dpi': 72})")


def execute(path: Path) -> None:
    """Run a notebook from its first cell to its last, and write it with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(SETTINGS))
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(FOLDER)}}).execute()
    del notebook.cells[0]
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = [kept for one in cell["outputs"] if (kept := _kept(one))]
    notebook["metadata"] = {"language_info": {"name": "python"}, "kernelspec": {
        "name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, path)


def _kept(output: dict) -> dict | None:
    """An output without what changes; of results that are shown twice the picture or the text."""
    if output.get("name") == "stderr":
        return None
    if "execution_count" in output:
        output["execution_count"] = None
    if "text" in output:  # the files that stand for cells
        output["text"] = re.sub(r"\S*ipykernel_\d+\S+\.py:|Cell In\[\d+\]:", "cell:",
                                output["text"])
    data = output.get("data", {})
    if "image/png" in data:
        data.pop("text/plain", None)
    return output


def main() -> int:
    for path in sorted(FOLDER.glob("*.ipynb")):
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            execute(path)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
