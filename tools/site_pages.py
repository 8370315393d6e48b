"""What the documentation site has beside the pages of docs/: hooks that MkDocs calls (mkdocs.yml).

Pages that stand outside docs/ (CHANGELOG, CONTRIBUTING), the API reference and the tutorials, which
are notebooks, are added; links that lead out of the site become plain names of files.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)]*)?\)")


def on_config(config: Any) -> Any:
    """Put the pages of the reference into the navigation, where mkdocs.yml has its first page."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tools")]  # MkDocs takes back what is done on loading
    import site_reference
    found = sorted(site_reference.pages())
    for section in config.nav:
        for name, entries in section.items():
            if name == "Reference":
                entries[entries.index("reference/index.md")] = {
                    "API": ["reference/index.md", *(one for one in found if "index" not in one)]}
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made, not found in docs/."""
    import site_notebooks
    import site_reference
    from mkdocs.structure.files import File
    for path, text in site_reference.pages().items():
        files.append(File.generated(config, path, content=text))
    for notebook in [one for one in files if one.src_uri.endswith(".ipynb")]:
        files.remove(notebook)
        page = notebook.src_uri.removesuffix(".ipynb") + ".md"
        text = site_notebooks.markdown(ROOT / "docs" / notebook.src_uri)
        files.append(File.generated(config, page, content=text))
    for page, source in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links to files of the repository that are no pages become the names of these files."""
    folder = posixpath.dirname(page.file.src_uri)
    outside = {source: target for target, source in OUTSIDE.items()}

    def kept(link: re.Match) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        target = target.replace(".ipynb", ".md")
        path = posixpath.normpath(posixpath.join(folder, target))
        if files.get_file_from_path(path):
            return f"[{text}]({target}{anchor})"
        name = posixpath.normpath(posixpath.join("docs", path))
        if name in outside:
            return f"[{text}]({posixpath.relpath(outside[name], folder or '.')}{anchor})"
        return text if text.startswith("`") else f"{text} (`{name.removeprefix('docs/')}`)"

    return LINK.sub(kept, markdown)
