"""Exports every model of the zoo and compares onnxruntime's results with ours.

    python -m tests.onnx_export.zoo [--only TEXT] [--opset N] [--records]

prints each model that fails and why, and the share that agrees. Models of strings, tables, ragged
and sparse tensors are listed apart: ONNX has no such thing. `--records`: which records fail how
often.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from typing import Any

APART = re.compile("string|text|lookup|ragged|sparse_input|hash|vocabulary")


class CannotRun(Exception):
    """A model that gives no result to compare with."""


def result_of(made: Any, args: tuple, opset: int) -> str:
    """Why a model does not agree; nothing if it does."""
    import tensorflow as tf

    from tests.onnx_export.comparing import compared
    keras = isinstance(made, tf.keras.Model)
    tensors = tf.nest.map_structure(lambda one: one if isinstance(
        one, (tf.RaggedTensor, tf.SparseTensor)) else tf.convert_to_tensor(one), list(args))
    try:
        wanted = made(*tensors, training=False) if keras else made.__call__(*tensors)
    except Exception as error:
        raise CannotRun(f"it does not run eagerly: {str(error)[:80]!r}") from None
    return compared(made, args, wanted, opset=opset)


def main() -> int:
    from tapeflow.alias import install
    install()
    from tests.saved_model.zoo.file_parts import MODELS
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--opset", type=int, default=20)
    parser.add_argument("--records", action="store_true")
    options = parser.parse_args()
    good = {True: 0, False: 0}
    wrong: dict[bool, list[str]] = {True: [], False: []}
    records: Counter[str] = Counter()
    for name, make in MODELS.items():
        if options.only not in name:
            continue
        start, apart = time.process_time(), bool(APART.search(name))
        try:
            problem = result_of(*make(), options.opset)
        except CannotRun as error:
            print(f"{name}: not counted, {error}", flush=True)
            continue
        except Exception as error:
            problem = f"{type(error).__name__}: {str(error)[:500]}"
            records.update(re.findall(r"record '([^']*)'", problem)[:1])
        good[apart] += not problem
        if problem:
            wrong[apart].append(name)
            print(f"{name}: {problem} ({time.process_time() - start:.1f} s)", flush=True)
    count = good[False] + len(wrong[False])
    print(f"{good[False]} of {count} models agree ({good[False] / max(count, 1):.1%}); not: "
          f"{', '.join(wrong[False])}")
    print(f"with strings, tables, ragged or sparse tensors: {good[True]} of "
          f"{good[True] + len(wrong[True])}")
    if options.records:
        print(records.most_common())
    return 0


if __name__ == "__main__":
    sys.exit(main())
