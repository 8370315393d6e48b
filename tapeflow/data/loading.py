"""Loads all of tf.data: imported when a public name of it is first asked for."""

from importlib import import_module

for _name in ("aliases", "batching", "carrying", "combining", "files", "iterators", "joining",
              "options", "parallel", "reduction", "shuffling", "sources", "storage", "tables",
              "transforms"):
    import_module(f"tapeflow.data.{_name}")
