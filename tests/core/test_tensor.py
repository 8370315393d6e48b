"""Tensors beside NumPy and Python: what no comparison of printed text can show."""

import copy
import pickle

import numpy as np
import pytest

import tapeflow as tf


def test_later_changes_of_an_array_do_not_reach_the_tensor():
    array = np.array([1.0, 2.0], np.float32)
    tensors = [tf.constant(array), tf.convert_to_tensor(array), tf.Variable(array).value()]
    array[0] = 9.0
    for tensor in tensors:
        assert tensor.numpy().tolist() == [1.0, 2.0]


def test_numpy_gives_a_copy_and_asarray_a_read_only_view():
    tensor = tf.constant([1.0, 2.0])
    mine = tensor.numpy()
    mine[0] = 9.0
    assert tensor.numpy()[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(tensor)[0] = 9.0
    assert np.shares_memory(np.asarray(tensor), np.asarray(tensor))


def test_numpy_functions_take_tensors():
    tensor = tf.constant([[1.0, 4.0], [9.0, 16.0]])
    assert np.sqrt(tensor).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert np.sum(tensor) == 30.0
    assert np.concatenate([tensor, tensor]).shape == (4, 2)
    assert np.float32(2) * tf.constant(3.0) == 6.0


def test_dlpack_shares_memory_both_ways():
    tensor = tf.constant([1.0, 2.0, 3.0])
    array = np.from_dlpack(tensor)
    assert array.tolist() == [1.0, 2.0, 3.0]
    assert np.shares_memory(array, np.asarray(tensor))
    source = np.arange(3, dtype=np.float32)
    back = tf.experimental.dlpack.from_dlpack(source.__dlpack__())
    assert isinstance(back, tf.Tensor)
    assert np.shares_memory(np.asarray(back), source)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int8", "uint64", "bool",
                                   "complex64"])
def test_pickle_and_copies_keep_dtype_and_value(dtype):
    tensor = tf.constant(np.array([0, 1, 1]).astype(tf.as_dtype(dtype).np))
    for again in (pickle.loads(pickle.dumps(tensor)), copy.copy(tensor), copy.deepcopy(tensor)):
        assert again.dtype == tensor.dtype
        assert again.numpy().tolist() == tensor.numpy().tolist()


def test_pickle_of_strings_and_variables():
    strings = pickle.loads(pickle.dumps(tf.constant(["a", "b"])))
    assert strings.numpy().tolist() == [b"a", b"b"]
    variable = pickle.loads(pickle.dumps(tf.Variable([1.0], trainable=False, name="w")))
    assert variable.name == "w:0" and not variable.trainable
    twin = copy.deepcopy(variable)
    twin.assign([5.0])
    assert variable.numpy().tolist() == [1.0]


def test_attributes_may_be_set_and_tensors_are_weakly_referable():
    import weakref
    tensor = tf.constant(1.0)
    tensor._keras_mask = "mask"
    assert tensor._keras_mask == "mask"
    assert weakref.ref(tensor)() is tensor


def test_warnings_of_the_kernel_stay_inside():
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf((tf.constant(3e38) * tf.constant(10.0)).numpy())
        x = tf.Variable(3e38)
        with tf.GradientTape() as tape:
            y = x * x * x
        assert np.isinf(tape.gradient(y, x).numpy())


def test_numpys_error_state_is_left_alone():
    with np.errstate(all="raise"):
        assert np.isinf((tf.constant(3e38) * tf.constant(10.0)).numpy())
        with pytest.raises(FloatingPointError):
            np.float32(3e38) * np.float32(10)


def test_dlpack_does_not_let_consumers_write():
    t = tf.constant([1.0, 2.0])
    array = np.from_dlpack(t)
    assert np.shares_memory(array, np.asarray(t))
    with pytest.raises(ValueError):
        array[0] = 9.0
    assert t.numpy().tolist() == [1.0, 2.0]


def test_references_are_keys_of_structures():
    x, y = tf.constant(1.0), tf.Variable(2.0)
    kept = {x.ref(): x, y.ref(): y}
    assert tf.nest.map_structure(float, kept) == {x.ref(): 1.0, y.ref(): 2.0}
    assert (x.ref() < y.ref()) != (x.ref() > y.ref())
    with pytest.raises(TypeError, match="unwrapped"):
        x.ref() < 3


@pytest.mark.parametrize("name", ["nn.relu", "nn.elu", "math.sin", "math.lgamma"])
def test_functions_of_ops_are_pickled_by_their_public_names(name):
    function = tf
    for part in name.split("."):
        function = getattr(function, part)
    assert pickle.loads(pickle.dumps(function)) is function


def test_arrays_of_other_classes_are_copied_too(tmp_path):
    kept = np.memmap(tmp_path / "numbers", np.float32, "w+", shape=(3,))
    x = tf.constant(kept)
    kept[:] = 7.0
    assert type(x._value) is np.ndarray and x.numpy().tolist() == [0.0, 0.0, 0.0]
    y = tf.constant(np.array([[4.0, 9.0]]).view(np.matrix)) ** 0.5  # elementwise, not a matrix's
    assert y.numpy().tolist() == [[2.0, 3.0]]


@pytest.mark.parametrize("dtype", [tf.float32, tf.int32, tf.float16, tf.bool, tf.complex64])
def test_complex_arrays_as_tensors_of_other_dtypes(dtype):
    # As TensorFlow: arrays lose their imaginary parts, Python's numbers are refused.
    for array in (np.array([1 + 1j, 2], np.complex64), np.complex128(3 + 1j)):
        found = tf.convert_to_tensor(array, dtype).numpy()
        wanted = array.real if dtype not in (tf.bool, tf.complex64) else array
        assert found.tolist() == wanted.astype(dtype.as_numpy_dtype).tolist()
    assert (tf.constant(0.5) * np.array([1 + 1j, 2], np.complex64)).numpy().tolist() == [0.5, 1.0]
    if not dtype.is_complex:
        with pytest.raises(TypeError):
            tf.convert_to_tensor(1 + 1j, dtype)
