"""Loads all of tf.data: imported when a public name of it is first asked for."""

from importlib import import_module

for _name in ("experimental_names", "iterators", "options", "sources.file_sources",
              "sources.memory_sources", "sources.table_sources", "transforms.batching",
              "transforms.cache", "transforms.concat_zip", "transforms.dataset_reduce",
              "transforms.interleave", "transforms.parallel", "transforms.per_element",
              "transforms.shuffling", "transforms.stateful"):
    import_module(f"tapeflow.data.{_name}")
