"""Records what TensorFlow makes of a few hundred mutated files, and of valid pictures and sounds.

    python -m tests.file_fuzz.record PYTHON_OF_A_TENSORFLOW
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
from pathlib import Path

import tapeflow as tf
from tests.file_fuzz.compare import verdict
from tests.file_fuzz.formats import samples
from tests.file_fuzz.mutate import files
from tests.file_fuzz.outcomes import outcomes, write_files
from tests.file_fuzz.picture_samples import PICTURES

RECORDED = Path(__file__).parent / "recorded.json"
FORMATS = ("png", "bmp", "gif", "wav", "example", "sequence_example", "parse_example", "tensor",
           "sparse", "json_example", "csv", "base64", "raw", "zlib", "gzip")


def record(python: str, count: int = 600, seed: int = 0) -> None:
    """Write files and outcomes; files on which the libraries differ are left out, and told."""
    made = files(seed, count, samples(tf), FORMATS)
    made += [(name, one) for name, valid in PICTURES.items() for one in valid]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "files")
        write_files(path, made)
        ours, theirs = outcomes(path, "tapeflow"), outcomes(path, "tensorflow", python)
    kept = []
    for (name, data), mine, other in zip(made, ours, theirs, strict=True):
        problem = verdict(name, mine, other)
        if problem or other[0] == "crash":
            print(name, problem, mine, other)
        else:
            kept.append([name, base64.b64encode(data).decode(), other[0], other[1]])
    RECORDED.write_text("[\n" + ",\n".join(map(json.dumps, kept)) + "\n]\n")


if __name__ == "__main__":
    record(sys.argv[1])
