"""`tapeflow run` behaves as plain Python does, but for what `import tensorflow` gives."""

import os
import signal
import subprocess
import sys
import zipfile

import pytest

# Programs that do not need TensorFlow: plain Python and `tapeflow run` must agree on everything.
PLAIN = {
    "arguments": "import sys\nprint(sys.argv)\nprint(__name__, __file__, __spec__, __package__)\n",
    "main module": (
        "import sys\nprint(sys.modules['__main__'].__dict__ is globals(), __builtins__)\n"
    ),
    "path": "import os, sys\nprint(sys.path[0])\nimport helper\nprint(helper.__file__)\n",
    "main guard": "if __name__ == '__main__':\n    print('ran')\n",
    "pickle": (
        "import pickle\n"
        "class Point:\n    def __init__(self, x): self.x = x\n"
        "copy = pickle.loads(pickle.dumps(Point(3)))\n"
        "print(type(copy) is Point, copy.x, Point.__module__)\n"
    ),
    "exit none": "import sys\nsys.exit()\n",
    "exit zero": "import sys\nsys.exit(0)\n",
    "exit number": "import sys\nsys.exit(7)\n",
    "exit text": "import sys\nsys.exit('no good')\n",
    "exit object": "raise SystemExit(['a', 1])\n",
    "exception": "def f():\n    return 1 / 0\n\nf()\n",
    "chained": (
        "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('outer') from error\n"
    ),
    "group": "raise ExceptionGroup('many', [ValueError(1), TypeError(2)])\n",
    "syntax": "x = 1\nif x\n    pass\n",
    "absent module": "import no_such_module_at_all\n",
    "broken import": "import broken\n",
    "atexit": "import atexit\natexit.register(print, 'last')\nprint('first')\n1 / 0\n",
    "stdin": "import sys\nprint(input(), sys.stdin.read())\n",
    "own hook": (
        "import sys, traceback\n"
        "def hook(kind, error, tb):\n"
        "    print('hook', [f.name for f in traceback.extract_tb(tb)], kind.__name__)\n"
        "sys.excepthook = hook\n"
        "def f(): raise LookupError('here')\nf()\n"
    ),
    "inspect": "import inspect\ndef f(): return 1\nprint(inspect.getsource(f))\n",
    "annotations": "def f(x: 1 + 1): pass\nprint(f.__annotations__)\n",
    "future": (
        "from __future__ import annotations\ndef f(x: 1 + 1): pass\nprint(f.__annotations__)\n"
    ),
    "encoding": "# -*- coding: latin-1 -*-\nprint(len('\\xe9'))\n",
    "keyboard": "raise KeyboardInterrupt\n",
    "thread": (
        "import threading\n"
        "def work(): raise ValueError('in a thread')\n"
        "t = threading.Thread(target=work, name='worker'); t.start(); t.join(); print('on')\n"
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_as_plain_python(commands, name):
    commands.write("print('helper')\n", "helper.py")
    commands.write("def g():\n    return undefined\n\ng()\n", "broken.py")
    path = commands.write(PLAIN[name])
    words = (path.name, "--flag", "a b", "-m")
    plain = commands.python(*words, input="one\ntwo\n")
    ours = commands.tapeflow("run", *words, input="one\ntwo\n")
    assert (ours.stdout, ours.stderr, ours.returncode) == (
        plain.stdout,
        plain.stderr,
        plain.returncode,
    )


@pytest.mark.parametrize("how", ["-c", "-", "-m", "package", "folder", "zip"])
def test_other_kinds_of_program(commands, how):
    source = (
        "import sys\nprint(sys.argv, sys.path[0], __name__, globals().get('__file__'),"
        " __spec__ and __spec__.name, __package__)\ndef f(): raise ValueError('x')\nf()\n"
    )
    options = {}
    if how == "-c":
        words = ["-c", source]
    elif how == "-":
        words, options = ["-"], {"input": source}
    elif how == "-m":
        commands.write(source, "module.py")
        words = ["-m", "module"]
    elif how == "package":
        commands.write("", "package/__init__.py")
        commands.write(source, "package/__main__.py")
        words = ["-m", "package"]
    elif how == "folder":
        commands.write(source, "folder/__main__.py")
        words = ["folder"]
    else:
        with zipfile.ZipFile(commands.folder / "app.zip", "w") as archive:
            archive.writestr("__main__.py", source)
        words = ["app.zip"]
    plain = commands.python(*words, "a", "b", **options)
    ours = commands.tapeflow("run", *words, "a", "b", **options)
    assert ours.stdout == plain.stdout
    assert ours.returncode == plain.returncode == 1
    # Plain Python shows frames of its own runpy for modules, folders and archives.
    wanted = [line for line in plain.stderr.splitlines() if "runpy" not in line]
    assert ours.stderr.splitlines() == [line for line in wanted if not is_runpy_caret(line)]


def is_runpy_caret(line: str) -> bool:
    """Lines that newer Pythons print below a frame of runpy, should they find its source."""
    return line.strip().startswith(("return _run_code", "exec(code, run_globals)"))


@pytest.mark.parametrize(
    "words, status, says",
    [
        (["nowhere.py"], 2, "can't open file"),
        (["-m", "nowhere"], 1, "No module named nowhere"),
        (["-m", "json"], 1, "'json' is a package and cannot be directly executed"),
        (["-m", "sys.nothing"], 1, "finding module specification for 'sys.nothing'"),
        (["."], 1, "can't find '__main__' module"),
        (["-m"], 2, "does not know '-m'"),
        (["--fast", "x.py"], 2, "does not know '--fast x.py'"),
        ([], 2, "needs a script"),
    ],
)
def test_program_that_cannot_start(commands, words, status, says):
    done = commands.tapeflow("run", *words)
    assert done.returncode == status
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_tensorflow_is_tapeflow(commands):
    path = commands.write(
        "import tensorflow as tf\n"
        "import tapeflow\n"
        "from tensorflow import math\n"
        "import tensorflow.nn as nn\n"
        "print(tf is tapeflow, math is tapeflow.math, nn is tapeflow.nn, tf.__version__)\n"
        "x = tf.Variable(3.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = x**3\n"
        "print(tape.gradient(y, x))\n"
    )
    done = commands.tapeflow("run", path)
    assert done.stderr == ""
    assert done.stdout == (
        "True True True 2.21.0\ntf.Tensor(27.0, shape=(), dtype=float32)\n"
    )


def test_safe_path_is_respected(commands):
    commands.write("", "helper.py")
    path = commands.write("import tensorflow\nimport helper\n")
    done = commands.python("-P", "-m", "tapeflow", "run", path)
    assert done.returncode == 1
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'helper'\n")


SPAWN = """\
import multiprocessing, sys
import tensorflow as tf

class Job:
    def __init__(self, x): self.x = x

def slope(job):
    x = tf.Variable(job.x)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x).numpy().item(), tf.__name__

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(slope, [Job(1.0), Job(2.0)]))
"""


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_children_of_multiprocessing(commands, method):
    if sys.platform == "win32" and method != "spawn":
        pytest.skip("Windows only spawns")
    done = commands.tapeflow("run", commands.write(SPAWN), method)
    assert done.stdout == "[(2.0, 'tapeflow'), (4.0, 'tapeflow')]\n", done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_interrupt_ends_the_process_as_python_does(commands):
    path = commands.write(
        "import atexit, sys, time\natexit.register(print, 'bye')\n"
        "print('ready', flush=True)\ntime.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "tapeflow", "run", str(path)],
        env=commands.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Shells start background jobs with interrupts ignored, which children inherit.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == "ready\n"
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == -signal.SIGINT
    assert out == "bye\n"
    assert err.startswith("Traceback (most recent call last):\n  File " + f'"{path}", line ')
    assert err.endswith("KeyboardInterrupt\n")


def test_real_tensorflow_in_the_process_is_refused(commands):
    commands.write("__version__ = '2.99'\n", "tensorflow/__init__.py")
    commands.write("import tensorflow\n", "sitecustomize.py")
    path = commands.write("print('never')\n")
    environment = {
        "PYTHONPATH": os.pathsep.join([str(commands.folder), commands.environment["PYTHONPATH"]])
    }
    done = commands.tapeflow("run", path, environment=environment)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "the real TensorFlow (2.99, from" in done.stderr
    assert "Traceback" not in done.stderr


def test_real_tensorflow_on_the_path_is_not_imported(commands):
    commands.write("raise SystemExit('the wrong one')\n", "tensorflow/__init__.py")
    path = commands.write("import tensorflow as tf\nprint(tf.__name__)\n")
    assert commands.tapeflow("run", path).stdout == "tapeflow\n"


@pytest.mark.parametrize(
    "line, says",
    [
        ("import tensorflow.python.tpu", "private source tree"),
        ("import tensorflow.core.lib", "private source tree"),
        ("import tensorflow.nothing", "tapeflow does not have tf.nothing"),
    ],
)
def test_absent_module_is_named_and_the_hook_not_shown(commands, line, says):
    path = commands.write(f"import tensorflow as tf\n{line}\n")
    done = commands.tapeflow("run", path)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{path}", line 2, in <module>'
    assert lines[2].strip() == line
    assert lines[-1].startswith("ModuleNotFoundError: No module named 'tensorflow.")
    assert says in lines[-1]
    assert "finder.py" not in done.stderr
