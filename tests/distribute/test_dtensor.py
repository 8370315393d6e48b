"""tf.experimental.dtensor in one process: the guide's program, layouts through ops, training."""

import numpy as np
import pytest

import tapeflow as tf

dtensor = tf.experimental.dtensor
Layout = dtensor.Layout
UNSHARDED = dtensor.UNSHARDED
DEVICES = [f"CPU:{i}" for i in range(6)]


@pytest.fixture(scope="module")
def mesh():
    return dtensor.create_mesh([("a", 2), ("b", 3)], "grid", devices=DEVICES)


@pytest.fixture(scope="module")
def sharded(mesh):
    value = tf.reshape(tf.range(24.0), (4, 6))
    return dtensor.copy_to_mesh(value, Layout(["a", "b"], mesh))


def specs(tensor):
    return dtensor.fetch_layout(tensor).sharding_specs


def whole(tensor):
    layout = Layout.replicated(dtensor.fetch_layout(tensor).mesh, tensor.shape.rank)
    return dtensor.relayout(tensor, layout).numpy()


def test_meshes_and_layouts(mesh):
    assert mesh.dim_names == ["a", "b"] and mesh.shape() == [2, 3] and mesh.size == 6
    assert mesh.strides == [3, 1] and mesh.dim_size("b") == 3 and mesh.name == "grid"
    assert mesh.unravel_index()[4] == {"a": 1, "b": 1} and mesh.coords(4).numpy().tolist() == [1, 1]
    assert dtensor.Mesh.from_string(mesh.to_string()) == mesh
    layout = Layout(["a", UNSHARDED, "b"], mesh)
    assert layout.shape == [2, 3] and layout.rank == 3 and not layout.is_fully_replicated()
    assert layout.delete([0]).sharding_specs == [UNSHARDED, "b"]
    assert Layout.from_string(layout.to_string()) == layout
    assert Layout.from_string(Layout([], mesh).to_string()).rank == 0
    assert Layout.batch_sharded(mesh, "a", 2).sharding_specs == ["a", UNSHARDED]
    assert Layout.inner_sharded(mesh, "a", 2).sharding_specs == [UNSHARDED, "a"]
    assert layout.offset_to_shard()[4] == (1, 0, 1)


@pytest.mark.parametrize(("make", "words"), [
    (lambda mesh: Layout(["z"], mesh), "valid mesh dimension"),
    (lambda mesh: Layout(["a", "a"], mesh), "repeated"),
    (lambda mesh: dtensor.create_mesh([("x", 4)], devices=DEVICES), "length of devices"),
    (lambda mesh: dtensor.create_mesh([("x", 6)], devices=["GPU:0"] * 6), "CPUs only"),
    (lambda mesh: dtensor.create_mesh(device_type="TPU"), "CPUs only"),
    (lambda mesh: dtensor.copy_to_mesh(tf.ones(7), Layout(["a"], mesh)), "not divisible"),
    (lambda mesh: dtensor.copy_to_mesh(tf.ones(6), Layout.replicated(mesh, 2)), "rank 2")])
def test_wrong_layouts(mesh, make, words):
    with pytest.raises(ValueError, match=words):
        make(mesh)


def test_a_variable_has_the_layout_that_it_is_given(mesh):
    layout = Layout.replicated(mesh, 0)
    counter = dtensor.DVariable(0, dtype="int64", layout=layout, collections=None)
    assert (counter.layout, counter.dtype) == (layout, tf.int64)
    assert dtensor.DVariable(lambda: tf.constant(1.0), layout=layout).layout == layout
    with pytest.raises(tf.errors.InvalidArgumentError, match="Neither layout nor DTensor initial"):
        dtensor.DVariable(tf.ones(2))


def test_components_are_parts_of_the_value(sharded, mesh):
    parts = dtensor.unpack(sharded)
    assert [part.device.rpartition("/")[2] for part in parts[:2]] == ["device:CPU:0",
                                                                     "device:CPU:1"]
    assert parts[4].numpy().tolist() == [[14, 15], [20, 21]]
    assert float(tf.reduce_sum(parts[4] * 2.0)) == 140
    again = dtensor.pack(parts, dtensor.fetch_layout(sharded))
    assert (whole(again) == whole(sharded)).all()
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected 6 inputs"):
        dtensor.pack(parts[:5], dtensor.fetch_layout(sharded))
    with pytest.raises(tf.errors.InvalidArgumentError):
        dtensor.unpack(tf.ones(2))


