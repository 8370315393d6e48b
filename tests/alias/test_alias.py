"""`tapeflow.alias`: what `import tensorflow` gives, and what it refuses."""

import gc
import importlib
import importlib.util
import subprocess
import sys
import types

import pytest

import tapeflow
from tapeflow import alias
from tapeflow.alias import finder
from tapeflow.base.process.garbage import seldom


@pytest.fixture
def served():
    """The alias for the length of a test, in a process that has no TensorFlow."""
    alias.install()
    yield
    alias.uninstall()


def test_top_module_is_the_package(served):
    import tensorflow as tf

    assert tf is tapeflow
    assert tf.Tensor is tapeflow.Tensor
    assert tf.__version__ == tf.version.VERSION == "2.21.0"


def test_namespaces_are_the_same_objects(served):
    import tensorflow.math
    import tensorflow.nn as nn
    from tensorflow import math, random
    from tensorflow.linalg import matmul

    assert tensorflow.math is math is tapeflow.math
    assert nn is tapeflow.nn
    assert random is tapeflow.random
    assert matmul is tapeflow.linalg.matmul


def public_namespaces(module=tapeflow, seen=()):
    """Dotted names of the module objects below tapeflow that TensorFlow's users see."""
    for name in dir(module):
        value = getattr(module, name)
        own = isinstance(value, types.ModuleType) and value.__name__.startswith("tapeflow.")
        if own and not name.startswith("_") and value not in seen:
            if value.__name__.split(".")[1] in alias.finder.LAYERS:
                continue
            yield value.__name__
            yield from public_namespaces(value, (*seen, value))


@pytest.mark.parametrize("name", sorted(set(public_namespaces())))
def test_every_namespace_can_be_imported(served, name):
    under_alias = "tensorflow" + name.removeprefix("tapeflow")
    assert importlib.import_module(under_alias) is importlib.import_module(name)


def test_nested_namespace(served):
    import tensorflow.random.experimental

    assert tensorflow.random.experimental is tapeflow.random.experimental


def test_the_modules_keep_their_own_identity(served):
    before = tapeflow.__spec__, tapeflow.__package__, tapeflow.__loader__
    importlib.import_module("tensorflow.nn")
    assert (tapeflow.__spec__, tapeflow.__package__, tapeflow.__loader__) == before
    assert tapeflow.__name__ == "tapeflow"
    assert tapeflow.nn.__name__ == "tapeflow.nn"


def test_keras_is_loaded_with_fewer_searches_for_cycles(tmp_path, monkeypatch):
    (tmp_path / "keras").mkdir()
    (tmp_path / "keras" / "__init__.py").write_text("import gc\nseen = gc.get_threshold()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = gc.get_threshold()
    spec = finder.keras_spec()
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.seen == seldom(before) and gc.get_threshold() == before


def test_find_spec_before_the_import(served):
    assert importlib.util.find_spec("tensorflow").name == "tensorflow"
    assert "tensorflow" not in sys.modules


@pytest.mark.parametrize(
    "name, says",
    [
        ("tensorflow.python.framework.nothing", "private source tree"),
        ("tensorflow.core.lib", "private source tree"),
        ("tensorflow.base", "tapeflow does not have it"),
        ("tensorflow.alias.finder", "tapeflow does not have it"),
        ("tensorflow.nothing", "tapeflow does not have tf.nothing"),
        ("tensorflow.math.nothing", "tapeflow does not have tf.math.nothing"),
        ("tensorflow.sin", "from tensorflow import sin"),
    ],
)
def test_absent_modules_say_why(served, name, says):
    with pytest.raises(ModuleNotFoundError, match=says) as caught:
        importlib.import_module(name)
    # Python stops at the first part that is missing.
    assert name.startswith(caught.value.name)
    assert f"No module named {caught.value.name!r}" in str(caught.value)
    assert caught.value.name not in sys.modules


def test_absent_name(served):
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from tensorflow import nothing  # noqa: F401


def test_other_imports_are_left_alone(served):
    with pytest.raises(ModuleNotFoundError, match="^No module named 'tensorflowish'$"):
        importlib.import_module("tensorflowish")
    with pytest.raises(ModuleNotFoundError, match="^No module named 'tapeflow.nothing'$"):
        importlib.import_module("tapeflow.nothing")


def test_install_twice_and_uninstall():
    hooks = list(sys.meta_path)
    alias.install()
    alias.install()
    assert alias.installed()
    assert len(sys.meta_path) == len(hooks) + 1
    importlib.import_module("tensorflow.math")
    alias.uninstall()
    assert not alias.installed()
    assert sys.meta_path == hooks
    assert not [name for name in sys.modules if name.split(".")[0] == "tensorflow"]
    assert "tapeflow.math" in sys.modules
    alias.uninstall()


def test_real_tensorflow_is_refused(monkeypatch):
    real = types.ModuleType("tensorflow")
    real.__version__ = "2.99"
    monkeypatch.setitem(sys.modules, "tensorflow", real)
    hooks = list(sys.meta_path)
    with pytest.raises(alias.RealTensorFlowError, match=r"TensorFlow \(2\.99, from an unknown"):
        alias.install()
    assert sys.meta_path == hooks
    assert sys.modules["tensorflow"] is real
    alias.uninstall()
    assert sys.modules["tensorflow"] is real


def test_install_as_the_pages_say():
    code = ("import tapeflow; tapeflow.alias.install(); import tensorflow as tf;"
            "assert tf.GradientTape is tapeflow.GradientTape")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
