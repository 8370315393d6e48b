"""What whole programs of TensorFlow 1 use besides sessions: flags, datasets, devices, constants."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1

FLAGS_PROGRAM = """
import tapeflow as tf
flags = tf.compat.v1.flags
flags.DEFINE_integer("count", 1, "how many")
flags.DEFINE_string(flag_name="word", default_value="x", docstring="which")
if __name__ == "__main__":
    def main(arguments):
        print(flags.FLAGS.count, flags.FLAGS.word, arguments[1:],
              tf.compat.v1.app.flags.FLAGS["count"].value)
        return 3
    tf.compat.v1.app.run()
"""


def run(program, *arguments, **surroundings):
    return subprocess.run([sys.executable, "-c", program, *arguments], text=True,
                          capture_output=True, env={**os.environ, **surroundings})


def test_a_program_with_flags():
    pytest.importorskip("absl")
    done = run(FLAGS_PROGRAM, "--count=4", "--unknown=1", "rest")
    assert done.returncode == 3, done.stderr
    assert done.stdout == "4 x ['--unknown=1', 'rest'] 4\n"


def test_flags_are_parsed_when_one_is_read():
    pytest.importorskip("absl")
    program = FLAGS_PROGRAM.partition("if __name__")[0]
    known = run(f"{program}print(flags.FLAGS.count)\nflags.FLAGS.count = 9\n"
                "print(flags.FLAGS.count)", "--count=2")
    assert known.stdout == "2\n9\n", known.stderr
    unknown = run(f"{program}flags.FLAGS.count", "--other=2")
    assert "Unknown command line flag 'other'" in unknown.stderr


def test_flags_without_absl():
    done = run("import sys; sys.modules['absl'] = None\nimport tapeflow as tf\n"
               "tf.compat.v1.flags.DEFINE_integer")
    assert "install the package absl-py" in done.stderr


def test_iterators_by_methods():
    dataset = v1.data.Dataset.range(3)
    assert dataset.output_types == tf.int64
    assert dataset.output_shapes == tf.TensorShape([])
    assert dataset.output_classes is tf.Tensor
    assert [int(x) for x in dataset.make_one_shot_iterator()] == [0, 1, 2]
    with tf.Graph().as_default():
        iterator = v1.data.Dataset.range(3).make_initializable_iterator()
        other = v1.data.Dataset.range(5, 7).make_one_shot_iterator().get_next()
        element = iterator.get_next()
        with v1.Session() as session:
            session.run(iterator.initializer)
            assert [session.run(element), session.run(element), session.run(other)] == [0, 1, 5]


def test_a_graph_and_its_devices():
    graph = tf.Graph()
    with graph.as_default(), graph.device("/cpu:0"), graph.name_scope("a"):
        with graph.colocate_with(tf.constant(1.0)), graph.container("c") as name:
            assert (graph.get_name_scope(), name) == ("a", "c")
        v1.add_to_collection("kept", 1)
        before = graph.num_operations()
        tf.identity(v1.placeholder(tf.float32, []))
    assert graph.num_operations() == before + 2
    assert graph.get_name_scope() == ""
    assert graph.collections == ["kept"]
    with graph.device(None), graph.device(lambda op: "/cpu:0"):
        pass
    with pytest.raises(ValueError, match="device specification"):
        graph.device("/nonsense")


@pytest.mark.parametrize("path, wanted", [
    ("saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY", "serving_default"),
    ("saved_model.signature_constants.PREDICT_METHOD_NAME", "tensorflow/serving/predict"),
    ("saved_model.tag_constants.SERVING", "serve"),
    ("saved_model.constants.VARIABLES_DIRECTORY", "variables"),
    ("VERSION", tf.version.VERSION)])
def test_constants(path, wanted):
    found = v1
    for part in path.split("."):
        found = getattr(found, part)
    assert found == wanted


ROWS = np.random.RandomState(0).rand(5, 3).astype("f")
FEATURES = np.random.RandomState(1).rand(2, 3).astype("f")
IDS = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, -1], tf.int64), [3, 2])
WORDS = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, 1], [2, 2])
SCORES = np.random.RandomState(2).rand(4, 2, 4).astype("f")
DRAWN = (np.array([0, 3, 4]), [[0.5], [0.6]], [0.3, 0.4, 0.5])


@pytest.mark.parametrize("make, wanted", [
    (lambda: v1.nn.xw_plus_b(FEATURES, ROWS.T, tf.zeros(5)),
     [0.7441047, 0.5324711, 0.8249596, 0.730263, 0.9036251, 0.3265408, 0.2865507, 0.3521531,
      0.2809546, 0.3141345]),
    (lambda: v1.nn.relu_layer(FEATURES, -ROWS.T, tf.ones(5)),
     [0.2558953, 0.4675289, 0.1750404, 0.269737, 0.09637487, 0.6734592, 0.7134492,
      0.6478469, 0.7190454, 0.6858655]),
    (lambda: v1.nn.ctc_loss(WORDS, SCORES, [4, 3]), [3.168725, 2.32722]),
    (lambda: v1.nn.safe_embedding_lookup_sparse(ROWS, IDS, combiner="sum"),
     [0.9824704, 1.315428, 1.609557, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda: v1.nn.safe_embedding_lookup_sparse([ROWS], IDS, None, "sum", 0),
     [0.9824704, 1.315428, 1.609557, 0.5488135, 0.7151893, 0.6027634, 0.5488135, 0.7151893,
      0.6027634]),
    (lambda: v1.nn.nce_loss(ROWS, tf.zeros(5), [[1], [2]], FEATURES, 3, 5, sampled_values=DRAWN),
     [5.942749, 4.858182]),
    (lambda: v1.nn.sampled_softmax_loss(
        ROWS, tf.zeros(5), [[1], [2]], FEATURES, 3, 5, sampled_values=DRAWN), [1.797126, 1.705034]),
    (lambda: v1.batch_gather([[1, 2], [3, 4]], [[1], [0]]), [2, 3]),
    (lambda: v1.sparse_to_dense([[0, 1], [1, 0]], [2, 2], [5, 6]), [0, 5, 6, 0]),
    (lambda: v1.sparse_to_dense([1, 3], [5], 2.0, default_value=-1.0), [-1, 2, -1, 2, -1]),
    (lambda: v1.sparse_to_dense(2, [4], 7), [0, 0, 7, 0]),
    (lambda: v1.setdiff1d([1, 2, 3, 4], [2, 4]), [1, 3, 0, 2]),
    (lambda: v1.convert_to_tensor_or_indexed_slices([1]), [1]),
    (lambda: v1.dimension_value(v1.Dimension(4)), [4]),
    (lambda: v1.dimension_at_index(tf.TensorShape([2, 3]), 1).value, [3]),
    (lambda: v1.manip.batch_to_space_nd([[[[1]]], [[[2]]], [[[3]]], [[[4]]]], [2, 2],
                                        [[0, 0], [0, 0]]), [1, 2, 3, 4]),
])
def test_functions(make, wanted):
    np.testing.assert_allclose(np.ravel(make()), wanted, rtol=3e-6, atol=1e-7)


def test_what_is_refused():
    labels = tf.sparse.from_dense([[1, 2]])
    with pytest.raises(NotImplementedError, match="repeated outputs are merged"):
        v1.nn.ctc_loss(labels, tf.zeros([4, 1, 3]), [4], ctc_merge_repeated=False)
    with pytest.raises(TypeError, match="SparseTensor"):
        v1.nn.ctc_loss([[1, 2]], tf.zeros([4, 1, 3]), [4])
    for function in (v1.nn.nce_loss, v1.nn.sampled_softmax_loss):
        with pytest.raises(NotImplementedError, match="partition_strategy"):
            function([ROWS, ROWS], tf.zeros(10), [[1], [2]], FEATURES, 3, 10)
    with pytest.raises(RuntimeError, match="Sparse dtype mismatch"):
        v1.convert_to_tensor_or_sparse_tensor(labels, tf.float32)
