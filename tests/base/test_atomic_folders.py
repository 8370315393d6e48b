"""Folders that change as a whole, and what stays of the old one."""

import os
import subprocess
import sys

import pytest

from tapeflow.base.process import atomic_folders


def write(path, value):
    with atomic_folders.replacing_folder(str(path), "marker") as part:
        os.mkdir(os.path.join(part, "inner"))
        for name in ("marker", "inner/a", "inner/b"):
            with open(os.path.join(part, name), "w") as file:
                file.write(value)


def held(path):
    return {(path / name).read_text() for name in ("marker", "inner/a", "inner/b")}


@pytest.fixture(params=["exchanged", "one by one", "inside"])
def way(request, monkeypatch):
    """Every way in which the new folder gets its place."""
    if request.param == "one by one":
        monkeypatch.setattr(atomic_folders, "_exchanged", lambda part, home: False)
    if request.param == "inside":
        monkeypatch.setattr(os.path, "ismount", lambda path: True)


def test_a_folder_is_made_and_replaced(tmp_path, way):
    path = tmp_path / "new" / "model"
    write(path, "1")
    assert held(path) == {"1"}
    (path / "inner" / "mine").write_text("mine")
    (path / "extra" / "deep").mkdir(parents=True)
    (path / "extra" / "deep" / "mine").write_text("mine")
    (path / "link").symlink_to("nowhere")
    write(path, "2")
    assert held(path) == {"2"} and (path / "link").is_symlink()
    assert (path / "inner" / "mine").read_text() == "mine"
    assert (path / "extra" / "deep" / "mine").read_text() == "mine"
    assert os.listdir(path.parent) == ["model"]


def test_a_link_to_a_folder_stays_one(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for value in "12":
        write(tmp_path / "link", value)
        assert held(tmp_path / "real") == {value} and (tmp_path / "link").is_symlink()


def test_the_folder_of_the_process_stays_the_same_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for value in "12":
        write(".", value)
        assert held(tmp_path) == {value} and os.path.exists("marker")


def test_a_folder_without_the_marker_is_filled(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "mine").write_text("mine")
    before = os.stat(tmp_path / "model").st_ino
    write(tmp_path / "model", "1")
    assert held(tmp_path / "model") == {"1"} and os.stat(tmp_path / "model").st_ino == before


def test_what_fails_leaves_the_old_folder(tmp_path):
    write(tmp_path / "model", "1")
    with pytest.raises(ZeroDivisionError), atomic_folders.replacing_folder(
            str(tmp_path / "model"), "marker") as part:
        open(os.path.join(part, "marker"), "w").close()
        raise ZeroDivisionError
    assert held(tmp_path / "model") == {"1"} and os.listdir(tmp_path) == ["model"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "model"):
        with pytest.raises(NotADirectoryError):
            write(path, "1")
    assert (tmp_path / "file").read_text() == "mine" and os.listdir(tmp_path) == ["file"]


KILLED = """
import os, signal, sys
from pathlib import Path
from tapeflow.base.process import atomic_folders
from tests.base.test_atomic_folders import write
name, path = sys.argv[1:]
real = getattr(atomic_folders, name)
def killed(*args):
    if name == "_exchanged":
        real(*args)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(atomic_folders, name, killed)
write(path, "2")
"""


@pytest.mark.parametrize(("name", "left"), [("_link_rest", "1"), ("_exchanged", "2")])
def test_a_kill_leaves_the_old_folder_or_the_new_one(tmp_path, name, left):
    write(tmp_path / "model", "1")
    subprocess.run([sys.executable, "-c", KILLED, name, str(tmp_path / "model")], check=False)
    assert held(tmp_path / "model") == {left} and len(os.listdir(tmp_path)) == 2
    write(tmp_path / "model", "3")
    assert held(tmp_path / "model") == {"3"} and os.listdir(tmp_path) == ["model"]
