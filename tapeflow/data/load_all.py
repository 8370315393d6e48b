"""Loads all of tf.data but tables: imported when a public name of it is first asked for."""

from importlib import import_module

for _name in ("autograph_builtins", "experimental_names", "first_interface",
              "iterators.numpy_iterator", "service", "sources.file_sources",
              "sources.memory_sources",
              "transforms.batch_unbatch", "transforms.cache", "transforms.concat_zip",
              "transforms.dataset_reduce", "transforms.grouping", "transforms.interleave",
              "transforms.map_filter", "transforms.padded_batch", "transforms.prefetch",
              "transforms.sampling", "transforms.shuffling", "transforms.scan_unique",
              "transforms.take_repeat", "transforms.window"):
    import_module(f"tapeflow.data.{_name}")
