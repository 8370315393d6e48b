# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.graph_util"""

from tapeflow.graph_util import import_graph_def as import_graph_def
