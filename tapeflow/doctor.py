"""`tapeflow doctor`: what tapeflow runs on and whether it works. Only `cli` imports this file."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator

REQUIRED = ("numpy", "scipy", "ml_dtypes", "llvmlite")
OPTIONAL = ("keras", "mpi4py", "jax", "matplotlib")
BESIDE = ("tensorflow", "tensorflow-cpu", "torch")
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

# tf.random.stateless_uniform([2], seed=[1, 2]) of TensorFlow 2.21.
EXPECTED_UNIFORM = (0.8440604209899902, 0.19204533100128174)

TIME_IMPORTS = """\
import time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
import tapeflow
print(middle - start, time.perf_counter() - middle)
"""


def main(as_json: bool = False) -> int:
    """Print the report; the status is 0 when every check holds."""
    rows = [*versions(), *machine(), *mode(), ("import time", import_time())]
    found = list(checks())
    failures = sum(bool(problem) for _, problem in found)
    if as_json:
        print(json.dumps({**dict(rows), "checks": {name: problem or "ok"
                                                   for name, problem in found},
                          "works": not failures}, indent=2, ensure_ascii=False))
        return 1 if failures else 0
    for name, value in [*rows, *[(name, problem or "ok") for name, problem in found]]:
        print(f"{name:<14}{value}")
    print("tapeflow works." if not failures else f"{failures} of the checks failed.")
    return 1 if failures else 0


def versions() -> Iterator[tuple[str, str]]:
    """Versions of tapeflow, of Python and of the packages that matter."""
    import tapeflow

    yield "tapeflow", f"{tapeflow.tapeflow_version} (API of TensorFlow {tapeflow.__version__})"
    build = f"{platform.python_implementation()} {platform.python_version()}"
    yield "Python", f"{build} at {sys.executable}"
    for name in REQUIRED:
        yield name, installed_version(name) or "MISSING"
    optional = [f"{name} {version}" for name in OPTIONAL if (version := installed_version(name))]
    yield "optional", ", ".join(optional) or "none installed"
    for name in BESIDE:
        if version := installed_version(name):
            takes_place = " (`tapeflow run` takes its place)" if name != "torch" else ""
            yield name, version + takes_place


def installed_version(name: str) -> str | None:
    """The version of an installed package, without importing it."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def machine() -> Iterator[tuple[str, str]]:
    """The linear algebra library, the processor and its threads."""
    import numpy

    from tapeflow.base.process.cores import usable_cores
    config = numpy.show_config(mode="dicts")
    blas = config.get("Build Dependencies", {}).get("blas", {})
    yield "BLAS", f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()
    yield "CPU", f"{platform.machine()} {platform.processor()}".strip()
    vectors = config.get("SIMD Extensions", {})
    features = [*vectors.get("baseline", []), *vectors.get("found", [])]
    yield "CPU features", " ".join(features) or "none that NumPy knows"
    from tapeflow.jit.runtime import thread_pool
    limits = [f"{name}={os.environ[name]}" for name in THREAD_VARIABLES if name in os.environ]
    yield "threads", " ".join([f"{thread_pool.count()}, of {usable_cores()} usable of "
                               f"{os.cpu_count()} cores", *limits])


def mode() -> Iterator[tuple[str, str]]:
    """When functions are compiled, and where what was compiled is kept."""
    from tapeflow.base.settings import settings
    from tapeflow.jit.runtime.image_cache import cache_files
    kept = cache_files.folder()
    yield "mode", f"{settings.jit} (TAPEFLOW_JIT: auto, off or now)"
    if kept is None:
        yield "cache", "none"
        return
    sizes = [path.stat().st_size for path in kept.rglob("*") if path.is_file()]
    yield "cache", f"{kept} ({len(sizes)} files, {sum(sizes) / 1e6:.1f} MB)"


def import_time(repeats: int = 4) -> str:
    """What `import tapeflow` costs in a fresh process, over NumPy alone: the best of a few."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    numpy_costs, own_costs = [], []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", TIME_IMPORTS], cwd=root, capture_output=True, text=True
        )
        if done.returncode:
            return "could not be measured: " + done.stderr.strip().rpartition("\n")[2]
        numpy_cost, own_cost = map(float, done.stdout.split())
        numpy_costs.append(numpy_cost)
        own_costs.append(own_cost)
    return f"{min(own_costs) * 1e3:.0f} ms over NumPy's {min(numpy_costs) * 1e3:.0f} ms"


def checks() -> Iterator[tuple[str, str]]:
    """Name and problem ('' if none) of each self-check."""
    for name, check in (("gradient", check_cube), ("seeded random", check_random),
                        ("native code", check_native)):
        try:
            yield name, check()
        except Exception as error:
            yield name, f"FAILED: {type(error).__name__}: {error}"


def check_cube() -> str:
    """d(x³)/dx at 3 is 27, and its derivative 18."""
    import tapeflow as tf

    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        slope = inner.gradient(y, x)
    curvature = outer.gradient(slope, x)
    if abs(float(slope) - 27) < 1e-4 and abs(float(curvature) - 18) < 1e-4:
        return ""
    return f"FAILED: d(x³)/dx at 3 is 27 and its derivative 18, not {slope} and {curvature}"


def check_random() -> str:
    """The stateless stream begins as TensorFlow's does."""
    import tapeflow as tf

    drawn = tf.random.stateless_uniform([2], seed=[1, 2]).numpy().tolist()
    if all(abs(a - b) < 1e-6 for a, b in zip(drawn, EXPECTED_UNIFORM, strict=True)):
        return ""
    return f"FAILED: drew {drawn} where TensorFlow draws {list(EXPECTED_UNIFORM)}"


def check_native() -> str:
    """A function compiles and gives what NumPy gives."""
    import tapeflow as tf

    f = tf.function(lambda x: tf.reduce_sum(tf.square(x) + 1.0), jit_compile=True)
    found = float(f(tf.constant([1.0, 2.0, 3.0])))
    report = tf.compiler.explain(f)
    if found == 17.0 and report.native:
        return ""
    return f"FAILED: 17 expected, got {found}; {report}"
