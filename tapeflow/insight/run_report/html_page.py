"""The page: `page.html` with the style, the script and the data in it. Nothing is fetched."""

from __future__ import annotations

import json
import os
import re
from html import escape
from pathlib import Path
from typing import Any

from tapeflow.base.process.atomic_files import replacing

_HERE = Path(__file__).parent


def page(data: dict[str, Any]) -> str:
    """The text of the page. `data` may lack parts: their tabs are left out."""
    held = json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    parts = {"{{title}}": escape(str(data.get("title", "tapeflow"))),
             "{{style}}": (_HERE / "page.css").read_text(encoding="utf-8"),
             "{{script}}": (_HERE / "page.js").read_text(encoding="utf-8"),
             "{{data}}": held.replace("<", "\\u003c")}  # no text in it ends the script
    text = (_HERE / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{\w+\}\}", lambda found: parts[found[0]], text)


def write_page(path: str | os.PathLike, data: dict[str, Any]) -> None:
    """Write the page to a file, whole or not at all."""
    text = page(data)
    with replacing(os.fspath(path)) as file:
        file.write(text.encode())
