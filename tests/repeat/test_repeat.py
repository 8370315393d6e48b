"""The same program gives the same bits, whatever the machine is doing; `make repeat` runs more."""

import pytest

from tests.repeat.conditions import differences

FEW = ("plain", "busy core", "more threads")
KERNELS = ("(30,30,100)", "(1,20000,1) d", "(300,301,299) f", "(20,40000,30) f", "stack (8,100",
           "vectors 12345", "gram (400,300) f", "cholesky 30", "cholesky 800 f",
           "triangular_solve 30 100", "systems 257 f", "spectra 33", "least squares (300",
           "stacked (7,40)", "conv2d (5,33", "conv2d (16,30,24,40) 3 f", "other", "segments",
           "images f", "draws 300001", "reductions (700,501) f", "elementwise 70000 f")

NATIVE = ("product (129", "product (100,1000", "product (1,20000,1) f", "stack (9", "pool",
          "(24,10,24,32) (3,1)", "convolution (3,17", "depthwise (20,20,32) f", "transposed (6",
          "(90001,3) 0 f", "(200003,) None f", "rows (64", "normalised", "loop (32",
          "scatter (20000", "draws 300001")


@pytest.mark.parametrize("mode", ["eager", "now"])
def test_programs_end_at_the_same_bits(mode, tmp_path):
    assert differences("tests.repeat.programs", FEW, mode, tmp_path) == []


def test_functions_end_at_the_same_bits_after_native_code_has_taken_over(tmp_path):
    cases = ("dense", "recurrent", "embedding", "random_state")
    assert differences("tests.repeat.programs", FEW, "auto", tmp_path, cases) == []


def test_kernels_do_not_depend_on_the_number_of_threads(tmp_path):
    assert differences("tests.repeat.kernels", FEW, "eager", tmp_path, KERNELS) == []


def test_native_code_does_not_depend_on_the_number_of_threads(tmp_path):
    conditions = ("one thread", "more threads", "four threads")
    assert differences("tests.repeat.native", conditions, "now", tmp_path, NATIVE) == []


def test_the_text_of_native_code_is_the_same_in_every_process(tmp_path):
    cases = ("dense", "recurrent", "keras_fit", "loop (32", "scatter (3000")
    assert differences("tests.repeat.code", ("plain", "again"), "now", tmp_path, cases) == []
