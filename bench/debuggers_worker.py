"""One library and the classic mistakes: what it says to each, as JSON (see `debuggers.py`)."""

import contextlib
import importlib
import inspect
import io
import json
import logging
import re
import sys
import types
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Words by which libraries call an op, beside its name here.
WORDS = {"divide": "div", "multiply": "mul", "subtract": "sub", "reduce_mean": "mean",
         "square": "square|pow|mul", "softmax": "softmax|exp", "atan2": "atan2"}
# Of each mistake the op that is to be named, where the line has several.
OPS = {"slope_of_a_norm_at_zero": "norm|sqrt", "distance_of_equal_points": "norm|sqrt",
       "a_sum_in_float16": "sum", "batch_of_equals_without_an_epsilon": "rsqrt|batch_norm|div",
       "beta_function_at_zero": "lgamma|lbeta",
       "a_product_of_infinities_in_float16": r"matmul|dot|\bmm|MmBackward"}


def said(run) -> str:
    """All that reaches the user: the exception with its traceback, warnings, logs."""
    import traceback
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    logging.getLogger().addHandler(handler)
    with contextlib.redirect_stderr(out), warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            found = run()
            out.write(found if isinstance(found, str) else "")
        except Exception:
            traceback.print_exc(file=out)
    logging.getLogger().removeHandler(handler)
    return out.getvalue()


# -- the libraries -----------------------------------------------------------------------------
def tapeflow_ways():
    import tapeflow as tf

    def nan(function, x):
        with tf.insight.debug(), tf.GradientTape() as tape:
            tape.watch(x)
            loss = function(x)
            tape.gradient(loss, x)

    def none(function):
        w = tf.Variable([1.5, 2.5], name="w")
        with tf.insight.positions(), tf.GradientTape() as tape:
            y = function(w)
        return str(tape.explain(y, w))

    return tf, nan, none


def tensorflow_ways():
    import tensorflow as tf
    tf.debugging.enable_check_numerics()

    def nan(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = function(x)
        tape.gradient(loss, x)

    def none(function):
        w = tf.Variable([1.5, 2.5], name="w")
        with tf.GradientTape() as tape:
            y = function(w)
        tape.gradient(y, w)  # gives None and says nothing

    return tf, nan, none


def torch_ways():
    import torch
    from debugger_words import torch_words

    def nan(function, x):
        x = x.clone().requires_grad_()
        with torch.autograd.detect_anomaly():
            function(x).backward()

    def none(function):
        w = torch.tensor([1.5, 2.5], requires_grad=True)
        function(w).backward()

    return torch_words(), nan, none


def jax_ways():
    import jax
    from debugger_words import jax_words
    jax.config.update("jax_debug_nans", True)
    jax.config.update("jax_debug_infs", True)

    def nan(function, x):
        jax.value_and_grad(function)(x)

    def none(function):
        jax.grad(function)(jax.numpy.array([1.5, 2.5]))

    return jax_words(), nan, none


WAYS = {"tapeflow": tapeflow_ways, "tensorflow": tensorflow_ways, "torch": torch_ways,
        "jax": jax_ways}


# -- judging -----------------------------------------------------------------------------------
def guilty(function) -> tuple[int, str]:
    """The number and the text of the line that is marked."""
    lines, first = inspect.getsourcelines(function)
    at = next(i for i, line in enumerate(lines) if "# here" in line)
    return first + at, lines[at]


def judged(kind: str, function, remedy: str, text: str) -> dict:
    number, line = guilty(function)
    file = Path(function.__code__.co_filename).name
    names = OPS.get(function.__name__) or "|".join(
        WORDS.get(name, name) for name in re.findall(r"\.(\w+)\(", line)
        if name not in ("reduce_sum", "zeros_like", "float32")) or "div|mul|sub|pow|gt|greater"
    for sign, name in (("/", "div"), ("*", "mul"), ("-", "sub"), ("**", "pow")):
        names += f"|{name}" if f" {sign} " in line else ""
    spoken = _spoken(text).replace(function.__name__, "")
    return {"kind": kind, "name": function.__name__, "text": text,
            "op": bool(re.search(names, spoken, re.IGNORECASE)),
            "line": bool(re.search(rf"{re.escape(file)}(:|\", line | \(L){number}\b", text)),
            "remedy": remedy in spoken}


def _spoken(text: str) -> str:
    """The text without what only quotes: frames of tracebacks and lines of source."""
    kept, quoting = [], False
    for one in text.splitlines():
        frame = one.lstrip().startswith(("File ", "+ ", "-> |"))
        if not frame and not (quoting and one.startswith("    ")) and "# here" not in one:
            kept.append(one)
        quoting = frame or (quoting and one.startswith("    "))
    return "\n".join(kept)


def main() -> None:
    library = sys.argv[1]
    sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]
    words, nan, none = WAYS[library]()
    if library != "tapeflow":
        sys.modules["tapeflow"] = words  # the mistakes say `import tapeflow as tf`
        for name in ("tests", "tests.insight"):  # their packages are left as they are
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = [str(ROOT.joinpath(*name.split(".")))]
    rows = []
    formulas = [*importlib.import_module("tests.insight.nan_mistakes").TABLE,
                *importlib.import_module("tests.insight.classic_nan_mistakes").TABLE]
    for function, x, remedy in formulas:
        rows.append(judged("NaN", function, remedy, said(lambda f=function, x=x: nan(f, x))))
    for function, remedy in importlib.import_module("tests.insight.none_mistakes").TABLE:
        rows.append(judged("None", function, remedy, said(lambda f=function: none(f))))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
