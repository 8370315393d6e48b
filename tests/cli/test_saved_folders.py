"""`tapeflow inspect` and `export` say what is wrong with a folder that is no saved model."""

import shutil

import pytest

import tapeflow as tf
from tapeflow import cli
from tapeflow.cli import main


@pytest.fixture(autouse=True)
def no_alias(monkeypatch):
    """This process keeps its own `tensorflow`."""
    monkeypatch.setattr(cli, "install", lambda: None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved")
    (path / "empty").mkdir()
    (path / "text").write_text("no folder")
    (path / "junk").mkdir()
    (path / "junk" / "saved_model.pb").write_bytes(b"\x07\xff junk")
    module = tf.Module()
    module.w = tf.Variable([1.0, 2.0])
    module.__call__ = tf.function(lambda x: x * module.w,
                                  input_signature=[tf.TensorSpec([None, 2])], autograph=False)
    tf.saved_model.save(module, str(path / "whole"))
    shutil.copytree(path / "whole", path / "no_values")
    shutil.rmtree(path / "no_values" / "variables")
    return path


@pytest.mark.parametrize("command", ["inspect", "export"])
@pytest.mark.parametrize("name, says", [
    ("nothing", "nothing"), ("empty", "empty"), ("text", "is no folder of a saved model"),
    ("junk", "is no saved model")])
def test_a_folder_that_is_none_is_named(folder, capsys, command, name, says):
    assert main([command, str(folder / name)]) in (1, 2)
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("tapeflow: ") and says in told.err
    assert "Errno" not in told.err and "Traceback" not in told.err


def test_variables_without_values(folder, capsys):
    assert main(["inspect", str(folder / "no_values")]) == 0
    assert "the values of the variables are missing" in capsys.readouterr().out
    assert main(["export", str(folder / "no_values")]) == 1
    assert "variables" in capsys.readouterr().err
    assert main(["inspect", str(folder / "whole")]) == 0
    assert "missing" not in capsys.readouterr().out


def test_help_of_a_command_is_the_usage(capsys):
    assert main(["export", "--help"]) == main(["inspect", "-h"]) == 0
    assert capsys.readouterr().out.count("usage: tapeflow run") == 2
    assert main(["inspect", "a", "b"]) == 2
    assert "'a b'" in capsys.readouterr().err
