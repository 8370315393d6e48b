"""A rank is killed in the middle of its steps."""

import os
import signal
import time

import tensorflow as tf

from tapeflow.distribute.mpi import collectives as c
from tapeflow.distribute.mpi.engine import engine

E = engine()
RANK, SIZE = E.rank, E.size
print("long " * 400 + "line")
for step in range(1000):
    if RANK == 2 and step == 20:
        os.kill(os.getpid(), signal.SIGKILL)
    c.all_reduce([tf.ones([1000])], "sum", E.world)
    time.sleep(0.002)
