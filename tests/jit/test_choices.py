"""Every alternative of every choice point of the compiler is executed, against NumPy.

The sweeps of a whole family are `make choices`; here each combination comes once.
"""

import pathlib
import sys

import pytest

pytest.importorskip("llvmlite")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from tapeflow.jit.choices import CHOICES, Choice, forcing, offered, watching
from tapeflow.jit.runtime import target
from tests.jit import choice_products, choice_sweep, choice_windows

FAMILIES = {
    choice_products: ("gemm", "gemm_dot", "gemm_pack", "gemm_tile"),
    choice_sweep: choice_sweep.FAMILIES,
    choice_windows: choice_windows.FAMILIES,
}


@pytest.fixture(autouse=True)
def without_cache(monkeypatch):
    """What is compiled depends on what is forced, of which the cache knows nothing."""
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def missing(taken: set, families: tuple) -> list:
    """Alternatives that were not taken, and those that are taken though nobody declared them."""
    host = target.host()
    found = []
    for name, choice in CHOICES.items():
        if name.split(".")[0] in families:
            known = choice.alternatives(host)
            found += [(name, one) for one in known if (name, one) not in taken]
            if not callable(choice._alternatives):
                found += [("undeclared", name, one) for met, one in taken
                          if met == name and one not in known]
    return found


def test_products():
    with watching() as taken:
        choice_products.run()
    assert not missing(taken, FAMILIES[choice_products])


def test_programs():
    with watching() as taken:
        choice_sweep.sweep()
    assert not missing(taken, FAMILIES[choice_sweep])


def test_several_choices_at_once():
    choice_sweep.mixed(40)


def test_windows():
    with watching() as taken:
        choice_windows.run()
    assert not missing(taken, FAMILIES[choice_windows])


def test_the_number_of_threads_changes_no_bit_of_a_convolution():
    choice_windows.same_bits(10)


@pytest.mark.parametrize("lanes", CHOICES["schedule.lanes"].alternatives(target.host()))
def test_all_sizes_with_vectors_of(lanes):
    for name in ("rows_of_all_sizes", "columns_of_all_sizes", "every_axis"):
        compiled = choice_sweep.Compiled(name)
        with forcing({"schedule.lanes": lanes}):
            compiled.check(f"{lanes} lanes")


def test_every_choice_belongs_to_a_family():
    families = {one for some in FAMILIES.values() for one in some}
    assert {name.split(".")[0] for name in CHOICES} <= families


def test_forcing_takes_what_is_possible_only():
    choice = Choice("test.choice", ("a", "b", "c"))
    try:
        with watching() as taken, offered() as others, forcing({"test.choice": "b"}):
            assert choice("a", ("a", "b")) == "b"
            assert choice("a", ("a", "c")) == "a"
            assert choice("c") == "c"
        assert others == {("test.choice", "a"), ("test.choice", "c")}
        assert choice("a", ("a", "b")) == "a"
        assert taken == {("test.choice", one) for one in "abc"}
        assert missing({("test.choice", "a"), ("test.choice", "d")}, ("test",)) == [
            ("test.choice", "b"), ("test.choice", "c"), ("undeclared", "test.choice", "d")]
    finally:
        del CHOICES["test.choice"]
