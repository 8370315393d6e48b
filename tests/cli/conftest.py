"""How the tests of the command line start programs."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Commands:
    """Starts processes in a folder of their own, where the project is importable."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def write(self, source: str, name: str = "program.py") -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path

    def python(self, *words, **options) -> subprocess.CompletedProcess:
        options.setdefault("cwd", self.folder)
        return subprocess.run(
            [sys.executable, *map(str, words)],
            env={**self.environment, **options.pop("environment", {})},
            capture_output=True,
            text=True,
            timeout=600,
            **options,
        )

    def tapeflow(self, *words, **options) -> subprocess.CompletedProcess:
        return self.python("-m", "tapeflow", *words, **options)


@pytest.fixture
def commands(tmp_path):
    return Commands(tmp_path)
