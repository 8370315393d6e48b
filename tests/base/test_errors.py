"""The exceptions: inheritance, codes, text, and travel through pickle."""

import pickle

import pytest

from tapeflow.base import errors

CODES = {
    "Cancelled": 1,
    "Unknown": 2,
    "InvalidArgument": 3,
    "DeadlineExceeded": 4,
    "NotFound": 5,
    "AlreadyExists": 6,
    "PermissionDenied": 7,
    "ResourceExhausted": 8,
    "FailedPrecondition": 9,
    "Aborted": 10,
    "OutOfRange": 11,
    "Unimplemented": 12,
    "Internal": 13,
    "Unavailable": 14,
    "DataLoss": 15,
    "Unauthenticated": 16,
}


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_each_error(name, code):
    cls = getattr(errors, name + "Error")
    assert cls.__bases__ == (errors.OpError,) and errors.OpError.__bases__ == (Exception,)
    assert cls.__doc__
    error = cls(None, "op", "what happened", {"where": 1})
    assert (error.error_code, error.message, error.op) == (code, "what happened", "op")
    assert error.node_def is None and error.experimental_payloads == {"where": 1}
    assert str(error) == "what happened" and repr(error) == f"{name}Error()" and error.args == ()
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls and str(again) == "what happened" and again.error_code == code
    assert again.experimental_payloads == {"where": 1}


def test_constants_match_the_classes():
    constants = {k: v for k, v in vars(errors).items() if k.isupper()}
    assert constants.pop("OK") == 0
    assert sorted(constants.values()) == sorted(CODES.values())
    for name, code in CODES.items():
        key = next(k for k, v in constants.items() if v == code)
        assert key.replace("_", "") == name.upper()


def test_op_error_takes_its_code():
    error = errors.OpError(None, None, "m", 7)
    assert error.error_code == 7
    assert pickle.loads(pickle.dumps(error)).error_code == 7
    with pytest.raises(TypeError):
        errors.OpError(None, None, "m")
    with pytest.raises(TypeError):
        errors.InvalidArgumentError("m")
    assert errors.NotFoundError(node_def=None, op=None, message="q").message == "q"


def test_subclasses_keep_the_code():
    class Mine(errors.OutOfRangeError):
        pass

    assert Mine(None, None, "m").error_code == errors.OUT_OF_RANGE


def test_python_errors():
    assert errors.OperatorNotAllowedInGraphError.__bases__ == (TypeError,)
    assert errors.InaccessibleTensorError.__bases__ == (ValueError,)


def test_invalid():
    error = errors.invalid("Mul", "Incompatible shapes: [2] vs. [3]")
    assert type(error) is errors.InvalidArgumentError
    assert str(error) == error.message == "Incompatible shapes: [2] vs. [3] [Op:Mul]"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
