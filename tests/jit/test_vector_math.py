"""The vector functions: error in ulp over the range of both dtypes, special values, lanes."""

import copy
import pathlib
import sys

import numpy as np
import pytest

llvm = pytest.importorskip("llvmlite.binding")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from accuracy import (
    BINARY,
    DTYPES,
    OF_RECORDS,
    REFERENCES,
    ROUNDINGS,
    SCIPY,
    SEVERAL,
    Functions,
    families,
    measured,
    operands,
    reference,
    specials,
    spread,
    ulps,
)

from tapeflow.core.record.lowering_forms import Unsupported
from tapeflow.jit.codegen.builder import Builder
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.vector_math import FUNCTIONS
from tapeflow.jit.runtime import target

EXTENDED = np.finfo(np.longdouble).nmant > 52
# The largest error, float32 and float64. Of SciPy's functions the reference has its own.
LIMITS = {"exp": (1.1, 1.1), "expm1": (1.7, 1.7), "log": (0.9, 0.9), "log1p": (1.5, 1.4),
          "sin": (1.3, 0.9), "cos": (0.9, 0.9), "tan": (0.51, 2.2), "asin": (1.7, 1.3),
          "acos": (1.2, 0.9), "atan": (1.9, 1.9), "sinh": (1.8, 1.8), "cosh": (1.6, 1.6),
          "tanh": (1.5, 1.5), "asinh": (0.51, 1.9), "acosh": (0.51, 1.9), "atanh": (1.9, 1.9),
          "sigmoid": (2.4, 2.4), "softplus": (1.9, 1.9), "erf": (1.5, 4), "erfc": (4.5, None),
          "erfinv": (0.51, 5), "ndtri": (0.51, 6), "lgamma": (0.51, None), "digamma": (0.51, None),
          "pow": (0.51, 1.3), "atan2": (1.9, 1.8), "fmod": (0, 0),
          **dict.fromkeys((*OF_RECORDS, *SEVERAL), (0.51, None)),
          **dict.fromkeys(("igamma", "igammac", "betainc"), (0.6, None)), "igamma_slope": (5, None)}
# Absolute and relative error where the reference loses digits: near zeros, in subnormal tails.
LOOSE = {"erfc": (1e-300, 1e-13), "lgamma": (1e-13, 1e-14), "digamma": (1e-13, 1e-13),
         **dict.fromkeys(OF_RECORDS, (1e-14, 1e-13)),
         **dict.fromkeys(SEVERAL, (1e-15, 5e-13)), "igamma_slope": (1e-12, 1e-9)}

PLAIN = ["exp", "log", "sin", "tanh", "erf", "pow", "fmod", "atan2", "lgamma", "bessel_j0",
         "fresnel_cos", "igamma", "betainc"]


@pytest.fixture(scope="module")
def functions():
    return Functions(list(REFERENCES))


@pytest.fixture(scope="module")
def plain():
    """As on a machine without a fused multiply-add."""
    return Functions(PLAIN, fused=False)


def test_every_function_is_measured():
    assert set(FUNCTIONS) - {"sincos"} == set(REFERENCES) - {"sin", "cos"} == set(LIMITS) - {
        "sin", "cos"}


def _within(functions, name, dtype, count=60_000):
    limit = LIMITS[name][dtype == "float64"]
    if dtype == "float64" and not EXTENDED and limit:
        limit += 2
    xs, off = measured(functions, name, dtype, count)
    if limit is not None:
        worst = int(np.argmax(off))
        assert off[worst] <= limit, f"{name}({', '.join(repr(x[worst]) for x in xs)})"
        return
    if name in SEVERAL:
        absolute, relative = LOOSE[name]
        np.testing.assert_allclose(functions(name, *xs), reference(name, dtype, xs).astype(dtype),
                                   rtol=relative, atol=absolute)
        return
    x = xs[0]
    x = x[np.abs(x) < 1e300] if name == "lgamma" else x
    x = x[np.abs(x) > 1e-300]
    if name in ("lgamma", "digamma"):  # near the poles below 0 the reference loses digits
        x = x[x > 0]
    absolute, relative = LOOSE[name]
    np.testing.assert_allclose(functions(name, x).astype("float64"),
                               reference(name, dtype, (x,)).astype("float64"),
                               rtol=relative, atol=absolute)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REFERENCES)
def test_error(functions, name, dtype):
    _within(functions, name, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PLAIN)
def test_error_without_fma(plain, name, dtype):
    _within(plain, name, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REFERENCES)
