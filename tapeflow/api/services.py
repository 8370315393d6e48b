"""Which modules above the graph are loaded for which public names, when they are first asked for.

Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

from tapeflow.base.exports import later

for _module in ("records", "raw", "local_files", "examples", "sequence_examples", "csv",
                "sparse_bytes"):
    later(f"tapeflow.io.{_module}", "io.*", "compat.v1.io.*", "compat.v1.python_io.*")
later("tapeflow.io.local_files", "io.gfile.*", "compat.v1.gfile.*")
later("tapeflow.io.tensor_protos", "make_tensor_proto", "make_ndarray")
later("tapeflow.io.protos", "train.*", "compat.v1.train.*", "compat.v1.summary.*",
      *[f"compat.v1.{name}" for name in (
          "Event", "HistogramProto", "SessionLog", "Summary", "SummaryMetadata",
          "TaggedRunMetadata", "TensorProto", "TensorShapeProto")])
for _module in ("checkpoint", "checkpoint_files", "restoring", "averaging", "coordinator", "views"):
    later(f"tapeflow.train.{_module}", "train.*", "train.experimental.*", "compat.v1.train.*")
later("tapeflow.data.loading", "data.*", "data.experimental.*", "compat.v1.data.*", "OptionalSpec",
      "experimental.Optional")
for _module in ("writers", "recording", "plugins", "graphs"):
    later(f"tapeflow.summary.{_module}", "summary.*", "summary.experimental.*")
later("tapeflow.summary.writers", "compat.v1.train.summary_iterator")
for _module in ("strategies", "contexts", "values", "variables", "replicas", "resolvers"):
    later(f"tapeflow.distribute.{_module}", "distribute.*", "distribute.experimental.*",
          "distribute.cluster_resolver.*", "distribute.experimental.partitioners.*",
          "__internal__.distribute.*", "__internal__.distribute.interim.*")
later("tapeflow.train.cluster", "train.ClusterSpec", "compat.v1.train.ClusterSpec")
later("tapeflow.distribute.datasets", "distribute.DistributedDataset",
      "distribute.DistributedIterator", "distribute.InputContext")
for _module in ("names", "saving", "loading"):
    later(f"tapeflow.saved_model.{_module}", "saved_model.*", "saved_model.experimental.*")
