"""A sample of Keras's own tests on tapeflow: those that pass with TensorFlow must pass here.

`make keras-suite` runs all of them. These need no package beside Keras, and take a minute.
"""

import importlib.util
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import keras_suite

SAMPLE = [
    "trainers/trainer_test.py",
    "layers/core/lambda_layer_test.py",
    "layers/convolutional/conv_transpose_test.py",
    "layers/pooling/max_pooling_test.py",
    "layers/rnn/lstm_test.py",
    "layers/normalization/batch_normalization_test.py",
    "layers/regularization/dropout_test.py",
    "layers/preprocessing/normalization_test.py",
    "optimizers/adam_test.py",
    "optimizers/optimizer_sparse_test.py",
    "optimizers/loss_scale_optimizer_test.py",
    "losses/losses_test.py",
    "metrics/accuracy_metrics_test.py",
    "models/functional_test.py",
    "backend/tests/compute_output_spec_test.py",
    "callbacks/model_checkpoint_test.py",
    "trainers/data_adapters/tf_dataset_adapter_test.py",
]
# Tests that want packages which are not installed with Keras, or another backend.
OTHER = ("jax", "torch", "grain", "pandas", "sklearn")


@pytest.mark.skipif(importlib.util.find_spec("keras") is None,
                    reason='needs Keras: pip install "tapeflow[keras]"')
def test_sample():
    known = json.loads(keras_suite.RECORDED.read_text())["areas"].values()
    theirs = {name for area in known for name in (*area["failed"], *area["skipped"])}
    found = keras_suite.run(SAMPLE, "tapeflow", 1, [], 600)
    good = [name for name, (outcome, _) in found.items() if outcome == "passed"]
    bad = {name: error for name, (outcome, error) in found.items() if outcome == "failed"
           and name not in theirs and not any(f"'{word}'" in error for word in OTHER)}
    assert not bad
    assert len(good) > 500
