# Written by tools/stubs.py (make stubs).
"""tf.keras.dtype_policies"""

from collections.abc import MutableMapping
from typing import Any

import tapeflow as tf
from tapeflow.keras import DTypePolicy as DTypePolicy, FloatDTypePolicy as FloatDTypePolicy

class AWQDTypePolicy(tf.keras.dtype_policies.QuantizedDTypePolicy):
    """Quantized dtype policy for AWQ quantization."""
    def __init__(self, mode: Any, source_name: Any = None) -> None: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def get_config(self) -> Any: ...
    mode: Any
    weight_bits: Any
    group_size: Any

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Deserializes a serialized `DTypePolicy` instance."""

class DTypePolicyMap(tf.keras.DTypePolicy, MutableMapping):
    """Dict-like object mapping layer paths to `DTypePolicy` instances."""
    def __init__(self, default_policy: Any = None, policy_map: Any = None) -> None: ...
    @property
    def name(self) -> Any: ...
    @property
    def default_policy(self) -> Any:
        """The default dtype policy."""
    @property
    def variable_dtype(self) -> Any: ...
    @property
    def compute_dtype(self) -> Any: ...
    @property
    def quantization_mode(self) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        """Retrieves the corresponding `DTypePolicy` by the string key."""
    def __setitem__(self, key: Any, policy: Any) -> Any:
        """Insert `DTypePolicy` to the `DTypePolicyMap`."""
    def __delitem__(self, key: Any) -> Any: ...
    def __contains__(self, key: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    def __len__(self) -> Any: ...
    def __iter__(self) -> Any: ...

def get(identifier: Any) -> Any:
    """Retrieves a Keras `DTypePolicy` instance."""

class GPTQDTypePolicy(tf.keras.dtype_policies.QuantizedDTypePolicy):
    """Quantized dtype policy for GPTQ quantization."""
    def __init__(self, mode: Any, source_name: Any = None) -> None: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def get_config(self) -> Any: ...
    mode: Any
    weight_bits: Any
    group_size: Any

class Int4DTypePolicy(tf.keras.dtype_policies.QuantizedDTypePolicy):
    """Quantized dtype policy for int4 quantization."""
    def __init__(self, mode: Any, source_name: Any = None) -> None: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def get_config(self) -> Any: ...
    mode: Any
    block_size: Any

class QuantizedDTypePolicy(tf.keras.DTypePolicy):
    def __init__(self, mode: Any, source_name: Any = None) -> None: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def get_config(self) -> Any: ...

class QuantizedFloat8DTypePolicy(tf.keras.dtype_policies.QuantizedDTypePolicy):
    default_amax_history_length: int
    def __init__(
        self, mode: Any, source_name: Any = None, amax_history_length: Any = 1024,
    ) -> None: ...
    @property
    def amax_history_length(self) -> Any:
        """The length of the amax history window."""
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def get_config(self) -> Any: ...

def serialize(dtype_policy: Any) -> Any:
    """Serializes `DTypePolicy` instance."""
