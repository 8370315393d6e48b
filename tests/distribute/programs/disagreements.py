"""Ranks that call different things, and one that never comes."""

import time

import tensorflow as tf

from tapeflow.distribute.mpi import collectives as c
from tapeflow.distribute.mpi.engine import engine

E = engine()
RANK, SIZE = E.rank, E.size
def wrong(call):
    try:
        call()
    except tf.errors.InvalidArgumentError as error:
        if RANK == 1:
            print(error)

G = E.world
wrong(lambda: c.all_reduce([tf.ones([2 + RANK])], "sum", G))
wrong(lambda: c.all_reduce([tf.cast(1, tf.float64 if RANK else tf.float32)], "sum", G))
wrong(lambda: c.all_reduce([tf.ones([2])] * (1 + RANK), "sum", G))
wrong(lambda: c.broadcast(tf.ones([2]), 0, G) if RANK else c.all_gather(tf.ones([2]), G))
tf.config.settings.collective_timeout = 1.0
if RANK == 1:
    time.sleep(0.1)
    while True:
        time.sleep(60)  # too late
c.all_gather(tf.ones([2]), G)
