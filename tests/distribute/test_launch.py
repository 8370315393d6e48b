"""`tapeflow launch` without ranks: its words, what is missing, how output is put together."""

import io
import os
import sys

import pytest

from tapeflow import cli
from tapeflow.distribute.launch import launcher
from tapeflow.distribute.launch.ranks_output import MARK, Merger, WholeLines
from tapeflow.distribute.mpi import job


def test_words():
    found = launcher.parse(["-n", "4", "--threads=2", "--restarts", "3", "train.py", "-n", "9"])
    assert (found.ranks, found.threads, found.restarts) == (4, 2, 3)
    assert found.program == ["train.py", "-n", "9"]
    assert launcher.parse(["--hosts", "a:2,b:3,c", "-m", "train"]).ranks == 6
    command = launcher.command(found._replace(hosts="a:2,b:2"), "/bin/true", {})
    assert command[:5] == ["/bin/true", "-n", "4", "-hosts", "a:2,b:2"]
    assert command[5:] == [sys.executable, "-m", "tapeflow", "run", "train.py", "-n", "9"]


@pytest.mark.parametrize("words, message", [
    (["train.py"], "-n needs a number"), (["-n", "2"], "needs a script"),
    (["-n", "two", "x.py"], "got 'two'"), (["-n"], "-n needs a value"),
    (["--speed", "9", "x.py"], "does not know '--speed'"),
    (["--hosts", "a:two,b", "x.py"], "as in `--hosts a:2,b:2`; got 'a:two,b'"),
    (["-n", "2", "--mpiexec", "/nowhere/mpiexec", "x.py"],
     "there is no /nowhere/mpiexec, which starts the ranks of a job")])
def test_wrong_words(words, message, capsys):
    assert cli.main(["launch", *words]) == 2
    assert message in capsys.readouterr().err


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_words_of_open_mpi(tmp_path, monkeypatch):
    mpiexec = script(tmp_path / "mpiexec", "echo Open MPI 5")
    monkeypatch.setenv("TF_OF_MINE", "1")
    options = launcher.parse(["--hosts", "a:2,b", "x.py"])
    words = launcher.command(options, mpiexec, {"ONE": "1"})
    assert words[:5] == [mpiexec, "-n", "3", "--host", "a:2,b"]
    assert words[words.index("--map-by") + 1] == "slot:OVERSUBSCRIBE"
    sent = [words[i + 1] for i, word in enumerate(words) if word == "-x"]
    assert {"ONE", "TF_OF_MINE"} <= set(sent) and "PWD" not in sent
    local = launcher.command(options._replace(hosts=""), mpiexec, {"ONE": "1"})
    assert [local[i + 1] for i, word in enumerate(local) if word == "-x"] == ["ONE"]


def test_hosts_that_cannot_be_reached(tmp_path, capfd):
    mpiexec = script(tmp_path / "mpiexec", "exit 3")
    assert cli.main(["launch", "--hosts", "localhost:2", "--mpiexec", mpiexec, "x.py"]) == 3
    assert "no rank was started. --hosts needs ssh" in capfd.readouterr().err


def test_an_mpiexec_that_stays_when_a_rank_is_gone(tmp_path, monkeypatch, capfd):
    """As one does whose connection to a host is dead, and whose ssh holds the pipe."""
    program = tmp_path / "rank.py"
    program.write_text("import os\nfrom tapeflow.distribute.mpi import watch\n"
                       "watch.watch(1, '::1,' + os.environ['TAPEFLOW_HUB'])\nos._exit(9)\n")
    mpiexec = script(tmp_path / "mpiexec", f'case "$1" in --version) exit;; esac\n'
                     f"{sys.executable} {program}; sleep 30 & exec sleep 30")
    monkeypatch.setattr(launcher, "PATIENCE", 0.2)
    assert cli.main(["launch", "-n", "2", "--mpiexec", mpiexec, "x.py"]) == 128 + 9
    assert "tapeflow: rank 1 (process" in capfd.readouterr().err


def test_the_environment_of_launchers():
    mpich = {"PMI_RANK": "1", "PMI_SIZE": "4", "MPI_LOCALRANKID": "0", "MPI_LOCALNRANKS": "2"}
    assert job.launched(mpich) == (1, 4, 0, 2)
    slurm = {"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "6", "SLURM_LOCALID": "1",
             "SLURM_STEP_TASKS_PER_NODE": "2(x3)"}
    assert job.launched(slurm) == (5, 6, 1, 2)
    assert job.launched({**slurm, "PMI_RANK": "5", "PMI_SIZE": "6"}) == (5, 6, 1, 2)  # --mpi=pmi2
    assert job.launched({"PMI_RANK": "0", "PMI_SIZE": "1"}) is None
    assert job.launched({}) is None
    assert job.launched({**mpich, job.JOINED: str(os.getpid() + 1)}) is None  # a child of a rank


def test_lines_of_ranks_are_whole(tmp_path):
    with open(tmp_path / "out", "w+") as file:
        lines = WholeLines(file, MARK)
        for text in ("a", "b\nc", "", "1/2 \r2/2 done\n", "rest"):
            lines.write(text)
        lines.finish()
        file.seek(0)
        assert file.read() == "\x1eab\n\x1e2/2 done\n\x1erest\n"


def test_other_ranks_wait_for_the_end_of_a_line(tmp_path):
    path = tmp_path / "out"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    merger = Merger(descriptor)
    for data in (b"1/3", MARK + b"from 1\n", b"\r2/3" + MARK + b"fro", b"m 2\n", b"\r3/3\n",
                 b"end\n"):
        merger.take(data)
    merger.end()
    os.close(descriptor)
    assert path.read_bytes() == b"1/3\r2/3\r3/3\nfrom 1\nfrom 2\nend\n"


def test_streams_are_streams():
    lines = WholeLines(io.StringIO(), b"")
    assert lines.writable() and not lines.isatty()
    print("part", end="", file=lines)
