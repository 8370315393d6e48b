"""tf.saved_model: functions and variables come back, with gradients, control flow, signatures."""

import os

import numpy as np
import pytest

import tapeflow as tf

X = tf.TensorSpec([None, 2], tf.float32)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0], [2.0]], name="w")
        self.parts = [tf.Variable(3.0, trainable=False), {"k": tf.Variable(4.0)}, "text",
                      (tf.Variable(5.0), 6)]

    @tf.function(input_signature=[X])
    def __call__(self, x):
        return x @ self.w * self.parts[0]

    @tf.function
    def add(self, x, flag=True, scale=1.0):
        return x + self.parts[1]["k"] if flag else x * scale

    @tf.function
    def never(self, x):
        return x

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def train(self, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self(tf.ones([3, 2])) ** 2)
        self.w.assign_sub(rate * tape.gradient(loss, self.w))
        return {"loss": loss, "pair": (self.w, rate)}


def again(module, folder, **options):
    tf.saved_model.save(module, str(folder), **options)
    return tf.saved_model.load(str(folder))


def test_functions_variables_and_gradients(tmp_path):
    net = Net()
    net.add(tf.constant(1.0))
    net.add(tf.constant([1.0, 2.0]), flag=False, scale=tf.constant(3.0))
    loaded = again(net, tmp_path)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert np.array_equal(loaded(x).numpy(), net(x).numpy())
    assert loaded.parts[0].trainable is False and loaded.parts[1]["k"].numpy() == 4.0
    assert loaded.parts[2] is None and loaded.parts[3][0].numpy() == 5.0
    assert loaded.add(tf.constant(1.0)).numpy() == 5.0
    assert loaded.add(tf.constant([1.0, 2.0]), False, tf.constant(3.0)).numpy().tolist() == [3, 6]
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(loaded(x) ** 2)
        g = tape.gradient(y, loaded.w)
        total = tf.reduce_sum(g)
    with tf.GradientTape() as tape:
        wanted = tf.reduce_sum(net(x) ** 2)
    np.testing.assert_allclose(g, tape.gradient(wanted, net.w))
    assert outer.gradient(total, loaded.w).shape == (2, 1)
    jacobian = tf.function(lambda v: loaded(v) + 1.0)(x)
    assert jacobian.numpy()[0, 0] == 16.0


def test_training_steps_and_effects(tmp_path):
    net = Net()
    loaded = again(net, tmp_path)
    for _ in range(2):
        ours, theirs = loaded.train(tf.constant(0.001)), net.train(tf.constant(0.001))
        np.testing.assert_allclose(ours["loss"], theirs["loss"])
    np.testing.assert_allclose(loaded.w, net.w)
    np.testing.assert_allclose(ours["pair"][0], net.w)


def test_what_does_not_fit(tmp_path):
    net = Net()
    net.add(tf.constant(1.0))
    loaded = again(net, tmp_path)
    with pytest.raises(ValueError, match="Could not find matching concrete function to call"):
        loaded.add(tf.constant([1.0, 2.0, 3.0]))
    with pytest.raises(ValueError, match=r"name='x'\)\n    \* True\n    \* 1.0"):
        loaded.add(tf.constant(1.0), False)
    with pytest.raises(ValueError, match="Found zero restored functions"):
        loaded.never(tf.constant(1.0))
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        loaded(tf.constant([1.0]))


def test_signatures(tmp_path):
    net = Net()
    loaded = again(net, tmp_path / "a", signatures=net.__call__)
    infer = loaded.signatures["serving_default"]
    assert infer.structured_input_signature == ((), {"x": tf.TensorSpec([None, 2], name="x")})
    assert infer.structured_outputs["output_0"].shape.as_list() == [None, 1]
    x = tf.constant([[1.0, 2.0]])
    assert infer(x)["output_0"].numpy() == infer(x=x)["output_0"].numpy() == 15.0
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        infer()
    named = net.add.get_concrete_function(tf.TensorSpec([None], tf.float32))
    two = again(net, tmp_path / "b", signatures={"call": net.__call__, "add": named})
    assert list(two.signatures) == ["call", "add"]
    assert two.signatures["add"](x=tf.constant([1.0]))["output_0"].numpy() == 5.0
    for wrong, words in ((net.never, "Expected a TensorFlow function"), (3, "but got 3"),
                         (net.train, "Got a non-Tensor value")):
        with pytest.raises(ValueError, match=words):
            tf.saved_model.save(net, str(tmp_path / "c"), signatures=wrong)
    assert not os.path.exists(tmp_path / "c")
    assert list(again(Only(), tmp_path / "d").signatures) == ["serving_default"]
    assert list(again(tf.Module(), tmp_path / "e").signatures) == []


