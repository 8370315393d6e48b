"""The processes of a job, on MPI: who there is, and what they compute together. Loaded late."""