def test_special_values(functions, name, dtype):
    """Zeros with their signs, infinities, NaN, subnormal numbers, the ends of ranges."""
    xs = specials(dtype, operands(name))
    if name in SEVERAL:  # SciPy's lose their way where sizes differ that much
        usual = [(np.abs(x) < 1e3) & (np.abs(x) > 1e-3) | (x == 0) | ~np.isfinite(x) for x in xs]
        xs = [x[np.all(usual, axis=0)] for x in xs]
    got, wanted = functions(name, *xs), reference(name, dtype, xs)
    if name == "lgamma":  # SciPy's overflows for subnormal numbers
        tiny = (np.abs(xs[0]) < 1e-300) & (xs[0] != 0)
        wanted[tiny] = -np.log(np.abs(xs[0][tiny]).astype(wanted.dtype))
    with np.errstate(all="ignore"):
        rounded = wanted.astype(dtype)
    signed = np.isnan(rounded) | (np.signbit(got) == np.signbit(rounded)) | (name in SCIPY)
    with np.errstate(all="ignore"):
        near = (ulps(got, wanted, dtype) <= 8) | (np.abs(got - rounded) < 3e-14)
    bad = ~(near & signed)
    assert not bad.any(), [(*(x[i] for x in xs), got[i], rounded[i]) for i in np.flatnonzero(bad)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_rounding_without_an_instruction(dtype):
    run = Functions(list(ROUNDINGS), fused=False, dtypes=(dtype,))
    x = np.concatenate([spread(dtype, 2000), specials(dtype, 1)[0],
                        np.arange(-9, 9, dtype=dtype) / 2])
    for name, function in ROUNDINGS.items():
        with np.errstate(invalid="ignore"):
            got, wanted = run(name, x), function(x)
        np.testing.assert_array_equal(got, wanted)
        assert (np.signbit(got) == np.signbit(wanted))[~np.isnan(x)].all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_huge_angles(functions, dtype):
    """The reduction of huge arguments, beside small ones in the same vector."""
    rng = np.random.default_rng(3)
    top = 38 if dtype == "float32" else 308
    x = (10.0 ** rng.uniform(3, top, 20_000)).astype(dtype)
    x[::3] = rng.uniform(-4, 4, len(x[::3]))
    for name in ("sin", "cos", "tan"):
        off = ulps(functions(name, x), reference(name, dtype, (x,)), dtype)
        assert off.max() <= LIMITS[name][dtype == "float64"]
    # The float64 that is nearest to a multiple of pi / 2 for its size: 6381956970095103 * 2^797
    worst = np.full(8, 6381956970095103.0 * 2.0 ** 797)
    np.testing.assert_allclose(functions("cos", worst), -4.68716592425462761112e-19, rtol=1e-15)


@pytest.mark.parametrize("lanes", [1, 2, 4, 16])
def test_lanes(functions, lanes):
    """One result whatever the number of lanes."""
    names = ["exp", "sin", "pow", "tanh", "fmod", "lgamma", "igamma", "betainc", "polygamma"]
    others = Functions(names, lanes=lanes)
    for dtype in DTYPES:
        x = spread(dtype, 500)
        for name in names:
            xs = (x, x[::-1].copy()) if name in BINARY else (x,)
            xs = families(name, dtype, 100) if name in SEVERAL else xs
            np.testing.assert_array_equal(others(name, *xs), functions(name, *xs))


# -- other machines --------------------------------------------------------------------------------
MACHINES = {"avx512": ("x86_64-unknown-linux-gnu", "skylake-avx512", "x86_64",
                       frozenset(("avx2", "avx512f", "fma", "f16c"))),
            "x86-64": ("x86_64-unknown-linux-gnu", "x86-64", "x86_64", frozenset()),
            "aarch64": ("aarch64-unknown-linux-gnu", "generic", "aarch64", frozenset())}


def _object(machine, lanes):
    triple, cpu, arch, names = MACHINES[machine]
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    about = target.Target(triple, cpu, "", arch, names)
    module = Module(about)
    for dtype in DTYPES:
        code = Code(module, f"all.{dtype}", [("ptr", "%p")], attributes=about.attributes)
        b = Builder(code, lanes)
        x, y = b.load("%p", dtype), b.load("%p", dtype)
        for name in REFERENCES:
            b.store(b.function(name, *[x, y, y][:operands(name)]), "%p")
        module.functions[f"all.{dtype}"] = code.text()
    parsed = llvm.parse_assembly(module.text(), context=llvm.create_context())
    parsed.verify()
    maker = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, opt=1, reloc="pic", codemodel="small")
    return maker.emit_assembly(parsed)


@pytest.mark.parametrize("machine", MACHINES)
def test_compiles_for(machine):
    """Code for each machine, which asks for no function of another library."""
    text = _object(machine, 4)
    called = {line.split()[-1] for line in text.splitlines()
              if line.split()[:1] in (["callq"], ["bl"], ["call"])}
    assert called and not {name for name in called if not name.startswith(".L")}


def test_unknown_dtypes_are_refused():
    module = Module(copy.copy(target.host()))
    b = Builder(Code(module, "f", []), 1)
    with pytest.raises(Unsupported):
        b.function("sin", b.const(1, "int32"))
