"""tf.compat.v2 and tf.compat.v1: the names, and what TensorFlow 2.21 gave for these calls."""

import inspect
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.api import config
from tapeflow.api.v1 import renamed, test_stubs, v1_names

v1 = tf.compat.v1
SPARSE = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])


def test_compat_v2_is_the_package():
    assert tf.compat.v2 is tf
    tf.compat.v2.enable_v2_behavior()
    assert tf.compat.v2.compat.v1 is v1 is v1.compat.v1


def test_most_names_are_those_of_version_2():
    assert v1.float32 is tf.float32
    assert v1.math.sin is tf.math.sin
    assert v1.reshape is tf.reshape
    assert v1.newaxis is None
    assert v1.matrix_inverse is tf.linalg.inv
    assert v1.manip.roll is tf.roll


@pytest.mark.parametrize("name", ["random.set_seed", "nothing", "nn.gelu", "strings.split", "core"])
def test_names_of_one_version_only(name):
    found = v1
    with pytest.raises(AttributeError, match=r"does not have tf\.compat\.v1\."):
        for part in name.split("."):
            found = getattr(found, part)


@pytest.mark.parametrize("name", sorted(renamed.SIGNATURES))
def test_every_renamed_function_is_made(name):
    function = v1_names.find(tf, name, None)
    given = {ours for ours in renamed.SIGNATURES[name].ours.values() if ours is not None}
    theirs = tf
    for part in renamed.SIGNATURES[name].path.split("."):
        theirs = getattr(theirs, part)
    assert given <= set(inspect.signature(theirs).parameters)
    assert callable(function)


@pytest.mark.parametrize("call, wanted", [
    (lambda: v1.where([True, False], tf.ones([2, 3]), tf.zeros([2, 3])), [[1, 1, 1], [0, 0, 0]]),
    (lambda: v1.where([[True, False]]), [[0, 0]]),
    (lambda: v1.reduce_sum([[1., 2.]], reduction_indices=1, keep_dims=True), [[3]]),
    (lambda: v1.argmax([1, 3, 2], dimension=0), 1),
    (lambda: v1.to_float(3), 3.0),
    (lambda: v1.div(7, 2), 3),
    (lambda: v1.expand_dims([1], dim=0), [[1]]),
    (lambda: v1.squeeze([[1]], squeeze_dims=[0]), [1]),
    (lambda: v1.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]), 3),
    (lambda: v1.cond(True, lambda: [tf.constant(1)], lambda: [tf.constant(2)]), 1),
    (lambda: v1.placeholder_with_default([1, 2], [None]), [1, 2]),
    (lambda: v1.transpose([[1, 2]], None, "name"), [[1], [2]]),
    (lambda: v1.nn.softmax([0., 0.], dim=0), [0.5, 0.5]),
    (lambda: v1.nn.moments(tf.constant([1., 3.]), [0], None, None, True)[1], [1.0]),
    (lambda: v1.assign(tf.Variable(1.), 2.), 2.0),
    (lambda: v1.scatter_add(tf.Variable([1., 2.]), [1], [5.]), [1., 7.]),
    (lambda: v1.zeros_initializer()([2]), [0, 0]),
    (lambda: v1.shape(tf.ones([2, 3]), "name", tf.int64), [2, 3]),
    (lambda: v1.sparse.add(SPARSE, SPARSE, thresh=3.0).values, [4, 6]),
    (lambda: v1.sparse_concat(1, [SPARSE, SPARSE]).dense_shape, [2, 6]),
    (lambda: v1.sparse_reduce_sum(SPARSE, 1, keep_dims=True), [[3], [3]]),
    (lambda: v1.sparse_segment_mean([[1.0], [3.0]], [0, 1], [0, 0], num_segments=2), [[2], [0]]),
    (lambda: v1.decode_csv(["1;2"], [[1], [2]], ";")[1], [2]),
    (lambda: v1.reduce_join([["a", "b"]], reduction_indices=[1], separator="-"), [b"a-b"]),
    (lambda: v1.string_to_hash_bucket(["a", "b"], 10), [8, 0]),
    (lambda: v1.verify_tensor_all_finite(x=[1.0], message="m"), [1]),
    (lambda: v1.nn.max_pool_with_argmax([[[[1.0], [3.0]]]], [1, 1, 2, 1], [1, 1, 2, 1], "VALID",
                                        Targmax=tf.int32)[1], [[[[1]]]]),
    (lambda: tf.function(lambda x: v1.hessians(x[0] * x[1] ** 2, x, "name")[0])(
        tf.constant([1.0, 2.0])), [[0, 4], [4, 2]]),
])
def test_values(call, wanted):
    assert np.asarray(call()).tolist() == wanted


