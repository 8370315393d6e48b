# Strings: tf.strings, operators of string tensors, tables.

# --- case_and_strip
print(tf.strings.lower(["ABC É", "xÀ"]), tf.strings.upper("abc é"))
print(tf.strings.lower("ABC É", encoding="utf-8"), tf.strings.upper("straße", encoding="utf-8"))
print(tf.strings.strip(["  a b \n", "\tx"]))
print(outcome(tf.strings.lower, 1), outcome(tf.strings.upper, "a", encoding="latin"))

# --- length
print(tf.strings.length(["abc", "é€", ""]), tf.strings.length(["abc", "é€"], unit="UTF8_CHAR"))
print(outcome(tf.strings.length, "a", unit="WORD"))

# --- substr
print(tf.strings.substr("Hello", 1, 3), tf.strings.substr(["Hello", "World"], [1, 2], [3, 1]))
print(tf.strings.substr("Hello", -3, 2), tf.strings.substr("é€𐍈x", 1, 2, unit="UTF8_CHAR"))
print(tf.strings.substr("Hello", [0, 1], [1, 2]), outcome(tf.strings.substr, "Hi", 5, 1))

# --- join
print(tf.strings.join(["a", "b"]), tf.strings.join([["a", "b"], "x"], separator="-"))
print(tf.strings.join(["only"]), outcome(tf.strings.join, [["a", "b"], ["c"]]))

# --- reduce_join
x = tf.constant([["a", "b"], ["c", "d"]])
print(tf.strings.reduce_join(x), tf.strings.reduce_join(x, 0, separator="-"))
print(tf.strings.reduce_join(x, 1, keepdims=True), tf.strings.reduce_join(x, [0, 1]))
print(tf.strings.reduce_join(x, [1, 0]), outcome(tf.strings.reduce_join, x, 5))

# --- split
print(tf.strings.split("a b  c"), tf.strings.split(["a b", "c", ""]))
print(tf.strings.split(["a,b,,c", ""], sep=","), tf.strings.split("a b c", maxsplit=1))
print(tf.strings.split([["a b"], ["c d e"]]).to_list())
print(tf.strings.split(["a b c", "d"]).to_tensor("<pad>"))

# --- split_into_words_and_count
text = tf.constant(["the cat sat", "the dog"])
words = tf.strings.split(text)
print(words.row_lengths(), words.flat_values, tf.strings.length(words))
print(tf.unique(words.flat_values).y)

# --- bytes_split
print(tf.strings.bytes_split("hé"), tf.strings.bytes_split(["ab", ""]))

# --- regex_replace
print(tf.strings.regex_replace("hello world", "o", "0"))
print(tf.strings.regex_replace("hello world", "o", "0", replace_global=False))
print(tf.strings.regex_replace("John Smith", r"(\w+) (\w+)", r"\2, \1"))
print(tf.strings.regex_replace(["a<br />b", "x"], "<br />", " "))
print(tf.strings.regex_replace("a1 b2!", "[[:punct:][:digit:]]", ""))
print(tf.strings.regex_replace("axbxxc", "x*", "-"), tf.strings.regex_replace("abc", "b", r"[\0]"))
print(tf.strings.regex_replace("ABCabc", "(?i)b", "x"), tf.strings.regex_replace("aé1Ω", r"\pL", "L"))
print(tf.strings.regex_replace("a\nb", "(?m)^", ">"), tf.strings.regex_replace("a\nb", "$", "<"))

# --- regex_standardize
import re
import string
text = tf.strings.lower(["Hello, World! It's me.", "NO: (yes)"])
text = tf.strings.regex_replace(text, "[%s]" % re.escape(string.punctuation), "")
print(tf.strings.regex_replace(text, r"\s+", " "))

# --- regex_errors
print(outcome(tf.strings.regex_replace, "a", "(", ""))
print(outcome(tf.strings.regex_replace, "a", "(?=a)", ""))
print(outcome(tf.strings.regex_full_match, "a", "[b"))

