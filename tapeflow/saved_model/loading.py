"""tf.saved_model.load: objects, variables and callable functions from a folder."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.state import state
from tapeflow.io.paths import text_of
from tapeflow.io.protobuf.wire import DecodeError
from tapeflow.saved_model.names import FILE
from tapeflow.saved_model.object_protos import UnreadModel
from tapeflow.saved_model.schema import FORMAT
from tapeflow.saved_model.tensorflow_format import load_objects


@contextlib.contextmanager
def distrusted(folder: str) -> Iterator[None]:
    """Whatever goes wrong with what a file says is the file's fault, and said so."""
    try:
        yield
    except (errors.OpError, OSError):
        raise
    except DecodeError as error:
        raise OSError(f"Cannot parse file {os.path.join(folder, FILE)}: {error}") from None
    except MemoryError:
        raise errors.ResourceExhaustedError(
            None, None, f"{folder}: no memory for what the saved model holds") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError,
            RecursionError, TypeError, ValueError) as error:
        raise errors.InvalidArgumentError(
            None, None, f"{folder}: the saved model is damaged: {error}") from error


def chosen(folder: str, model: Any, tags: Any) -> Any:
    """The graph of a file that has the tags that are asked for."""
    graphs = list(model.meta_graphs)
    tagged = [list(meta.meta_info_def.tags) for meta in graphs]
    wanted = None if tags is None else {tags} if isinstance(tags, str) else set(tags)
    if wanted is None and len(graphs) != 1:
        raise ValueError(
            "Importing a SavedModel with `tf.saved_model.load` requires a `tags=` argument if "
            f"there is more than one MetaGraph. Got `tags=None`, but there are {len(graphs)} "
            f"MetaGraphs in the SavedModel with tag sets: {tagged}. Pass a `tags=` argument to "
            "load this SavedModel.")
    for meta, own in zip(graphs, tagged):
        if wanted is None or wanted == set(own):
            return meta
    raise ValueError(f"Got an incompatible argument to `tags`: {tags}. The SavedModel at {folder} "
                     f"has MetaGraphs with tags {tagged}. Could not find meta graph def matching "
                     "given tags; you may omit the argument, or pass matching tags.")


def read_model(folder: str, kind: Any) -> Any:
    """The message of a folder."""
    path = os.path.join(folder, FILE)
    if not os.path.exists(path):
        raise OSError(f"SavedModel file does not exist at: {folder}/"
                      "{saved_model.pbtxt|saved_model.pb}")
    with open(path, "rb") as file:
        data = file.read()
    try:
        return kind.FromString(data)
    except DecodeError:
        raise OSError(f"Cannot parse file {path}: it is no saved model.") from None


@export("saved_model.load", "saved_model.load_v2")
def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Load what `save` wrote: an object with the variables and functions of the saved one."""
    folder = text_of(export_dir)
    model = read_model(folder, UnreadModel)
    if state.trace is not None:
        raise RuntimeError("tf.saved_model.load must be called outside of a tf.function.")
    with_values = not getattr(options, "experimental_skip_checkpoint", False)
    meta = chosen(folder, model, tags)
    if model.HasField("tapeflow_objects"):
        return _own_format(folder, model.tapeflow_objects, with_values)
    with distrusted(folder):
        if meta.HasField("object_graph_def"):
            return load_objects(folder, meta, with_values)
        from tapeflow.saved_model.signature_models import load_signatures
        return load_signatures(folder, meta, with_values)


def _own_format(folder: str, saved: Any, with_values: bool) -> Any:
    """What tapeflow saved before it wrote TensorFlow's format."""
    from tapeflow.saved_model.own_format import load_own
    if saved.format > FORMAT:
        raise NotImplementedError(f"tf.saved_model.load: {folder} has format {saved.format}, this "
                                  f"version of tapeflow reads up to {FORMAT}.")
    warnings.warn(f"{folder} is a saved model in tapeflow's own format, which only this version "
                  "still reads: save the loaded object again, in TensorFlow's.", FutureWarning,
                  stacklevel=4)  # of `load`, which is guarded
    with distrusted(folder):
        return load_own(folder, saved, with_values)