def test_a_vector_of_conditions_must_fit():
    with pytest.raises(tf.errors.InvalidArgumentError):
        v1.where([True, False], tf.ones([2, 3]), tf.zeros([2, 2]))
    with pytest.raises(NotImplementedError, match="resource variables"):
        v1.disable_resource_variables()


def test_variables_of_a_template_are_kept():
    def layer(x):
        w = v1.get_variable("w", [2], initializer=v1.constant_initializer(3.))
        return x * w

    assert v1.get_variable("a", []) is not v1.get_variable("a", [])
    template = v1.make_template("layer", layer)
    first = template(tf.ones([2]))
    template.trainable_variables[0].assign([1., 2.])
    assert first.numpy().tolist() == [3., 3.]
    assert template(tf.ones([2])).numpy().tolist() == [1., 2.]
    assert len(template.variables) == 1
    with v1.variable_scope("outer"), v1.variable_scope("inner") as scope:
        assert scope.name == v1.get_variable_scope().name == "outer/inner"
        assert v1.get_variable("v", [1]).name == "outer/inner/v:0"


def test_logging(caplog):
    v1.logging.warning("one %d", 1)
    v1.logging.log_first_n(v1.logging.ERROR, "two", 1)
    v1.logging.log_first_n(v1.logging.ERROR, "two", 1)
    assert [one.getMessage() for one in caplog.records] == ["one 1", "two"]


def test_names_are_unique():
    v1.reset_default_graph()
    graph = v1.get_default_graph()
    assert [graph.unique_name("a") for _ in range(3)] == ["a", "a_1", "a_2"]


def test_variables_with_the_arguments_of_version_1():
    v = v1.Variable(1., True, name="v", use_resource=True)
    assert isinstance(v, v1.Variable)
    assert isinstance(v, tf.Variable)
    assert not isinstance(1., v1.Variable)
    assert v.name == "v:0"


def test_values_that_are_no_children():
    class M(tf.Module):
        def __init__(self):
            super().__init__()
            self.hidden = self._no_dependency({"a": tf.Variable(1.)})
            self.shown = {"b": tf.Variable(2.)}

    m = M()
    assert sorted(m.hidden) == ["a"]
    path = tf.train.Checkpoint(m=m)._trackable_children()
    assert path["m"] is m
    assert m._self_containers == {"hidden": False, "shown": True}


@pytest.mark.parametrize("call, wanted", [
    (lambda: tf.raw_ops.IgammaGradA(a=2., x=1.), -0.276196),
    (lambda: tf.raw_ops.RandomGammaGrad(alpha=2., sample=1.5), 0.93663883),
    (lambda: tf.raw_ops.BroadcastGradientArgs(s0=[2, 1, 3], s1=[3]).r1, [0, 1]),
    (lambda: tf.raw_ops.MatrixDiagPartV2(
        input=tf.reshape(tf.range(6.), [2, 3]), k=[-1, 1], padding_value=9.),
     [[1., 5.], [0., 4.], [3., 9.]]),
    (lambda: tf.raw_ops.ComplexAbs(x=tf.constant(3 + 4j, tf.complex64)), 5.0),
    (lambda: tf.raw_ops.SegmentMaxV2(data=[1., 5., 2.], segment_ids=[0, 0, 1], num_segments=2),
     [5., 2.]),
    (lambda: tf.raw_ops.FusedBatchNormV2(
        x=tf.reshape(tf.range(8.), [2, 1, 2, 2]), scale=[1., 2.], offset=[0., 1.], mean=[],
        variance=[], epsilon=1e-3, is_training=True).batch_variance, [6.6666665, 6.6666665]),
])
def test_raw_ops_of_libraries(call, wanted):
    np.testing.assert_allclose(np.asarray(call()), wanted, rtol=1e-6)


