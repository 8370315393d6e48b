# Written by tools/stubs.py (make stubs).
"""tf.keras.export"""

from typing import Any

class ExportArchive:
    """ExportArchive is used to write SavedModel artifacts for inference."""
    def track(self, resource: Any) -> Any:
        """Track the variables (of a layer or model) and other assets."""
    def add_endpoint(
        self, name: Any, fn: Any, input_signature: Any = None, **kwargs: Any,
    ) -> Any:
        """Register a new serving endpoint."""
    def track_and_add_endpoint(
        self, name: Any, resource: Any, input_signature: Any, **kwargs: Any,
    ) -> Any:
        """Track the variables and register a new serving endpoint."""
    def add_variable_collection(self, name: Any, variables: Any) -> Any:
        """Register a set of variables to be retrieved after reloading."""
    def write_out(self, filepath: Any, options: Any = None, verbose: Any = True) -> Any:
        """Write the corresponding SavedModel to disk."""
