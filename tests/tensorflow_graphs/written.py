"""Every record, written as a function of TensorFlow's, and what TensorFlow makes of it.

    python -m tests.tensorflow_graphs.written write FOLDER [--only RECORD] [--every-dtype]
    PYTHON-WITH-TENSORFLOW -m tests.tensorflow_graphs.written check FOLDER [--only RECORD]

`write` traces the record's own samples (with sizes that are known, and with unknown ones), writes
the graphs, and beside them what tapeflow gives eagerly; `check` runs them with TensorFlow.
"""

from __future__ import annotations

import argparse
import pathlib
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Results that are right up to a sign: their sizes are compared; up to their order: sorted.
PHASES = {"qr", "svd", "eig", "self_adjoint_eig"}
ORDERS = {"eig", "eigvals"}
# Samples that TensorFlow takes otherwise, and why.
OTHERWISE = {
    "as_string": "the form of a float for integers", "assert_true": "a condition that is no scalar",
    "encode_jpeg": "another encoder", "encode_png": "another compressor",
    "extract_jpeg_shape": "the head of a file alone",
    "sparse_softmax_slope": "logits that are integers",
    "string_format": "complex numbers have no text", "complex": "parts of half precision"}


class Sample:
    """One call of a record: the functions that are written, operands and results."""

    def __init__(self, record: str, label: str, functions: list[bytes], name: str, xs: list,
                 ys: list, tolerance: float):
        self.record, self.label, self.functions, self.name = record, label, functions, name
        self.xs, self.ys, self.tolerance = xs, ys, tolerance


# -- writing, with tapeflow ------------------------------------------------------------------------
def records() -> list[Any]:
    """All records that users can call, with those that files of other layers define."""
    from tapeflow.base import exports
    from tapeflow.core.record.op import OPS
    exports.load_all()
    return [OPS[name] for name in sorted(OPS)]


def calls(op: Any, every_dtype: bool = False) -> Iterator[Any]:
    """The calls that the record's samples ask for, `record_draws.Draw`."""
    sys.path.insert(0, str(ROOT / "ops" / "records"))
    import record_draws
    base = record_draws.base_dtype(op)
    kinds = [base]
    if every_dtype:
        # Strings are samples of their own: records that move anything are drawn with numbers.
        kinds = [kind for letter in sorted(op.allowed) for kind in record_draws.DTYPES[letter]
                 if letter != "O" or base.kind == "O"]
    elif base.name == "float64":
        kinds.append(np.dtype("float32"))
    for kind in kinds:
        try:
            yield from record_draws.draws(op, dtype=kind)
        except Exception:  # a sample that this dtype cannot hold
            if kind == base:
                raise


def traced(draw: Any, known: bool) -> Any:
    """The graph of one call; with `known=False` of operands whose sizes are not known."""
    import tapeflow as tf
    op, attrs = draw.op, draw.attrs
    specs = [tf.TensorSpec(x.shape if known else [None] * x.ndim, x.dtype) for x in draw.xs]
    function = tf.function(lambda *xs: op.call(*xs, **attrs), autograph=False)
    return function.get_concrete_function(*specs).function.graph


def eager(draw: Any) -> list[np.ndarray]:
    import tapeflow as tf
    found = draw.op.call(*[tf.constant(x) for x in draw.xs], **draw.attrs)
    results = found if isinstance(found, (tuple, list)) else (found,)
    return [np.asarray(y.numpy(), object if y.dtype == tf.string else None) for y in results]


def written(draw: Any, known: bool = True) -> tuple[list, str]:
    """The functions that the graph of a call is written as, and the name of its own."""
    from tapeflow.tensorflow_graphs.writing.graph_writer import FunctionLibrary, write_function
    library = FunctionLibrary()
    function = write_function(traced(draw, known), library, name=draw.op.name)
    return list(library.functions.values()), function.signature.name


def traceable(draw: Any) -> bool:
    """Whether the call can be traced with operands of unknown sizes."""
    try:
        traced(draw, False)
    except Exception:
        return False
    return True


def limit(draw: Any) -> float:
    """How far results may differ."""
    loosest = max([tolerance(x.dtype) for x in [*draw.xs, *eager(draw)]], default=0.0)
    return max(loosest, draw.tol or 0.0)


def tolerance(dtype: Any) -> float:
    return {"float16": 4e-3, "bfloat16": 3e-2, "float64": 1e-7, "complex128": 1e-7}.get(
        str(dtype), 3e-5)


