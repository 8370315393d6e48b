# Written by tools/stubs.py (make stubs).
"""tf.version"""

COMPILER_VERSION: str
GIT_VERSION: str
GRAPH_DEF_VERSION: int
GRAPH_DEF_VERSION_MIN_CONSUMER: int
GRAPH_DEF_VERSION_MIN_PRODUCER: int
VERSION: str