def test_only_a_replicated_value_is_an_array(sharded, mesh):
    with pytest.raises(tf.errors.UnimplementedError, match="non-replicated DTensor"):
        sharded.numpy()
    same = dtensor.copy_to_mesh([0, 1], Layout.replicated(mesh, 1))
    assert same.numpy().tolist() == [0, 1] and dtensor.is_dtensor(same)
    assert not dtensor.is_dtensor(tf.ones(2))
    assert str(same).startswith('tf.Tensor([0 1], layout="sharding_specs:unsharded, mesh:grid|a=2')
    assert repr(sharded).startswith('<tf.Tensor: shape=(4, 6), dtype=float32, value={"CPU:0": [[0')


# What TensorFlow 2.21 reports for the same programs.
RULES = {
    "add": (lambda x: x + 1.0, ["a", "b"]), "relu": (tf.nn.relu, ["a", "b"]),
    "rows": (lambda x: tf.reduce_sum(x, 0), ["b"]),
    "kept": (lambda x: tf.reduce_sum(x, axis=1, keepdims=True), ["a", UNSHARDED]),
    "all": (tf.reduce_mean, []), "transpose": (tf.transpose, ["b", "a"]),
    "expand": (lambda x: tf.expand_dims(x, 0), [UNSHARDED, "a", "b"]),
    "slice": (lambda x: x[:, :3], ["a", UNSHARDED]), "softmax": (tf.nn.softmax, ["a", "b"]),
    "argmax": (lambda x: tf.argmax(x, -1), ["a"]),
    "concat": (lambda x: tf.concat([x, x], 0), [UNSHARDED, "b"]),
    "product": (lambda x: tf.matmul(x, tf.transpose(x)), [UNSHARDED, UNSHARDED]),
    "transposed": (lambda x: tf.matmul(x, x, transpose_b=True), [UNSHARDED, UNSHARDED]),
    "cast": (lambda x: tf.cast(x, tf.int32), ["a", "b"]),
    "reshape": (lambda x: tf.reshape(x, (2, 2, 6)), ["a", UNSHARDED, "b"]),
    "ones": (tf.ones_like, ["a", "b"]), "where": (lambda x: tf.where(x > 3, x, 0.0), ["a", "b"]),
    "gather": (lambda x: tf.gather(x, [0, 1]), [UNSHARDED, "b"]),
    "one_hot": (lambda x: tf.one_hot(tf.argmax(x, -1), 3), ["a", UNSHARDED]),
    "moments": (lambda x: tf.nn.moments(x, [0])[0], ["b"])}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("traced", [False, True])
def test_layouts_go_through_ops(sharded, name, traced):
    function, found = RULES[name]
    result = (tf.function(function, autograph=False) if traced else function)(sharded)
    assert specs(result) == found
    np.testing.assert_allclose(whole(result), function(tf.constant(whole(sharded))), rtol=1e-6)


def test_products_carry_rows_and_columns(mesh):
    a = dtensor.copy_to_mesh(tf.ones((4, 6)), Layout(["a", UNSHARDED], mesh))
    b = dtensor.copy_to_mesh(tf.ones((6, 3)), Layout([UNSHARDED, "b"], mesh))
    assert specs(a @ b) == ["a", "b"]
    summed = dtensor.copy_to_mesh(tf.ones((6, 3)), Layout(["a", UNSHARDED], mesh))
    assert specs(a @ summed) == [UNSHARDED, UNSHARDED]
    other = dtensor.create_mesh([("x", 6)], devices=DEVICES)
    with pytest.raises(tf.errors.InvalidArgumentError, match="different meshes"):
        _ = a + dtensor.copy_to_mesh(tf.ones((4, 6)), Layout.replicated(other, 2))


def test_call_with_layout(mesh):
    for function in (tf.ones, tf.function(tf.ones)):
        made = dtensor.call_with_layout(function, Layout(["a", "b"], mesh), shape=(6, 6))
        assert specs(made) == ["a", "b"] and (whole(made) == 1).all()
    assert specs(dtensor.relayout_like(made * 2, made)) == ["a", "b"]
    dtensor.check_layout(made, Layout(["a", "b"], mesh))
    with pytest.raises(ValueError, match="did not match"):
        dtensor.check_layout(made, Layout(["b", "a"], mesh))


