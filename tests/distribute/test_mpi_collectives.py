"""Collectives between real processes: values, derivatives, agreement; and what a job's end says."""

import re

import pytest

from tests.distribute.jobs import launch, needs_mpi

pytestmark = needs_mpi


TWO_HOSTS = {"MPIR_CVAR_NUM_CLIQUES": "2"}  # MPICH takes every other rank to be elsewhere


@pytest.mark.parametrize("ranks, hosts", [(2, {}), (4, TWO_HOSTS)])
def test_values_and_derivatives(tmp_path, ranks, hosts):
    said, _ = launch(tmp_path, ranks, "collectives", str(len(hosts) + 1), variables=hosts)
    assert sorted(said.splitlines()) == [f"rank {i} is right" for i in range(ranks)]


def test_disagreements_name_both_sides(tmp_path):
    said, complaint = launch(tmp_path, 2, "disagreements", fails=True)
    shape, dtype, number, order = said.splitlines()
    for line in (shape, dtype, number, order):
        assert re.search(r"rank 1 called .* at \S*disagreements.py:\d+, rank 0 called .* at "
                         r"\S*disagreements.py:\d+", line), line
    assert "float32[3]" in shape and "float32[2]" in shape
    assert "float64[]" in dtype and "float32[]" in dtype
    assert "float32[2], float32[2]" in number
    assert "broadcast(float32[2], root 0)" in order and "all_gather(float32[None])" in order
    assert re.search(r"rank 0 has waited \d+ s in its collective number 5, all_gather at "
                     r"\S*disagreements.py:\d+, for rank 1, which has begun 4, .* and is now at "
                     r"\S*disagreements.py:\d+", complaint), complaint


def test_a_killed_rank_ends_the_job(tmp_path):
    said, complaint = launch(tmp_path, 4, "killed", fails=True)
    assert "tapeflow: rank 2 (process" in complaint and "is gone" in complaint
    printed = [line for line in said.splitlines() if "long" in line]
    assert printed == ["long " * 400 + "line"] * 4  # not mixed


def test_an_exception_ends_the_job(tmp_path):
    _, complaint = launch(tmp_path, 2, "failing", fails=True)
    assert "KeyError: 'only here'" in complaint and 'raise KeyError("only here")' in complaint
    assert "tapeflow: rank 1 (process" in complaint and "ended with KeyError" in complaint
