"""Kernels of layers that are alike share their machine code."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit import pipeline
from tapeflow.jit.choices import forcing
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.shared_functions import share
from tapeflow.jit.runtime.target import host


def training_step(layers: int):
    """A step over layers of one size: values, gradients, new weights."""
    rng = np.random.default_rng(3)
    weights = [tf.Variable(rng.normal(0, 0.3, (24, 24)).astype("f")) for _ in range(layers)]

    def f(x):
        with tf.GradientTape() as tape:
            y = x
            for w in weights:
                y = tf.nn.softmax(tf.tanh(y @ w)) + y
            loss = tf.reduce_mean(y * y)
        for w, g in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(0.1 * g)
        return loss

    return f, weights, tf.constant(rng.normal(size=(16, 24)).astype("f"))


def module_of(layers: int) -> Module:
    f, _, x = training_step(layers)
    graph = tf.function(f, autograph=False).get_concrete_function(x).function.graph
    return pipeline.compile_function(graph, Module(host())).module


def test_more_layers_need_no_more_long_functions():
    few, many = [[name for name, text in module_of(layers).functions.items()
                  if text.count("\n") > 10] for layers in (4, 12)]
    assert len(many) == len(few)


@pytest.mark.parametrize("how", ["one", "apart"])
def test_results_do_not_depend_on_sharing(how, monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    outcomes = []
    for alternative in (how, None):
        f, weights, x = training_step(6)
        compiled = tf.function(f, jit_compile=alternative is not None, autograph=False)
        with forcing({"layout.functions": alternative} if alternative else {}):
            loss = compiled(x) if alternative else f(x)
        outcomes.append([loss.numpy(), *[w.numpy() for w in weights]])
    for native, eager in zip(*outcomes, strict=True):
        np.testing.assert_allclose(native, eager, rtol=2e-5, atol=1e-6)


def function(module: Module, name: str, slot: int, linkage: str = "") -> None:
    code = Code(module, name, [("ptr", "%slots")], linkage=linkage)
    code.heads += [f"  %s1 = getelementptr inbounds ptr, ptr %slots, i64 {slot}",
                   "  %b2 = load ptr, ptr %s1, align 8"]
    for _ in range(12):
        code.do("store i8 0, ptr %b2")
    module.functions[name] = code.text()


def test_what_is_found_by_its_name_or_address_stays():
    module = Module(host())
    for i, name in enumerate(("a", "b", "taken", "uncalled")):
        function(module, name, i + 3)
    main = Code(module, "main0", [("ptr", "%slots")])
    for name in ("a", "b", "taken"):
        main.do(f"call void @{name}(ptr %slots)")
    main.do("call void @tf_parallel(ptr @taken)")
    module.functions["main0"] = main.text()
    before = dict(module.functions)
    share(module)
    assert set(module.functions) == {"a", "taken", "uncalled", "main0"}
    assert all(module.functions[name] == before[name] for name in ("taken", "uncalled"))
    assert module.functions["main0"].count("call void @a(ptr @c") == 2
    assert sorted(module.constants) == ["[1 x i64] [i64 3]", "[1 x i64] [i64 4]"]