def test_a_gradient_that_is_refused():
    x = tf.constant(1.)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.raw_ops.PreventGradient(input=x, message="no")
    with pytest.raises(LookupError, match="explicitly disabled. Reason: no"):
        tape.gradient(y, x)


def test_files_by_the_names_of_version_1(tmp_path):
    gfile, folder = v1.gfile, str(tmp_path)
    gfile.MakeDirs(f"{folder}/a/b")
    with gfile.FastGFile(f"{folder}/a/x.txt", "w") as file:
        file.write("hi")
    gfile.Copy(f"{folder}/a/x.txt", f"{folder}/y.txt", overwrite=True)
    gfile.Rename(f"{folder}/y.txt", f"{folder}/z.txt", True)
    assert gfile.Exists(filename=f"{folder}/z.txt")
    assert gfile.Stat(f"{folder}/z.txt").length == 2
    assert gfile.IsDirectory(f"{folder}/a") and gfile.ListDirectory(f"{folder}/a/b") == []
    assert [names for _, _, names in gfile.Walk(folder, in_order=False)] == [
        [], ["x.txt"], ["z.txt"]]
    gfile.Remove(f"{folder}/z.txt")
    gfile.DeleteRecursively(f"{folder}/a")
    assert gfile.Glob(f"{folder}/*") == []


def test_without_tensorflow_2s_behaviour_ops_go_into_a_graph():
    v1.disable_v2_behavior()
    try:
        assert not tf.executing_eagerly()
        x = v1.placeholder(tf.float32)
        with v1.Session() as session:
            assert session.run(x + 1.0, {x: 2.0}) == 3.0
    finally:
        v1.enable_v2_behavior()
    assert tf.executing_eagerly()


def test_a_variable_has_the_dtype_of_the_tensor_it_begins_with():
    with tf.Graph().as_default():
        held = v1.get_variable("held", initializer=tf.constant([1.0], tf.float64))
        assert held.dtype == tf.float64


def test_loss_scales():
    precision = v1.mixed_precision
    scale = precision.DynamicLossScale(4.0, 2)
    for gradient, wanted in ((1.0, 4.0), (1.0, 8.0), (float("inf"), 4.0)):
        _, apply = scale.update([tf.constant([gradient]), None])
        assert bool(apply) == (gradient == 1.0) and float(scale()) == wanted
    with pytest.raises(ValueError, match="at least 1"):
        precision.FixedLossScale(0.5)
    with pytest.raises(ValueError, match="must be an instance"):
        precision.enable_mixed_precision_graph_rewrite(object())


@pytest.mark.parametrize("scale", [8.0, "dynamic"])
def test_an_optimizer_with_a_scaled_loss(scale, monkeypatch):
    monkeypatch.setattr(config._settings, "optimizer", config._settings.optimizer)
    with tf.Graph().as_default(), v1.Session() as session:
        v = v1.get_variable("v", [], initializer=v1.constant_initializer(2.0))
        made = v1.mixed_precision.enable_mixed_precision_graph_rewrite(
            v1.train.GradientDescentOptimizer(0.1), scale)
        try:
            with pytest.raises(ValueError, match="must not already be"):
                v1.mixed_precision.enable_mixed_precision_graph_rewrite(made)
            factor = v1.placeholder(tf.float32, [])
            step = made.minimize(v * v * factor, var_list=[v])
            session.run(v1.global_variables_initializer())
            session.run(step, {factor: 1.0})
            assert np.isclose(session.run(v), 1.6)
            if scale == "dynamic":  # a step whose gradient is not finite is left out
                session.run(step, {factor: float("inf")})
                assert np.isclose(session.run(v), 1.6)
                assert session.run(made.variables()[-2]) == 2.0 ** 14
        finally:
            v1.mixed_precision.disable_mixed_precision_graph_rewrite()


