"""Saved models between TensorFlow and tapeflow, from the command line.

    python -m tests.saved_model.zoo save FOLDER [--only TEXT]     save every model, and its results
    python -m tests.saved_model.zoo load FOLDER [--only TEXT]     load and call: the same numbers?
    python -m tests.saved_model.zoo ops FOLDER                    which ops the files hold

Whose `tensorflow` is imported decides which library does it: TensorFlow's own Python, or
`tapeflow run -m tests.saved_model.zoo …`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from typing import Any

import numpy as np


def call(made: Any, args: tuple) -> Any:
    """What a loaded object gives: Keras's `serve`, or a module's `__call__`."""
    import tensorflow as tf
    function = getattr(made, "serve", None) or made.__call__
    return function(*[tf.nest.map_structure(tf.convert_to_tensor, one)
                  if isinstance(one, (list, np.ndarray)) else one for one in args])


def arrays(results: Any) -> list[np.ndarray]:
    import tensorflow as tf
    flat = [tf.convert_to_tensor(one)
            for one in tf.nest.flatten(results, expand_composites=True)]
    return [np.asarray(tf.cast(one, tf.float32) if one.dtype == tf.bfloat16 else one)
            for one in flat]


def step(made: Any, args: tuple) -> list[np.ndarray]:
    """The trainable variables' gradients of the sum of squares of the first float result."""
    import tensorflow as tf
    variables = list(getattr(made, "trainable_variables", ())) or [
        one for _, one in sorted(vars(made).items())
        if isinstance(one, tf.Variable) and one.trainable]
    if not variables:
        return []
    with tf.GradientTape() as tape:
        results = tf.nest.flatten(call(made, args), expand_composites=True)
        floats = [one for one in results if one.dtype.is_floating]
        if not floats:
            return []
        loss = tf.reduce_sum(tf.square(tf.cast(floats[0], tf.float32)))
    found = tape.gradient(loss, variables)
    return [np.zeros(()) if one is None else np.asarray(tf.convert_to_tensor(one))
            for one in found]


def gradients_of(loaded: Any, made: Any, args: tuple) -> list[np.ndarray]:
    """Of what was loaded; TensorFlow has none for its own files with custom gradients in loops."""
    try:
        return step(loaded, args)
    except (AttributeError, AssertionError, TypeError, ValueError):
        return step(made, args)


def save(folder: str, only: str) -> None:
    import tensorflow as tf

    from tests.saved_model.zoo.file_parts import MODELS
    for name, make in MODELS.items():
        path = os.path.join(folder, name)
        if only not in name or os.path.exists(os.path.join(path, "gradients.npz")):
            continue
        try:
            tf.random.set_seed(0)
            made, args = make()
            if isinstance(made, tf.keras.Model):
                made.export(path, verbose=False)
            else:
                tf.saved_model.save(made, path)
            again = tf.saved_model.load(path)
            results, gradients = arrays(call(again, args)), gradients_of(again, made, args)
            np.savez(os.path.join(path, "arguments.npz"), *arrays(args))
            np.savez(os.path.join(path, "results.npz"), *results)
            np.savez(os.path.join(path, "gradients.npz"), *gradients)
            print(f"{name}: saved", flush=True)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}", flush=True)


def alike(ours: list[np.ndarray], folder: str, file: str) -> str:
    with np.load(os.path.join(folder, file), allow_pickle=True) as kept:
        theirs = [kept[key] for key in kept.files]
    if len(ours) != len(theirs):
        return f"{len(ours)} results for {len(theirs)}"
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a.shape != b.shape:
            return f"{file} {i}: shape {a.shape} for {b.shape}"
        if a.dtype.kind in "OSUb" or a.dtype.kind in "iu":
            if not np.array_equal(a, b.astype(a.dtype)):
                return f"{file} {i}: {a.ravel()[:4]} for {b.ravel()[:4]}"
        else:
            scale = max(1.0, float(np.max(np.abs(b), initial=0.0)))
            if not np.allclose(a.astype("c16"), b.astype("c16"), rtol=1e-4, atol=1e-5 * scale,
                               equal_nan=True):
                return f"{file} {i}: off by {np.max(np.abs(a.astype('c16') - b)):.3g}"
    return ""


def load(folder: str, only: str) -> int:
    import tensorflow as tf

    from tests.saved_model.zoo.file_parts import MODELS
    good, wrong = 0, []
    for name, make in MODELS.items():
        path = os.path.join(folder, name)
        if only not in name or not os.path.exists(os.path.join(path, "results.npz")):
            continue
        start, problem = time.process_time(), ""
        try:
            args = make()[1]
            made = tf.saved_model.load(path)
            problem = alike(arrays(call(made, args)), path, "results.npz") or alike(
                step(made, args), path, "gradients.npz")
        except Exception as error:
            problem = f"{type(error).__name__}: {str(error)[:400]}"
            if os.environ.get("TRACE"):
                traceback.print_exc()
        good += not problem
        if problem:
            wrong.append(name)
        print(f"{name}: {problem or 'good'} ({time.process_time() - start:.1f} s)", flush=True)
    print(f"{good} of {good + len(wrong)} good; not: {', '.join(wrong)}")
    return int(bool(wrong))


def ops(folder: str) -> None:
    from tensorflow.core.protobuf.saved_model_pb2 import SavedModel
    counts: dict[str, set[str]] = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "saved_model.pb")
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            saved = SavedModel.FromString(file.read())
        for meta in saved.meta_graphs:
            nodes = list(meta.graph_def.node)
            for function in meta.graph_def.library.function:
                nodes += function.node_def
            for node in nodes:
                counts.setdefault(node.op, set()).add(name)
    print(json.dumps({op: len(where) for op, where in sorted(counts.items())}, indent=0))
    print(len(counts), "ops", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("save", "load", "ops"))
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.what == "ops":
        ops(options.folder)
        return 0
    return (load if options.what == "load" else save)(options.folder, options.only) or 0


if __name__ == "__main__":
    sys.exit(main())
