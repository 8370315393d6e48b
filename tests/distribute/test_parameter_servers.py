"""Parameter servers and workers of a cluster within this process."""

from __future__ import annotations

import gc
import itertools
import threading
import weakref

import numpy as np
import pytest

import tapeflow as tf

PORTS = itertools.count(20_000)
Part = tf.distribute.experimental.partitioners


def cluster(workers: int = 2, ps: int = 2, start: bool = True):
    jobs = {"worker": [f"localhost:{next(PORTS)}" for _ in range(workers)],
            "ps": [f"localhost:{next(PORTS)}" for _ in range(ps)]}
    spec = tf.train.ClusterSpec({job: tasks for job, tasks in jobs.items() if tasks})
    for job, tasks in jobs.items():
        for i in range(len(tasks)):
            tf.distribute.Server(spec, job_name=job, task_index=i, start=start)
    return tf.distribute.cluster_resolver.SimpleClusterResolver(spec, rpc_layer="grpc")


def strategy(partitioner=None, **tasks):
    return tf.distribute.ParameterServerStrategy(cluster(**tasks), partitioner)


@pytest.fixture
def coordinated():
    made = strategy()
    return made, tf.distribute.coordinator.ClusterCoordinator(made)


def test_server_says_what_it_is():
    spec = tf.train.ClusterSpec({"ps": ["localhost:7777"]})
    server = tf.distribute.Server(spec, protocol="grpc")
    assert server.target == "grpc://localhost:7777"
    assert (server.server_def.job_name, server.server_def.task_index) == ("ps", 0)
    assert tf.distribute.Server(server.server_def).target == server.target
    with pytest.raises(NotImplementedError, match="own process only"):
        server.join()
    two = tf.train.ClusterSpec({"ps": ["localhost:1", "localhost:2"], "worker": ["localhost:3"]})
    with pytest.raises(ValueError, match="job_name"):
        tf.distribute.Server(two)
    with pytest.raises(ValueError, match="task_index"):
        tf.distribute.Server(two, job_name="ps")


def test_clusters_over_a_network_are_refused():
    with pytest.raises(NotImplementedError, match="within one process"):
        tf.distribute.ParameterServerStrategy(cluster(start=False))
    with pytest.raises(ValueError, match="at least one ps"):
        strategy(ps=0)
    with pytest.raises(ValueError, match="at least one worker"):
        strategy(workers=0)


def test_variables_lie_on_the_servers_in_turn():
    made = strategy(ps=2)
    with made.scope():
        devices = [tf.Variable(0.0).device for _ in range(3)]
    assert devices == [f"/job:ps/replica:0/task:{i}/device:CPU:0" for i in (0, 1, 0)]
    assert tf.Variable(0.0).device == "/job:localhost/replica:0/task:0/device:CPU:0"
    with made.scope():
        assert made.extended.variable_created_in_scope(tf.Variable(1.0))
    assert not made.extended.variable_created_in_scope(tf.Variable(1.0))


def test_scheduled_functions_update_variables_and_return_values(coordinated):
    made, coordinator = coordinated
    assert tf.distribute.coordinator.ClusterCoordinator(made) is coordinator
    assert coordinator.strategy is made
    with made.scope():
        total = tf.Variable(0)

    @tf.function
    def step(x, scale=1):
        total.assign_add(x * scale)
        return x, {"double": 2 * x}

    results = [coordinator.schedule(step, (tf.constant(i),), {"scale": 2}) for i in range(200)]
    coordinator.join()
    assert coordinator.done()
    assert total.numpy() == 2 * sum(range(200))  # none is lost
    assert coordinator.fetch(results)[7] == (7, {"double": 14})
    assert isinstance(results[3].get()[0], tf.Tensor)
    assert isinstance(results[3].fetch()[0], np.int32)
    concrete = step.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert coordinator.schedule(concrete, (tf.constant(5),)).fetch() == (5, {"double": 10})


def test_workers_run_at_the_same_time(coordinated):
    _, coordinator = coordinated
    meeting, seen = threading.Barrier(2, timeout=20), set()

    def meet():
        meeting.wait()
        seen.add(threading.current_thread().name)
        return np.float32(1)

    step = tf.function(lambda: tf.py_function(meet, [], tf.float32))
    for _ in range(2):
        coordinator.schedule(step)
    coordinator.join()
    assert seen == {"WorkerClosureProcessingLoop-0", "WorkerClosureProcessingLoop-1"}


