"""Functions, modules and models as ONNX files, run by onnxruntime."""

import os

import numpy as np
import onnx
import pytest

import tapeflow as tf
from tapeflow.onnx import ExportError, export
from tests.onnx_export.comparing import as_arrays, compared, difference, run, session


def draws(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(-1, 1, shape).astype("float32")


def agree(function, *args, **options) -> None:
    assert compared(function, args, function(*args), **options) == ""


def test_names_and_dynamic_sizes(tmp_path):
    w = tf.Variable(draws(4, 2))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], name="x"), tf.TensorSpec([2])])
    def f(x, bias):
        return {"scores": tf.nn.softmax(x @ w + bias), "rows": tf.shape(x)[0]}

    path = str(tmp_path / "f.onnx")
    export(f, path)
    ready = session(path)
    assert [(one.name, one.shape) for one in ready.get_inputs()] == [
        ("x", ["x_dim_0", 4]), ("bias", [2])]
    assert [one.name for one in ready.get_outputs()] == ["rows", "scores"]
    for rows in (1, 5):
        args = (draws(rows, 4), draws(2))
        assert difference(as_arrays(f(*args)), run(path, args)) == ""


def test_variables_are_the_values_of_now(tmp_path):
    w = tf.Variable(1.0)
    f = tf.function(lambda x: x * w, input_signature=[tf.TensorSpec([])])
    f(tf.constant(1.0))
    w.assign(3.0)
    export(f, str(tmp_path / "f.onnx"))
    w.assign(5.0)
    assert run(str(tmp_path / "f.onnx"), [np.float32(2)])[0] == 6.0


def test_assignments_that_no_result_depends_on_are_left_out():
    count, seed = tf.Variable(0), tf.Variable([1, 2])

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def counted(x):
        count.assign_add(1)
        tf.random.stateless_uniform(tf.shape(x), seed)
        seed.assign(seed + 1)
        return tf.debugging.check_numerics(x, "no number") * 2.0

    agree(counted, draws(3))


def test_complex_products_and_parts():
    z = tf.constant((draws(3, 2) + 1j * draws(3, 2)).astype("complex64"))
    for function, x in ((lambda x: tf.cast(x, tf.complex64) @ z, draws(4, 3)),
                        (lambda x: tf.matmul(z, tf.cast(x, z.dtype), transpose_a=True)[:, 1:],
                         draws(3, 4))):
        agree(tf.function(function, input_signature=[tf.TensorSpec([None, x.shape[1]])]), x)


def test_functions_of_complex_numbers():
    def f(x, y):
        z = tf.complex(x, y)
        rolled = tf.roll(tf.reverse(z, [0]), 1, 1)
        found = tf.exp(z) / (rolled + 3.0) + tf.sqrt(z) * tf.math.log(z + 4.0)
        total = tf.reduce_sum(tf.stack([found, z], 0), 1) + tf.concat([z, z], 0)[:1]
        return tf.math.real(total), tf.math.imag(total), tf.shape(tf.expand_dims(z, 0))

    agree(f, draws(3, 4), draws(3, 4) + 0.1, input_signature=[tf.TensorSpec([None, 4])] * 2)


def test_transforms_and_frames_of_unknown_sizes():
    def f(x):
        return (tf.signal.irfft(tf.signal.rfft(x)), tf.signal.irfft2d(tf.signal.rfft2d(x)),
                tf.signal.overlap_and_add(tf.signal.frame(x, 5, 2), 2))

    agree(f, draws(4, 16), input_signature=[tf.TensorSpec([None, 16])])


def test_axes_that_a_run_brings():
    agree(lambda x, axis: tf.reduce_sum(x, axis) + tf.reduce_max(x, axis), draws(3, 3),
          np.int32(1), input_signature=[tf.TensorSpec([3, 3]), tf.TensorSpec([], tf.int32)])


def test_what_waits_for_ranks_is_refused_by_name(tmp_path):
    with pytest.raises(ExportError, match="the input 'x' has no known rank"):
        export(tf.function(lambda x: tf.expand_dims(x, -1)), str(tmp_path / "f.onnx"),
               input_signature=[tf.TensorSpec(None)])


def test_what_can_be_exported(tmp_path):
    class Twice(tf.Module):
        def __call__(self, x):
            return x * 2.0

    spec = [tf.TensorSpec([None], tf.float32)]
    x = draws(3)
    concrete = tf.function(lambda x: x * 2.0).get_concrete_function(*spec)
    for target, options in ((Twice(), {"input_signature": spec}), (concrete, {}),
                            (lambda x: x * 2.0, {"input_signature": spec})):
        assert compared(target, [x], x * 2, **options) == ""


