"""Functions of ragged and sparse tensors, of variables and of tensors of unknown rank, saved."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.saved_model.model_summary import describe
from tapeflow.saved_model.object_protos import SavedModel

ROWS = tf.RaggedTensorSpec([None, None], tf.float32)
CELLS = tf.SparseTensorSpec([None, None], tf.float32)


def signature(folder, key="serving_default"):
    with open(f"{folder}/saved_model.pb", "rb") as file:
        return SavedModel.FromString(file.read()).meta_graphs[0].signature_def[key]


class Composites(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(2.0)

    @tf.function(input_signature=[
        {"a": tf.TensorSpec([None]), "b": tf.TensorSpec([None])},
        [tf.TensorSpec([]), tf.TensorSpec([], name="z")], ROWS, (CELLS, ROWS)])
    def many(self, d, pair, r, more):
        return {"rows": r * self.w, "sum": tf.sparse.reduce_sum(more[0]) * pair[1],
                "cells": more[0]}

    @tf.function(input_signature=[ROWS])
    def twice(self, r):
        return r * self.w, (r + 1.0).to_sparse()


@pytest.fixture(scope="module")
def composites(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("saved") / "composites")
    module = Composites()
    tf.saved_model.save(module, folder, signatures={"serving_default": module.many,
                                                    "twice": module.twice})
    return folder


def test_tensors_of_composites_have_the_names_of_their_arguments(composites):
    saved = signature(composites)
    assert sorted(saved.inputs) == ["d", "d_1", "more", "more_1", "more_2", "more_3", "more_4",
                                    "pair", "r", "r_1", "z"]
    assert saved.outputs["sum"].WhichOneof("encoding") == "name"
    rows, cells = saved.outputs["rows"].composite_tensor, saved.outputs["cells"].coo_sparse
    assert rows.type_spec.type_spec_class_name == "RaggedTensorSpec"
    places = [cells.indices_tensor_name, cells.values_tensor_name, cells.dense_shape_tensor_name,
              *[one.name for one in rows.components], saved.outputs["sum"].name]
    assert [name.partition(":")[2] for name in places] == ["0", "1", "2", "3", "4", "5"]


def test_inspect_names_composites(composites):
    text = describe(composites)
    assert "rows: RaggedTensorSpec(float32[None], int64[None])" in text
    assert "cells: float32[None, None]" in text


def test_a_signature_gives_composites(composites):
    twice = tf.saved_model.load(composites).signatures["twice"]
    assert list(twice.structured_input_signature[1]) == ["r", "r_1"]
    assert twice.structured_outputs == {"output_0": ROWS, "output_1": CELLS}
    found = twice(r=tf.constant([1.0, 2.0, 3.0]), r_1=tf.constant([0, 1, 3], tf.int64))
    assert found["output_0"].to_list() == [[2.0], [4.0, 6.0]]
    np.testing.assert_array_equal(tf.sparse.to_dense(found["output_1"]), [[2.0, 0.0], [3.0, 4.0]])


class Given(tf.Module):
    def __init__(self):
        super().__init__()
        self.w, self.v = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])

    @tf.function
    def scaled(self, x, v, factor=2.0):
        return x * v * factor * self.w

    @tf.function
    def raised(self, v, x):
        v.assign_add(x)
        return v * 2.0

    @tf.function
    def second(self, unused, held):
        return held["a"] * held["b"]


def test_variables_as_arguments(tmp_path):
    module, x = Given(), tf.constant([1.0, 1.0])
    module.scaled(x, module.w)
    module.raised(module.w, x)
    module.second(module.w, {"a": x, "b": module.v})
    tf.saved_model.save(module, str(tmp_path / "given"))
    with open(tmp_path / "given" / "saved_model.pb", "rb") as file:
        meta = SavedModel.FromString(file.read()).meta_graphs[0]
    traces = meta.object_graph_def.concrete_functions
    name, = [one for one in traces if "raised" in one]
    taken, = [one for one in meta.graph_def.library.function if one.signature.name == name]
    assert [one.type for one in taken.signature.input_arg] == [20, 1]  # a resource, a float
    assert not traces[name].bound_inputs
    for _ in range(2):  # the second time what was loaded is saved
        loaded = tf.saved_model.load(str(tmp_path / "given"))
        with tf.GradientTape() as tape:
            y = loaded.scaled(x, loaded.v)
        np.testing.assert_array_equal(y, [12.0, 24.0])
        np.testing.assert_array_equal(tape.gradient(y, loaded.v), [4.0, 6.0])
        np.testing.assert_array_equal(loaded.raised(loaded.v, x * 10.0), [26.0, 28.0])
        np.testing.assert_array_equal(loaded.v, [13.0, 14.0])
        np.testing.assert_array_equal(loaded.second(loaded.w, {"a": x, "b": loaded.v}), [13, 14])
        with pytest.raises(ValueError, match="Could not find matching concrete function"):
            loaded.scaled(x, x)
        loaded.v.assign([3.0, 4.0])
        tf.saved_model.save(loaded, str(tmp_path / "given"))


UNKNOWN_RANK = {
    "matmul": lambda x: tf.matmul(x, x, transpose_b=True), "element": lambda x: x[0],
    "last": lambda x: x[..., 1:], "new_axis": lambda x: x[..., tf.newaxis], "sort": tf.sort,
    "normalised": lambda x: tf.nn.l2_normalize(x, -1), "argmax": lambda x: tf.argmax(x, -1),
    "cumsum": lambda x: tf.cumsum(x, -1), "gather": lambda x: tf.gather(x, [1, 0], axis=-1),
    "split": lambda x: tf.split(x, 2, -1), "einsum": lambda x: tf.einsum("...i,...i->...", x, x),
    "tensordot": lambda x: tf.tensordot(x, tf.ones([4, 2]), 1),
    "norm": lambda x: tf.norm(x, axis=-1),
    "pad": lambda x: tf.pad(x, [[0, 0], [1, 1]]), "moments": lambda x: tf.nn.moments(x, [-1]),
    "cross_entropy": lambda x: tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(x), x)}


@pytest.mark.parametrize("name", UNKNOWN_RANK)
def test_operands_of_unknown_rank(tmp_path, name):
    module = tf.Module()
    module.w = tf.Variable(0.5)
    module.call = tf.function(lambda x: tf.nest.map_structure(
        lambda y: tf.cast(y, tf.float32), UNKNOWN_RANK[name](x * module.w)),
        input_signature=[tf.TensorSpec(None)])
    tf.saved_model.save(module, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    x = tf.random.stateless_normal([3, 4], [1, 2])
    found, gradients = [], []
    for one in (loaded, module):
        with tf.GradientTape() as tape:
            ys = tf.nest.flatten(one.call(x))
            loss = sum([tf.reduce_sum(y * y) for y in ys])
        found.append(ys)
        gradients.append(tape.gradient(loss, one.w))
    for mine, theirs in zip(*found):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    assert (gradients[0] is None) == (gradients[1] is None) == (name == "argmax")
    if gradients[0] is not None:
        np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-5)


def test_a_branch_that_refuses_the_rank_is_left_alone():
    @tf.function(input_signature=[tf.TensorSpec(None)])
    def flat(x):
        return tf.switch_case(tf.rank(x), [
            lambda: tf.ensure_shape(x, []) * 2.0, lambda: tf.ensure_shape(x, [None]) * 3.0,
            lambda: tf.reshape(tf.ensure_shape(x, [None, None]), [-1])])

    for shape, wanted in (((), 2.0), ((2,), [3.0] * 2), ((2, 3), [1.0] * 6)):
        x = tf.ones(shape)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = flat(x)
        np.testing.assert_array_equal(y, wanted)
        assert tape.gradient(y, x).shape == shape


def test_blocks_of_unknown_numbers():
    """Blocks in the batch of an unknown number of examples: sizes that no small trial brings."""
    @tf.function(input_signature=[tf.TensorSpec([None, None, None, 2])], autograph=False)
    def there_and_back(x):
        y = tf.space_to_batch(x, [3, 5], [[1, 0], [0, 2]])
        assert y.shape.as_list() == [None, None, None, 2]
        back = tf.batch_to_space(y, [3, 5], [[1, 0], [0, 2]])
        assert back.shape.as_list() == [None, None, None, 2]
        return back

    x = tf.random.stateless_normal([2, 5, 8, 2], [1, 2])
    np.testing.assert_array_equal(there_and_back(x), x)


def test_blocks_that_fit_one_trial_alone_keep_the_batch_open():
    @tf.function(input_signature=[tf.TensorSpec([None, 3, 3, 1])], autograph=False)
    def back(x):
        y = tf.batch_to_space(x, [2, 2], [[0, 0], [0, 0]])
        assert y.shape[0] is None
        return y

    assert back(tf.ones([8, 3, 3, 1])).shape == (2, 6, 6, 1)


def test_sums_along_axes_of_an_unknown_number():
    """There may be none: a gradient of TensorFlow's sums over the axes that were broadcast."""
    @tf.function(input_signature=[tf.TensorSpec([None])] * 2, autograph=False)
    def like_first(a, b):
        axes = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(a), s1=tf.shape(b))[0]
        return tf.reshape(tf.reduce_sum(a * b, axes, keepdims=True), tf.shape(a))

    np.testing.assert_array_equal(like_first(tf.ones([3]), tf.ones([3])), [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(like_first(tf.ones([1]), tf.ones([3])), [3.0])


def test_a_frozen_function_is_a_signature(tmp_path):
    from tapeflow.graph_mode.wrapped_function import convert_variables_to_constants_v2

    module = tf.Module()
    module.v = tf.Variable([2.0, 3.0])
    module.f = tf.function(lambda x: x * module.v)
    frozen = convert_variables_to_constants_v2(
        module.f.get_concrete_function(tf.TensorSpec([2], tf.float32, name="given")))
    empty = tf.Module()
    tf.saved_model.save(empty, str(tmp_path), signatures={"mul": frozen})
    signature = tf.saved_model.load(str(tmp_path)).signatures["mul"]
    (result,) = signature(given=tf.constant([1.0, 2.0])).values()
    assert result.numpy().tolist() == [2.0, 6.0]


def test_a_list_stands_for_a_tensor_argument(tmp_path):
    module = tf.Module()
    module.f = tf.function(lambda x, mask=None: x * tf.cast(mask, tf.float32))
    module.f.get_concrete_function(tf.TensorSpec([None], tf.float32), tf.TensorSpec([1], tf.bool))
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    assert loaded.f(tf.constant([2.0, 3.0]), [True]).numpy().tolist() == [2.0, 3.0]
