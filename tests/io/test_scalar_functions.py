"""Scalar functions: the subset of Python that becomes machine code, and that what it reads is what
the slow code reads, of good bytes and of damaged ones."""

import ctypes
import importlib
import io
import random
import types

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.machine_code.scalar_functions import ScalarFunctions, address
from tapeflow.io.checksum import crc32c
from tapeflow.io.parsing import csv, examples
from tapeflow.io.tfrecord import read_records
from tapeflow.jit.runtime import llvm_backend
from tapeflow.jit.runtime import target as targets
from tapeflow.jit.scalar_functions import scalar_machine_code as machine_code
from tapeflow.jit.scalar_functions.scalar_translator import Refused, translate
from tapeflow.ops.image.files import gif, png
from tests.file_fuzz.mutate import mutated

MODULES = ("tapeflow.io.checksum.crc32c_loops", "tapeflow.io.parsing.csv_loops",
           "tapeflow.io.parsing.example_loops", "tapeflow.ops.image.files.image_loops",
           "tapeflow.ops.image.files.jpeg_loops")


def compiled(source: str, **constants: int) -> types.SimpleNamespace:
    text, signatures = translate(source, constants, None)
    loaded = llvm_backend.load_objects([machine_code.optimised_object(text, targets.host())])
    found = {name: machine_code._function(loaded.address(name), kinds)
             for name, kinds in signatures.items()}
    return types.SimpleNamespace(**found, loaded=loaded)


def outcome(call):
    try:
        return call()
    except Exception as error:
        return type(error), str(error)


def both(call):
    """What a call gives with machine code; it must be what it gives without."""
    with tf.config.settings.using(jit="off"):
        slow = outcome(call)
    with tf.config.settings.using(jit="now"):
        quick = outcome(call)
    assert_same(quick, slow)
    return slow


