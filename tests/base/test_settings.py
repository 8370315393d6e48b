"""Settings: typed, checked, read from the environment in one place, documented on one page."""

import dataclasses
import re
from pathlib import Path

import pytest

import tapeflow as tf
from tapeflow.base.settings import Settings, from_environment, settings

ROOT = Path(__file__).resolve().parents[2]
# Files that may look at the environment: settings, and variables that are not tapeflow's own.
READERS = {"base/settings.py", "jit/runtime/image_cache/cache_files.py", "doctor.py",
           "alias/keras_loader.py", "distribute/cluster_resolvers.py", "distribute/mpi/job.py"}


def rows():
    """The lines of the first table of the page, as lists of cells."""
    text = (ROOT / "docs/configuration.md").read_text().split("Some settings have")[0]
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in lines]


def test_the_page_has_every_setting():
    fields = [[f"`{one.name}`", f"`{one.type}`", f"`{one.default!r}`",
               f"`{one.metadata['variable']}`" if one.metadata["variable"] else "",
               one.metadata["doc"]] for one in dataclasses.fields(Settings)]
    assert rows() == fields


def test_the_environment_is_read_in_one_place():
    found = {str(path.relative_to(ROOT / "tapeflow")) for path in (ROOT / "tapeflow").rglob("*.py")
             if re.search(r"\bos\.(environ|getenv)\b", path.read_text())}
    assert found <= READERS


def test_variables_are_named_in_settings_alone():
    names = [one.metadata["variable"] for one in dataclasses.fields(Settings)]
    for path in (ROOT / "tapeflow").rglob("*.py"):
        text = "" if path.name == "settings.py" else path.read_text()
        assert not [name for name in names if name and f'"{name}"' in text], path


def test_users_see_the_object():
    assert tf.config.settings is settings
    before = tf.compiler.get_mode()
    with tf.config.settings.using(jit="off", checks=7):
        assert (tf.compiler.get_mode(), tf.compiler.get_checks()) == ("off", 7)
    assert tf.compiler.get_mode() == before


def test_wrong_values_are_refused_and_change_nothing():
    before = dataclasses.asdict(settings)
    for name, value in (("jit", "sometimes"), ("collective_overlap", "no"),
                        ("collective_timeout", -1.0), ("checks", -1), ("num_threads", -2)):
        with pytest.raises(ValueError, match=name):
            setattr(settings, name, value)
        with pytest.raises(ValueError, match=name), settings.using(**{name: value}):
            pass
    with pytest.raises(AttributeError, match="jit"):
        settings.jitt = "now"
    assert dataclasses.asdict(settings) == before


def test_changes_are_undone_when_a_block_fails():
    before = settings.checks
    with pytest.raises(KeyError), settings.using(checks=before + 1):
        raise KeyError
    assert settings.checks == before


def test_the_environment():
    assert from_environment({}) == Settings()
    found = from_environment({"TAPEFLOW_JIT": "now", "TAPEFLOW_CHECK": ""})
    assert (found.jit, found.checks) == ("now", 0)
    assert from_environment({"TAPEFLOW_JIT": "perhaps"}).jit == "auto"


def test_a_program_goes_before_the_environment(monkeypatch, using):
    monkeypatch.setenv("TF_NUM_INTRAOP_THREADS", "3")
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    using(num_threads=0, cache_folder=None)
    assert (settings.threads_asked_for(), settings.folder_for_objects()) == (3, "")
    using(num_threads=2, cache_folder="objects")
    assert (settings.threads_asked_for(), settings.folder_for_objects()) == (2, "objects")