def test_a_loaded_model_and_its_signatures(tmp_path):
    made = tf.Module()
    made.w = tf.Variable(draws(4, 2))
    made.f = tf.function(lambda x: {"y": x @ made.w},
                         input_signature=[tf.TensorSpec([None, 4], name="x")])
    tf.saved_model.save(made, str(tmp_path / "saved"), signatures={"other": made.f})
    loaded = tf.saved_model.load(str(tmp_path / "saved"))
    assert compared(loaded, [draws(3, 4)], made.f(draws(3, 4)), signature="other") == ""
    assert compared(loaded.signatures["other"], [draws(3, 4)], made.f(draws(3, 4))) == ""
    with pytest.raises(ValueError, match="no signature 'absent'; there are other"):
        export(loaded, str(tmp_path / "m.onnx"), signature="absent")


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int64", "float16",
                                   "float64", "bool"])
def test_dtypes(dtype):
    """Narrow integers and booleans are computed with in the dtypes that runtimes have."""
    @tf.function(input_signature=[tf.TensorSpec([None, 2], dtype)])
    def f(x):
        moved = tf.gather(x, [1, 0]), tf.pad(x, [[0, 1], [1, 0]]), tf.reverse(x, [1])
        if dtype == "bool":
            return *moved, x & ~x, tf.reduce_any(x, 0), tf.where(x, x, ~x)
        return (*moved, x + x, x * x, tf.maximum(x, 2), tf.reduce_sum(x, 0),
                tf.where(x > 1, x, 0), tf.cast(x, tf.float32))

    agree(f, np.array([[1, 2], [0, 3]]).astype(dtype))


# -- control flow ----------------------------------------------------------------------------------
def test_loops_and_branches():
    @tf.function(input_signature=[tf.TensorSpec([None, 4])])
    def f(x):
        for i in tf.range(5):
            if tf.reduce_sum(x) > 3.0:
                x = x * 0.5
            else:
                x = x + tf.cast(i, tf.float32)
            if tf.reduce_max(x) > 2.5:
                break
        return x, tf.switch_case(tf.shape(x)[0] % 3, [lambda: x + 1, lambda: x * 2, lambda: -x])

    for rows in (1, 2, 3):
        agree(f, draws(rows, 4))


def test_arrays_that_grow_maps_and_scans():
    @tf.function(input_signature=[tf.TensorSpec([None, 4])])
    def f(x):
        rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(tf.shape(x)[0]):
            rows = rows.write(i, x[i] * 2.0)
        return (rows.stack(), tf.map_fn(tf.sort, x), tf.scan(lambda a, b: a * 0.5 + b, x),
                tf.vectorized_map(lambda r: tf.reduce_sum(r) * r, x), tf.math.cumprod(x, 1))

    for rows in (1, 3):
        agree(f, draws(rows, 4))


def test_a_gradient_inside():
    w = tf.Variable(draws(4, 3))

    @tf.function(input_signature=[tf.TensorSpec([5, 4])])
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_mean(tf.nn.relu(x @ w) ** 2)
        return loss, tape.gradient(loss, x)

    agree(f, draws(5, 4))


# -- Keras -----------------------------------------------------------------------------------------
def network():
    keras = tf.keras
    layers = keras.layers
    keras.utils.set_random_seed(1)
    x = keras.Input((12, 12, 3), name="image")
    y = layers.Conv2D(8, 3, strides=2, padding="same", use_bias=False)(x)
    y = layers.ReLU(6.0)(layers.BatchNormalization()(y))
    z = layers.DepthwiseConv2D(3, padding="same", activation="relu")(y)
    y = layers.Concatenate()([layers.Add()([y, z]), layers.MaxPooling2D(3, 1, "same")(y)])
    y = layers.ZeroPadding2D(((0, 1), (1, 0)))(y)
    y = layers.Conv2D(4, 1, activation="silu")(y)
    return keras.Model(x, layers.Dense(5, name="scores")(layers.GlobalAveragePooling2D()(y)))


