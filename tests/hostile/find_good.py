"""Finds arguments that TensorFlow takes, for functions that `good.tsv` has none for.

    python tests/hostile/find_good.py TENSORFLOW_PYTHON [ROUNDS]

Guesses by the names of parameters, many for each function; what worked is added to the file. The
rest is for hands.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]

import run
import surface

F = ["tf.constant([[1.0, 2.0], [3.0, 4.0]])", "[1.0, 2.0, 3.0]", "tf.constant(2.0)",
     "tf.ones([2, 4, 4, 3])", "tf.ones([1, 4, 4, 1])", "tf.ones([2, 3, 4])"]
I = ["[1, 0]", "[0, 0, 1]", "2", "1", "[[0, 1], [1, 0]]", "tf.constant([1, 0], tf.int64)", "0"]
S = ["tf.constant(['a', 'b c'])", "'a b'", "['1', '2']"]
B = ["[True, False]", "True", "[[True, False], [True, True]]"]
SP = ["tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]])", "tf.sparse.from_dense([[0, 1], [2, 0]])"]
RG = ["tf.ragged.constant([[1.0], [2.0, 3.0]])", "tf.ragged.constant([[1], [2, 3]])"]
FN = ["lambda x: x", "lambda *a: a[0]", "lambda x, y: x", "lambda x: tf.data.Dataset.range(2)",
      "lambda: tf.constant(1)"]
IMAGE = ["tf.ones([4, 4, 3])", "tf.ones([2, 4, 4, 3])", "tf.ones([1, 16, 16, 3])"]
GENERIC = [*F, *I, *S, *B, *SP, *RG, *FN]

BY_NAME = {
    "x y a b x1 x2 tensor input value values matrix m v z other": F + I + S + B,
    "input_tensor inputs features logits labels tensors data": F + I,
    "image images img1 img2": IMAGE, "shape dense_shape output_shape size": ["[2, 2]", "[4]", "2",
                                     "[2, 4, 4, 3]", "tf.constant([2, 2], tf.int64)"],
    "seed": ["[1, 2]", "3"], "indices segment_ids": I + ["[[0], [1]]", "[[0, 0], [1, 1]]",
                                                        "tf.constant([[0, 0]], tf.int64)"],
    "strides ksize ksizes dilations rates": ["1", "[1, 1, 1, 1]", "2", "[1, 2, 2, 1]", "[1, 1]",
                                            "[1, 1, 1, 1, 1]"],
    "padding": ["'SAME'", "'VALID'"], "rhs": F + ["[1.0, 2.0]"],
    "sp_input sp_a sp_b sparse_ids sp_ids sp_weights": SP,
    "axis axes dim": ["0", "1", "[0]", "[0, 1]"],
    "filters filter": ["tf.ones([2, 2, 3, 2])", "tf.ones([2, 2, 1, 1])", "tf.ones([2, 4, 3])",
                       "tf.ones([2, 2, 2, 3])", "tf.ones([2, 2, 3])", "tf.ones([2, 2, 2, 1, 1])"],
    "updates": ["[1.0, 2.0]", "tf.ones([2, 2])", "[1, 2]"],
    "dtype out_type": ["tf.float32", "tf.int32"],
    "contents serialized": ["b'abc'", "tf.io.encode_png(tf.zeros([2, 2, 3], tf.uint8))",
                            "tf.io.serialize_tensor([1.0])", "[b'']"],
    "batch_size num num_rows num_buckets num_segments num_sampled num_true range_max n N k count":
        ["2", "3", "1"],
    "boxes bounding_boxes": ["[[0.0, 0.0, 1.0, 1.0]]", "[[[0.0, 0.0, 1.0, 1.0]]]",
                             "[[[[0.0, 0.0, 1.0, 1.0]]]]"],
    "scores": ["[0.5]", "[[[0.5]]]"], "true_classes": ["tf.constant([[0], [1]], tf.int64)"],
    "unique": ["False", "True"], "map_func predicate reduce_func fn func f key_func": FN,
    "scan_func": ["lambda s, x: (s, x)"], "elems": ["[1.0, 2.0]"],
    "dataset datasets": ["tf.data.Dataset.range(3)", "[tf.data.Dataset.range(3)]"],
    "rate min max lower upper delta max_delta alpha": ["0.5", "1.0", "2.0", "0.0"],
    "input_encoding output_encoding": ["'UTF-8'"], "method": ["'bilinear'"],
    "perm": ["[1, 0]"], "params": F, "operators": ["[tf.linalg.LinearOperatorIdentity(2)]"],
    "condition mask pred cond": B, "block_shape": ["[2, 2]", "[1, 1]", "[1]"],
    "paddings crops": ["[[0, 0], [0, 0]]", "[[1, 1], [0, 1]]", "[[0, 0]]"],
    "row_splits row_starts row_limits": ["[0, 1, 2]", "[0, 1]"],
    "target_width target_height max_output_size frame_length frame_step window_length": ["2", "4"],
    "gradients": ["[tf.constant([1.0])]", "tf.ones([2, 4, 4, 3])"],
    "dims": ["[2, 3]", "2"], "alg": ["'philox'"], "state": ["[1, 2, 3]"], "initializer": ["0.0"],
}
CANDIDATES = {name: values for names, values in BY_NAME.items() for name in names.split()}


def guess(text: str, parameters: str, draw: random.Random) -> str:
    words = []
    for word in parameters.split():
        name = word.strip("*/=")
        if word.endswith("=") or word.startswith("**"):
            continue
        chosen = CANDIDATES.get(name, GENERIC) if draw.random() < 0.9 else GENERIC
        value = draw.choice(chosen)
        words.append(value if word.startswith("*") or word.endswith("/") else f"{name}={value}")
    return f"{text}({', '.join(words)})"


def main() -> None:
    import tapeflow
    python, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    known = {line.split("\t")[0] for line in surface.GOOD.read_text().splitlines()} \
        if surface.GOOD.exists() else set()
    left = {text: words for text, words in surface.functions(tapeflow).items()
            if text not in known}
    draw = random.Random(rounds)
    for turn in range(rounds):
        calls, owners = [], []
        for text, words in left.items():
            tries = dict.fromkeys(guess(text, words, draw) for _ in range(8 * 3 ** turn))
            calls += tries
            owners += [text] * len(tries)
        outcomes = run.run(calls, "tensorflow", python, progress=True)
        with surface.GOOD.open("a") as file:
            for call, owner, (kind, _) in zip(calls, owners, outcomes, strict=True):
                if owner in left and kind.startswith("value"):
                    words = left.pop(owner)
                    file.write(f"{owner}\t{words}\t{call[len(owner) + 1:-1]}\n")
        print(len(left), "left")
    print("\n".join(f"{text}\t{words}" for text, words in left.items()))


if __name__ == "__main__":
    main()
