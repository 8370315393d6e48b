"""Notebooks as pages of the site: words, code, and the outputs that are stored in the file."""

from __future__ import annotations

import json
from pathlib import Path


def markdown(path: Path) -> str:
    """A notebook as Markdown; pictures stand in the page itself."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts: list[str] = []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [shown for output in cell["outputs"] if (shown := _output(output))]
    return "\n\n".join(parts) + "\n"


def _output(output: dict) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        return f'<img alt="plot" src="data:image/png;base64,{picture}">'
    if "image/svg+xml" in data:
        return "".join(data["image/svg+xml"])
    text = "".join(output.get("text", "") or data.get("text/plain", ""))
    return f"```text\n{text.rstrip()}\n```" if text else ""
