"""What a library saves and loads by itself: Keras 2 makes layers anew of its own descriptions.

It asks for the objects of a model and their numbers, writes a description of each layer beside the
file, makes the layers of the descriptions when it loads, and wants the values for them.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from tapeflow.base.exports import export
from tapeflow.io.paths import text_of
from tapeflow.saved_model.files import Damaged, pick
from tapeflow.saved_model.loading import chosen, distrusted, load, read_model
from tapeflow.saved_model.object_protos import SavedModel, UnreadModel
from tapeflow.saved_model.saving import write_model
from tapeflow.saved_model.tensorflow_format import Loader

_Edge = namedtuple("_Edge", ("name",))  # as TensorFlow's reference from an object to a child


class _ByIdentity:
    """The way to each object from the root; lists among them cannot be hashed."""

    def __init__(self, nodes: list[Any], paths: list[list[_Edge]]):
        self._paths = {id(node): path for node, path in zip(nodes, paths)}

    def __getitem__(self, node: Any) -> list[_Edge]:
        return self._paths[id(node)]


def save_and_return_nodes(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None,
                          experimental_skip_checkpoint: bool = False) -> tuple[list, Any]:
    """Write a saved model; gives its objects in the order of their numbers, and their paths."""
    graph = write_model(obj, export_dir, signatures, options).graph
    return graph.nodes, _ByIdentity(
        graph.nodes, [[_Edge(name) for name in path] for path in graph.paths])


@export("__internal__.saved_model.parse_saved_model")
def parse_saved_model(export_dir: Any) -> Any:
    """The message of a saved model."""
    return read_model(text_of(export_dir), SavedModel)


@export("__internal__.saved_model.load_partial")
def load_partial(export_dir: Any, filters: Any, tags: Any = None, options: Any = None) -> Any:
    """Give objects that a library made the values, and the children, that a saved model has.

    `filters` has the objects by path (`root.layer-0.kernel`), each with the function that attaches
    children to it; functions and other objects are made as `load` makes them.
    """
    folder = text_of(export_dir)
    meta = chosen(folder, read_model(folder, UnreadModel), tags)
    given = {path: one for path, one in dict(filters).items() if one is not None}
    if not given:
        return {"root": load(folder, tags, options)}
    with distrusted(folder):
        saved = meta.object_graph_def.nodes
        loader = Loader(folder, meta, {_number(saved, path): one for path, one in given.items()})
        loader.make_tables()
        if not getattr(options, "experimental_skip_checkpoint", False):
            loader.restore()
        loader.fill_tables()
    loader.attach()
    return {"root": loader.root(), **{path: one for path, (one, _) in given.items()}}


def _number(saved: Any, path: str) -> int:
    """The number of the object at the end of a path."""
    found = 0
    for name in path.split(".")[1:]:
        places = {edge.local_name: edge.node_id for edge in pick(saved, found).children}
        if name not in places:
            raise Damaged(f"an object {path!r} that is not in the file")
        found = places[name]
    return found

