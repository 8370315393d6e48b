"""tf.data.experimental.service in one process."""

import threading

import pytest

import tapeflow as tf

service = tf.data.experimental.service


def servers(workers=1, **config):
    dispatcher = service.DispatchServer(service.DispatcherConfig(**config))
    return dispatcher, [
        service.WorkerServer(service.WorkerConfig(dispatcher.target, port=7001 + i))
        for i in range(workers)]


def numbers(dataset):
    return [int(x) for x in dataset]


NAMED = {"worker_addresses": ["localhost:7001", "localhost:7002"]}


@pytest.mark.parametrize(("policy", "found"), [
    ("OFF", [0, 0, 1, 1, 2, 2]), ("DYNAMIC", [0, 1, 2]), ("DATA", [0, 1, 2]),
    ("FILE_OR_DATA", [0, 1, 2])])
def test_two_workers_divide_a_dataset(policy, found):
    dispatcher, _workers = servers(2, **NAMED)
    made = tf.data.Dataset.range(3).apply(
        service.distribute(service.ShardingPolicy[policy], dispatcher.target))
    assert numbers(made) == found
    assert numbers(made.map(lambda x: x + 1)) == [x + 1 for x in found]


def test_the_hint_of_a_shard_is_the_workers():
    dispatcher, _workers = servers(2, **NAMED)
    hint = tf.data.experimental.SHARD_HINT
    inner = tf.data.Dataset.range(4).shard(hint, hint).batch(2)
    made = inner.apply(service.distribute(service.ShardingPolicy.HINT, dispatcher.target))
    assert [batch.numpy().tolist() for batch in made] == [[0, 2], [1, 3]]
    with pytest.raises(tf.errors.FailedPreconditionError, match="SHARD_HINT"):
        list(inner)


def test_file_sharding_needs_files(tmp_path):
    dispatcher, _workers = servers(2, **NAMED)
    by_file = service.distribute(service.ShardingPolicy.FILE, dispatcher.target)
    with pytest.raises(tf.errors.NotFoundError, match="reads files"):
        list(tf.data.Dataset.range(2).apply(by_file))
    (tmp_path / "lines").write_text("a\nb\nc\n")
    lines = tf.data.TextLineDataset(str(tmp_path / "lines")).apply(by_file)
    assert [x.numpy() for x in lines] == [b"a", b"b", b"c"]


def test_consumers_of_a_job_share_it_and_begin_anew_together():
    dispatcher, _workers = servers()
    first, second = (tf.data.Dataset.range(6).apply(
        service.distribute("distributed_epoch", dispatcher.target, job_name="job"))
        for _ in range(2))
    one, other = iter(first), iter(second)
    found = [int(next(one)), int(next(other)), int(next(one))]
    assert found + numbers(other) == [0, 1, 2, 3, 4, 5]
    assert next(one, None) is None
    assert numbers(first) == [0, 1, 2, 3, 4, 5] and numbers(second) == []


def test_threads_lose_and_repeat_nothing():
    dispatcher, _workers = servers()
    made = tf.data.Dataset.range(500).apply(
        service.distribute("distributed_epoch", dispatcher.target, job_name="threads"))
    iterators, found = [iter(tf.data.Dataset.range(500).apply(service.distribute(
        "distributed_epoch", dispatcher.target, job_name="threads"))) for _ in range(3)], []
    threads = [threading.Thread(target=lambda one=one: found.extend(numbers(one)))
               for one in [iter(made), *iterators]]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(found) == list(range(500))


def test_consumers_by_index_take_turns():
    dispatcher, _workers = servers()
    consumers = [iter(tf.data.Dataset.range(6).apply(service.distribute(
        "parallel_epochs", dispatcher.target, job_name="turns", consumer_index=i,
        num_consumers=2))) for i in range(2)]
    assert numbers(consumers[1]) == [1, 3, 5]
    assert numbers(consumers[0]) == [0, 2, 4]


def test_registered_datasets():
    dispatcher, _workers = servers()
    known = service.register_dataset(dispatcher.target, tf.data.Dataset.range(3))
    assert numbers(service.from_dataset_id("parallel_epochs", dispatcher.target, known)) == [
        0, 1, 2]
    service.register_dataset(dispatcher.target, tf.data.Dataset.range(2), dataset_id="mine")
    again = service.register_dataset(dispatcher.target, tf.data.Dataset.range(9), dataset_id="mine")
    assert numbers(service.from_dataset_id("parallel_epochs", dispatcher.target, again)) == [0, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="same structure"):
        service.register_dataset(dispatcher.target, tf.data.Dataset.from_tensors(1.5),
                                 dataset_id="mine")
    with pytest.raises(tf.errors.NotFoundError, match="must be registered"):
        service.from_dataset_id("parallel_epochs", dispatcher.target, "no")


def test_in_a_function_and_in_fit_like_loops():
    dispatcher, _workers = servers()
    made = tf.data.Dataset.range(5).apply(
        service.distribute("parallel_epochs", dispatcher.target)).batch(2)

    @tf.function
    def total(dataset):
        found = tf.constant(0, tf.int64)
        for x in dataset:
            found += tf.reduce_sum(x)
        return found

    assert int(total(made)) == 10 and int(total(made)) == 10


@pytest.mark.parametrize(("arguments", "words"), [
    (("x", "grpc://a:1"), "processing mode"), (("parallel_epochs", 3), "must be a string"),
    (("parallel_epochs", ""), "must not be empty"),
    (("parallel_epochs", "a:1", ""), "`job_name` must not be empty"),
    (("parallel_epochs", "a:1", None, 0, 2), "`job_name` must be set"),
    (("parallel_epochs", "a:1", "j", 2, 2), "less than"),
    (("parallel_epochs", "a:1", None, None, None, None, None, "zip"), "compression")])
def test_wrong_arguments(arguments, words):
    with pytest.raises(ValueError, match=words):
        service.distribute(*arguments)


def test_what_would_wait_for_ever_is_an_error():
    dispatcher = service.DispatchServer()
    made = tf.data.Dataset.range(2).apply(service.distribute("parallel_epochs", dispatcher.target))
    with pytest.raises(tf.errors.FailedPreconditionError, match="no running worker"):
        list(made)
    worker = service.WorkerServer(service.WorkerConfig(dispatcher.target))
    assert numbers(made) == [0, 1]
    for server in (worker, dispatcher):
        with pytest.raises(RuntimeError, match="for ever"):
            server.join()
        server.stop()
        server.join()
    with pytest.raises(tf.errors.UnavailableError, match="no tf.data service dispatcher"):
        list(made)
    with pytest.raises(tf.errors.NotFoundError, match="not in the workers list"):
        dispatcher, _workers = servers()
        list(tf.data.Dataset.range(2).apply(
            service.distribute(service.ShardingPolicy.DATA, dispatcher.target)))
