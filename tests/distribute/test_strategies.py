"""tf.distribute in one process: contexts, replicas that take turns, variables, datasets."""

import threading

import numpy as np
import pytest

import tapeflow as tf

D = tf.distribute
MEAN, SUM = tf.VariableAggregation.MEAN, tf.VariableAggregation.SUM
ON_READ = tf.VariableSynchronization.ON_READ


@pytest.fixture
def two():
    return D.MirroredStrategy(["cpu:0", "cpu:1"])


def index():
    return tf.cast(D.get_replica_context().replica_id_in_sync_group, tf.float32)


def test_without_a_strategy():
    default = D.get_strategy()
    assert not D.has_strategy() and not D.in_cross_replica_context()
    assert default.run(lambda x: x + 1, args=(tf.constant(1.0),)).numpy() == 2.0
    assert default.reduce("sum", tf.constant([1.0, 2.0]), axis=0).numpy() == 3.0
    context = D.get_replica_context()
    assert context.all_reduce(D.ReduceOp.SUM, [tf.constant(2.0)])[0].numpy() == 2.0
    assert context.merge_call(lambda strategy, x: (strategy is default, x), args=(3,)) == (True, 3)
    data = tf.data.Dataset.range(3)
    assert default.experimental_distribute_dataset(data) is data


def test_scopes_are_left_after_errors():
    strategy = D.MirroredStrategy()
    assert D.MirroredStrategy(tf.config.list_logical_devices("CPU")).num_replicas_in_sync == (
        strategy.num_replicas_in_sync)
    with pytest.raises(ZeroDivisionError), strategy.scope():
        assert D.has_strategy() and D.in_cross_replica_context()
        assert D.get_replica_context() is None and D.get_strategy() is strategy
        1 / 0
    assert not D.has_strategy()
    assert type(tf.Variable(1.0)).__name__ == "ResourceVariable"
    with strategy.scope():
        assert type(tf.Variable(1.0)).__name__ == "MirroredVariable"
        with pytest.raises(RuntimeError, match="Mixing different tf.distribute.Strategy objects"):
            D.OneDeviceStrategy("/cpu:0").scope().__enter__()
        seen = []
        thread = threading.Thread(target=lambda: seen.append(D.has_strategy()))
        thread.start()
        thread.join()
        assert seen == [False]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("make", [
    D.MirroredStrategy, lambda: D.OneDeviceStrategy("/cpu:0"), D.MultiWorkerMirroredStrategy,
    lambda: D.MirroredStrategy(["cpu:0", "cpu:1"])])
def test_a_training_loop(make, traced):
    strategy = make()
    with strategy.scope():
        w = tf.Variable([0.0], aggregation=MEAN)
    x = np.arange(8, dtype=np.float32)
    data = strategy.experimental_distribute_dataset(
        tf.data.Dataset.from_tensor_slices((x, 2 * x)).batch(4))

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * x - y) ** 2) / 4
        g = D.get_replica_context().all_reduce("sum", tape.gradient(loss, w))
        w.assign_sub(0.02 * g)
        return loss

    def step(element):
        return strategy.reduce("SUM", strategy.run(replica_step, args=element), axis=None)

    run = tf.function(step) if traced else step
    losses = [float(run(element)) for _ in range(20) for element in data]
    assert losses[0] == pytest.approx(14.0) and losses[-1] < 1e-3
    assert w.numpy()[0] == pytest.approx(2.0, abs=1e-2)
    assert tf.reduce_sum(w).numpy() == w.numpy()[0]


def test_replicas(two):
    assert two.num_replicas_in_sync == 2
    result = two.run(index)
    assert [x.numpy() for x in result.values] == [0.0, 1.0]
    assert two.reduce("SUM", result, axis=None).numpy() == 1.0
    assert two.reduce("MEAN", result, axis=None).numpy() == 0.5
    both = two.run(lambda: D.get_replica_context().all_reduce("MEAN", [index() + 1, index()]))
    assert [x.numpy() for x in both[0].values] == [1.5, 1.5]
    rows = two.run(lambda: tf.fill([2], index()))
    assert two.gather(rows, axis=0).numpy().tolist() == [0, 0, 1, 1]
    assert two.run(lambda: (index(), "same", None))[1:] == ("same", None)
    with pytest.raises(ValueError, match="cannot be reduced with the given reduce op"):
        two.reduce("SUM", 1.0, axis=None)


def test_replicas_that_fail_or_part_ways(two):
    def fail():
        D.get_replica_context().all_reduce("SUM", index())
        if D.get_replica_context().replica_id_in_sync_group == 1:
            raise ValueError("boom")

    before = set(threading.enumerate())
    with pytest.raises(ValueError, match="boom"):
        two.run(fail)

    def part():
        if D.get_replica_context().replica_id_in_sync_group == 0:
            D.get_replica_context().merge_call(lambda strategy: None)

    with pytest.raises(RuntimeError, match="all replicas must make the same calls"):
        two.run(part)
    left = set(threading.enumerate()) - before
    assert not [thread for thread in left if thread.name != "tapeflow-compiler"]
    assert not D.has_strategy()


