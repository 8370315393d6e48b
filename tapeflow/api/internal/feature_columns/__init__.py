"""tf.feature_column: how a model reads a dict of features. Loaded when it is asked for."""

from __future__ import annotations

from tapeflow.api.internal.feature_columns import embedding_columns, numeric_columns

__all__ = ["embedding_columns", "numeric_columns"]
