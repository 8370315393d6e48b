"""Convolutions and pooling, in one to three spatial dimensions."""

from tapeflow.ops.conv import functions as functions
from tapeflow.ops.conv import pools as pools
from tapeflow.ops.conv import transposed as transposed
