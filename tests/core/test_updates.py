"""Variables that several threads change: no update is lost, readers see whole values, nobody hangs.

The interpreter switches threads as often as it can while these tests run.
"""

import dis
import os
import sys
import threading

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.values import variable_locks
from tapeflow.core.values.variable import Variable
from tapeflow.graph.executor import numpy_executor
from tapeflow.jit.runtime import executable

HANG = 300  # seconds after which a thread is given up: only a hang takes so long
LONG = 60_000  # elements from which native code lets other threads run


@pytest.fixture(autouse=True)
def many_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work, count=8):
    """Call work(k) in threads that begin together; raises what one of them raised."""
    start, failures = threading.Barrier(count), []

    def run(k):
        start.wait()
        try:
            work(k)
        except BaseException as error:  # told below, in the test's own thread
            failures.append(error)

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"
    if failures:
        raise failures[0]


def rows(n=1, **shape):
    return tf.IndexedSlices(tf.ones([n, 3]), tf.range(n), **shape)


# -- one variable ----------------------------------------------------------------------------------
UPDATES = {
    "assign_add": lambda v: v.assign_add(tf.ones_like(v)),
    "assign_sub": lambda v: v.assign_sub(-tf.ones_like(v)),
    "of the variable": lambda v: v.assign_add(tf.ones_like(v)).assign_add(tf.zeros_like(v)),
    "scatter_add": lambda v: v.scatter_add(rows()),
    "scatter_sub": lambda v: v.scatter_sub(tf.IndexedSlices(-tf.ones([1, 3]), [0])),
    "slices": lambda v: v.assign_add(rows(dense_shape=tf.shape(v))),
    "scatter_nd_add": lambda v: v.scatter_nd_add([[0]], tf.ones([1, 3])),
    "scatter_nd_sub": lambda v: v.scatter_nd_sub([[0]], -tf.ones([1, 3])),
}
MODES = ("eager", "off", "auto", "now")


def as_function(update, mode, using):
    if mode == "eager":
        return update
    using(jit=mode)
    return tf.function(update, autograph=True)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", UPDATES)
def test_no_update_is_lost(name, mode, using):
    v = tf.Variable(tf.zeros([2, 3]))
    update = as_function(lambda: UPDATES[name](v), mode, using)
    in_threads(lambda k: [update() for _ in range(60)])
    assert v[0].numpy().tolist() == [480.0] * 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", [(), (3,), (LONG,)], ids=str)
def test_no_update_is_lost_of_any_size(shape, mode, using):
    v, one = tf.Variable(tf.zeros(shape)), tf.ones(shape)

    def change():
        v.assign_add(tf.sqrt(one) * tf.exp(one - 1.0))
        return v.assign_add(one)

    update = as_function(change, mode, using)
    in_threads(lambda k: [update() for _ in range(30)])
    assert np.all(v.numpy() == 480.0)


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("size", [3, LONG])
def test_a_branch_and_a_loop_are_updates(size, mode, using):
    v, w, one = tf.Variable(tf.zeros(size)), tf.Variable(0.0), tf.ones(size)

    def change(x):
        if tf.reduce_sum(x) > 0.0:
            v.assign_add(x)
        for _ in tf.range(3):
            v.assign_add(x)
            w.assign_add(1.0)

    update = as_function(change, mode, using)
    in_threads(lambda k: [update(one) for _ in range(20)])
    assert np.all(v.numpy() == 640.0) and float(w) == 480.0


@pytest.mark.parametrize("mode", MODES)
def test_a_value_that_is_used_before_it_is_written(mode, using):
    v = tf.Variable(tf.zeros(3))

    def change(x):
        y = tf.sin(v + x)  # the sum is computed once, for both
        v.assign_add(x)
        return y

    update = as_function(change, mode, using)
    in_threads(lambda k: [update(tf.ones(3)) for _ in range(60)])
    assert v.numpy().tolist() == [480.0] * 3


@pytest.mark.parametrize("mode", MODES)
def test_parts_of_a_variable(mode, using):
    v = tf.Variable(tf.zeros(8))

    def change(k, x):
        v[k].assign(x)

    update = as_function(change, mode, using)
    in_threads(lambda k: [update(k, tf.constant(float(i))) for i in range(40)])
    assert v.numpy().tolist() == [39.0] * 8