# --- regex_full_match
print(tf.strings.regex_full_match(["abc", "abd", "xabc", "é"], "ab[cd]|."))

# --- to_number
print(tf.strings.to_number(["1.5", "-2", " 3 ", "1e3", "inf", "nan"]))
print(tf.strings.to_number(["1", "-2"], tf.int32), tf.strings.to_number("9007199254740993", tf.int64))
print(outcome(tf.strings.to_number, "abc"), outcome(tf.strings.to_number, "1.5", tf.int32))
print(outcome(tf.strings.to_number, "99999999999", tf.int32), outcome(tf.strings.to_number, ""))

# --- hash_buckets
words = ["", "a", "ab", "hello", "a longer sentence with words", "x" * 40, "y" * 100]
print(tf.strings.to_hash_bucket_fast(words, 1000000))
print(tf.strings.to_hash_bucket(words, 1000000))
print(tf.strings.to_hash_bucket_strong(words, 1000000, key=[123, 456]))
print(outcome(tf.strings.to_hash_bucket_fast, "a", 0))

# --- unicode_decode
print(tf.strings.unicode_decode("héy€", "UTF-8"), tf.strings.unicode_decode(["hé", "€𐍈", ""], "UTF-8"))
print(tf.strings.unicode_decode(b"a\xffb", "UTF-8"))
print(tf.strings.unicode_decode(b"a\xffb", "UTF-8", errors="ignore"))
print(outcome(tf.strings.unicode_decode, b"a\xffb", "UTF-8", errors="strict"))
print(tf.strings.unicode_decode("a\n", "UTF-8", replace_control_characters=True))
codes, starts = tf.strings.unicode_decode_with_offsets(["héy", "x"], "UTF-8")
print(codes, starts)

# --- unicode_split
print(tf.strings.unicode_split("héy", "UTF-8"), tf.strings.unicode_split(["hé", "x"], "UTF-8"))
chars, starts = tf.strings.unicode_split_with_offsets("a€b", "UTF-8")
print(chars, starts)

# --- unicode_encode_and_transcode
print(tf.strings.unicode_encode([104, 233, 8364], "UTF-8"))
print(tf.strings.unicode_encode(tf.ragged.constant([[104, 233], [8364]]), "UTF-8"))
print(tf.strings.unicode_encode([[97, 98], [99, 100]], "UTF-16-BE"))
print(tf.strings.unicode_transcode(["a€", b"\xff"], "UTF-8", "UTF-16-BE"))
print(tf.strings.unicode_encode([55296, 97], "UTF-8"))

# --- unicode_script
print(tf.strings.unicode_script([97, 1086, 8364, 19968, 1488, 0x1F600, -1]))

# --- ngrams
print(tf.strings.ngrams(["a", "b", "c"], 2), tf.strings.ngrams(["a", "b", "c"], [1, 2], separator="|"))
print(tf.strings.ngrams(tf.ragged.constant([["a", "b", "c"], ["d"]]), 2))
print(tf.strings.ngrams(["a", "b"], 2, pad_values=("<", ">")))
print(tf.strings.ngrams(["a"], 3, preserve_short_sequences=True))
print(tf.strings.ngrams(["a", "b"], 3, pad_values="P", padding_width=1))

# --- segment_join
print(tf.strings.unsorted_segment_join(["a", "b", "c", "d"], [0, 1, 0, 2], 3, separator=":"))
print(outcome(tf.strings.unsorted_segment_join, ["a"], [-1], 1))

# --- as_string_and_format
print(tf.strings.as_string([1.5, 2.25]), tf.strings.as_string([1, -2], width=5, fill="0"))
print(tf.strings.format("x={} y={}", (tf.constant([1, 2]), tf.constant("a"))))
print(tf.strings.format("r={}", tf.ragged.constant([[1], [2, 3]])))

