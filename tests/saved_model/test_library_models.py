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


def test_functions_are_made_for_objects_that_are_there(tmp_path):
    model = Model()
    model.kernel.assign([5.0, 6.0])
    save_and_return_nodes(model, str(tmp_path / "m"))
    other = Model()
    saved.load_partial(str(tmp_path / "m"), {
        "root": (other, object.__setattr__), "root.kernel": (other.kernel, setattr)})
    other.kernel.assign([1.0, 2.0])  # the function reads the variable that was given
    found = other.__dict__["_default_save_signature"]
    assert found(tf.constant([3.0, 4.0]))["scaled"].numpy().tolist() == [3, 8]
    assert len(found.concrete_functions) == 1 and found.function_spec.arg_names == ["x"]
    assert found.concrete_functions[0].structured_input_signature[0][0].shape == [2]


def test_tables_that_are_there_are_filled(tmp_path):
    def table(entries):
        start = tf.lookup.KeyValueTensorInitializer([*entries], [*entries.values()])
        return tf.lookup.StaticHashTable(start, -1)

    holder = Layer()
    holder.table = table({"a": 1, "b": 2})
    holder.find = tf.function(lambda x: holder.table.lookup(x),
                              input_signature=[tf.TensorSpec([], tf.string)])
    save_and_return_nodes(holder, str(tmp_path / "m"))
    other, empty = Layer(), table({"z": 9})
    empty._store.entries.clear()
    saved.load_partial(str(tmp_path / "m"), {
        "root": (other, object.__setattr__), "root.table": (empty, setattr)})
    assert other.table is empty and int(empty.lookup(tf.constant("b"))) == 2
    assert int(other.find(tf.constant("a"))) == 1
    save_and_return_nodes(other, str(tmp_path / "again"))
    assert int(tf.saved_model.load(str(tmp_path / "again")).find(tf.constant("b"))) == 2


class Wrapped(tf.Variable):
    """As Keras 2's variables that are cast when they are read: another one's value, by `value`."""

    def __init__(self, variable):
        self._variable = variable

    def value(self):
        return tf.cast(self._variable.value(), tf.float16)

    def __getattr__(self, name):
        return getattr(self._variable, name)


def test_variables_around_others(tmp_path):
    module = tf.Module()
    module.w = Wrapped(tf.Variable([1.5, 2.0], name="w"))
    module.f = tf.function(lambda x: x * module.w._variable,
                           input_signature=[tf.TensorSpec([2])])
    tf.saved_model.save(module, str(tmp_path / "m"))
    loaded = tf.saved_model.load(str(tmp_path / "m"))
    assert loaded.f([2.0, 3.0]).numpy().tolist() == [3.0, 6.0] and loaded.w.dtype == tf.float32
    traced = []

    @tf.function
    def doubled(x):
        traced.append(type(x))
        return x.value() * 2.0

    other = Wrapped(tf.Variable([4.0, 5.0]))
    assert doubled(module.w).numpy().tolist() == [3.0, 4.0]
    assert doubled(other).numpy().tolist() == [8.0, 10.0]  # not the trace of the other one
    assert doubled(module.w).dtype == tf.float16 and traced == [Wrapped, Wrapped]


def test_kinds_that_a_library_makes_again(tmp_path):
    load = saved.load

    class Kind(tf.__internal__.tracking.AutoTrackable):
        attached = ()

        def attach(self, name, value):
            self.attached = (*self.attached, name)
            setattr(self, name, value)

    def register():
        version = load.VersionedTypeRegistration(
            lambda proto: Kind(), version=2, min_producer_version=1, min_consumer_version=1,
            setter=Kind.attach)
        load.register_revived_type("a kind of the tests", lambda one: isinstance(one, Kind),
                                   versions=[version])

    register()
    try:
        register()
        raise RuntimeError("a second one was taken")
    except AssertionError as error:
        assert "Duplicate" in str(error)
    assert "a kind of the tests" in load.registered_identifiers()
    root = tf.Module()
    root.kind = Kind()
    root.kind.v = tf.Variable(3.0)
    tf.saved_model.save(root, str(tmp_path / "m"))
    again = tf.saved_model.load(str(tmp_path / "m"))
    assert type(again.kind) is Kind and again.kind.attached == ("v",) and float(again.kind.v) == 3
    meta = saved.parse_saved_model(str(tmp_path / "m")).meta_graphs[0]
    proto = next(one.user_object for one in meta.object_graph_def.nodes
                 if one.user_object.identifier == "a kind of the tests")
    assert (proto.version.producer, proto.version.min_consumer) == (2, 1)
    assert load.get_setter(proto) is Kind.attach


def test_traces_that_no_file_can_hold_are_left_out_of_a_librarys_objects(tmp_path):
    holder, total = Layer(), tf.Variable(0.0)
    holder.total = total

    @tf.function
    def adapt(iterator):
        total.assign_add(next(iterator))

    holder.adapt = adapt
    adapt(iter(tf.data.Dataset.from_tensors(2.0)))
    save_and_return_nodes(holder, str(tmp_path / "m"))
    assert float(tf.saved_model.load(str(tmp_path / "m")).total) == 2.0


def test_functions_in_lists_are_saved(tmp_path):
    root = tf.Module()
    root.losses = tf.__internal__.tracking.wrap([tf.function(
        lambda: tf.constant(4.0), input_signature=[])])
    tf.saved_model.save(root, str(tmp_path / "m"))
    assert float(tf.saved_model.load(str(tmp_path / "m")).losses[0]()) == 4.0