def test_sixty_four_threads_by_every_way_at_once(monkeypatch):
    v, one = tf.Variable(tf.zeros(300)), tf.ones(300)
    ways = [lambda: v.assign_add(one),
            lambda: v.scatter_add(tf.IndexedSlices(one, tf.range(300))),
            tf.function(lambda: v.assign_add(one)),
            tf.function(lambda: v.assign_add(one), jit_compile=True),
            tf.function(lambda: tf.cond(tf.reduce_all(v > -1.0), lambda: v.assign_add(one) + 0.0,
                                        lambda: one))]

    def replayed():
        with tf.autodiff.ForwardAccumulator(one, one):
            ways[2]()

    def recorded():
        with tf.GradientTape():
            ways[2]()

    ways += [replayed, recorded]
    in_threads(lambda k: [ways[k % len(ways)]() for _ in range(12)], 64)
    assert v.numpy().tolist() == [768.0] * 300


# -- several variables -----------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [2, LONG])
def test_several_variables_in_any_order(size, mode, using):
    many = [tf.Variable(tf.zeros(size)) for _ in range(12)]
    one = tf.ones(size)
    if mode != "eager":
        using(jit=mode)

    def forwards():
        for v in many:
            v.assign_add(one)

    def backwards(x=one):
        if tf.reduce_sum(x) > 0.0:
            for v in reversed(many):
                v.assign_add(x)

    ways = [forwards, backwards] if mode == "eager" else [tf.function(forwards),
                                                          tf.function(backwards)]
    in_threads(lambda k: [ways[k % 2]() for _ in range(10)])
    assert all(np.all(v.numpy() == 80.0) for v in many)


def test_python_functions_that_change_each_other_s_variables():
    v, w = tf.Variable(0.0), tf.Variable(0.0)

    def around(mine, other):
        def inside():
            other.assign_add(1.0)
            return 0.0

        @tf.function
        def step():
            if tf.constant(1.0) + mine > 0.0:
                mine.assign_add(1.0)
            return tf.py_function(inside, [], tf.float32)

        return step

    steps = [around(v, w), around(w, v)]
    in_threads(lambda k: [steps[k % 2]() for _ in range(40)])
    assert float(v) + float(w) > 0.0  # nobody hangs


# -- what others see -------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [64, LONG])
def test_readers_see_whole_values(size, mode, using):
    v, one = tf.Variable(tf.zeros(size)), tf.ones(size)
    update = as_function(lambda: v.assign_add(tf.sqrt(one)), mode, using)
    halves, ended = [], []

    def work(k):
        if k:
            while not ended:
                seen = v.numpy()
                if seen.min() != seen.max():
                    halves.append(seen)
                kept = v.read_value()
                first = kept.numpy()
                if not np.array_equal(first, kept.numpy()):
                    halves.append(first)
        else:
            for _ in range(40):
                update()
            ended.append(True)

    in_threads(work, 3)
    assert not halves and np.all(v.numpy() == 40.0)


def test_a_map_in_threads_reads_and_counts():
    seen, table = tf.Variable(0, dtype=tf.int64), tf.Variable(tf.zeros(LONG))

    def look(x):
        seen.assign_add(1)
        return tf.reduce_max(table) - tf.reduce_min(table) + 0.0 * tf.cast(x, tf.float32)

    update = tf.function(lambda: table.assign_add(tf.exp(tf.zeros(LONG))), jit_compile=True)
    data = tf.data.Dataset.range(200).map(look, num_parallel_calls=4).prefetch(4)
    for spread in data:
        update()
        assert float(spread) == 0.0
    assert int(seen) == 200


# -- failures --------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_a_failing_update_leaves_the_way_free(mode, using):
    v = tf.Variable(tf.zeros([4]))

    def change(i):
        v.scatter_nd_add(tf.reshape(i, [1, 1]), [1.0])
        return v.assign_add(tf.ones(4))

    update, failures = as_function(change, mode, using), []

    def work(k):
        for step in range(20):
            try:
                update(tf.constant(9 if (step + k) % 4 == 0 else 0))
            except tf.errors.InvalidArgumentError as error:
                failures.append(error)

    in_threads(work)
    assert len(failures) == 40 and v.numpy().tolist() == [240.0, 120.0, 120.0, 120.0]