# --- operators
a = tf.constant(["a", "b"])
print(a == tf.constant(["a", "c"]), a != "b", a + "!", "<" + a, a + tf.constant(["x", "y"]))
print(outcome(lambda: a < a), outcome(lambda: a * 2))

# --- arrays_of_strings
a = tf.constant(["a", "b", "c"])
print(a[1:], tf.gather(a, [2, 0]), tf.concat([a, ["d"]], 0), tf.stack([a, a]).shape)
print(tf.reshape(a, [3, 1]), tf.where([True, False, True], a, "?"), tf.tile(a[:1], [2]))
print(tf.reverse(a, [0]), tf.expand_dims(a, 0).shape, tf.zeros([1], tf.string), tf.fill([2], "x"))
print(tf.boolean_mask(a, [True, False, True]), tf.unique(tf.constant(["b", "a", "b"])).idx)
print(tf.scatter_nd([[1]], ["z"], [3]), tf.pad(a, [[1, 0]], constant_values="0"))

# --- in_a_function
@tf.function
def f(x):
    words = tf.strings.split(tf.strings.lower(x))
    return words, tf.strings.reduce_join(words, axis=1, separator="_"), tf.strings.length(words)
words, joined, lengths = f(tf.constant(["Ab c", "D"]))
print(words, joined, lengths)

# --- ragged_strings
r = tf.ragged.constant([["Ab", "c"], [], ["DEF"]])
print(tf.strings.lower(r), tf.strings.length(r), tf.strings.substr(r, 0, 1))
print(tf.strings.join([r, "!"]), tf.strings.regex_replace(r, "[A-Z]", "*"))
print(tf.strings.reduce_join(r, axis=1, separator="+"), tf.strings.to_hash_bucket_fast(r, 10))

# --- static_hash_table
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64)), default_value=-1)
print(table.lookup(tf.constant(["b", "z"])), table[tf.constant("a")], table.size())
print(table.key_dtype, table.value_dtype)
print(table.lookup(tf.ragged.constant([["a"], ["z", "b"]])))
print(outcome(table.lookup, tf.constant(1)))

# --- table_with_conflicts
init = tf.lookup.KeyValueTensorInitializer(["a", "a"], [1, 2])
print(outcome(tf.lookup.StaticHashTable, init, -1))
same = tf.lookup.KeyValueTensorInitializer(["a", "a"], [1, 1])
print(tf.lookup.StaticHashTable(same, -1).size())
short = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1])
print(outcome(tf.lookup.StaticHashTable, short, -1))

# --- int_to_string_table
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.constant([1, 2], tf.int64), ["x", "y"]), "?")
print(table.lookup(tf.constant([[2], [3]], tf.int64)))

# --- vocabulary_table
init = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([0, 1], tf.int64))
table = tf.lookup.StaticVocabularyTable(init, num_oov_buckets=5)
print(table.lookup(tf.constant(["a", "zz", "yy", "b"])), table.size())
print(outcome(tf.lookup.StaticVocabularyTable, init, 0))

# --- mutable_table
table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
print(table.lookup(tf.constant(["a", "c"])), table.size())
table.insert(tf.constant(["a"]), tf.constant([10], tf.int64))
table.remove(tf.constant(["b"]))
print(table[tf.constant(["a", "b"])], table.export()[0])

# --- vector_values
table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, default_value=[0.0, 0.0])
table.insert(tf.constant([7], tf.int64), tf.constant([[1.0, 2.0]]))
print(table.lookup(tf.constant([7, 8], tf.int64)))

# --- dense_table
table = tf.lookup.experimental.DenseHashTable(
    tf.int64, tf.int64, default_value=-1, empty_key=0, deleted_key=-1)
