"""The public functions that hostile calls are made to, and good arguments for each (`good.tsv`).

    python surface.py            print the functions and their parameters
"""

from __future__ import annotations

import inspect
from pathlib import Path

GOOD = Path(__file__).with_name("good.tsv")

# Settings of the process, files, other machines, Python's own functions: nothing to call blindly.
SKIPPED = ("__internal__", "autograph", "compat", "config", "distribute", "errors", "io.gfile",
           "keras", "lookup.experimental", "profiler", "saved_model", "summary", "sysconfig",
           "test", "train", "types", "xla", "mixed_precision", "debugging.experimental",
           "debugging.set_log", "debugging.enable", "debugging.disable", "experimental.dtensor",
           "data.experimental.enable_debug", "data.experimental.service", "experimental.dlpack",
           "data.experimental.Distribute", "data.experimental.save", "data.experimental.load",
           "io.write", "io.matching_files", "io.read_file", "py_function", "numpy_function",
           "function", "device", "name_scope", "control_dependencies", "init_scope", "print",
           "random.set_seed", "random.set_global_generator", "experimental.function_executor",
           "load_", "executing_eagerly", "register_tensor_conversion", "experimental.numpy.random",
           "experimental.register", "experimental.unregister", "experimental.dispatch",
           "experimental.enable", "experimental.async", "experimental.Optional",
           "experimental.numpy.experimental_enable", "get_logger", "inside_function",
           "experimental.numpy.iinfo", "experimental.numpy.finfo", "AggregationMethod",
           "CriticalSection", "VariableA", "VariableS", "UnconnectedGradients", "Assert",
           "GradientTape", "autodiff", "checkpoint", "Module", "experimental.BatchableExt",
           "raw_ops.PyFunc", "numpy_on_tape")

# What methods are called on.
RECEIVERS = {
    "tf.constant([[1.0, 2.0], [3.0, 4.0]])": "Tensor",
    "tf.constant([3, 1, 2])": "Tensor",
    "tf.Variable([[1.0, 2.0], [3.0, 4.0]])": "Variable",
    "tf.data.Dataset.range(4)": "data.Dataset",
    "tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack([1.0, 2.0, 3.0])": "TensorArray",
    "tf.ragged.constant([[1.0], [2.0, 3.0]])": "RaggedTensor",
    "tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]])": "SparseTensor",
    "tf.TensorShape([2, None])": "TensorShape",
    "tf.TensorSpec([2, None], tf.float32)": "TensorSpec",
    "tf.random.Generator.from_seed(1)": "random.Generator",
    "tf.linalg.LinearOperatorFullMatrix([[2.0, 1.0], [1.0, 3.0]])":
        "linalg.LinearOperatorFullMatrix",
    "tf.linalg.LinearOperatorDiag([2.0, 3.0])": "linalg.LinearOperatorDiag",
    "tf.linalg.LinearOperatorIdentity(2)": "linalg.LinearOperatorIdentity",
    "tf.linalg.LinearOperatorLowerTriangular([[2.0, 0.0], [1.0, 3.0]])":
        "linalg.LinearOperatorLowerTriangular",
}
METHODS_SKIPPED = ("save", "load", "numpy", "__array__", "__tf", "__reduce", "__init", "__new",
                   "__class", "__getstate", "__dir", "__sizeof", "__getattr", "__setattr",
                   "__delattr", "__subclass", "__format", "__repr", "__str", "__hash", "__dlpack",
                   "__del__", "__copy", "__deepcopy", "__module", "__weakref", "__dict", "__slots",
                   "__doc", "__annot", "__match", "__enter", "__exit", "__buffer", "explain")


def functions(tf) -> dict[str, str]:
    """What is called, as text, with its parameters: `tf.math.add` -> `x y name=`."""
    from tapeflow.base import exports
    exports.load_all()
    found: dict[str, str] = {}
    names: dict[int, str] = {}
    for name, value in sorted(exports.PUBLIC.items(),
                              key=lambda pair: (pair[0].count("."), pair[0])):
        if callable(value) and not name.startswith(SKIPPED) and id(value) not in names:
            names[id(value)] = name
            _add(found, f"tf.{name}", value)
    for receiver, kind in RECEIVERS.items():
        of_class = tf
        for part in kind.split("."):
            of_class = getattr(of_class, part)
        for name in dir(of_class):
            value = getattr(of_class, name, None)
            if callable(value) and not name.startswith(METHODS_SKIPPED) \
                    and (not name.startswith("_") or name.startswith("__")) \
                    and not isinstance(value, type):
                bound = isinstance(inspect.getattr_static(of_class, name),
                                   (staticmethod, classmethod))
                _add(found, f"tf.{kind}.{name}" if bound else f"{receiver}.{name}", value,
                     0 if bound else 1)
    return found


def _add(found: dict, text: str, value, skip: int = 0) -> None:
    try:
        parameters = list(inspect.signature(value).parameters.values())[skip:]
    except (TypeError, ValueError):
        return
    words = []
    for one in parameters:
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        only = "/" if one.kind is one.POSITIONAL_ONLY else ""
        words.append(f"{star}{one.name}{only}" + ("" if one.default is one.empty else "="))
    found[text] = " ".join(words)


def main() -> None:
    import tapeflow
    for text, parameters in functions(tapeflow).items():
        print(f"{text}\t{parameters}")


if __name__ == "__main__":
    main()
