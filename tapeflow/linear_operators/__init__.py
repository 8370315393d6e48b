"""tf.linalg.LinearOperator…: matrices known by their structure, over the public functions of `tf`.

Nothing here has a rule or a kernel of its own, so gradients flow through as they do in `tf.linalg`.
Loaded when one of the names is first used (`api/lazy_modules.py`); nothing else imports it.
"""

from tapeflow.linear_operators import block_operators as block_operators
from tapeflow.linear_operators import circulant as circulant
from tapeflow.linear_operators import compound as compound
from tapeflow.linear_operators import iterative as iterative
from tapeflow.linear_operators import operator as operator
from tapeflow.linear_operators import operator_spec as operator_spec
from tapeflow.linear_operators import simple as simple
from tapeflow.linear_operators import structured as structured
