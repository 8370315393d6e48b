"""Functions that parse their inputs or change tables, saved and loaded again."""

import numpy as np

import tapeflow as tf
from tapeflow.tensorflow_graphs.writing import graph_writer


def example(number, words):
    features = tf.train.Features(feature={
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[number, 2.0])),
        "n": tf.train.Feature(int64_list=tf.train.Int64List(value=range(int(number)))),
        "s": tf.train.Feature(bytes_list=tf.train.BytesList(value=words))})
    return tf.train.Example(features=features).SerializeToString()


def sequence():
    steps = [tf.train.Feature(float_list=tf.train.FloatList(value=[n, 2.0])) for n in (1.0, 3.0)]
    return tf.train.SequenceExample(
        context=tf.train.Features(feature={
            "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[3]))}),
        feature_lists=tf.train.FeatureLists(feature_list={
            "x": tf.train.FeatureList(feature=steps)})).SerializeToString()


def partitioned_example(*lengths):
    """An Example whose values are cut into rows of these lengths, told in five ways."""
    splits = np.cumsum([0, *lengths])
    columns = {"v": range(splits[-1]), "splits": splits, "starts": splits[:-1],
               "limits": splits[1:], "ids": np.repeat(range(len(lengths)), lengths),
               "lengths": [splits[-1] // 2]}
    return tf.train.Example(features=tf.train.Features(feature={
        key: tf.train.Feature(int64_list=tf.train.Int64List(value=[int(n) for n in values]))
        for key, values in columns.items()})).SerializeToString()


R = tf.io.RaggedFeature


class Parsing(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)
    def examples(self, lines):
        return tf.io.parse_example(lines, {
            "x": tf.io.FixedLenFeature([2], tf.float32), "n": tf.io.RaggedFeature(tf.int64),
            "s": tf.io.VarLenFeature(tf.string), "d": tf.io.FixedLenFeature([], tf.int64, 7),
            "m": tf.io.FixedLenSequenceFeature([], tf.float32, allow_missing=True)})

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)
    def indexed(self, lines):
        return tf.io.parse_example(lines, {
            "a": tf.io.SparseFeature("n", "x", tf.float32, 9), "n": tf.io.VarLenFeature(tf.int64),
            "b": tf.io.SparseFeature(["n", "n"], "x", tf.float32, [9, 9], already_sorted=True)})

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)], autograph=False)
    def indexed_one(self, line):
        return tf.io.parse_single_example(line, {
            "a": tf.io.SparseFeature("n", "x", tf.float32, 9)})

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)], autograph=False)
    def ragged_one(self, line):
        return tf.io.parse_single_example(line, {
            "n": tf.io.RaggedFeature(tf.int64), "p": tf.io.RaggedFeature(
                tf.int64, "v", [R.RowLengths("lengths"), R.UniformRowLength(2)])})

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)
    def partitioned(self, lines):
        return tf.io.parse_example(lines, {
            "a": tf.io.RaggedFeature(tf.int64, "v", [R.RowSplits("splits")], tf.int64),
            "b": tf.io.RaggedFeature(tf.int64, "v", [R.RowStarts("starts")]),
            "c": tf.io.RaggedFeature(tf.int64, "v", [R.RowLimits("limits")]),
            "d": tf.io.RaggedFeature(tf.int64, "v", [R.ValueRowIds("ids")]),
            "e": tf.io.RaggedFeature(tf.int64, "v", [R.RowLengths("lengths"),
                                                     R.UniformRowLength(2)])})

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)], autograph=False)
    def sequence_one(self, line):
        return tf.io.parse_single_sequence_example(
            line, {"a": tf.io.RaggedFeature(tf.int64)},
            {"x": tf.io.FixedLenSequenceFeature([2], tf.float32)})

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)
    def sequences(self, lines):
        return tf.io.parse_sequence_example(
            lines, {"a": tf.io.FixedLenFeature([], tf.int64)},
            {"x": tf.io.FixedLenSequenceFeature([2], tf.float32),
             "v": tf.io.VarLenFeature(tf.int64), "r": tf.io.RaggedFeature(tf.int64)})

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)
    def table(self, lines):
        return tf.io.decode_csv(lines, [[0], [1.5], [""]], field_delim=";")


def test_parsing_is_saved(tmp_path):
    module = Parsing()
    tf.saved_model.save(module, str(tmp_path / "parsing"))
    loaded = tf.saved_model.load(str(tmp_path / "parsing"))
    pairs = [example(2.0, [b"p"]), example(2.5, [])]
    given = {"examples": [example(1.0, [b"p"]), example(3.0, [])], "indexed": pairs,
             "indexed_one": pairs[0], "ragged_one": partitioned_example(1, 0, 3),
             "partitioned": [partitioned_example(*one) for one in ((1, 0, 3), (2,), (), (4, 2))],
             "sequence_one": sequence(),
             "sequences": [sequence(), sequence()], "table": ["1;2.5;a", "4;;b"]}
    for name, lines in given.items():
        found, wanted = [tf.nest.flatten(getattr(one, name)(tf.constant(lines)),
                                         expand_composites=True) for one in (loaded, module)]
        assert len(found) == len(wanted)
        for mine, theirs in zip(found, wanted):
            np.testing.assert_array_equal(mine.numpy(), theirs.numpy())


def test_reads_of_a_table_stand_between_its_changes():
    entries = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    def change(keys):
        entries.insert(keys, tf.constant([1, 2], tf.int64))
        found = entries.lookup(keys)
        entries.remove(keys)
        return found, entries.size()

    graph = tf.function(change, autograph=False).get_concrete_function(
        tf.TensorSpec([2], tf.string)).function.graph
    written = graph_writer.write_function(graph, graph_writer.FunctionLibrary())
    waits = {node.op: [one for one in node.input if one[0] == "^"] for node in written.node_def
             if node.op.startswith("LookupTable")}
    assert waits["LookupTableFindV2"] == ["^LookupTableInsertV2"]
    assert set(waits["LookupTableRemoveV2"]) == {"^LookupTableInsertV2", "^LookupTableFindV2"}
    assert waits["LookupTableSizeV2"] == ["^LookupTableRemoveV2"]


class Drawing(tf.Module):
    def __init__(self):
        super().__init__()
        self.generator = tf.random.Generator.from_seed(7)

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def __call__(self, n):
        return (self.generator.binomial([n], 5.0, 0.5), self.generator.uniform([2]),
                self.generator.binomial([2, 3], [5.0, 6.0, 7.0], 0.5))

    @tf.function(input_signature=[tf.TensorSpec([1, 8, 9, 2])])
    def pooled(self, x):
        return (tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.4, 1.0], True, True, seed=3)[0],
                tf.nn.fractional_avg_pool(x, [1.0, 1.3, 1.6, 1.0], seed=5)[0])

    @tf.function(input_signature=[tf.TensorSpec([1, 8, 9, 2])])
    def drawn_regions(self, x):
        return tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.4, 1.0])[0]


def test_generators_and_regions_of_random_sizes(tmp_path):
    module = Drawing()
    tf.saved_model.save(module, str(tmp_path / "drawing"))
    loaded = tf.saved_model.load(str(tmp_path / "drawing"))
    for _ in range(2):
        for mine, theirs in zip(loaded(4), module(4)):
            np.testing.assert_array_equal(mine, theirs)
    x = tf.random.stateless_normal([1, 8, 9, 2], [1, 2])
    for mine, theirs in zip(loaded.pooled(x), module.pooled(x)):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    assert loaded.drawn_regions(x).shape == (1, 5, 6, 2)