table.insert(tf.constant([1, 2], tf.int64), tf.constant([10, 20], tf.int64))
table.remove(tf.constant([1], tf.int64))
print(table.lookup(tf.constant([1, 2], tf.int64)), table.size())
print(outcome(table.insert, tf.constant([0], tf.int64), tf.constant([1], tf.int64)))

# --- table_in_a_function
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(["good", "bad"], [1.0, -1.0]), 0.0)
@tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
def score(text):
    return tf.reduce_sum(table.lookup(tf.strings.split(text)), axis=1)
print(score(tf.constant(["good good bad", "what"])), score(tf.constant(["bad"])))

# --- table_changed_in_a_function
table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=0)
@tf.function
def count(keys):
    before = table.lookup(keys)
    table.insert(keys, before + 1)
    return table.lookup(keys)
print(count(tf.constant(["a", "b"])), count(tf.constant(["a"])), count(tf.constant(["a", "c"])))

# --- text_file_table
import os
import tempfile
path = os.path.join(tempfile.mkdtemp(), "vocabulary.txt")
with open(path, "w") as file:
    file.write("the\ncat\nsat\n")
init = tf.lookup.TextFileInitializer(
    path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
table = tf.lookup.StaticHashTable(init, -1)
print(table.lookup(tf.constant(["cat", "dog", "the"])), table.size())

# --- bag_of_words_training
table = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
    tf.constant(["good", "bad", "film"]), tf.constant([0, 1, 2], tf.int64)), 1)
w = tf.Variable(tf.zeros([4, 1]))
text, label = tf.constant(["good film", "bad film", "very good"]), tf.constant([[1.0], [0.0], [1.0]])
for _ in range(5):
    with tf.GradientTape() as tape:
        ids = table.lookup(tf.strings.split(text))
        logits = tf.reduce_sum(tf.gather(w, ids), axis=1)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logits))
    w.assign_sub(tf.convert_to_tensor(tape.gradient(loss, w)))
print(loss, w.numpy().ravel())

# --- function_of_every_kind
ops = {
    "lower": tf.strings.lower, "length": lambda x: tf.strings.length(x, unit="UTF8_CHAR"),
    "substr": lambda x: tf.strings.substr(tf.strings.join([x, "zz"]), 1, 2), "join": lambda x: tf.strings.reduce_join(x, -1),
    "split": tf.strings.split, "bytes": tf.strings.bytes_split, "hash": lambda x: tf.strings.to_hash_bucket_fast(x, 100),
    "codes": lambda x: tf.strings.unicode_decode(x, "UTF-8"), "wide": lambda x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"),
    "equal": lambda x: x == "c", "ngrams": lambda x: tf.strings.ngrams(x, 2), "lengths": lambda x: tf.strings.split(x).row_lengths(),
    "where": lambda x: tf.where(tf.strings.length(x) > 1, x, "short"), "number": lambda x: tf.strings.to_number(tf.strings.as_string(tf.strings.length(x))),
}
x = tf.constant(["Hello wörld", " a,b ", ""])
for name, op in ops.items():
    print(name, tf.function(op, input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)(x))

# --- fingerprint
print(tf.fingerprint(tf.constant(["a", "hello world"])), tf.fingerprint(tf.constant([[1, 2], [3, 4]])))
print(tf.fingerprint(tf.constant([["a", "b"]])), outcome(tf.fingerprint, tf.constant("a")))

# --- table_from_a_file_by_line_numbers_as_keys
import os
import tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "words")
    with open(path, "w") as file:
        file.write("earth\nwind\nfire\n")
    by_word = tf.lookup.TextFileInitializer(
        path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER, value_index_offset=2)
    by_number = tf.lookup.TextFileInitializer(
        path, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER,
        tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, value_index_offset=2)
    print(tf.lookup.StaticHashTable(by_word, -1).lookup(tf.constant(["wind", "sea"])))
    print(tf.lookup.StaticHashTable(by_number, "?").lookup(tf.constant([0, 2, 4], tf.int64)))
