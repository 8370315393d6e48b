"""Every conformance program, run with tapeflow and compared with what TensorFlow 2.21 did."""

import importlib
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import suite

PROGRAMS = suite.all_programs()
DIFFERENCES = suite.read_differences()
RECORDED = {area: suite.read_outcomes(area) for area in {p.area for p in PROGRAMS}}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.id)
def test_program(program):
    tf = importlib.import_module("tapeflow")
    lacking = suite.lacking(program, tf)
    if lacking:
        pytest.skip(f"tapeflow has no {lacking} yet")
    want = RECORDED[program.area].get(program.name)
    if want is None:
        pytest.fail("TensorFlow's outcome is not recorded: run record.py", pytrace=False)
    if "alone" in program.directives:
        got = suite.run_alone(program, "tapeflow")
    else:
        got = suite.run(program, tf, suite.capture_stdout)
    difference = suite.compare(program, want, got)
    if program.id in DIFFERENCES:
        assert difference, f"{program.id} agrees with TensorFlow now: take it off the list"
        pytest.xfail(DIFFERENCES[program.id])
    if difference:
        pytest.fail(
            f"{difference}\n--- program\n{program.source}--- TensorFlow printed\n{want['stdout']}"
            f"--- tapeflow printed\n{got['stdout']}",
            pytrace=False,
        )


def test_every_program_has_an_outcome_of_its_present_text():
    stale = [
        program.id
        for program in PROGRAMS
        if RECORDED[program.area].get(program.name, {}).get("digest") != program.digest
    ]
    assert not stale, f"run record.py: {stale}"


def test_only_programs_that_exist_are_listed_as_different():
    assert set(DIFFERENCES) <= {program.id for program in PROGRAMS}


def test_no_outcome_without_a_program():
    names = {program.id for program in PROGRAMS}
    recorded = {f"{area}/{name}" for area, outcomes in RECORDED.items() for name in outcomes}
    assert recorded == names
    assert {path.stem for path in suite.OUTCOMES.glob("*.json")} == set(RECORDED)
