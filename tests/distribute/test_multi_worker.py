"""MultiWorkerMirroredStrategy over real processes, with loops of its own and with Keras."""

import json

import numpy as np
import pytest

import tapeflow as tf
from tests.distribute.jobs import launch, needs_mpi


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_of_a_strategy(tmp_path, ranks):
    said, _ = launch(tmp_path, ranks, "strategy", str(tmp_path / "x"))
    assert sorted(said.splitlines()) == [f"rank {i} is right" for i in range(ranks)]


@needs_mpi
def test_keras_gives_the_numbers_of_one_process(tmp_path):
    launch(tmp_path, 2, "training", "two.npz", "1", "own")
    launch(tmp_path, 1, "training", "one.npz")
    launch(tmp_path, 1, "training", "local.npz", "2", "own")
    two, one, local = [np.load(tmp_path / f"{name}.npz") for name in ("two", "one", "local")]
    assert len(one.files) == 35
    for name in one.files:  # two processes, half of each batch
        np.testing.assert_allclose(two[name], one[name], rtol=1e-4, atol=1e-6, err_msg=name)
    for name in local.files:  # what is each replica's own is as with two replicas of one process
        if "clipped" not in name:
            np.testing.assert_allclose(two[name], local[name], rtol=1e-5, atol=1e-7, err_msg=name)


@needs_mpi
def test_a_killed_job_goes_on_from_its_backup(tmp_path):
    launch(tmp_path, 2, "restored", "calm.npz")
    said, complaint = launch(tmp_path, 2, "restored", "disturbed.npz", "disturbed",
                             options=["--restarts", "2"])
    epochs = [line for line in said.splitlines() if line.startswith("epoch")]
    assert epochs == [f"epoch {i}" for i in (0, 1, 2, 2, 3, 4)]
    assert "tapeflow: rank 1 (process" in complaint and "(1 of 2 restarts)" in complaint
    calm, disturbed = np.load(tmp_path / "calm.npz"), np.load(tmp_path / "disturbed.npz")
    for name in calm.files:
        np.testing.assert_array_equal(calm[name], disturbed[name])


@needs_mpi
def test_gradients_are_exchanged_during_the_backward_pass(tmp_path):
    said, _ = launch(tmp_path, 2, "overlapped")
    assert sorted(said.splitlines()) == ["rank 0 is right", "rank 1 is right"]


@needs_mpi
def test_sharded_optimizers_give_the_same_numbers(tmp_path):
    said, _ = launch(tmp_path, 2, "sharded", str(tmp_path))
    assert sorted(said.splitlines()) == ["rank 0 is right", "rank 1 is right"]


def test_workers_without_a_launcher(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": {"worker": ["a:1", "b:2"]},
                                                "task": {"type": "worker", "index": 0}}))
    with pytest.raises(RuntimeError, match=r"tapeflow launch -n 2 train\.py"):
        tf.distribute.MultiWorkerMirroredStrategy()


def test_hints_are_for_strategies():
    dataset = tf.data.Dataset.range(5).shard(*[tf.data.experimental.SHARD_HINT] * 2)
    with pytest.raises(tf.errors.FailedPreconditionError, match="AutoShardPolicy.HINT"):
        list(dataset)
    options = tf.data.Options()
    policy = tf.data.experimental.AutoShardPolicy
    options.experimental_distribute.auto_shard_policy = policy.OFF
    dataset = tf.data.Dataset.range(5).with_options(options)
    assert dataset.options().experimental_distribute.auto_shard_policy is policy.OFF
    options.experimental_distribute.auto_shard_policy = policy.DATA  # the user's own still


def test_alone_a_strategy_has_one_worker():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == 1 and not strategy.extended._in_multi_worker_mode()
    assert strategy.reduce("SUM", tf.constant(2.0), axis=None).numpy() == 2.0
