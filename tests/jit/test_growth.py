"""The compiler's work grows with the graph, not with its square: lines that are executed, counted.

A fourfold graph may take five times as many.
"""

import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.core.autodiff import walk
from tapeflow.jit.codegen import llvm_text
from tapeflow.jit.lowering import fusion
from tapeflow.jit.pipeline import compile_function
from tapeflow.jit.runtime.target import host


def lines_executed(module, call) -> int:
    """How many lines of a module a call executes."""
    count = 0

    def local(frame, event, arg):
        nonlocal count
        count += event == "line"
        return local

    def enter(frame, event, arg):
        return local if frame.f_code.co_filename == module.__file__ else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def network(layers: int):
    """A gradient: its rules read what was computed long before."""
    w = tf.constant(np.eye(4, dtype="f"))

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(layers):
                y = tf.tanh(y @ w + x)
        return tape.gradient(y, x)

    return tf.function(f, autograph=False).get_concrete_function(
        tf.TensorSpec([4, 4])).function.graph


def test_fusion():
    small, large = [lines_executed(fusion, lambda graph=graph: compile_function(
        graph, llvm_text.Module(host()))) for graph in (network(25), network(100))]
    assert large < 5 * small


def test_parting_the_code():
    def parting(count: int):
        module = llvm_text.Module(host())
        for i in range(count):
            linkage = "internal " if i + 1 < count else ""
            called = f"  call void @f{i - 1}()\n" if i else ""
            module.functions[f"f{i}"] = f"define {linkage}void @f{i}() {{\n{called}  ret void\n}}\n"
        return lambda: module._shares(2)

    small, large = [lines_executed(llvm_text, parting(count)) for count in (100, 400)]
    assert large < 5 * small


def test_gradients_of_many_variables():
    """The walk back does not look at all gradients after each entry."""
    def gradients(count):
        variables = [tf.Variable(np.eye(2, dtype="f")) for _ in range(count)]

        @tf.function(autograph=False)
        def f(x):
            with tf.GradientTape() as tape:
                for v in variables:
                    x = tf.transpose(x @ v)
            return tape.gradient(x, variables)

        f.get_concrete_function(tf.TensorSpec([2, 2]))

    small, large = [lines_executed(walk, lambda count=count: gradients(count))
                    for count in (25, 100)]
    assert large < 5 * small