def test_variables_of_two_replicas(two):
    with two.scope():
        mean = tf.Variable(0.0, aggregation=MEAN)
        total = tf.Variable(0.0, aggregation=SUM)
        own = tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM)
        plain = tf.Variable(1.0)
    two.run(lambda: (mean.assign(index() * 4), total.assign_add(index() + 1),
                     own.assign_add(index() + 1), plain.assign_add(1.0)))
    assert mean.numpy() == 2.0 and total.numpy() == 3.0
    assert own.numpy() == 3.0 and (own + 1).numpy() == 4.0
    assert [v.numpy() for v in own.values] == [1.0, 2.0]
    assert [v.numpy() for v in plain.values] == [2.0, 2.0]
    own.assign(10.0)
    assert [v.numpy() for v in own.values] == [5.0, 5.0]
    made = two.run(lambda: tf.Variable(3.0))
    assert isinstance(made, type(mean)) and len(made.values) == 2


def test_data_of_two_replicas(two):
    data = two.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(4))
    parts = [[x.numpy().tolist() for x in element.values] for element in data]
    assert parts == [[[0, 1], [2, 3]], [[4], [5]]]
    options = tf.distribute.InputOptions(experimental_per_replica_buffer_size=2)
    turns = two.distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(4).batch(context.get_per_replica_batch_size(2)),
        options)
    assert turns._options is options  # Keras 2 looks
    assert [[x.numpy().tolist() for x in element.values] for element in turns] == [
        [[0], [1]], [[2], [3]]]

    @tf.function
    def total(iterator):
        return two.reduce("SUM", two.run(tf.reduce_sum, args=(next(iterator),)), axis=None)

    assert total(iter(data)).numpy() == 6


@pytest.mark.parametrize("count", [1, 2])
def test_a_dataset_in_a_function(count):
    strategy = D.MirroredStrategy([f"cpu:{i}" for i in range(count)])
    data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(2))

    @tf.function
    def total(data):
        result = tf.constant(0, tf.int64)
        for x in data:
            result += strategy.reduce("SUM", strategy.run(tf.reduce_sum, args=(x,)), axis=None)
        return result

    assert total(data).numpy() == 15


def test_checkpoints(tmp_path, two):
    with two.scope():
        v = tf.Variable([1.0, 2.0], name="v")
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
    plain = tf.Variable([0.0, 0.0])
    tf.train.Checkpoint(v=plain).restore(path).assert_consumed()
    assert plain.numpy().tolist() == [1.0, 2.0]
    v.assign([5.0, 5.0])
    tf.train.Checkpoint(v=v).restore(path).assert_consumed()
    assert [x.numpy().tolist() for x in v.values] == [[1.0, 2.0]] * 2


def test_clusters(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1", "b:2"]}, '
                                    '"task": {"type": "worker", "index": 1}}')
    resolver = D.cluster_resolver.TFConfigClusterResolver()
    assert resolver.task_id == 1 and resolver.master() == "b:2"
    with pytest.raises(RuntimeError, match="the cluster has 2 workers"):
        D.MultiWorkerMirroredStrategy()
    with pytest.raises(NotImplementedError, match="TPUStrategy is not available"):
        D.TPUStrategy()


def test_an_update_sees_components(two):
    """As an optimizer does: for each component of a variable, its own component of the momentum."""
    with two.scope():
        v, momentum = tf.Variable(1.0), tf.Variable(0.0)

    def update(part, g):
        momentum.assign_add(g)
        part.assign_sub(momentum)

    two.extended.update(v, update, args=(tf.constant(0.25),))
    assert [x.numpy() for x in v.values] == [0.75, 0.75]
    assert [x.numpy() for x in momentum.values] == [0.25, 0.25]


def test_functions_in_functions_of_replicas(two, tmp_path):
    """Replicas trace while the thread that started them holds the lock on tracing."""
    with two.scope():
        v = tf.Variable(2.0)
    inner = tf.function(lambda x: x * v)

    @tf.function
    def step(x):
        return two.reduce("SUM", two.run(inner, args=(x,)), axis=None)

    assert step(tf.constant(3.0)).numpy() == 12.0
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=0):
        written = two.run(lambda: tf.summary.write("x", index()))
    assert [x.numpy() for x in written.values] == [True, True]


def test_a_wrapped_variable_belongs_to_the_scope_of_the_one_inside():
    """Libraries wrap variables, and hand on what they lack (AutoCastVariable of Keras 2)."""
    class Wrapped:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

    strategy = tf.distribute.MirroredStrategy(["cpu:0"])
    with strategy.scope():
        mine = tf.Variable(1.0)
    assert strategy.extended.variable_created_in_scope(Wrapped(mine))
    assert not strategy.extended.variable_created_in_scope(Wrapped(tf.Variable(1.0)))


@pytest.mark.parametrize("make", [lambda: tf.distribute.OneDeviceStrategy("/cpu:0"),
                                  lambda: tf.distribute.MirroredStrategy(["/cpu:0"])])
def test_what_libraries_make_in_a_scope_says_so_by_itself(make):
    class Handler:
        def __init__(self):
            self._distribute_strategy = tf.distribute.get_strategy()

    strategy = make()
    with strategy.scope():
        inside = Handler()
    assert strategy.extended.variable_created_in_scope(inside)
    assert not strategy.extended.variable_created_in_scope(Handler())
