"""Strings: patterns of RE2, hashes, decoding, tables that functions change."""

from __future__ import annotations

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops.strings.hashing import fingerprint, murmur, siphash


@pytest.mark.parametrize(("pattern", "text", "expected"), [
    (r"[[:alpha:]]+", "ab1cd", "X1X"), (r"[^[:space:]]", "a b", "X X"),
    (r"\d+|\s", "a12 b", "aXXb"), (r"a{2,}?b", "aaab", "X"), (r"a{2", "a{2", "X"),
    (r"a|(?i)b", "AaBb", "AXXX"), (r"(?i:a)b", "AbaB", "XaB"), (r"x(?i)y|z", "xYZz", "XXX"),
    (r"[\w-]+", "a-b c", "X X"), (r"[a\-z]", "a-mz", "XXmX"), (r"[]a]", "]ab", "XXb"),
    (r"\Q.*\E", "a.*b", "aXb"), (r"\x{e9}|\x41", "éA", "XX"), (r"$", "a\n", "a\nX"),
    (r"(?s).", "a\n", "XX"), (r"\p{Greek}\PL", "α1β2", "XX"), (r"[^\pL]", "a1b", "aXb"),
    (r"[&&~]", "a&~", "aXX"), (r"\bé", "é aé", "é aX"), (r"(?m)^|$", "a\nb", "XaX\nXbX"),
])
def test_patterns_mean_what_they_mean_to_re2(pattern, text, expected):
    assert tf.strings.regex_replace(text, pattern, "X").numpy().decode() == expected


@pytest.mark.parametrize("pattern", [r"(?!a)", r"(?<=a)", r"(a)\1", "a)", "[z-a]", r"\p{Nothing}",
                                     "[[:nothing:]]", "*", "\\", "a*+", "x{0,2000}"])
def test_what_re2_refuses_is_refused(pattern):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
        tf.strings.regex_replace("a", pattern, "")


def test_hashes_of_every_length_differ_and_stay():
    found = {hash_of(b"x" * n) for n in range(200) for hash_of in (
        fingerprint, murmur, lambda s: siphash(s, (1, 2)))}
    assert len(found) == 600
    # Known answers of FarmHash and SipHash.
    assert fingerprint(b"") == 0x9AE16A3B2F90404F
    assert fingerprint(b"a" * 8) == fingerprint(b"aaaaaaaa")
    assert siphash(bytes(range(15)), (0x0706050403020100, 0x0F0E0D0C0B0A0908)) == \
        0xA129CA6149BE45E5


def test_bytes_that_are_no_text_are_kept():
    odd = tf.constant([b"a\xff\xfeb"])
    assert tf.strings.regex_replace(odd, "a", "c").numpy()[0] == b"c\xff\xfeb"
    assert tf.strings.upper(odd).numpy()[0] == b"A\xff\xfeB"
    assert tf.strings.split(odd, "\xff".encode("latin1")).to_list() == [[b"a", b"\xfeb"]]
    codes, starts = tf.strings.unicode_decode_with_offsets(odd, "UTF-8")
    assert codes.to_list() == [[97, 65533, 65533, 98]]
    assert starts.to_list() == [[0, 1, 2, 3]]


def test_decoding_and_encoding_are_inverse():
    text = ["héllo €", "", "日本語 𐍈"]
    for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
        data = [one.encode(encoding.lower()) for one in text]
        codes = tf.strings.unicode_decode(data, encoding)
        assert codes.to_list() == [[ord(c) for c in one] for one in text]
        assert tf.strings.unicode_encode(codes, encoding).numpy().tolist() == data


def test_scripts_of_whole_alphabets():
    import unicodedata
    codes = [c for c in range(0x3000) if unicodedata.name(chr(c), "").startswith("CYRILLIC SMALL")]
    assert set(tf.strings.unicode_script(codes).numpy().tolist()) == {8}


def test_a_function_sees_its_own_changes_of_a_table_in_order():
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)

    @tf.function
    def f(key):
        before = table.lookup(key)
        table.insert(key, key * 10)
        between = table.lookup(key)
        table.remove(key)
        return before, between, table.lookup(key), table.size()

    for key in (3, 4):
        assert [int(x) for x in f(tf.constant(key, tf.int64))] == [-1, key * 10, -1, 0]


def test_tables_are_told_apart_by_traces():
    def made(value):
        return tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a"], [value]), 0)

    function = tf.function(lambda t, x: t.lookup(x), autograph=False)
    x = tf.constant(["a"])
    assert [int(function(made(n), x)[0]) for n in (1, 2)] == [1, 2]


def test_words_after_the_last_split_are_tensorflows():
    words = tf.constant(["Hello you", "a-b", "", "  x ", "a b  c "])
    assert tf.strings.split(words, maxsplit=1).to_list() == [
        [b"Hello", b"you"], [b"a-b", b""], [], [b"x", b""], [b"a", b"b  c "]]
    assert tf.strings.split(words, maxsplit=2).to_list() == [
        [b"Hello", b"you", b""], [b"a-b"], [], [b"x"], [b"a", b"b", b"c "]]
    assert tf.strings.split(words, maxsplit=0).to_list() == [[one] for one in words.numpy()]


def test_splitting_is_pythons():
    rng = np.random.default_rng(0)
    alphabet = np.array(list("ab ,\t"))
    lines = ["".join(rng.choice(alphabet, rng.integers(0, 12))) for _ in range(30)]
    encoded = [line.encode() for line in lines]
    assert tf.strings.split(lines).to_list() == [line.split() for line in encoded]
    assert tf.strings.split(lines, ",").to_list() == [line.split(b",") for line in encoded]
    assert tf.strings.split(lines, ",", 1).to_list() == [line.split(b",", 1) for line in encoded]