# -- random numbers --------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_no_two_threads_draw_the_same_numbers(mode, using):
    generator, drawn = tf.random.Generator.from_seed(1), []
    draw = as_function(lambda: generator.normal([2]), mode, using)
    in_threads(lambda k: drawn.extend(tuple(draw().numpy().tolist()) for _ in range(40)))
    alone = tf.random.Generator.from_seed(1)
    assert sorted(drawn) == sorted(tuple(alone.normal([2]).numpy().tolist()) for _ in range(320))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", [None, 7])
def test_streams_of_ops_are_shared_out(seed, mode, using):
    tf.random.set_seed(3)
    drawn = []
    draw = as_function(lambda: tf.random.uniform([2], seed=seed), mode, using)
    in_threads(lambda k: drawn.extend(tuple(draw().numpy().tolist()) for _ in range(40)))
    assert len(set(drawn)) == 320


# -- making things ---------------------------------------------------------------------------------
def test_a_function_that_threads_call_first_is_traced_once():
    traced, made = [], []

    @tf.function
    def f(x):
        traced.append(1)
        if not made:
            made.append(tf.Variable(0.0))
        made[0].assign_add(x)
        return made[0] + 0.0

    in_threads(lambda k: f(tf.constant(1.0)))
    assert len(traced) == 2 and len(made) == 1 and float(made[0]) == 8.0


def test_variables_that_threads_make_are_distinct():
    made = []
    in_threads(lambda k: made.extend(tf.Variable(float(k)) for _ in range(50)))
    assert len({v._uid for v in made}) == 400
    assert sorted(float(v) for v in made) == sorted(50 * [float(k) for k in range(8)])


def test_averages_and_accumulators():
    v = tf.Variable(8.0)
    average = tf.train.ExponentialMovingAverage(0.0)
    in_threads(lambda k: average.apply([v]))
    assert float(average.average(v)) == 8.0


# -- how it is done --------------------------------------------------------------------------------
@pytest.mark.parametrize("method", [Variable._replace, Variable._swap])
def test_nothing_switches_threads_between_a_look_and_the_store(method):
    """CPython looks whether another thread wants to run at calls and when it jumps back."""
    code = list(dis.get_instructions(method))
    stores = [i for i, one in enumerate(code)
              if one.opname == "STORE_ATTR" and one.argval == "_snapshot"]
    store = stores[0]  # of `_swap`: the one without a lock
    look = max(i for i in range(store) if code[i].opname.startswith("LOAD_ATTR")
               and code[i].argval in ("_snapshot", "_update_lock"))
    while any(code[i].argval in ("_snapshot", "_update_lock") for i in range(look - 4, look)):
        look -= 4
    between = [one.opname for one in code[look:store]]
    assert not [name for name in between if "CALL" in name or "BACKWARD" in name
                or name in ("RESUME", "BEFORE_WITH", "FOR_ITER", "SEND")], between


def test_one_thread_needs_no_lock(monkeypatch):
    for module in (variable_locks, numpy_executor, executable):  # whatever other tests left running
        monkeypatch.setattr(module, "alone", lambda: True)
    v = tf.Variable(tf.zeros(3))
    step = tf.function(lambda: v.assign_add(tf.ones(3)))
    for _ in range(100):
        v.assign_add(tf.ones(3))
        v.scatter_nd_add([[0]], [1.0])
        step()
    assert v._update_lock is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_finds_no_turn_taken():
    v, taken, over = tf.Variable(1.0), threading.Event(), threading.Event()

    def hold():
        with variable_locks.update_lock_of(v):
            taken.set()
            over.wait(HANG)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(HANG)
    child = os.fork()
    if not child:  # pragma: no cover - another process
        v.assign_add(1.0)
        os._exit(0 if float(v) == 2.0 else 1)
    over.set()
    thread.join(HANG)
    assert os.waitpid(child, 0)[1] == 0 and float(v) == 1.0
