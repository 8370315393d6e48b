"""All op records, by family. Importing this package registers them."""

from tapeflow.ops import arithmetic as arithmetic
from tapeflow.ops import contraction as contraction
from tapeflow.ops import cumulative as cumulative
from tapeflow.ops import einsum as einsum
from tapeflow.ops import linalg as linalg
from tapeflow.ops import reduction as reduction
from tapeflow.ops import segment as segment
from tapeflow.ops import trigonometric as trigonometric
