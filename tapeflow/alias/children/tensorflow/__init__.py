"""Found by child processes of `tapeflow run`: it puts tapeflow in its own place.

multiprocessing starts a spawned child with the parent's sys.path and nothing else, so the import
hook of the parent is not there; `tapeflow run` puts this folder on sys.path instead.
"""

import sys

import tapeflow
import tapeflow.alias

__tapeflow_stub__ = True
tapeflow.alias.install()
sys.modules[__name__] = tapeflow
