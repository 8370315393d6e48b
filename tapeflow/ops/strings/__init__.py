"""Ops on strings: tf.strings and tf.lookup. Loaded at the first use of a name."""

from tapeflow.ops.strings import hashing as hashing
from tapeflow.ops.strings import lookup as lookup
from tapeflow.ops.strings import regex as regex
from tapeflow.ops.strings import splitting as splitting
from tapeflow.ops.strings import text as text
from tapeflow.ops.strings import unicode as unicode
