"""Writes tapeflow/alias/private/shared_names.txt: private names that are public ones as well.

    python tools/private_names.py --tensorflow PYTHON

`tensorflow.python.ops.math_ops.reduce_sum` is the object that is `tf.reduce_sum`: such names are
found by identity, in the modules below, by a Python that has TensorFlow. What tapeflow lacks of the
public API is left out.
"""

import argparse
import importlib
import json
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "tapeflow" / "alias" / "private" / "shared_names.txt"
# Keras, trees that are no part of the API, and raw ops, which have modules of their own.
LEFT_OUT = {"keras", "losses", "metrics", "optimizers", "initializers", "layers", "estimator",
            "python", "core", "compiler", "tools", "tsl", "security", "raw_ops"}
PLAIN = (int, float, str, bytes, tuple, list, dict, type(None))
DEPTH = 4  # of public namespaces

MODULES = """
ops: array_ops array_ops_stack bitwise_ops candidate_sampling_ops check_ops clip_ops cond
 confusion_matrix control_flow_assert control_flow_ops custom_gradient data_flow_ops embedding_ops
 functional_ops gradients gradients_impl histogram_ops image_ops image_ops_impl init_ops
 init_ops_v2 io_ops linalg_ops logging_ops lookup_ops manip_ops map_fn math_ops nn nn_impl nn_ops
 numerics parsing_ops random_ops resource_variable_ops rnn script_ops session_ops sets_impl sort_ops
 sparse_ops special_math_ops state_ops stateful_random_ops stateless_random_ops string_ops
 summary_ops_v2 template tensor_array_ops unconnected_gradients variable_scope variable_v1
 variables while_loop
ops.linalg: linalg linalg_impl linear_operator linear_operator_block_diag linear_operator_diag
 linear_operator_full_matrix linear_operator_identity linear_operator_kronecker
 linear_operator_low_rank_update linear_operator_lower_triangular
ops.parallel_for: control_flow_ops gradients
ops.ragged: ragged_array_ops ragged_concat_ops ragged_factory_ops ragged_functional_ops
 ragged_map_ops ragged_math_ops ragged_tensor
ops.signal: dct_ops fft_ops mel_ops mfcc_ops reconstruction_ops shape_ops signal spectral_ops
 window_ops
framework: config constant_op convert_to_constants device device_spec dtypes errors errors_impl
 extension_type graph_util importer indexed_slices ops random_seed sparse_tensor tensor
 tensor_conversion tensor_shape tensor_spec tensor_util test_util type_spec
platform: gfile test tf_logging
training: adadelta adagrad adam checkpoint_management checkpoint_utils ftrl gradient_descent
 learning_rate_decay momentum moving_averages optimizer proximal_adagrad py_checkpoint_reader
 rmsprop saver server_lib session_run_hook training training_util
checkpoint: checkpoint checkpoint_management checkpoint_options checkpoint_view
client: session
data.experimental.ops: batching grouping interleave_ops prefetching_ops random_ops
data.ops: dataset_ops iterator_ops optional_ops options readers
distribute: collective_all_reduce_strategy distribute_lib mirrored_strategy
 one_device_strategy reduce_util
eager: backprop context def_function forwardprop wrap_function
eager.polymorphic_function: polymorphic_function
lib.io: file_io tf_record
module: module
profiler: profiler_v2 trace
saved_model: builder load loader save save_options signature_def_utils
summary: summary
trackable: resource
util: compat nest
"""


def modules() -> list[str]:
    """The modules that are looked through, below `tensorflow.python`."""
    lines = MODULES.replace("\n ", " ").split("\n")
    folders = [line.partition(": ") for line in lines if line]
    return [f"{folder}.{name}" for folder, _, names in folders for name in names.split()]


def public_names(tensorflow: ModuleType) -> dict[int, str]:
    """By the id of an object: the shortest of its public names, of those without `compat`."""
    found: dict[int, list[str]] = {}
    seen = set()

    def look(namespace: ModuleType, path: str, depth: int) -> None:
        if id(namespace) in seen or depth == DEPTH:
            return
        seen.add(id(namespace))
        for name in dir(namespace):
            if name.startswith("_") or name in LEFT_OUT:
                continue
            one = getattr(namespace, name)
            if isinstance(one, ModuleType):
                look(one, f"{path}{name}.", depth + 1)
            elif not isinstance(one, PLAIN):
                found.setdefault(id(one), []).append(path + name)

    look(tensorflow, "", 0)

    def order(path: str) -> tuple:
        return path.startswith("compat."), path.count("."), path

    return {one: min(paths, key=order) for one, paths in found.items()}


def shared() -> dict[str, dict[str, str]]:
    """By modules: private names and the public ones of the same objects. Needs TensorFlow."""
    public = public_names(importlib.import_module("tensorflow"))
    found: dict[str, dict[str, str]] = {}
    for path in modules():
        module = importlib.import_module(f"tensorflow.python.{path}")
        found[path] = {name: public[id(one)] for name, one in sorted(vars(module).items())
                       if not name.startswith("_") and id(one) in public
                       and not isinstance(one, (ModuleType, *PLAIN))}
    return found


def text(found: dict[str, dict[str, str]]) -> str:
    """The file: what tapeflow has of the names, in the format of `table.py`."""
    sys.path.insert(0, str(ROOT))
    from tapeflow.alias.private import fetch

    lines = []
    for module, names in found.items():
        words = []
        for theirs, ours in names.items():
            try:
                fetch("tf", ours)
            except AttributeError:
                continue
            words.append(theirs if theirs == ours else f"{theirs}={ours}")
        if words:
            lines.append(f"python.{module} [programs]")
            lines += textwrap.wrap(" ".join(words), 100, initial_indent="    tf: ",
                                   subsequent_indent="    tf: ", break_long_words=False,
                                   break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tensorflow", metavar="PYTHON", help="a Python that has TensorFlow")
    parser.add_argument("--list", action="store_true", help="print what TensorFlow has, as JSON")
    options = parser.parse_args()
    if options.list:
        print(json.dumps(shared()))
    elif options.tensorflow is None:
        parser.error("a Python with TensorFlow is needed: --tensorflow PYTHON")
    else:
        printed = subprocess.run([options.tensorflow, __file__, "--list"], check=True,
                                 capture_output=True, text=True).stdout
        TARGET.write_text(text(json.loads(printed.splitlines()[-1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
