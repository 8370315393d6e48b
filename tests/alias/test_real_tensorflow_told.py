"""Where the real TensorFlow is installed, `tf.keras` says once what becomes of its name."""

import logging
import sys

from tapeflow.alias import finder, keras_loader


def test_it_is_said_when_the_hook_is_about_to_be_installed(tmp_path, monkeypatch, caplog):
    package = tmp_path / "tensorflow"
    package.mkdir()
    (package / "__init__.py").write_text("")
    with caplog.at_level(logging.WARNING, "tensorflow"):
        monkeypatch.setattr(finder, "installed", lambda: False)
        keras_loader.tell_of_real_tensorflow()
        assert caplog.text == ""  # there is none
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
        keras_loader.tell_of_real_tensorflow()
        assert "`import tensorflow` gives tapeflow" in caplog.text
        caplog.clear()
        monkeypatch.setattr(finder, "installed", lambda: True)
        keras_loader.tell_of_real_tensorflow()
        assert caplog.text == ""
