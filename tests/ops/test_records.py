"""Every op record, by tests generated from its own sample inputs: one test an op and a property.

A record appears here by being defined. What each check asserts is told in `records/`.
"""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "records"))

import record_checks
import record_derivatives
import record_modes

import tapeflow  # noqa: F401
from tapeflow.base import exports
from tapeflow.core.record.op import OPS

exports.load_all()

CHECKS = {
    "complete": record_checks.complete,
    "kernel": record_checks.kernel,
    "shapes": record_checks.shapes,
    "dtypes": record_checks.dtypes,
    "special_values": record_checks.special_values,
    "empty_operands": record_checks.empty_operands,
    "vjp": record_derivatives.vjp,
    "jvp": record_derivatives.jvp,
    "second": record_derivatives.second,
    "single_precision": record_derivatives.single_precision,
    "batch": record_modes.batch,
    "bare_values": record_modes.bare_values,
    "saved": record_modes.saved,
    "layouts": record_modes.layouts,
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", sorted(OPS))
def test_record(name, check):
    op = OPS[name]
    if check != "complete" and op.check is None:
        pytest.fail(f"{name} has no check field: nothing to test it with")
    CHECKS[check](op)
