"""An exception on one rank, while the other waits."""

from tapeflow.distribute.mpi.engine import engine

E = engine()
RANK, SIZE = E.rank, E.size
if RANK == 1:
    raise KeyError("only here")
E.world.communicator.Barrier()