def assert_same(a, b):
    assert type(a) is type(b), (a, b)
    if isinstance(a, (list, tuple)):
        assert len(a) == len(b), (a, b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.dtype == object:
            assert a.tolist() == b.tolist()
        else:
            assert a.tobytes() == b.tobytes()
    else:
        assert a == b or (a != a and b != b)


# -- the subset ------------------------------------------------------------------------------------
SUBSET = '''
def collatz(n: I64) -> I64:
    """How many steps there are to 1."""
    steps = 0
    while n != 1:
        n = n >> 1 if n & 1 == 0 else 3 * n + 1
        steps += 1
    return steps

def first_above(data: I64s, size: I64, least: I64) -> I64:
    for i in range(size):
        if data[i] < 0:
            continue
        if not data[i] <= least:
            break
    else_where = i
    return else_where if data[i] > least else -1

def guarded(data: U8, at: I64, size: I64) -> I64:
    return 0 <= at < size and data[at] == LETTER or at == -7

def mean(data: F32, size: I64, out: F64s) -> F64:
    total = 0.0
    for i in range(0, size):
        total += data[i]
    out[0] = total / size
    return -total

def wrapped(a: I64, b: I64) -> I64:
    return a * b ^ ~b

def nested(a: I64) -> I64:
    return collatz(a) + collatz(a + 1)
'''


def test_the_subset_means_what_python_means():
    code = compiled(SUBSET, LETTER=97)
    space = {"LETTER": 97, **dict.fromkeys(("I64", "F64", "U8", "I64s", "F32", "F64s"))}
    exec(SUBSET, space)
    for n in (1, 7, 27, 97):
        assert code.collatz(n) == space["collatz"](n)
        assert code.nested(n) == space["nested"](n)
    numbers = np.array([-5, 3, -1, 9, 2])
    for least in (0, 3, 8, 9):
        assert code.first_above(address(numbers), 5, least) == space["first_above"](
            numbers, 5, least)
    for at in (-7, -1, 0, 1, 2, 3):  # nothing is read outside
        assert bool(code.guarded(b"xay", at, 3)) == bool(space["guarded"](b"xay", at, 3))
    values, out = np.array([1.5, 2.25, -8.0], np.float32), np.zeros(1)
    assert code.mean(address(values), 3, address(out)) == -float(values.sum())
    assert out[0] == float(values.sum()) / 3
    assert code.wrapped(1 << 62, 7) == ctypes.c_int64((1 << 62) * 7 ^ ~7).value


@pytest.mark.parametrize("line", [
    "return [1]", "return a ** 2", "return a // 2", "x: int = 3", "with a: pass", "return other(a)",
    "return unknown", "for i in a: pass", "return 'text'", "a.b = 3", "return a[0]", "a = 0.5"])
def test_what_is_not_in_the_subset_is_refused(line):
    with pytest.raises(Refused):
        translate(f"def f(a: I64) -> I64:\n    {line}\n", {}, None)
    with pytest.raises(Refused):
        translate("def f(a) -> I64:\n    return a\n", {}, None)


def test_text_repeats_and_every_module_compiles():
    for name in MODULES:
        module = importlib.import_module(name)
        first, _ = machine_code.text_of(module, targets.host())
        assert machine_code.text_of(module, targets.host())[0] == first
        assert ScalarFunctions(name, 0.0).ready(1.0) is not None


def test_functions_are_compiled_when_they_have_cost_enough():
    made = ScalarFunctions(MODULES[0], 10.0)
    with tf.config.settings.using(jit="auto"):
        assert made.ready(6.0) is None
        assert made.ready(6.0) is not None
    with tf.config.settings.using(jit="off"):
        assert made.ready(1000.0) is None


def test_without_the_source_the_slow_code_serves(monkeypatch, tmp_path):
    module = importlib.import_module(MODULES[0])
    monkeypatch.setattr(module, "__file__", str(tmp_path / "nothing.py"))
    assert machine_code.compiled(MODULES[0]) is None


def test_checksums_without_the_instruction():
    baseline = targets.level("baseline")
    if baseline is None:
        pytest.skip("another kind of machine")
    assert machine_code.crc_instructions(baseline) is None
    with targets.using(baseline):
        code = machine_code.compiled(MODULES[0])
    for size in (0, 1, 7, 8, 9, 64, 1000):
        data = np.random.default_rng(size).bytes(size)
        with tf.config.settings.using(jit="off"):
            wanted = crc32c.crc32c(data)
        state = code.update(crc32c.table_address(), data, size, 0xFFFFFFFF)
        assert state ^ 0xFFFFFFFF == wanted


# -- records ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_records(tmp_path, compression):
    rng = np.random.default_rng(1)
    records = [rng.bytes(int(n)) for n in rng.integers(0, 300, 3000)]
    records[1000] = rng.bytes(700_000)  # longer than a block
    path = str(tmp_path / "r")
    with tf.io.TFRecordWriter(path, compression) as writer:
        for one in records:
            writer.write(one)
    assert both(lambda: list(read_records(path, compression))) == records
    with tf.config.settings.using(jit="now"):
        dataset = tf.data.TFRecordDataset([path, path], compression)
        assert list(dataset.as_numpy_iterator()) == records + records
        rows = [x for batch in dataset.batch(64) for x in batch.numpy().tolist()]
        assert rows == records + records


def test_records_of_damaged_files(tmp_path):
    path, rng = str(tmp_path / "r"), random.Random(3)
    with tf.io.TFRecordWriter(path) as writer:
        for n in range(40):
            writer.write(b"r" * n)
    with open(path, "rb") as file:
        good = file.read()

    def before_error():
        found = []
        try:
            for one in read_records(path):
                found.append(one)
        except tf.errors.OpError as error:
            found.append((type(error), error.message))
        return found

    def elements():
        found, iterator = [], iter(tf.data.TFRecordDataset([path, path]))
        for _ in range(200):
            try:
                found.append(next(iterator).numpy())
            except StopIteration:
                return found
            except tf.errors.OpError as error:
                found.append((type(error), error.message))
        return found

    for _ in range(60):
        with open(path, "wb") as file:
            file.write(mutated(rng, "tfrecord", good))
        both(before_error)
        both(elements)


# -- Examples --------------------------------------------------------------------------------------
def example(rng) -> bytes:
    train = tf.train
    features = {
        "i": train.Feature(int64_list=train.Int64List(
            value=[rng.choice([0, 1, 127, 128, 300, -1, -2**63, 2**63 - 1])
                   for _ in range(rng.randint(0, 30))])),
        "f": train.Feature(float_list=train.FloatList(
            value=[rng.uniform(-1, 1) for _ in range(rng.choice([0, 2, 2, 2, 5]))])),
        "s": train.Feature(bytes_list=train.BytesList(
            value=[b"x" * rng.choice([0, 1, 200]) for _ in range(rng.choice([0, 1, 1, 3]))])),
        "one": train.Feature(int64_list=train.Int64List(value=[rng.randint(0, 9)])),
        "none": train.Feature(),
    }
    kept = {key: value for key, value in features.items() if rng.random() < 0.9}
    return train.Example(features=train.Features(feature=kept)).SerializeToString()


PLANS = [
    {"i": tf.io.VarLenFeature(tf.int64), "s": tf.io.VarLenFeature(tf.string),
     "f": tf.io.VarLenFeature(tf.float32), "absent": tf.io.VarLenFeature(tf.int64)},
    {"i": tf.io.RaggedFeature(tf.int64), "s": tf.io.RaggedFeature(tf.string)},
    {"i": tf.io.FixedLenSequenceFeature([], tf.int64, True, -7), "s":
     tf.io.FixedLenSequenceFeature([], tf.string, True), "none": tf.io.VarLenFeature(tf.float32)},
    {"one": tf.io.FixedLenFeature([], tf.int64, 5), "f": tf.io.FixedLenFeature([2], tf.float32,
                                                                              [1.0, 2.0])},
    {"one": tf.io.FixedLenFeature([], tf.int64), "s": tf.io.FixedLenFeature([1], tf.string)},
    {"f": tf.io.FixedLenSequenceFeature([2], tf.float32, True), "one": tf.io.FixedLenFeature(
        [], tf.float32)},
]


@pytest.mark.parametrize("features", PLANS, ids=range(len(PLANS)))
def test_examples(features):
    rng, plan = random.Random(5), examples.Plan(features)
    read = 0
    for trial in range(150):
        rows = np.empty(rng.randint(1, 5), object)
        rows[:] = [example(rng) for _ in rows]
        if trial % 3 == 0:
            rows[rng.randrange(len(rows))] = mutated(rng, "example", rows[0])
        for serialized in (rows, rows[:1].reshape(())):
            found = both(lambda serialized=serialized: examples._kernel(serialized, plan))
            read += type(found[0]) is not type
    assert read > 10 or "one" in features


def test_usual_examples_are_read_by_machine_code():
    rng = random.Random(6)
    rows = np.array([example(rng) for _ in range(20)], object)
    with tf.config.settings.using(jit="now"):
        assert examples._quick(rows, examples.Plan(PLANS[0])) is not None
        assert examples._quick(rows[:1].reshape(()), examples.Plan(PLANS[0])) is not None


def test_single_examples_are_read_many_at_a_time(tmp_path):
    path, rng = str(tmp_path / "r"), random.Random(7)
    rows = [example(rng) for _ in range(700)]
    rows[600] = b"\xff" + rows[600]
    with tf.io.TFRecordWriter(path) as writer:
        for one in rows:
            writer.write(one)
    features = {"one": tf.io.FixedLenFeature([], tf.int64, 5), "s": tf.io.FixedLenFeature(
        [1], tf.string, ["-"]), "f": tf.io.FixedLenFeature([2], tf.float32, [1.0, 2.0])}

    def parse(x):
        found = tf.io.parse_single_example(x, features)
        return found["one"] * 2, found["s"], found["f"]

    def elements():
        found, iterator = [], iter(tf.data.TFRecordDataset(path).map(parse))
        while True:
            try:
                found.append([x.numpy() for x in next(iterator)])
            except StopIteration:
                return found
            except tf.errors.OpError as error:
                found.append((type(error), error.message))

    found = both(elements)
    failed = [i for i, one in enumerate(found) if isinstance(one, tuple)]
    assert 600 in failed and len(found) == 700


# -- CSV -------------------------------------------------------------------------------------------
FIELDS = [b"", b"NA", b"1", b"-12", b"+3", b"1.5", b"-0.25", b"3e2", b"1e-3", b"1E+10", b".5",
          b"5.", b"-", b"+", b".", b"nan", b"inf", b"1e400", b"123456789012345678901",
          b"0.1234567890123456789", b" 7", b"7 ", b"1_0", b"x", b'"5"', b'"a,b"', b'"a""b"', b'"',
          b'a"b', b"\xff", b"9223372036854775807", b"2147483648", b"-2147483648", b"0.1",
          b"1234.5678e-7", b"\n", b"a\rb", b'"a\nb"', b"000000000000000000000012", b"-0", b"-0.0",
          b"1e22", b"1e23", b"9007199254740993", b"1e", b"1e+", b"1e5x", b'""', b'"']


def test_lines():
    rng, good = random.Random(0), 0
    kinds = [tf.float32, tf.float64, tf.int32, tf.int64, tf.string]
    for _ in range(1500):
        count = rng.randint(1, 4)
        lines = np.empty(rng.randint(1, 6), object)
        for i in range(len(lines)):
            usual = rng.random() < 0.7
            lines[i] = b",".join([
                rng.choice([b"1", b"22", b"-3"]) if usual and rng.random() < 0.8
                else rng.choice(FIELDS) for _ in range(count + (rng.random() < 0.05))])
        defaults = tuple([(kind, rng.choice([None, b"d" if kind is tf.string else 7]))
                          for kind in rng.choices(kinds, k=count)])
        columns = None
        if rng.random() < 0.3:
            columns = tuple(sorted(rng.sample(range(count + 1), rng.randint(1, count))))
            defaults = defaults[:len(columns)]
        quotes, na = rng.random() < 0.7, rng.choice([b"", b"NA"])
        found = both(lambda lines=lines, defaults=defaults, columns=columns, quotes=quotes, na=na:
                     csv._kernel(lines, defaults, delim=44, quotes=quotes, na=na,
                                 columns=columns))
        good += not isinstance(found[0], type)
    assert good > 200


def test_lines_of_files_are_read_many_at_a_time(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join([f"{i},{i / 7}\n" for i in range(900)]))
    lines = tf.data.TextLineDataset(str(path)).skip(1)

    def elements():
        found = lines.map(lambda x: tf.io.decode_csv(x, [0, 0.0]))
        return [[x.numpy() for x in row] for row in found]

    found = both(elements)
    assert [row[0] for row in found] == list(range(900))


# -- images ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [1, 3, 8, 41])
@pytest.mark.parametrize("step", [1, 2, 3, 4, 6, 8])
def test_filters_of_png(size, step):
    rng = np.random.default_rng(size + step)
    for first in range(5):
        raw = rng.integers(0, 256, (11, size + 1), dtype=np.uint8)
        raw[:, 0] = rng.integers(0, 5, 11)
        raw[0, 0] = first
        with tf.config.settings.using(jit="now"):
            found = png._unfiltered(raw, step)
        assert (found == png._unfiltered_by_rows(raw, step)).all()
    raw[5, 0] = 9
    assert both(lambda: png._unfiltered(raw, step))[0] is png.BadPng


def packed(indices: np.ndarray, colours: int, interlaced: bool) -> bytes:
    """A GIF, packed by Pillow."""
    image = pytest.importorskip("PIL.Image")
    made = image.fromarray(indices)
    made.putpalette([n * 7 % 256 for n in range(3 * colours)])
    file = io.BytesIO()
    made.save(file, "GIF", interlace=interlaced, transparency=1)
    return file.getvalue()


@pytest.mark.parametrize("colours", [2, 4, 16, 256])
def test_frames_of_gif(colours):
    rng, chance = np.random.default_rng(colours), random.Random(colours)
    indices = rng.integers(0, colours, (40, 90), dtype=np.uint8).repeat(3, 0)
    data = packed(indices, colours, colours == 4)
    shape = both(lambda: gif.canvas(data, True)).shape
    assert shape == (1, 120, 90, 3)
    small = packed(indices[:9, :8], colours, False)
    for _ in range(150):
        damaged = mutated(chance, "gif", small)
        both(lambda damaged=damaged: gif.canvas(damaged, True))


@pytest.mark.parametrize("channels", [0, 1, 3, 4])
@pytest.mark.parametrize("bits", [8, 24, 32])
@pytest.mark.parametrize("height", [3, -3])
def test_pixels_of_bmp(bits, height, channels):
    width, deep = 5, bits // 8
    row = (width * deep + 3) // 4 * 4
    head = b"BM" + bytes(8) + (54).to_bytes(4, "little") + (40).to_bytes(4, "little")
    head += width.to_bytes(4, "little") + height.to_bytes(4, "little", signed=True)
    head += (1).to_bytes(2, "little") + bits.to_bytes(2, "little") + bytes(24)
    data = head + bytes(i * 29 % 256 for i in range(row * 3))
    both(lambda: tf.io.decode_bmp(data, channels=channels).numpy())
