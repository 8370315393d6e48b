"""The code cache: whose files are read, what they may be, how the key is made."""

import dataclasses
import hashlib
import os
import pickle
import random
import stat
import subprocess
import sys

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base import dtypes
from tapeflow.core.record import op
from tapeflow.graph import passes
from tapeflow.graph.passes import optimise
from tapeflow.jit.codegen import llvm_text
from tapeflow.jit.pipeline import compile
from tapeflow.jit.runtime.image_cache import cache_files, program_cache
from tapeflow.jit.runtime.image_cache.image import Image
from tests.file_fuzz.mutate import MUTATIONS

KEY = "ab" + "0" * 62
USERS = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners of files here")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A cache that is not there yet, and a home of its own."""
    monkeypatch.setenv("TAPEFLOW_CACHE", str(tmp_path / "objects"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "objects"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@USERS
def test_nobody_else_can_enter_whatever_the_umask(root):
    before = os.umask(0)
    try:
        cache_files.write_cache(KEY, b"code")
    finally:
        os.umask(before)
    made = [root, root / "ab", root.parent / "home" / "tapeflow"]
    assert [mode(path) for path in made] == [0o700] * 3
    assert mode(root / "ab" / KEY) == mode(root.parent / "home" / "tapeflow" / "key") == 0o600
    assert cache_files.read_cache(KEY) == b"code"


@USERS
@pytest.mark.parametrize("wide", ["objects", "home/tapeflow", "home/tapeflow/key"])
def test_what_others_can_write_is_not_used(root, wide):
    cache_files.write_cache(KEY, b"code")
    (root.parent / wide).chmod(0o770)
    cache_files._cache_in.cache_clear()
    with pytest.warns(RuntimeWarning, match="can be written by other users") as told:
        assert cache_files.read_cache(KEY) is None
        cache_files.write_cache(KEY, b"other")
    assert len(told) == 1
    (root.parent / wide).chmod(0o700)
    cache_files._cache_in.cache_clear()
    assert cache_files.read_cache(KEY) == b"code"


@USERS
def test_a_folder_of_another_user_is_not_used(root, monkeypatch):
    cache_files.write_cache(KEY, b"code")
    cache_files._cache_in.cache_clear()
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert cache_files.read_cache(KEY) is None


@USERS
@pytest.mark.parametrize("change", ["mode", "link", "pipe"])
def test_an_entry_that_others_could_have_written_is_replaced(root, change):
    cache_files.write_cache(KEY, b"code")
    path = root / "ab" / KEY
    if change == "mode":
        path.chmod(0o666)
    else:
        path.rename(root / "elsewhere")
        path.symlink_to(root / "elsewhere") if change == "link" else os.mkfifo(path)
    assert cache_files.read_cache(KEY) is None
    if change != "link":  # a link is never followed
        assert not path.exists()
    cache_files.write_cache(KEY, b"new")
    assert cache_files.read_cache(KEY) == b"new" and mode(path) == 0o600


def test_an_entry_counts_only_with_this_users_digest(root):
    cache_files.write_cache(KEY, b"code")
    path = root / "ab" / KEY
    plain = cache_files.MAGIC + hashlib.sha256(b"evil").digest() + b"evil"
    for data in (plain, path.read_bytes()[:-1], path.read_bytes()[:20], b""):
        path.write_bytes(data)
        path.chmod(0o600)
        assert cache_files.read_cache(KEY) is None and not path.exists()


def test_an_entry_under_another_name_is_no_entry(root):
    other = "ab" + "1" * 62
    cache_files.write_cache(KEY, b"code")
    os.rename(root / "ab" / KEY, root / "ab" / other)
    assert cache_files.read_cache(other) is None


def test_entries_of_another_key_do_not_count(root):
    cache_files.write_cache(KEY, b"code")
    (root.parent / "home" / "tapeflow" / "key").write_bytes(bytes(32))
    cache_files._cache_in.cache_clear()
    assert cache_files.read_cache(KEY) is None


@pytest.mark.parametrize("left", [b"", b"short", bytes(33)])
def test_a_damaged_key_is_made_anew(root, left):
    home = root.parent / "home" / "tapeflow"
    home.mkdir(parents=True, mode=0o700)
    (home / "key").write_bytes(left)
    cache_files.write_cache(KEY, b"code")
    assert len((home / "key").read_bytes()) == 32 and cache_files.read_cache(KEY) == b"code"
    assert os.listdir(home) == ["key"]


def test_processes_that_start_together_have_one_key(root):
    program = ("import sys; from tapeflow.jit.runtime.image_cache import cache_files as c;"
               "name = sys.argv[1] * 64; c.write_cache(name, b'code'); print(c.read_cache(name))")
    running = [subprocess.Popen([sys.executable, "-c", program, name], stdout=subprocess.PIPE,
                                env={**os.environ}) for name in "abcdef"]
    assert {process.communicate()[0] for process in running} == {b"b'code'\n"}
    for name in "abcdef":
        assert cache_files.read_cache(name * 64) == b"code"


# -- programs --------------------------------------------------------------------------------------
def graph():
    scale = np.arange(3, dtype=np.float32)
    return optimise(tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * scale)
                                ).get_concrete_function(tf.ones((2, 3))).function.graph)