def test_an_error_is_raised_once_and_gives_up_what_waits(coordinated):
    made, coordinator = coordinated
    entered, go_on = threading.Event(), threading.Event()

    def stop_here():
        entered.set()
        go_on.wait(20)
        raise ValueError("as wanted")

    alone = tf.function(lambda: tf.py_function(stop_here, [], tf.float32))
    one = tf.function(lambda: tf.constant(1.0))
    single = tf.distribute.coordinator.ClusterCoordinator(strategy(workers=1))
    failing = single.schedule(alone)
    assert entered.wait(20)
    waiting = single.schedule(one)
    assert not single.done()
    go_on.set()
    with pytest.raises(tf.errors.InvalidArgumentError, match="as wanted"):
        single.join()
    with pytest.raises(tf.errors.InvalidArgumentError, match="as wanted"):
        failing.fetch()
    with pytest.raises(tf.errors.CancelledError, match="reschedule"):
        waiting.fetch()
    single.join()  # raised once
    assert single.schedule(one).fetch() == 1.0


def test_what_cannot_be_scheduled(coordinated):
    made, coordinator = coordinated
    with pytest.raises(TypeError, match="only accepts a `tf.function`"):
        coordinator.schedule(lambda: 1)
    result = coordinator.schedule(tf.function(lambda: 1))
    with pytest.raises(ValueError, match="RemoteValue` used as an input"):
        coordinator.schedule(tf.function(lambda x: x), (result,))
    with pytest.raises(ValueError, match="ParameterServerStrategy"):
        tf.distribute.coordinator.ClusterCoordinator(tf.distribute.get_strategy())


@pytest.mark.parametrize("from_function", [True, False])
def test_a_dataset_on_each_worker(coordinated, from_function):
    made, coordinator = coordinated
    range_of_four = tf.data.Dataset.range(4)
    data = coordinator.create_per_worker_dataset(
        (lambda: range_of_four) if from_function else range_of_four)
    assert data.element_spec == tf.TensorSpec([], tf.int64)
    step = tf.function(lambda it: next(it))
    iterator = iter(data)
    with pytest.raises(NotImplementedError):
        next(iterator)
    found = coordinator.fetch([coordinator.schedule(step, (iterator,)) for _ in range(4)])
    both = [one.fetch() if one is None else one for one in found]
    # Each worker reads the whole: what one worker got is 0, 1, 2 …
    assert sorted(both) in ([0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 1, 1])
    for _ in range(8):
        try:
            coordinator.schedule(step, (iterator,))
        except tf.errors.OutOfRangeError:
            break
    else:
        with pytest.raises(tf.errors.OutOfRangeError):
            coordinator.join()


def test_distributed_datasets_are_for_workers(coordinated):
    made, coordinator = coordinated
    options = tf.distribute.InputOptions(experimental_per_replica_buffer_size=2)
    data = made.distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(context.num_input_pipelines), options)
    with pytest.raises(ValueError, match="create_per_worker_dataset"):
        iter(data)
    iterator = iter(coordinator.create_per_worker_dataset(data))
    assert iterator._values[0].get()._options is options
    step = tf.function(lambda it: made.run(lambda x: x + 1, (next(it),)))
    assert coordinator.schedule(step, (iterator,)).fetch() == 1


def test_threads_end_with_their_coordinator():
    made = strategy(workers=2)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(made)
    coordinator.schedule(tf.function(lambda: 1))
    coordinator.join()
    own = weakref.ref(coordinator)
    queue = coordinator._cluster.closure_queue
    del coordinator, made
    gc.collect()
    assert own() is None
    assert queue._stopped


# -- variables in shards ---------------------------------------------------------------------------
def sharded(rows: int = 5, shards: int = 2):
    made = strategy(Part.FixedShardsPartitioner(shards))
    start = tf.reshape(tf.range(rows * 2.0), [rows, 2])
    with made.scope():
        return tf.Variable(start, name="w"), start.numpy()


