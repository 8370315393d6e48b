"""Random numbers with TensorFlow's bits. See README.md for the files of this package."""

from tapeflow.ops.random import dropout as dropout
from tapeflow.ops.random import generator as generator
from tapeflow.ops.random import initializers as initializers
from tapeflow.ops.random import stateful as stateful
from tapeflow.ops.random import stateless as stateless