def test_a_mixed_policy_of_a_library_and_the_rewriting_exclude_each_other(monkeypatch):
    monkeypatch.setattr(config._settings, "optimizer", config._settings.optimizer)
    precision, train = v1.mixed_precision, tf.__internal__.train
    optimizer = v1.train.GradientDescentOptimizer(0.1)
    train.set_using_mixed_precision_policy(True)
    try:
        with pytest.raises(ValueError, match="the global Keras dtype Policy has been set"):
            precision.enable_mixed_precision_graph_rewrite(optimizer)
        assert not train.is_mixed_precision_graph_rewrite_enabled()
    finally:
        train.set_using_mixed_precision_policy(False)
    precision.enable_mixed_precision_graph_rewrite(optimizer)
    try:
        assert train.is_mixed_precision_graph_rewrite_enabled()
    finally:
        precision.disable_mixed_precision_graph_rewrite()
    assert not train.is_mixed_precision_graph_rewrite_enabled()


def test_dropout_by_the_part_that_is_kept():
    x = tf.ones([4, 1000])
    kept = v1.nn.dropout(x, 0.9, seed=1)
    assert 0.85 < float(tf.reduce_mean(tf.cast(kept > 0, tf.float32))) < 0.95
    np.testing.assert_allclose(np.unique(kept.numpy()), [0.0, 1 / 0.9], rtol=1e-6)
    assert v1.nn.dropout(x, rate=0.0) is not None
    with pytest.raises(ValueError, match="Cannot specify both"):
        v1.nn.dropout(x, keep_prob=0.5, rate=0.5)
    with pytest.raises(ValueError, match="`rate` must be provided"):
        v1.nn.dropout(x)


def test_cross_entropy_gives_labels_no_gradient():
    labels, logits = tf.constant([[0.0, 1.0]]), tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([labels, logits])
        old = v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        new = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
    assert float(old[0]) == float(new[0])
    assert tape.gradient(old, labels) is None and tape.gradient(new, labels) is not None
    np.testing.assert_array_equal(tape.gradient(old, logits), tape.gradient(new, logits))
    with pytest.raises(ValueError, match="named arguments"):
        v1.nn.softmax_cross_entropy_with_logits(labels, logits)
    with pytest.raises(ValueError, match="Both `labels` and `logits`"):
        v1.nn.sparse_softmax_cross_entropy_with_logits(logits=logits)


def test_unit_scaling():
    values = v1.uniform_unit_scaling_initializer(2.0, seed=3)([3, 100]).numpy()
    assert values.min() < -1.9 and values.max() > 1.9 and abs(values).max() <= 2.0
    assert v1.initializers.uniform_unit_scaling(seed=1).get_config() == {
        "factor": 1.0, "seed": 1, "dtype": "float32"}


def test_a_folder_for_files():
    folder = Path(v1.test.get_temp_dir())
    assert folder.is_dir() and v1.test.get_temp_dir() == str(folder)
    folder.rmdir()
    test_stubs._folder.clear()


def test_renamed_functions_show_the_defaults_they_have():
    shown = inspect.signature(v1.depth_to_space).parameters
    assert (shown["data_format"].default, shown["name"].default) == ("NHWC", None)


def test_gradients_take_the_arguments_of_tensorflow_1():
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, ())
        found = v1.gradients(x * x, x, None, "g", True, gate_gradients=False)
        assert session.run(found, {x: 3.0}) == [6.0]
