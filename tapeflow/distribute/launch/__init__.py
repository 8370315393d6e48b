"""`tapeflow launch`: starts the ranks of a job, watches over them, starts them again."""