def test_variables_keep_their_layout(mesh):
    layout = Layout([UNSHARDED, "b"], mesh)
    v = dtensor.DVariable(dtensor.call_with_layout(tf.ones, layout, shape=(4, 6)))
    assert dtensor.fetch_layout(v) == layout and isinstance(v, tf.Variable)
    assert specs(v + 1.0) == [UNSHARDED, "b"] and specs(tf.square(v)) == [UNSHARDED, "b"]
    v.assign(2 * v)
    v.assign_add(dtensor.call_with_layout(tf.ones, layout, shape=(4, 6)))
    assert dtensor.fetch_layout(v.read_value()) == layout and (whole(v.read_value()) == 3).all()
    other = dtensor.create_mesh([("x", 6)], devices=DEVICES)
    with pytest.raises(tf.errors.InvalidArgumentError, match="another mesh"):
        v.assign(dtensor.copy_to_mesh(tf.ones((4, 6)), Layout.replicated(other, 2)))
    assert (whole(v.read_value()) == 3).all()


def training(x, y, w, b, take_arguments, steps=60):
    """Losses of a regression by gradient descent in a tf.function."""
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(x, w) + b - y) ** 2)
        for v, g in zip((w, b), tape.gradient(loss, (w, b)), strict=True):
            v.assign_sub(0.05 * g)
        return loss

    traced = tf.function(step if take_arguments else lambda: step(x, y), autograph=False)
    return [float(traced(x, y) if take_arguments else traced()) for _ in range(steps)]


@pytest.mark.parametrize("take_arguments", [True, False])
def test_training_gives_the_numbers_of_plain_tensors(mesh, take_arguments):
    random = np.random.default_rng(0)
    x, y, w = (random.normal(size=s).astype("f") for s in ((12, 6), (12, 2), (6, 2)))
    plain = training(tf.constant(x), tf.constant(y), tf.Variable(w), tf.Variable(tf.zeros(2)),
                     take_arguments)
    weights = dtensor.DVariable(dtensor.copy_to_mesh(w, Layout(["b", UNSHARDED], mesh)))
    bias = dtensor.DVariable(dtensor.call_with_layout(tf.zeros, Layout.replicated(mesh, 1), [2]))
    laid_out = training(dtensor.copy_to_mesh(x, Layout(["a", "b"], mesh)),
                        dtensor.copy_to_mesh(y, Layout(["a", UNSHARDED], mesh)), weights, bias,
                        take_arguments)
    np.testing.assert_allclose(laid_out, plain, rtol=1e-5)
    assert specs(weights) == ["b", UNSHARDED] and specs(weights * 2.0) == ["b", UNSHARDED]


def test_checkpoints_hold_the_global_value(mesh, tmp_path):
    layout = Layout(["a"], mesh)
    v = dtensor.DVariable(dtensor.copy_to_mesh([1.0, 2.0], layout))
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "v"))
    v.assign(dtensor.copy_to_mesh([0.0, 0.0], layout))
    tf.train.Checkpoint(v=v).restore(path)
    assert whole(v.read_value()).tolist() == [1, 2] and dtensor.fetch_layout(v) == layout
    plain = tf.Variable([0.0, 0.0])
    tf.train.Checkpoint(v=plain).restore(path)
    assert plain.numpy().tolist() == [1, 2]


def test_one_client(mesh):
    assert (dtensor.num_clients(), dtensor.client_id(), dtensor.job_name()) == (1, 0, "localhost")
    assert dtensor.num_global_devices("CPU") == dtensor.num_local_devices("CPU")
    assert dtensor.get_default_mesh() is None
    with dtensor.default_mesh(mesh):
        assert dtensor.get_default_mesh() is mesh
    assert dtensor.get_default_mesh() is None


def test_a_mesh_gives_its_dimensions_by_name():
    mesh = dtensor.Mesh(["x", "y"], np.arange(2).reshape(2, 1), [0, 1], ["CPU:0", "CPU:1"])
    assert repr(mesh["x"]) == "MeshDimension(name='x', size=2)"
    assert mesh["y"].size == 1
    with pytest.raises(KeyError):
        mesh["z"]
    assert mesh.use_xla_spmd() is False
    assert dtensor.Layout(["x"], mesh).shape == [2, 1]  # TensorFlow's: that of the mesh
