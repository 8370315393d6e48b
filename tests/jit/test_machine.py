"""Objects on disk: found again, shared, made anew when damaged; other machines' code compiles."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph.passes import optimise
from tapeflow.jit import pipeline
from tapeflow.jit.codegen import llvm_text
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.pipeline import compile, compile_function
from tapeflow.jit.runtime import llvm_backend as machine
from tapeflow.jit.runtime import target
from tapeflow.jit.runtime.image_cache import cache_files as caches

TEXT = "define i64 @answer() {\n  ret i64 42\n}\n"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", str(tmp_path))
    return tmp_path


def files(cache):
    return [path for path in cache.glob("??/*") if not path.name.startswith(".")]


def test_an_object_is_found_again(cache, monkeypatch):
    machine.load(TEXT)
    assert len(files(cache)) == 1
    monkeypatch.setattr(machine, "compile_object", lambda *a, **k: pytest.fail("compiled again"))
    assert machine.load(TEXT).address("answer")


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"", lambda data: data[
    :60] + b"?" + data[61:], lambda data: b"other" + data])
def test_a_damaged_object_is_made_anew(cache, damage):
    machine.load(TEXT)
    path, = files(cache)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert machine.load(TEXT).address("answer")
    assert files(cache) == [path] and path.read_bytes() == whole


def test_no_cache_and_one_that_cannot_be_written(monkeypatch, tmp_path):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    assert machine.load(TEXT).address("answer")
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("TAPEFLOW_CACHE", str(blocked / "below"))
    assert machine.load(TEXT).address("answer")


def test_processes_share_a_cache(cache):
    program = ("import tapeflow as tf; tf.config.settings.jit = 'now';"
               "f = tf.function(lambda x: tf.sin(x) * 2.0); print(f(tf.ones(3)).numpy())")
    running = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
               for _ in range(3)]
    said = {process.communicate()[0] for process in running}
    assert len(said) == 1 and "1.68" in said.pop()
    assert not list(cache.glob("??/.new*"))


def test_old_objects_are_deleted_when_there_are_too_many(cache, monkeypatch):
    monkeypatch.setattr(caches, "MAX_BYTES", 5000)
    for i in range(8):
        caches.write_cache(f"0{i}" + "0" * 62, bytes(1000))
    caches.trim(cache)
    assert 1 <= len(files(cache)) <= 5


@pytest.mark.parametrize("triple, cpu, features, arch", [
    ("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx512f,+avx512vl,+avx2,+fma,+f16c", "x86_64"),
    ("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma,+f16c", "x86_64"),
    ("x86_64-unknown-linux-gnu", "x86-64", "", "x86_64"),
    ("aarch64-unknown-linux-gnu", "generic", "+neon", "aarch64")])
def test_other_machines(triple, cpu, features, arch):
    import llvmlite.binding as llvm
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    names = frozenset(word[1:] for word in features.split(",") if word)
    other = target.Target(triple, cpu, features, arch, names)
    w = tf.Variable(np.ones((20, 12), np.float32))

    def step(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(tf.nn.softmax(tf.nn.relu(x @ w)) * tf.sin(x[:, :12]))
        w.assign_sub(tape.gradient(y, w))
        return y

    graph = optimise(tf.function(step).get_concrete_function(
        tf.TensorSpec([8, 20], tf.float32)).function.graph)
    module = Module(other)
    compile_function(graph, module)
    assert len(machine.compile_object(module.text(), other)) > 1000


def chained(count):
    """A module in which functions of every linkage name each other."""
    module = Module(target.host())
    seven = module.constant("[1 x i64] [i64 7]")
    module.once("add", lambda: _sum("add", "private", ["%x", "%x"]))
    before = None
    for i in range(count):
        inner = _sum(f"f{i}.inner", "internal", ["%x"], call=before)
        outer = _sum(f"f{i}", "", ["%x", "%x"], call=f"f{i}.inner")
        read = outer.let(f"load i64, ptr {seven}, align 8")
        read = outer.let(f"add i64 {read}, {outer.let('call i64 @add(i64 %x)')}")
        for _ in range(llvm_text.PART // 2):  # length
            read = outer.let(f"add i64 {read}, 1")
        outer.do(f"ret i64 {outer.let(f'add i64 {read}, {outer.last}')}")
        module.functions[inner.name], module.functions[outer.name] = inner.text(), outer.text()
        before = f"f{i}"
    return module


def _sum(name, linkage, parts, call=None):
    made = llvm_text.Code(Module(target.host()), name, [("i64", "%x")], "i64", linkage=linkage)
    total = "0"
    for part in parts:
        total = made.let(f"add i64 {total}, {part}")
    if call:
        total = made.let(f"add i64 {total}, {made.let(f'call i64 @{call}(i64 {total})')}")
    made.last = total
    if linkage:
        made.do(f"ret i64 {total}")
    return made


@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_parts_are_linked_again(cache, most):
    module = chained(6)
    texts = module.texts(most)
    assert len(texts) == min(most, 3)
    whole, parts = machine.load(module.text()), machine.load_objects(machine.objects_of(texts))
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
    for i in range(6):
        want, got = [kind(one.address(f"f{i}"))(5) for one in (whole, parts)]
        assert want == got > 7


def test_a_damaged_part_is_made_anew(cache, monkeypatch):
    texts = chained(6).texts(2)
    machine.objects_of(texts)
    damaged, kept = files(cache)
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:-1])
    asked = []
    real = machine.compile_objects
    monkeypatch.setattr(machine, "compile_objects",
                        lambda texts: asked.append(texts) or real(texts))
    assert len(machine.objects_of(texts)) == 2
    assert [len(texts) for texts in asked] == [1] and damaged.read_bytes() == whole


def test_a_part_that_cannot_be_compiled_is_told(cache, monkeypatch):
    def emit(machine, module):
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(machine, "_emitter", lambda llvm: emit)
    with pytest.raises(RuntimeError, match="no such instruction"):
        machine.objects_of(chained(6).texts(2))
    assert not files(cache)


def test_code_does_not_depend_on_addresses():
    def text():
        graph = optimise(tf.function(lambda x: tf.reduce_sum(tf.tanh(x @ x) + x)
                                     ).get_concrete_function(tf.ones((9, 9))).function.graph)
        return compile(graph).text

    assert text() == text()


# -- whole programs --------------------------------------------------------------------------------
def step_graph(scale):
    w = tf.Variable(np.ones((4, 3), np.float32))

    def step(x):
        y = tf.reduce_sum(tf.tanh(x @ w) * scale)
        w.assign_sub(0.1 * w)
        return y, tf.reshape(x, [-1])

    return w, optimise(tf.function(step).get_concrete_function(
        tf.TensorSpec([2, 4], tf.float32)).function.graph)


def test_a_program_is_loaded_without_planning(cache, monkeypatch):
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    w, graph = step_graph(np.array([1.0, 2.0, 3.0], np.float32))
    want = compile(graph).run([x], [w])
    assert w.numpy()[0, 0] == np.float32(0.9)
    w, graph = step_graph(np.array([1.0, 2.0, 3.0], np.float32))
    with monkeypatch.context() as without:
        without.setattr(pipeline, "lower", lambda *a: pytest.fail("planned again"))
        native = compile(graph)
    got = native.run([x], [w])
    assert w.numpy()[0, 0] == np.float32(0.9)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_array_equal(a, b)
    assert "define" in native.text and native.function.plan.kernels


def test_another_constant_is_another_program(cache):
    x = np.ones((2, 4), np.float32)
    results = []
    for scale in (1.0, 2.0):
        w, graph = step_graph(np.full(3, scale, np.float32))
        results.append(float(compile(graph).run([x], [w])[0]))
    assert results[1] == pytest.approx(2 * results[0])


def test_without_llvmlite_numpy_serves_with_one_notice(monkeypatch, using):
    from tapeflow.jit.tiering import graph_tiering

    def missing(graph):
        raise ImportError("No module named 'llvmlite'")

    monkeypatch.setattr(pipeline, "compile", missing)
    monkeypatch.setattr(graph_tiering, "_told", [])
    using(jit="now")
    f, g = tf.function(lambda x: x * 2.0), tf.function(lambda x: x * 3.0)
    with pytest.warns(RuntimeWarning, match="without native code: No module named 'llvmlite'"):
        assert float(f(tf.constant(2.0))) == 4.0
    assert float(g(tf.constant(2.0))) == 6.0
