"""Which modules above the graph are loaded for which public names, when they are first asked for.

Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

from tapeflow.base.exports import later

later("tapeflow.io.records", "io.*", "compat.v1.io.*", "compat.v1.python_io.*")
