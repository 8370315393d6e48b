"""tf.feature_column: what columns make of features; numbers are TensorFlow 2.21's."""

import gzip

import numpy as np
import pytest

import tapeflow as tf

fc = tf.feature_column
inner = tf.__internal__.feature_column


class Counting(inner.StateManager):
    """Embeddings of 0, 1, 2 …, without a layer."""

    def create_variable(self, feature_column, name, shape, dtype=None, trainable=True,
                        use_resource=True, initializer=None):
        made = tf.Variable(tf.reshape(tf.range(float(np.prod(shape))), shape))
        self._cols_to_vars_map[feature_column][name] = made
        return made


FEATURES = {
    "price": [[1.0, 25.0], [12.0, 40.0]],
    "word": tf.constant([["a", "z"], ["c", ""]]),
    "id": tf.constant([[1, 5], [-1, 2]]),
    "weight": tf.constant([[0.5, 2.0], [3.0, 0.0]]),
    "steps": tf.sparse.from_dense(tf.constant([[1, 2, 3], [2, 0, 0], [0, 0, 0]])),
    "readings": tf.sparse.from_dense(tf.constant([[1.0, 2, 3, 4], [2.0, 5, 0, 0]])),
}
PRICE = fc.numeric_column("price", shape=2)
WORD = fc.categorical_column_with_vocabulary_list("word", ["a", "b", "c"])
IDS = fc.categorical_column_with_identity("id", 6)
STEPS = fc.sequence_categorical_column_with_identity("steps", 4)


def cache():
    return inner.FeatureTransformationCache(FEATURES)


def dense(column):
    manager = Counting(None, True)
    column.create_state(manager)
    return column.get_dense_tensor(cache(), manager).numpy().tolist()


def ids(column):
    found = column.get_sparse_tensors(cache(), Counting(None, True))
    return found.id_tensor.values.numpy().tolist()


def test_numbers_and_buckets():
    assert dense(PRICE) == FEATURES["price"]
    assert dense(fc.numeric_column("price", 2, normalizer_fn=lambda x: x / 2)) == [
        [0.5, 12.5], [6.0, 20.0]]
    buckets = fc.bucketized_column(PRICE, [10, 30])
    assert dense(buckets) == [[[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]]]
    assert ids(buckets) == [0, 4, 1, 5] and buckets.num_buckets == 6


def test_ids_by_vocabulary_hash_and_identity(tmp_path):
    assert ids(WORD) == [0, -1, 2]
    assert ids(fc.categorical_column_with_vocabulary_list("word", ["a", "b"],
                                                          num_oov_buckets=3)) == [0, 3, 3]
    (tmp_path / "words.txt").write_text("a\nb\nc\n")
    lines = fc.categorical_column_with_vocabulary_file("word", str(tmp_path / "words.txt"))
    assert ids(lines) == [0, -1, 2] and lines.vocabulary_size == 3
    assert ids(fc.categorical_column_with_hash_bucket("word", 7)) == [5, 4, 5]
    assert ids(fc.categorical_column_with_hash_bucket("id", 7, tf.int64)) == [5, 1, 5]
    assert ids(IDS) == [1, 5, 2]
    assert ids(fc.categorical_column_with_identity("id", 4, default_value=0)) == [1, 0, 2]


def test_a_vocabulary_in_compressed_records(tmp_path):
    path = str(tmp_path / "words.tfrecord.gz")
    with tf.io.TFRecordWriter(path, "GZIP") as file:
        for word in (b"c", b"a"):
            file.write(word)
    assert gzip.open(path).read(1)
    column = fc.categorical_column_with_vocabulary_file("word", path)
    assert ids(column) == [1, -1, 0] and column.num_buckets == 2


def test_crosses():
    cross = fc.crossed_column([fc.bucketized_column(PRICE, [10, 30]), "word"], 11)
    assert cross.name == "price_bucketized_X_word"
    assert ids(cross) == [8, 10, 9, 8, 0, 2, 4, 1]
    assert ids(fc.crossed_column([cross, IDS], 13, hash_key=7)) == [
        7, 8, 6, 7, 0, 7, 11, 7, 4, 0, 12, 5]


def test_indicators_count_and_add_weights():
    assert dense(fc.indicator_column(WORD)) == [[1, 0, 0], [0, 0, 1]]
    weighted = fc.weighted_categorical_column(IDS, "weight")
    assert weighted.name == "id_weighted_by_weight"
    features = {"id": tf.constant([[1, 1], [4, 0]]),
                "weight": tf.constant([[0.5, 2.0], [3.0, 1.0]])}
    made = fc.indicator_column(weighted).get_dense_tensor(
        inner.FeatureTransformationCache(features), None)
    assert made.numpy().tolist() == [[0, 2.5, 0, 0, 0, 0], [1, 0, 0, 0, 3, 0]]


def test_embeddings_are_combined():
    assert dense(fc.embedding_column(IDS, 2)) == [[6, 7], [4, 5]]
    assert dense(fc.embedding_column(IDS, 2, combiner="sum")) == [[12, 14], [4, 5]]
    assert dense(fc.embedding_column(WORD, 2)) == [[0, 1], [4, 5]]