def test_shards_by_a_partitioner():
    w, start = sharded()
    assert type(w) is tf.__internal__.distribute.ShardedVariable
    assert [one.name for one in w.variables] == ["w/part_0:0", "w/part_1:0"]
    assert [one.shape.as_list() for one in w.variables] == [[3, 2], [2, 2]]
    assert [one.device[:24] for one in w.variables] == [
        f"/job:ps/replica:0/task:{i}" for i in (0, 1)]
    assert (w.shape.as_list(), w.dtype, w.name) == ([5, 2], tf.float32, "ShardedVariable")
    np.testing.assert_array_equal(w.numpy(), start)
    np.testing.assert_array_equal(tf.convert_to_tensor(w), start)
    np.testing.assert_array_equal(w + 1, start + 1)
    np.testing.assert_array_equal(1 - w, 1 - start)
    np.testing.assert_array_equal(w[1:4, 0], start[1:4, 0])
    np.testing.assert_array_equal(tf.matmul(w, tf.ones([2, 1])), start.sum(1, keepdims=True))
    made = strategy(Part.FixedShardsPartitioner(2))
    with made.scope():  # a scalar, and one whose initializer knows of parts
        assert isinstance(tf.Variable(1.0), tf.Variable)
        given = []
        tf.Variable(lambda partition_shape, partition_offset: given.append(
            (tuple(partition_shape), tuple(partition_offset))) or tf.zeros(partition_shape),
            shape=[3], dtype=tf.float32)
    assert given == [((2,), (0,)), ((1,), (2,))]


def test_shards_are_written():
    w, start = sharded()
    w.assign_add(tf.ones([5, 2]))
    w.assign_sub(3 * np.ones([5, 2], "float32"))
    np.testing.assert_array_equal(w.numpy(), start - 2)
    w.assign(start)
    w.scatter_add(tf.IndexedSlices(tf.ones([3, 2]), tf.constant([0, 4, 2])))
    start[[0, 2, 4]] += 1
    np.testing.assert_array_equal(w.numpy(), start)
    np.testing.assert_array_equal(w.sparse_read(tf.constant([4, 0, 3])), start[[4, 0, 3]])
    w.scatter_update(tf.IndexedSlices(tf.zeros([1, 2]), tf.constant([4])))
    assert not w[4].numpy().any()


@pytest.mark.parametrize("traced", [False, True])
def test_rows_of_shards_and_their_gradients(traced):
    w, start = sharded()

    def look(ids):
        with tf.GradientTape() as tape:
            rows = tf.nn.embedding_lookup(w, ids)
            total = tf.reduce_sum(rows)
        return rows, [tf.convert_to_tensor(one) for one in tape.gradient(total, w.variables)]

    if traced:
        look = tf.function(look, input_signature=[tf.TensorSpec([None, None], tf.int64)])
    ids = np.array([[0, 4], [3, 0]])
    rows, (first, second) = look(tf.constant(ids, tf.int64))
    np.testing.assert_array_equal(rows, start[ids])
    np.testing.assert_array_equal(first, [[2, 2], [0, 0], [0, 0]])
    np.testing.assert_array_equal(second, [[1, 1], [1, 1]])


def test_shards_in_functions_and_structures():
    w, start = sharded()
    assert tf.nest.flatten(w, expand_composites=True) == w.variables
    step = tf.function(lambda v: tf.reduce_sum(v))
    assert step(w) == start.sum()


def test_checkpoints_of_shards_fit_other_ways_of_parting(tmp_path):
    w, start = sharded()
    path = tf.train.Checkpoint(w=w).save(str(tmp_path / "x"))
    assert ("w/.ATTRIBUTES/VARIABLE_VALUE", [5, 2]) in tf.train.list_variables(path)
    plain, other = tf.Variable(tf.zeros([5, 2])), sharded(shards=3)[0]
    other.assign(tf.zeros([5, 2]))
    for one in (plain, other):
        tf.train.Checkpoint(w=one).restore(path).assert_existing_objects_matched()
        np.testing.assert_array_equal(one.numpy(), start)


def test_what_is_no_sharded_variable():
    kind = tf.__internal__.distribute.ShardedVariable
    with pytest.raises(TypeError, match="non-empty list"):
        kind([])
    with pytest.raises(ValueError, match="same dtype"):
        kind([tf.Variable([1.0]), tf.Variable([1])])
    with pytest.raises(ValueError, match="same shapes"):
        kind([tf.Variable([[1.0]]), tf.Variable([[1.0, 2.0]])])
