"""Writes the table of records in docs/onnx.md: `python -m tests.onnx_export.table`."""

from __future__ import annotations

from pathlib import Path

from tapeflow.onnx import onnx_records, records

PAGE = Path(__file__).resolve().parents[2] / "docs" / "onnx.md"
HEAD = "## Records\n"


def page(text: str) -> str:
    """The page with the table as it is now."""
    records.load()
    rows = list(onnx_records.table())
    lines = [text.partition(HEAD)[0] + HEAD.rstrip(),
             f"{len(rows)} records are written so (and those that the compiler, too, writes with "
             "others); c: for complex",
             "numbers. This table is written by `python -m tests.onnx_export.table`.", "",
             "| record | ONNX operators |", "| --- | --- |"]
    lines += [f"| `{name}`{' c' if of_complex else ''} | {' '.join(kinds)} |"
              for name, kinds, of_complex in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