def test_a_network_of_convolutions_has_one_transpose(tmp_path):
    model = network()
    path = str(tmp_path / "m.onnx")
    made = export(model, path)
    assert sum(node.op_type == "Transpose" for node in made.graph.node) == 1
    ready = session(path)
    assert [(one.name, one.shape) for one in ready.get_inputs()] == [
        ("image", ["batch", 12, 12, 3])]
    assert [(one.name, one.shape) for one in ready.get_outputs()] == [("scores", ["batch", 5])]
    for size in (1, 3):
        x = draws(size, 12, 12, 3)
        assert difference(as_arrays(model(x, training=False)), run(path, [x])) == ""


@pytest.mark.parametrize("opset", [18, 24])
def test_recurrent_and_attention(opset):
    keras = tf.keras
    keras.utils.set_random_seed(1)
    x = keras.Input((6, 8))
    y = keras.layers.LSTM(5, return_sequences=True)(x)
    y = keras.layers.Concatenate()([y, keras.layers.MultiHeadAttention(2, 4)(x, x)])
    model = keras.Model(x, keras.layers.Bidirectional(keras.layers.GRU(3))(
        keras.layers.LayerNormalization()(y)))
    for size in (1, 2):
        given = draws(size, 6, 8)
        assert compared(model, [given], model(given), opset=opset) == ""


def test_inputs_by_name_and_models_that_need_a_signature(tmp_path):
    keras = tf.keras
    given = {"a": keras.Input((3,), name="a"), "b": keras.Input((3,), name="b")}
    model = keras.Model(given, {"sum": given["a"] + given["b"]})
    x = {"a": draws(2, 3), "b": draws(2, 3) * 2}
    assert compared(model, [x], model(x)) == ""

    class Own(keras.Model):
        def call(self, x):
            return x * 2.0

    with pytest.raises(ValueError, match="Own does not know its inputs: give input_signature"):
        export(Own(), str(tmp_path / "m.onnx"))
    assert compared(Own(), [x["a"]], x["a"] * 2,
                    input_signature=[tf.TensorSpec([None, 3])]) == ""
    built = Own()
    built(x["a"])  # now it knows
    assert compared(built, [x["a"]], x["a"] * 2) == ""


def test_a_sparse_input_is_indices_values_and_shape():
    keras = tf.keras
    x = keras.Input((5,), sparse=True)
    model = keras.Model(x, keras.layers.Dense(2)(x))
    given = tf.sparse.from_dense(np.maximum(draws(3, 5), 0))
    assert compared(model, [given], model(given)) == ""


def test_a_stateful_layer_begins_anew(tmp_path):
    """A file has no state: it begins as after `reset_state`, and says so."""
    keras = tf.keras
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input(batch_shape=(2, 4, 3)),
                              keras.layers.LSTM(5, stateful=True)])
    x = draws(2, 4, 3)
    first, second = model(x), model(x)
    assert difference(as_arrays(first), as_arrays(second)) != ""
    with pytest.warns(UserWarning, match="an ONNX graph has no state"):
        export(model, str(tmp_path / "m.onnx"))
    for _ in range(2):
        assert difference(as_arrays(first), run(str(tmp_path / "m.onnx"), [x])) == ""


def test_checks_and_prints_are_left_out():
    def checked(x):
        tf.debugging.assert_positive(x, "not positive")
        tf.Assert(tf.reduce_all(x < 9.0), [tf.strings.format("not {}", [x])])
        tf.print("x", x)
        return x * 2.0

    agree(checked, abs(draws(3)) + 0.1, input_signature=[tf.TensorSpec([None])])


# -- files -----------------------------------------------------------------------------------------
def test_weights_in_a_file_of_their_own(tmp_path):
    w = tf.Variable(draws(40, 30))
    f = tf.function(lambda x: x @ w, input_signature=[tf.TensorSpec([None, 40])])
    path = str(tmp_path / "f.onnx")
    export(f, path, external_data=True)
    first = set(os.listdir(tmp_path))
    assert len(first) == 2 and os.path.getsize(path) < 1000
    assert difference(as_arrays(f(draws(2, 40))), run(path, [draws(2, 40)])) == ""
    w.assign(w * 2.0)
    export(f, path, external_data=True)
    assert len(os.listdir(tmp_path)) == 2 and set(os.listdir(tmp_path)) != first
    assert difference(as_arrays(f(draws(2, 40))), run(path, [draws(2, 40)])) == ""


def test_the_same_bytes_every_time(tmp_path):
    model = network()
    for name in ("a", "b"):
        export(model, str(tmp_path / name))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