def samples(op: Any, every_dtype: bool = False) -> Iterator[Sample | tuple[str, Exception]]:
    """What is to be checked of a record; a label with an error for what could not be written."""
    for draw in calls(op, every_dtype):
        try:
            ys = eager(draw)
        except Exception:
            continue
        for known in (True, False):
            label = f"{draw!r} {'' if known else 'of unknown sizes'}"
            if not known and not traceable(draw):
                continue
            try:
                functions, name = written(draw, known)
            except Exception as error:
                yield label, error
                continue
            yield Sample(op.name, label, [one.SerializeToString() for one in functions], name,
                         [np.asarray(x) for x in draw.xs], ys, limit(draw))


def write(folder: pathlib.Path, only: str, every_dtype: bool) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    unwritten: dict[str, str] = {}
    count = 0
    for op in records():
        if only and only != op.name:
            continue
        found = []
        try:
            for one in samples(op, every_dtype):
                if isinstance(one, Sample):
                    found.append(one)
                else:
                    unwritten.setdefault(op.name, f"{one[0]}: {type(one[1]).__name__}: {one[1]}")
        except Exception as error:
            unwritten[op.name] = f"{type(error).__name__}: {error}"
        if found:
            with open(folder / f"{op.name}.pickle", "wb") as file:
                pickle.dump([vars(one) for one in found], file)
        count += len(found)
    for name, problem in unwritten.items():
        print(f"{name}: not written: {problem[:300]}")
    print(f"{count} samples written; {len(unwritten)} records not or not wholly")
    return 0


# -- checking, with TensorFlow ---------------------------------------------------------------------
def compared(record: str, theirs: list, ours: list, limit: float) -> str:
    """What differs; nothing if it is the same."""
    if len(theirs) != len(ours):
        return f"{len(theirs)} results for {len(ours)}"
    for i, (a, b) in enumerate(zip(theirs, ours)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i} is {a.dtype}{a.shape}, not {b.dtype}{b.shape}"
        if a.dtype.kind in "OSUbiu":
            if not np.array_equal(a, b):
                return f"result {i} is {a.ravel()[:6]}, not {b.ravel()[:6]}"
            continue
        wide = "complex128" if a.dtype.kind == "c" else "float64"
        a, b = a.astype(wide), b.astype(wide)
        if record in PHASES:
            a, b = np.abs(a), np.abs(b)
        if record in ORDERS:
            a, b = np.sort(a, None), np.sort(b, None)
        scale = float(np.max(np.abs(b[np.isfinite(b)]), initial=1.0))
        if not np.allclose(a, b, rtol=limit, atol=limit * scale, equal_nan=True):
            return f"result {i} is {a.ravel()[:6]}, not {b.ravel()[:6]}"
    return ""


def run(sample: dict) -> list:
    """The results of a written function, by TensorFlow."""
    import tensorflow as tf
    from tensorflow.core.framework.function_pb2 import FunctionDef
    from tensorflow.python.eager import context, execute
    for one in sample["functions"]:
        function = FunctionDef.FromString(one)
        context.context().add_function_def(function)
    count = len(sample["ys"])
    found = execute.execute(sample["name"].encode(), count,
                            [tf.constant(x) for x in sample["xs"]], (), context.context())
    return [y.numpy() if y.shape.rank or y.dtype != tf.string else np.array(y.numpy(), object)
            for y in found]


def check(folder: pathlib.Path, only: str) -> int:
    number, good, bad = 0, set(), {}
    for path in sorted(folder.glob(f"{only or '*'}.pickle")):
        wrong = []
        with open(path, "rb") as file:
            kept = pickle.load(file)
        for sample in kept:
            number += 1
            new = f"{sample['name']}_{number}"
            sample["functions"] = [renamed(one, sample["name"], new)
                                   for one in sample["functions"]]
            sample["name"] = new
            try:
                problem = compared(path.stem, run(sample), sample["ys"], sample["tolerance"])
            except Exception as error:
                problem = f"{type(error).__name__}: {str(error)[:300]}"
            if problem:
                wrong.append(f"{sample['label']}: {problem}")
        if wrong and path.stem in OTHERWISE:
            print(f"{path.stem}: {len(wrong)} of {len(kept)} differ: {OTHERWISE[path.stem]}")
        elif wrong:
            bad[path.stem] = wrong
            print(f"{path.stem}: {len(wrong)} of {len(kept)}: {wrong[0]}", flush=True)
        else:
            good.add(path.stem)
    print(f"{len(good)} records confirmed by TensorFlow, {len(bad)} not ({number} samples)")
    return int(bool(bad))


def renamed(function: bytes, old: str, new: str) -> bytes:
    """A function under a name that no other has."""
    from tensorflow.core.framework.function_pb2 import FunctionDef
    message = FunctionDef.FromString(function)
    if message.signature.name == old:
        message.signature.name = new
    return message.SerializeToString()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--every-dtype", action="store_true")
    options = parser.parse_args()
    if options.what == "write":
        return write(options.folder, options.only, options.every_dtype)
    return check(options.folder, options.only)


if __name__ == "__main__":
    sys.exit(main())