class Only(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def f(self, x):
        return x * 2


@tf.custom_gradient
def fivefold(x):
    return x * 2, lambda g: g * 5


class Many(tf.Module):
    """A bit of everything that graphs hold."""

    def __init__(self):
        super().__init__()
        self.v = tf.Variable(2.0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def control(self, x):
        total = tf.constant(0.0)
        for i in tf.range(tf.shape(x)[0]):
            if x[i] > 0.0:
                total += x[i] * self.v
            else:
                total -= 1.0
        while total < 100.0:
            total = total * 2.0 + 1.0
        return total

    @tf.function(input_signature=[X])
    def gradients(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(x) * fivefold(x)) + tf.reduce_sum(tf.concat([x, x], 0) ** 2)
        return tape.gradient(y, x)

    @tf.function(input_signature=[X])
    def shapes(self, x):
        return (tf.reshape(x, [-1]), x[:, ::-1], tf.transpose(x), tf.einsum("ij,kj->ik", x, x),
                [tf.cast(x, tf.int32), tf.one_hot(tf.argmax(x, 1), 3)], tf.nn.softmax(x),
                tf.strings.join([tf.strings.as_string(x), "!"]), tf.where(x > 0, x, 0.0),
                tf.map_fn(lambda row: row * 2, x), tf.vectorized_map(tf.reduce_sum, x), None)

    @tf.function(input_signature=[])
    def draws(self):
        return tf.random.normal([3], seed=7)


def test_graphs_of_all_kinds(tmp_path):
    many = Many()
    loaded = again(many, tmp_path)
    v = tf.constant([1.0, -1.0, 2.0])
    assert loaded.control(v).numpy() == many.control(v).numpy()
    with tf.GradientTape() as tape:
        y = loaded.control(v)
    with tf.GradientTape() as other:
        z = many.control(v)
    assert tape.gradient(y, loaded.v).numpy() == other.gradient(z, many.v).numpy() != 0
    for rows in (1, 3):
        x = tf.reshape(tf.range(2.0 * rows), [rows, 2]) - 1.0
        np.testing.assert_allclose(loaded.gradients(x), many.gradients(x))
        ours, theirs = loaded.shapes(x), many.shapes(x)
        tf.nest.assert_same_structure(ours, theirs)
        for a, b in zip(tf.nest.flatten(ours), tf.nest.flatten(theirs), strict=True):
            assert a is b is None or np.array_equal(a.numpy(), b.numpy())
    first = loaded.draws().numpy()
    assert not np.array_equal(first, loaded.draws().numpy())


def test_saved_again(tmp_path):
    first = again(Net(), tmp_path / "a")
    first.w.assign([[5.0], [6.0]])
    second = again(first, tmp_path / "b")
    assert second(tf.constant([[1.0, 1.0]])).numpy() == 33.0


def test_errors(tmp_path):
    module = tf.Module()
    outside = tf.Variable(2.0)
    module.f = tf.function(lambda x: x * outside)
    module.f(tf.constant(1.0))
    with pytest.raises(KeyError, match="references an 'untracked' resource"):
        tf.saved_model.save(module, str(tmp_path / "a"))
    module.f = tf.function(lambda x: tf.py_function(lambda y: y, [x], tf.float32))
    module.f(tf.constant(1.0))
    with pytest.raises(ValueError, match="cannot be saved: .*EagerPyFunc|cannot be saved"):
        tf.saved_model.save(module, str(tmp_path / "a"))
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        tf.saved_model.save(tf.constant(1.0), str(tmp_path / "a"))
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(str(tmp_path / "a"))
    (tmp_path / "saved_model.pb").write_bytes(b"\x08\x01")
    assert tf.saved_model.contains_saved_model(str(tmp_path))
    with pytest.raises(ValueError, match="there are 0 MetaGraphs"):
        tf.saved_model.load(str(tmp_path))


def test_assets_and_checkpoints(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("hello")
    module = tf.Module()
    module.words = tf.saved_model.Asset(str(file))
    module.v = tf.Variable([1.0, 2.0])
    loaded = again(module, tmp_path / "m")
    file.unlink()
    assert tf.io.read_file(loaded.words.asset_path).numpy() == b"hello"
    other = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0]))
    other.restore(str(tmp_path / "m")).expect_partial()
    assert other.v.numpy().tolist() == [1.0, 2.0]


class Words(tf.Module):
    def __init__(self):
        super().__init__()
        self.fixed = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
        self.open = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def find(self, x):
        return self.fixed.lookup(tf.strings.lower(x)), self.open.lookup(x)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def add(self, x):
        self.open.insert(x, tf.strings.to_number(x, tf.int64))


def test_lookup_tables(tmp_path):
    words = Words()
    words.add(tf.constant(["7"]))
    loaded = again(words, tmp_path)
    loaded.add(tf.constant(["8"]))
    found = [x.numpy().tolist() for x in loaded.find(tf.constant(["B", "7", "8"]))]
    assert found == [[2, -1, -1], [-1, 7, 8]]
    assert words.find(tf.constant(["8"]))[1].numpy().tolist() == [-1]