# -- what is refused -------------------------------------------------------------------------------
def test_refusals_name_the_record_and_the_line_and_leave_the_file(tmp_path):
    path = tmp_path / "f.onnx"
    path.write_bytes(b"older")
    v = tf.Variable(0.0)
    spec = [tf.TensorSpec([3])]
    cases = [
        (lambda x: v.assign_add(1.0) + x, "write_variable.*a variable is assigned to.*no state"),
        (lambda x: x + tf.random.normal([3]), "draws random numbers"),
        (lambda x: tf.math.igamma(x, 2.0), r"record 'igamma' .*test_functions.py:\d+: "
                                           "it has no ONNX form"),
    ]
    for function, message in cases:
        with pytest.raises(ExportError, match=message):
            export(function, str(path), spec)
    assert path.read_bytes() == b"older" and os.listdir(tmp_path) == ["f.onnx"]


def test_wrong_arguments(tmp_path):
    path = str(tmp_path / "f.onnx")
    f = tf.function(lambda x: x)
    with pytest.raises(ValueError, match="export needs input_signature"):
        export(f, path)
    with pytest.raises(TypeError, match="cannot export 3"):
        export(3, path)
    with pytest.raises(ValueError, match="opset must be 18 to 24, got 7"):
        export(f, path, [tf.TensorSpec([])], opset=7)
    with pytest.raises(FileNotFoundError, match="no folder"):
        export(f, str(tmp_path / "absent" / "f.onnx"), [tf.TensorSpec([])])
    with pytest.raises(IsADirectoryError, match="is a folder; give the name of a file"):
        export(f, str(tmp_path), [tf.TensorSpec([])])
    with pytest.raises(ValueError, match="the path is empty"):
        export(f, "", [tf.TensorSpec([])])
    with pytest.raises(TypeError, match="must be a list with a tf.TensorSpec for each argument"):
        export(f, path, tf.TensorSpec([]))
    with pytest.raises(TypeError, match="external_data must be True, False or None"):
        export(f, path, [tf.TensorSpec([])], external_data="weights")
    with pytest.raises(ExportError, match="returns no tensor"):
        export(lambda x: None, path, [tf.TensorSpec([])])
    with pytest.raises(ExportError, match="a variable is an argument"):
        export(tf.function(lambda v: v + 1.0).get_concrete_function(tf.Variable(1.0)), path)
    assert os.listdir(tmp_path) == []


def test_without_the_package(monkeypatch, tmp_path):
    import sys
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'tapeflow\[onnx\]'"):
        export(lambda x: x, str(tmp_path / "f.onnx"), [tf.TensorSpec([])])


def test_a_loop_collects_the_rows_of_its_arrays(tmp_path):
    """An array that is carried would be copied in every iteration."""
    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def f(x):
        n, kept = tf.shape(x)[0], tf.TensorArray(tf.float32, 6, element_shape=[3])
        grown = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        total = tf.zeros([3])
        for i in tf.range(n):
            total += x[i]
            kept, grown = kept.write(i, total), grown.write(i, total * 2.0)
        return kept.stack(), grown.stack()

    path = str(tmp_path / "f.onnx")
    export(f, path)
    loop, = [one for one in onnx.load(path).graph.node if one.op_type == "Loop"]
    assert "ScatterND" not in [one.op_type for one in loop.attribute[0].g.node]
    for rows in (1, 4, 6):
        args = (draws(rows, 3),)
        assert difference(as_arrays(f(*args)), run(path, args)) == ""


def test_text_tables_and_ragged_rows():
    """Lookup tables, standardised and split text, ragged arguments."""
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        ["ab", "c"], tf.constant([1, 2], tf.int64)), -1)

    def words(s):
        plain = tf.strings.regex_replace(tf.strings.lower(s), "[,.]", "")
        return (table.lookup(tf.strings.split(plain).to_tensor()), tf.strings.upper(s),
                tf.strings.split(s, ",").to_tensor("?"), tf.strings.join([s, plain], "-"))

    text = tf.constant(["AB, c.", "", "c,c x"])
    assert compared(words, [text], words(text), input_signature=[
        tf.TensorSpec([None], tf.string)]) == ""

    def rows(x):
        joined = tf.concat([x, x * 2.0], 1)
        return (tf.reduce_sum(x, 1), x.row_lengths(), joined.to_tensor(), x[:, :1].to_tensor(),
                tf.gather(x, [1, 0]).to_tensor(-1.0))

    ragged = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    assert compared(rows, [ragged], rows(ragged), input_signature=[
        tf.RaggedTensorSpec([None, None], tf.float32)]) == ""
