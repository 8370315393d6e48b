"""`tapeflow export`: a model in a file, as ONNX or as a saved model. Called by `cli.py`."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

FLAGS = ("--to", "--output", "--opset", "--signature")


class WrongWords(Exception):
    """The command line is wrong; the message says how."""


def export(words: list[str]) -> None:
    """Do it; an error of the export is the caller's to tell."""
    model, options = _parsed(words)
    to = options.get("--to", "onnx")
    output = options.get("--output") or _beside(model, to)
    if to == "savedmodel" and os.path.realpath(output) == os.path.realpath(model):
        raise WrongWords(f"--output must be another folder than {model!r}")
    made = load(model)
    import tapeflow
    if to == "onnx":
        more = {} if "--opset" not in options else {"opset": int(options["--opset"])}
        tapeflow.onnx.export(made, output, signature=options.get("--signature"), **more)
    elif hasattr(made, "export") and hasattr(made, "get_config"):  # a Keras model
        made.export(output, verbose=False)
    else:
        tapeflow.saved_model.save(made, output)
    print(f"wrote {output}")


def _parsed(words: list[str]) -> tuple[str, dict[str, str]]:
    """MODEL, and the options by their flags."""
    models: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        flag, equals, value = word.partition("=")
        if not flag.startswith("-"):
            models.append(word)
        elif flag not in FLAGS:
            raise WrongWords(f"export does not know {flag!r}")
        elif flag in options:
            raise WrongWords(f"{flag} is there twice")
        else:
            options[flag] = value if equals else next(rest, "")
            if not options[flag]:
                raise WrongWords(f"{flag} needs a value")
    if len(models) != 1:
        raise WrongWords("export needs one MODEL: the folder of a saved model, a .keras file or "
                         "module.py:object")
    _check(options)
    return models[0], options


def _check(options: dict[str, str]) -> None:
    to = options.get("--to", "onnx")
    if to not in ("onnx", "savedmodel"):
        raise WrongWords(f"--to is onnx or savedmodel, not {to!r}")
    if to != "onnx":
        for flag in ("--opset", "--signature"):
            if flag in options:
                raise WrongWords(f"{flag} goes with --to onnx")
    if not options.get("--opset", "20").isdecimal():
        raise WrongWords(f"--opset is a number, not {options['--opset']!r}")


def _beside(model: str, to: str) -> str:
    """The name of what is written where none is given."""
    file, _, name = model.partition(".py:")
    stem = f"{file}_{name}" if name else os.path.splitext(model.rstrip("/\\"))[0]
    return f"{stem}.onnx" if to == "onnx" else f"{stem}_savedmodel"


def load(model: str) -> Any:
    """What MODEL names."""
    import tapeflow
    file, found, name = model.partition(".py:")
    if found and not os.path.exists(model):
        return _object(f"{file}.py", name)
    if not os.path.exists(model):
        raise FileNotFoundError(f"there is no {model!r}")
    if os.path.isdir(model):
        return tapeflow.saved_model.load(model)
    if model.endswith((".keras", ".h5")):
        return tapeflow.keras.models.load_model(model, compile=False)
    raise WrongWords(f"{model!r} is no folder of a saved model, .keras file or module.py:object")


def _object(path: str, name: str) -> Any:
    """An object of a Python file, which is run."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"there is no {path!r}")
    stem = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[stem] = module
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec.loader.exec_module(module)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise WrongWords(f"{path} has no {name!r}")
        found = getattr(found, part)
    return found
