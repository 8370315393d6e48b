"""Files: what is damaged or missing says so, and nothing half-written is read."""

import json
import os

import numpy as np
import pytest

import tapeflow as tf

Dataset = tf.data.Dataset


def test_an_unfinished_cache_file_does_not_count(tmp_path):
    name = str(tmp_path / "cache")
    ds = Dataset.range(5).map(lambda x: x * 2).cache(name)
    iterator = iter(ds)
    next(iterator)
    del iterator
    assert os.listdir(tmp_path) == []
    assert [int(x) for x in ds] == [0, 2, 4, 6, 8]
    assert sorted(os.listdir(tmp_path)) == ["cache.data-00000-of-00001", "cache.index"]
    assert [int(x) for x in Dataset.range(99).cache(name)] == [0, 2, 4, 6, 8]


def test_an_unfinished_cache_in_memory_does_not_count():
    count = tf.Variable(0)
    ds = Dataset.range(4).map(lambda x: count.assign_add(1)).cache()
    next(iter(ds))
    list(ds)
    assert int(count) == 5
    list(ds)
    assert int(count) == 5


@pytest.mark.parametrize("compression", [None, "GZIP"])
def test_saved_datasets_come_back(tmp_path, compression):
    path = str(tmp_path / "saved")
    ds = Dataset.from_tensor_slices({
        "x": np.arange(12.0).reshape(4, 3), "s": ["a", "", "cc", "\u00e4"],
        "h": np.arange(4, dtype=np.float16)}).map(lambda d: (d, None, tf.shape(d["x"])))
    ds.save(path, compression=compression)
    back = Dataset.load(path)
    assert back.element_spec == ds.element_spec and len(back) == 4
    for a, b in zip(ds, back, strict=True):
        assert a[1] is None and b[1] is None
        for x, y in zip(tf.nest.flatten(a), tf.nest.flatten(b), strict=True):
            assert x is y is None or (x.dtype == y.dtype and np.array_equal(x, y))


def test_shards(tmp_path):
    path = str(tmp_path / "saved")
    Dataset.range(10).save(path, shard_func=lambda x: x % 3)
    assert sorted(int(x) for x in Dataset.load(path)) == list(range(10))
    read = Dataset.load(path, reader_func=lambda shards: shards.flat_map(lambda one: one))
    assert [int(x) for x in read] == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8]


def test_saving_again_replaces(tmp_path):
    path = str(tmp_path / "saved")
    Dataset.range(10).save(path, shard_func=lambda x: x % 2)
    Dataset.range(3).save(path)
    assert [int(x) for x in Dataset.load(path)] == [0, 1, 2]


def test_damage_is_noticed(tmp_path):
    path = tmp_path / "saved"
    Dataset.range(3).save(str(path))
    shard = path / "00000000.shard"
    content = bytearray(shard.read_bytes())
    content[20] ^= 0xFF
    shard.write_bytes(content)
    with pytest.raises(tf.errors.DataLossError):
        list(Dataset.load(str(path)))
    with pytest.raises(tf.errors.NotFoundError):
        Dataset.load(str(tmp_path / "none"))


def test_the_spec_is_plain_text(tmp_path):
    Dataset.range(3).save(str(tmp_path / "saved"))
    found = json.loads((tmp_path / "saved" / "dataset_spec.json").read_text())
    assert found["spec"] == {"tensor": "int64", "shape": []}


def test_snapshots_are_written_once(tmp_path):
    count = tf.Variable(0)
    ds = Dataset.range(4).map(lambda x: x + tf.cast(count.assign_add(1), tf.int64) * 0).snapshot(
        str(tmp_path / "snap"))
    assert [int(x) for x in ds] == [int(x) for x in ds] == [0, 1, 2, 3]
    assert int(count) == 4


def test_csv_goes_on_behind_a_bad_row(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,x\nbad,y\n3,z\n4\n5,\"q\nr\"\n")
    ds = tf.data.experimental.CsvDataset(str(path), [tf.int32, tf.string])
    assert list(ds.ignore_errors().as_numpy_iterator()) == [(1, b"x"), (3, b"z"), (5, b"q\nr")]
    iterator = iter(ds)
    next(iterator)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a valid int32: bad"):
        next(iterator)


def test_make_csv_dataset_guesses_types(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("i,l,f,s\n1,5000000000,1.5,x\n2,,2,y\n")
    ds = tf.data.experimental.make_csv_dataset(str(path), 2, num_epochs=1, shuffle=False)
    assert {k: v.dtype.name for k, v in ds.element_spec.items()} == {
        "i": "int32", "l": "int64", "f": "float32", "s": "string"}
    with pytest.raises(ValueError, match="No files match"):
        tf.data.experimental.make_csv_dataset(str(tmp_path / "none*"), 2)


def test_sql(tmp_path):
    import sqlite3
    path = str(tmp_path / "a.db")
    with sqlite3.connect(path) as connection:
        connection.execute("create table t (name text, age int)")
        connection.executemany("insert into t values (?, ?)", [("a", 1), ("b", None)])
    connection.close()
    ds = tf.data.experimental.SqlDataset("sqlite", path, "select * from t",
                                         (tf.string, tf.int32))
    assert list(ds.as_numpy_iterator()) == [(b"a", 1), (b"b", 0)]
    bad = tf.data.experimental.SqlDataset("sqlite", path, "select * from none", (tf.string,))
    with pytest.raises(tf.errors.InvalidArgumentError):
        list(bad)


def test_records_of_examples(tmp_path):
    path = str(tmp_path / "a.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(4):
            writer.write(tf.train.Example(features=tf.train.Features(feature={
                "x": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
            })).SerializeToString())
    features = {"x": tf.io.FixedLenFeature([], tf.int64)}
    ds = tf.data.experimental.make_batched_features_dataset(
        path, 2, features, num_epochs=1, shuffle=False)
    assert [batch["x"].numpy().tolist() for batch in ds] == [[0, 1], [2, 3]]
    single = tf.data.TFRecordDataset(path).map(lambda s: tf.io.parse_single_example(s, features))
    assert [int(one["x"]) for one in single] == [0, 1, 2, 3]
    tf.data.experimental.TFRecordWriter(path + "2").write(tf.data.TFRecordDataset(path))
    assert len(list(tf.data.TFRecordDataset(path + "2"))) == 4


def test_patterns_of_files(tmp_path):
    for name in (".hidden", "a.txt", "b[1].txt"):
        (tmp_path / name).touch()

    def listed(pattern):
        ds = Dataset.list_files(str(tmp_path / pattern), shuffle=False)
        return [os.path.basename(path.decode()) for path in ds.as_numpy_iterator()]

    assert listed("*") == [".hidden", "a.txt", "b[1].txt"]
    assert listed("[^a]*") == listed("[!a]*") == [".hidden", "b[1].txt"]
    assert listed("\\a.txt") == ["a.txt"] and listed("b\\[1].txt") == ["b[1].txt"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        listed("*.none")
