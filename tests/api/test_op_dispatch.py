"""Dispatchers of libraries: public functions and borrowed operators with arguments of their types.

They stay registered, so each program runs in a process of its own.
"""

import subprocess
import sys
import textwrap

import pytest

from tapeflow.api.internal.decorators import get_symbol_from_name, keras_export

HEAD = """
import tapeflow as tf

class Symbol:
    dtype = tf.float32
    def __array__(self, *args, **kwargs): raise TypeError("no array")
    def __len__(self): raise TypeError("no length")
    __hash__ = object.__hash__

for name in tf.Tensor.OVERLOADABLE_OPERATORS:
    setattr(Symbol, name, getattr(tf.Tensor, name))
from tapeflow.api.internal.decorators import get_canonical_name_for_symbol, get_symbol_from_name

class Layers(tf.__internal__.dispatch.GlobalOpDispatcher):
    def handle(self, op, args, kwargs):
        if any(isinstance(one, Symbol) for one in tf.nest.flatten([args, kwargs])):
            return get_canonical_name_for_symbol(op)
        return self.NOT_SUPPORTED

class Slices(tf.__internal__.dispatch.OpDispatcher):
    def handle(self, args, kwargs):
        return f"slice {args[1]}" if isinstance(args[0], Symbol) else self.NOT_SUPPORTED

Slices().register(tf.__operators__.getitem)
Layers().register()
x = Symbol()
"""


def run(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", HEAD + textwrap.dedent(program)], text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout.splitlines()


def test_functions_and_operators_ask_the_dispatchers():
    assert run("""
        print(tf.add(x, 1), tf.reduce_sum([x]), tf.cast(x, tf.int32), tf.squeeze(x))
        print(tf.image.flip_left_right(x), tf.compat.v1.reduce_sum(x, 1))
        print(x + 1, 1 - x, tf.ones(3) * x, -x, x < 1, x == 2, x[0])
    """) == ["math.add math.reduce_sum cast compat.v1.squeeze",
             "image.flip_left_right math.reduce_sum",
             "__operators__.add math.subtract math.multiply math.negative math.less "
             "__operators__.eq slice 0"]


def test_what_succeeds_or_has_no_dispatcher_is_as_before():
    assert run("""
        print(tf.add(1, 2).numpy(), (tf.ones(2)[0] + 1).numpy(), tf.Tensor.__add__(tf.ones(()), 1))
        for wrong in (lambda: tf.add(1, object()), lambda: tf.constant(x)):
            try:
                wrong()
            except (TypeError, ValueError) as error:
                print(type(error).__name__)
        print(get_symbol_from_name("math.add") is tf.add, get_symbol_from_name("math.ad"))
    """) == ["3 2.0 tf.Tensor(2.0, shape=(), dtype=float32)", "ValueError", "TypeError",
             "True None"]


def test_names_of_the_first_api_are_found_with_its_prefix():
    @keras_export(v1=["keras.__internal__.legacy.Cell"])
    class Cell:
        pass

    assert get_symbol_from_name("compat.v1.keras.__internal__.legacy.Cell") is Cell
    assert get_symbol_from_name("compat.v1.keras.__internal__.legacy.Cells") is None


def test_class_methods_and_ragged_operators():
    assert run("""
        class Rows(tf.__internal__.dispatch.OpDispatcher):
            def handle(self, args, kwargs):
                return "rows" if any(isinstance(one, Symbol) for one in args) else \
                    self.NOT_SUPPORTED

        Rows().register(tf.RaggedTensor.from_row_splits)
        class Ragged(Symbol):
            pass
        Ragged.__getitem__, Ragged.__add__ = tf.RaggedTensor.__getitem__, tf.RaggedTensor.__add__
        print(tf.RaggedTensor.from_row_splits(x, [0, 1]), Ragged()[0], Ragged() + 1)
        print(tf.RaggedTensor.from_row_splits([1, 2], [0, 2])[0].numpy())
    """) == ["rows __operators__.ragged_getitem __operators__.add", "[1 2]"]


def test_combinations_of_tests():
    pytest.importorskip("absl")
    assert run("""
        import unittest
        from absl.testing import parameterized
        lib = tf.__internal__.test.combinations
        seen = []

        class Tests(parameterized.TestCase):
            @lib.generate(lib.times(lib.combine(mode=["graph", "eager"]),
                                    lib.combine(x=[1, lib.NamedObject("two", 2)])))
            def test_it(self, x):
                seen.append((tf.executing_eagerly(), str(x)))

            @lib.generate(lib.combine(tf_api_version=[1, 2]))
            def test_version(self):
                seen.append("version")

        suite = unittest.defaultTestLoader.loadTestsFromTestCase(Tests)
        done = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(suite)
        print(done.testsRun, len(done.skipped), done.errors + done.failures)
        print(sorted(str(one) for one in seen))
        try:
            lib.times(lib.combine(a=1), lib.combine(a=2))
        except ValueError as error:
            print(error)
    """) == ["6 1 []", "[\"(False, '1')\", \"(False, 'two')\", \"(True, '1')\", "
             "\"(True, 'two')\", 'version']", "Keys need to not overlap: ['a', 'a']"]
