"""Strings as ONNX files: characters, hashes, n-grams, numbers, and the layers that need them."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.onnx import ExportError, export
from tests.onnx_export.comparing import as_arrays, compared, difference, run

TEXTS = tf.constant(["Hello, World", "", " größer  als ", "日本 42", "x"])
SPEC = [tf.TensorSpec([None], tf.string)]


def agree(function, *args, signature=SPEC) -> None:
    assert compared(function, args, function(*args), input_signature=signature) == ""


def test_characters():
    agree(lambda s: (tf.strings.length(s), tf.strings.length(s, unit="UTF8_CHAR"),
                     tf.strings.substr(s, 0, 3), tf.strings.strip(s),
                     tf.strings.unicode_split(s, "UTF-8").to_tensor(),
                     tf.strings.unicode_decode(s, "UTF-8").to_tensor(-1)),
          tf.constant(["Hello, World", "", "  größer als ", "日本 42", "x"]))
    agree(lambda s: (tf.strings.substr(s, -3, 2), tf.strings.bytes_split(s).to_tensor()),
          tf.constant(["Hello", "abc"]))


def test_patterns():
    agree(lambda s: (tf.strings.regex_replace(s, "[^a-z ]", "_"),
                     tf.strings.regex_replace(s, r"\s+", " "),
                     tf.strings.regex_replace(s, "l", "ll"),
                     tf.strings.regex_replace(s, "World|als|42", "als"),
                     tf.strings.regex_full_match(s, ".*o.*")), TEXTS)
    with pytest.raises(ExportError, match="only plain texts and sequences of classes"):
        export(lambda s: tf.strings.regex_replace(s, "(ab)?c|d+", ""), "unused.onnx", SPEC)


PATTERNS = ["<[^>]+>", "<.*?>", r"https?://\S+", r"[@#]\w+", r"\d{2,3}", "a+b*c?", "[a-c]{2}x?",
            r"\w+@\w+\.[a-z]+", "a*ab"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_sequences_of_classes(pattern):
    """Against RE2's way: from the left, as much as possible."""
    draw = np.random.default_rng(len(pattern))
    words = ["".join(draw.choice(list("aabbcx1234 <>@#.é"), 30)) for _ in range(20)]
    agree(lambda s: tf.strings.regex_replace(s, pattern, "_!"), tf.constant([
        *words, "", "see http://a.b/c?d=1 or https://x.y now", "<b>bold</b> <i", "@me #you 1",
        "mail ab@ccc.de, c@d", "aaab aab ab b", "12345 1 12"]))


def test_joined_and_as_numbers():
    agree(lambda s: (tf.strings.reduce_join(s, separator="-"),
                     tf.strings.reduce_join(tf.stack([s, s], 1), [0, 1], keepdims=True),
                     tf.strings.reduce_join(tf.strings.split(s), 1, separator="+")), TEXTS)
    agree(lambda s: (tf.strings.to_number(s), tf.strings.to_number(s, tf.float64)),
          tf.constant(["1.5", "-3e2"]))
    agree(lambda x: (tf.strings.as_string(x), tf.strings.as_string(tf.cast(x, tf.int64)),
                     tf.strings.as_string(x, precision=2), tf.strings.as_string(x > 0)),
          tf.constant([1.5, -20.25, 0.0]), signature=[tf.TensorSpec([None])])


@pytest.mark.parametrize("length", [0, 1, 3, 4, 7, 8, 16, 17, 32, 33, 64, 65, 128, 200])
def test_hashes(length):
    """Each length has rounds of its own; characters of several bytes count as these."""
    draw = np.random.default_rng(length)
    words = ["".join(draw.choice(list("abcXYZ09 -é日😀"), length)) for _ in range(3)]
    agree(lambda s: (tf.strings.to_hash_bucket_fast(s, 1000),
                     tf.strings.to_hash_bucket_strong(s, 1000, [7, 1 << 40])),
          tf.constant([*words, "short"]))


def test_a_character_that_no_table_has_fails_the_run(tmp_path):
    file = str(tmp_path / "hash.onnx")
    export(lambda s: tf.strings.to_hash_bucket_fast(s, 1000), file, input_signature=SPEC)
    with pytest.raises(Exception, match="out of data bounds"):
        run(file, [tf.constant(["a", "\U00020000"])])


def test_tables_with_buckets():
    table = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
        ["a", "b"], tf.constant([0, 1], tf.int64)), 3)
    agree(lambda s: (table.lookup(s), table.lookup(s) + table.size()),
          tf.constant(["a", "q", "b", "zz"]))


def test_ngrams():
    agree(lambda s: (tf.strings.ngrams(tf.strings.split(s), 2).to_tensor(),
                     tf.strings.ngrams(tf.strings.split(s), (1, 3), "_").to_tensor()),
          tf.constant(["a b c d", "", "x", "p q"]))


def layers():
    keras = tf.keras.layers
    corpus = np.array(["it was great fun", "bad really bad film"])
    options = [dict(output_mode="multi_hot"), dict(ngrams=2), dict(split="character"),
               dict(ngrams=(1, 2), output_mode="tf_idf"),
               dict(standardize=lambda s: tf.strings.regex_replace(s, "[^a-z ]", ""))]
    for one in options:
        layer = keras.TextVectorization(**one)
        layer.adapt(corpus)
        yield layer, tf.constant(["It was: bad!", "fun film", ""])
        yield layer, tf.constant([""])
    words = tf.constant([["a"], ["é"], ["a long word with spaces"]])
    yield keras.Hashing(9), words
    yield keras.Hashing(9, salt=133, output_mode="one_hot"), words
    yield keras.Hashing(9), tf.constant([[3], [-40]], tf.int64)
    yield keras.StringLookup(vocabulary=["a", "b"], num_oov_indices=3), words


def test_layers(tmp_path):
    for layer, x in layers():
        spec = tf.TensorSpec([None, *x.shape[1:]], x.dtype)
        function = tf.function(layer, input_signature=[spec])
        export(function, str(tmp_path / "m.onnx"))
        assert difference(as_arrays(layer(x)), run(str(tmp_path / "m.onnx"), [x])) == ""


def test_a_crossing_of_columns():
    crossing = tf.keras.layers.HashedCrossing(8, output_mode="one_hot")
    a, b = tf.constant([["x"], ["y"], ["x"]]), tf.constant([["1"], ["22"], ["333"]])
    agree(lambda a, b: crossing((a, b)), a, b, signature=[tf.TensorSpec([None, 1], tf.string)] * 2)