def test_sequences():
    rows, lengths = fc.sequence_numeric_column("readings", shape=2).get_sequence_dense_tensor(
        cache(), None)
    assert rows.numpy().tolist() == [[[1, 2], [3, 4]], [[2, 5], [0, 0]]]
    assert lengths.numpy().tolist() == [2, 1]
    rows, lengths = fc.indicator_column(STEPS).get_sequence_dense_tensor(cache(), None)
    assert rows.shape == (3, 3, 4) and lengths.numpy().tolist() == [3, 1, 0]
    with pytest.raises(ValueError, match="must not be of type SequenceCategoricalColumn"):
        dense(fc.embedding_column(STEPS, 2))
    with pytest.raises(ValueError, match="to use SequenceFeatures"):
        fc.indicator_column(IDS).get_sequence_dense_tensor(cache(), None)


def test_columns_say_how_examples_are_parsed():
    columns = [fc.numeric_column("n", default_value=3), fc.embedding_column(WORD, 2)]
    spec = fc.make_parse_example_spec(columns)
    assert spec == {"n": tf.io.FixedLenFeature((1,), tf.float32, (3,)),
                    "word": tf.io.VarLenFeature(tf.string)}
    example = tf.train.Example(features=tf.train.Features(feature={
        "word": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"b"]))}))
    parsed = tf.io.parse_example([example.SerializeToString()], spec)
    assert parsed["n"].numpy().tolist() == [[3]]
    with pytest.raises(ValueError, match="different parse_spec for key n"):
        fc.make_parse_example_spec([columns[0], fc.numeric_column("n", shape=2)])


def test_configurations_make_equal_columns():
    cross = fc.crossed_column([fc.bucketized_column(PRICE, [10, 30]), "word"], 11)
    for column in (cross, fc.indicator_column(WORD), STEPS,
                   fc.weighted_categorical_column(IDS, "weight")):
        config = inner.serialize_feature_column(column)
        assert inner.deserialize_feature_column(config) == column
    embedding = fc.embedding_column(IDS, 4)
    again = inner.deserialize_feature_column(inner.serialize_feature_column(embedding))
    assert again.initializer.get_config() == embedding.initializer.get_config()
    with pytest.raises(ValueError, match="Unknown feature_column_v2: Other"):
        inner.deserialize_feature_column({"class_name": "Other", "config": {}})


def test_shared_embeddings_in_a_graph():
    with pytest.raises(RuntimeError, match="not supported when eager"):
        fc.shared_embeddings([IDS], 2)
    with tf.Graph().as_default():
        other = fc.categorical_column_with_identity("other", 6)
        columns = fc.shared_embeddings([IDS, other], 2,
                                       initializer=tf.compat.v1.constant_initializer(2.0))
        features = {"id": tf.constant([[1, 2]]), "other": tf.constant([[3, 3]])}
        out = [column.get_dense_tensor(inner.FeatureTransformationCache(features), None)
               for column in columns]
        with tf.compat.v1.Session() as session:
            session.run(tf.compat.v1.global_variables_initializer())
            assert [value.tolist() for value in session.run(out)] == [[[2, 2]], [[2, 2]]]


@pytest.mark.parametrize("make, message", [
    (lambda: fc.numeric_column("a", shape=[0]), "must be greater than 0"),
    (lambda: fc.numeric_column("a", shape=2, default_value=[1.0]), "equal to given shape"),
    (lambda: fc.numeric_column("a", dtype=tf.string), "convertible to float"),
    (lambda: fc.numeric_column(3), "key must be a string"),
    (lambda: fc.bucketized_column(PRICE, [3, 1]), "must be a sorted list"),
    (lambda: fc.categorical_column_with_hash_bucket("a", 3, tf.float32), "string or integer"),
    (lambda: fc.categorical_column_with_vocabulary_list("a", ["x", "x"]), "Duplicate keys"),
    (lambda: fc.categorical_column_with_vocabulary_file("a", "missing"), "does not exist"),
    (lambda: fc.categorical_column_with_identity("a", 2, 2), "not in range"),
    (lambda: fc.crossed_column(["a"], 3), "length > 1"),
    (lambda: fc.embedding_column(IDS, 2, initializer=3), "must be callable"),
    (lambda: fc.indicator_column(PRICE), "must be a CategoricalColumn"),
    (lambda: cache().get("missing", None), "not in features dictionary"),
])
def test_wrong_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_sparse_values_are_taken_for_sparse_tensors():
    column = tf.feature_column.categorical_column_with_identity("a", num_buckets=3)
    dense = tf.feature_column.indicator_column(column)
    value = tf.compat.v1.SparseTensorValue(
        indices=((0, 0), (1, 0)), values=(2, 0), dense_shape=(2, 1))
    cache = tf.__internal__.feature_column.FeatureTransformationCache({"a": value})
    found = dense.get_dense_tensor(cache, None)
    assert found.numpy().tolist() == [[0, 0, 1], [1, 0, 0]]


def test_each_graph_has_its_own_table_of_shared_embeddings():
    with tf.Graph().as_default():
        columns = fc.shared_embeddings([IDS], dimension=2)
    creator = columns[0].shared_embedding_column_creator
    for _ in range(2):
        with tf.Graph().as_default():
            table = creator.embedding_weights
            assert creator.embedding_weights is table
            assert tf.compat.v1.global_variables() == [table]
