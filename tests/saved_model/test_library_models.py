"""What Keras 2 takes to save models and to make them anew: nodes, paths, values for its objects."""

import inspect
import os

import tapeflow as tf
from tapeflow.saved_model.writing.library_models import save_and_return_nodes

saved = tf.__internal__.saved_model


class Layer(tf.__internal__.tracking.AutoTrackable):
    """As a layer of Keras 2: it makes functions for a saved model, and hides others from it."""

    def __init__(self, size=2):
        self.kernel = tf.Variable(tf.range(float(size)), name="kernel")
        self.step = None

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        if save_type != "savedmodel":
            return super()._trackable_children(save_type, **kwargs)
        step, self.step = self.step, None
        try:
            found = super()._trackable_children(save_type, **kwargs)
        finally:
            self.step = step
        if "made" not in kwargs["cache"]:
            kwargs["cache"]["made"] = tf.function(
                lambda x: {"scaled": x * self.kernel},
                input_signature=[tf.TensorSpec([2], name="x")])
        return {**found, "_default_save_signature": kwargs["cache"]["made"]}

    @tf.function(input_signature=[])
    def doubled(self):
        return self.kernel * 2.0


class Model(Layer):
    def __init__(self):
        super().__init__()
        self.inner = Layer(3)


def test_objects_choose_the_functions_that_are_saved(tmp_path):
    model, outside = Model(), tf.Variable(1.0)
    model.step = tf.function(lambda: outside.assign_add(1.0))  # of a variable that is not saved
    model.step()
    nodes, paths = save_and_return_nodes(model, str(tmp_path / "m"))
    assert nodes[0] is model and paths[model] == []
    assert [edge.name for edge in paths[model.inner.kernel]] == ["inner", "kernel"]
    names = {edge.local_name for edge in saved.parse_saved_model(
        str(tmp_path / "m")).meta_graphs[0].object_graph_def.nodes[0].children}
    assert {"kernel", "inner", "doubled", "signatures"} <= names and "step" not in names
    loaded = tf.saved_model.load(str(tmp_path / "m"))
    assert loaded.doubled().numpy().tolist() == [0, 2]
    found = loaded.signatures["serving_default"](tf.constant([3.0, 4.0]))
    assert found["scaled"].numpy().tolist() == [0, 4]
    assert callable(model.step)


def test_values_are_given_to_objects_that_are_there(tmp_path):
    model = Model()
    model.kernel.assign([5.0, 6.0])
    model.inner.kernel.assign([7.0, 8.0, 9.0])
    save_and_return_nodes(model, str(tmp_path / "m"))
    other, inner, attached = Model(), Layer(3), []
    del other.inner

    def attach(parent, name, child):
        attached.append((name, child))
        setattr(parent, name, child)

    found = saved.load_partial(str(tmp_path / "m"), {
        "root": (other, attach), "root.kernel": (other.kernel, setattr),
        "root.inner": (inner, attach), "root.inner.kernel": (inner.kernel, setattr)})
    assert found["root"] is other and other.inner is inner and ("inner", inner) in attached
    assert other.kernel.numpy().tolist() == [5, 6]
    assert inner.kernel.numpy().tolist() == [7, 8, 9]
    whole = saved.load_partial(str(tmp_path / "m"), {"root": None})["root"]
    assert whole.inner.kernel.numpy().tolist() == [7, 8, 9]


def test_plain_lists_of_classes_with_their_own_rules_are_no_children(tmp_path):
    class Own(tf.__internal__.tracking.AutoTrackable):
        def __setattr__(self, name, value):
            object.__setattr__(self, name, value)

    one = Own()
    one.kernel, one.by_layer = tf.Variable(3.0), {object(): [1]}  # keys that no checkpoint has
    path = tf.train.Checkpoint(one=one).save(str(tmp_path / "c"))
    one.kernel.assign(0.0)
    tf.train.Checkpoint(one=one).restore(path)
    assert float(one.kernel) == 3.0


def test_children_are_forgotten_and_variables_renamed():
    tf.__internal__.tracking.wrap([])  # as Keras 2 does
    layer, child = Layer(), Layer()
    layer._maybe_initialize_trackable()
    layer._track_trackable(child, "layer-0")
    assert list(layer._self_unconditional_dependency_names) == ["layer-0"]
    layer._delete_tracking("layer-0")
    layer._delete_tracking("layer-0")
    assert layer._lookup_dependency("layer-0") is None
    layer.kernel._handle_name = "dense/kernel:0"
    assert layer.kernel.name == "dense/kernel:0"
    assert layer.kernel._object_identifier == "_generic_user_object"


def test_a_library_notes_its_checkpoint(tmp_path):
    path = str(tmp_path / "weights")
    tf.train.Checkpoint(v=tf.Variable(1.0)).write(path)
    tf.__internal__.train.update_checkpoint_state(
        save_dir=str(tmp_path), model_checkpoint_path=path, save_relative_paths=True,
        all_model_checkpoint_paths=[path])
    assert tf.train.latest_checkpoint(str(tmp_path)) == path


def test_files_by_the_names_of_tensorflow_1(tmp_path):
    gfile, folder = tf.compat.v1.gfile, str(tmp_path / "a" / "b")
    gfile.MakeDirs(folder)
    with gfile.FastGFile(os.path.join(folder, "x"), "w") as file:
        file.write("text")
    gfile.Copy(os.path.join(folder, "x"), os.path.join(folder, "y"))
    assert gfile.Exists(folder) and gfile.IsDirectory(folder)
    assert sorted(gfile.ListDirectory(folder)) == ["x", "y"]
    assert gfile.Stat(os.path.join(folder, "y")).length == 4
    gfile.Remove(os.path.join(folder, "x"))
    gfile.Rename(os.path.join(folder, "y"), os.path.join(folder, "z"))
    assert [os.path.basename(one) for one in gfile.Glob(os.path.join(folder, "*"))] == ["z"]
    assert list(gfile.Walk(str(tmp_path / "a")))[0][1] == ["b"]
    gfile.DeleteRecursively(str(tmp_path / "a"))
    assert not gfile.Exists(folder)


def test_graphs_have_no_control_flow_context_and_dimensions_compare():
    seen = []

    @tf.function
    def traced():
        seen.append(tf.compat.v1.get_default_graph()._get_control_flow_context())
        return tf.constant(1)

    traced()
    assert seen == [None]
    size = tf.compat.v1.Dimension(3)
    assert size.is_compatible_with(tf.compat.v1.Dimension(None)) and not size.is_compatible_with(4)


def test_a_decorated_method_has_no_self():
    class Holder:
        def call(self, inputs, training=None):
            return inputs

    held = Holder().call
    make = tf.__internal__.decorator.make_decorator
    first = make(held, lambda *args, **kwargs: held(*args, **kwargs),
                 decorator_argspec=inspect.getfullargspec(Holder.call))
    second = make(first, lambda *args, **kwargs: first(*args, **kwargs))
    assert list(inspect.signature(second).parameters) == ["inputs", "training"]
    assert second.__self__ is held.__self__