def test_a_program_comes_back_as_it_was():
    constants = [np.arange(3.0), np.array(1, np.int8), np.zeros((2, 0), np.float32),
                 tf.constant([1.5], tf.bfloat16).numpy()]
    image = dataclasses.replace(compile(graph()).image, objects=[b"one", b""], written=[True],
                                constants=constants)
    found = program_cache._unpacked(program_cache._packed(image))
    for a, b in zip(constants, found.constants, strict=True):
        assert a.dtype == b.dtype and b.flags.aligned and b.flags.writeable
        np.testing.assert_array_equal(a, b)
    assert dataclasses.replace(found, constants=constants) == image


@pytest.mark.parametrize("body", [
    b"", b"\0", pickle.dumps({"objects": []}), b"\xff\xff\xff\xff{}", b"\2\0\0\0{}",
    b"\2\0\0\0[]", b'\x10\0\0\0{"objects":[-1]}',
    program_cache._packed(Image([], 1, [0], 0, 3, 3, [], [], 0.0, 1, {})) + b"?"])
def test_a_program_that_cannot_be_read_is_made_anew(root, body):
    key = program_cache.key_of(graph(), 1)
    cache_files.write_cache(key, body)
    assert program_cache.load(key) is None


def test_a_change_of_the_sources_is_another_key():
    sources = {entry.path for entry in program_cache._source_files()}
    for module in (dtypes, op, passes, llvm_text, program_cache):
        assert module.__file__ in sources


def test_nothing_is_unpickled(root, tmp_path):
    class Command:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "executed"),)

    body = pickle.dumps(Command())
    for key in (program_cache.key_of(graph(), n) for n in range(1, 9)):
        cache_files.write_cache(key, body)  # even with a good digest
    compile(graph())
    assert not (tmp_path / "executed").exists()


def test_mutated_files_do_not_count(root):
    seed = random.randrange(1 << 30)
    body = program_cache._packed(dataclasses.replace(compile(graph()).image, constants=[]))
    for k in range(200):
        r = random.Random(f"{seed}:{k}")
        cache_files.write_cache(KEY, body)
        path = root / "ab" / KEY
        data = bytearray(path.read_bytes())
        r.choice(MUTATIONS)(r, data, "")
        changed = bytes(data) != path.read_bytes()
        path.write_bytes(data)
        assert (cache_files.read_cache(KEY) is None) == changed == (not path.exists()), (seed, k)
        head = bytearray(body[:600])
        r.choice(MUTATIONS)(r, head, "")
        cache_files.write_cache(KEY, bytes(head) + body[600:])  # with a good digest
        found = program_cache.load(KEY)
        assert found is None or isinstance(found, Image), (seed, k)


# -- where it is, and how large --------------------------------------------------------------------
@pytest.mark.parametrize("platform, place", [
    ("linux", "home/tapeflow/objects"), ("win32", "local/tapeflow/objects"),
    ("darwin", "Library/Caches/tapeflow/objects")])
def test_it_lies_where_the_system_keeps_caches(root, monkeypatch, platform, place):
    monkeypatch.delenv("TAPEFLOW_CACHE")
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("LOCALAPPDATA", str(root.parent / "local"))
    monkeypatch.setenv("HOME", str(root.parent))
    assert cache_files.folder() == root.parent / place


@pytest.mark.parametrize("taken", [False, True])
def test_the_key_of_a_folder_without_links(root, monkeypatch, taken):
    """`taken`: another process has made the key meanwhile, and that one counts."""
    home = root.parent / "home" / "tapeflow"

    def link(source, target):
        if not taken:
            raise PermissionError("no links here")
        target.write_bytes(b"k" * 32)
        target.chmod(0o600)
        raise FileExistsError

    monkeypatch.setattr(os, "link", link)
    cache_files.write_cache(KEY, b"code")
    assert ((home / "key").read_bytes() == b"k" * 32) is taken
    assert os.listdir(home) == ["key"] and cache_files.read_cache(KEY) == b"code"


def test_a_key_that_cannot_be_kept_means_no_cache(root, monkeypatch):
    monkeypatch.setattr(os, "urandom", lambda count: b"few")
    cache_files.write_cache(KEY, b"code")
    assert cache_files.read_cache(KEY) is None and not list(root.glob("??/*"))


def test_a_folder_that_cannot_be_made_or_named_is_no_error(root, monkeypatch):
    root.write_text("a file")
    cache_files.write_cache(KEY, b"code")
    assert cache_files.read_cache(KEY) is None and root.read_text() == "a file"

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(cache_files, "folder", homeless)
    cache_files.write_cache(KEY, b"code")
    assert cache_files.read_cache(KEY) is None


def test_what_was_used_longest_ago_goes_when_it_grows(root, monkeypatch):
    monkeypatch.setattr(cache_files, "MAX_BYTES", 2500)
    keys = [f"{i:02x}" + "1" * 62 for i in range(1, 5)]
    for age, key in enumerate(keys):
        cache_files.write_cache(key, bytes(800))
        os.utime(root / key[:2] / key, (1000 + age, 1000 + age))
    assert cache_files.read_cache(keys[0]) == bytes(800)  # which is a use
    assert all((root / key[:2] / key).exists() for key in keys)
    cache_files.write_cache("00" + "2" * 62, bytes(800))
    left = sorted(path.name for path in root.glob("??/*"))
    assert left == ["00" + "2" * 62, keys[0]]
