"""tf.data: pipelines of elements. Loaded when it is first asked for (`loading.py`)."""
