"""Which families of names are loaded only when a program asks for one of them.

Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

from tapeflow.base.exports import later

later("tapeflow.numpy_api", "experimental.numpy.*", "experimental.numpy.random.*")
later("tapeflow.insight.numerics", "debugging.enable_check_numerics",
      "debugging.disable_check_numerics")
later("tapeflow.api.tracebacks", "debugging.enable_traceback_filtering",
      "debugging.disable_traceback_filtering", "debugging.is_traceback_filtering_enabled")
