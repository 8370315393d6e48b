"""How far the vector functions are off, in units in the last place; run it for the whole table.

    python tests/jit/accuracy.py [--lanes 8] [--plain] [name …]

`--plain`: as on machines without a fused multiply-add (and without rounding). float32 is compared
with NumPy's float64 (or SciPy's), float64 with NumPy's extended precision where there is one.
"""

import argparse
import copy
import ctypes
import sys

import numpy as np

from tapeflow.base.exports import load_all
from tapeflow.jit.codegen.builder import LLVM, Builder
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.runtime import llvm_backend, target

WIDE = {"float32": np.dtype("float64"), "float64": np.dtype(np.longdouble)}
DIGITS = {"float32": 23, "float64": 52}
DTYPES = ("float32", "float64")


def _scipy(name):
    def function(x):
        import scipy.special
        return getattr(scipy.special, name)(x.astype("float64")).astype(x.dtype)

    return function


def _kernel(name, **attrs):
    """The kernel of an op's record, which is SciPy's or made of them."""
    def function(*xs):
        import tapeflow  # noqa: F401
        from tapeflow.core.record.op import OPS
        if name not in OPS:  # its module is loaded at its first use
            load_all()
        y = OPS[name].kernel(*[x.astype("float64") for x in xs], **attrs)
        return np.asarray(y).astype(xs[0].dtype)

    return function


def _fresnel(name):
    """SciPy's ends at 36974; beyond the largest root it has NaN."""
    kernel = _kernel(name)
    return lambda x: np.where(np.abs(x) > 1e15, np.copysign(0.5, x), kernel(x))


def _sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def _softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def _lgamma(x):
    return np.where(np.isneginf(x), np.inf, _scipy("gammaln")(x))


def _digamma(x):
    pole = (x <= 0) & (x == np.floor(x))
    return np.where(pole, np.nan, _scipy("psi")(x))


BESSEL = [f"bessel_{name}" for name in "i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e y0 y1".split()]
OF_RECORDS = {**{name: _kernel(name) for name in (*BESSEL, "expint", "dawsn", "spence")},
              "fresnel_cos": _fresnel("fresnel_cos"), "fresnel_sin": _fresnel("fresnel_sin")}
# Beyond these the reference is not exact enough: SciPy's angles lose digits, Fresnel's end.
REACH = {**{f"bessel_{name}": 1e3 for name in ("j0", "j1", "y0", "y1")},
         "fresnel_cos": 100.0, "fresnel_sin": 100.0}
# Near the zeros of these the absolute error is small: an ulp of this number and larger ones counts.
LEAST = {**{f"bessel_{name}": 0.01 for name in ("j0", "j1", "y0", "y1")}, "expint": 0.01,
         "lgamma": 1e-5}
UNARY = {"exp": np.exp, "expm1": np.expm1, "log": np.log, "log1p": np.log1p, "sin": np.sin,
         "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
         "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
         "acosh": np.arccosh, "atanh": np.arctanh, "sigmoid": _sigmoid, "softplus": _softplus,
         "erf": _scipy("erf"), "erfc": _scipy("erfc"), "erfinv": _scipy("erfinv"),
         "ndtri": _scipy("ndtri"), "lgamma": _lgamma, "digamma": _digamma, **OF_RECORDS}
# Functions of several operands whose records say what they give, and what they are tried on.
FAMILIES = ("igamma", "igammac", "betainc", "zeta", "polygamma")
SEVERAL = {**{name: _kernel(name) for name in FAMILIES},
           "igamma_slope": _kernel("igamma_derivative", order=1)}
BINARY = {"pow": np.power, "atan2": np.arctan2, "fmod": np.fmod}
ROUNDINGS = {"rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}
# SciPy's are of double precision themselves.
SCIPY = frozenset(("erf", "erfc", "erfinv", "ndtri", "lgamma", "digamma", *OF_RECORDS))
REFERENCES = {**UNARY, **BINARY, **SEVERAL}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 2.5, -2.5, np.inf, -np.inf, np.nan,
           1e-45, -1e-45, 1e-40, 1e-310, 5e-324, 3e38, -3e38, 1e300, -1e300, 1e30, 88.8, -104.0,
           709.9, -745.5]


def operands(name):
    """How many operands a function has."""
    return 3 if name == "betainc" else 2 if name in BINARY or name in SEVERAL else 1


class Functions:
    """All vector functions, of one number of lanes, compiled together."""

    def __init__(self, names, lanes=8, fused=True, dtypes=DTYPES):
        about = copy.copy(target.host())
        about.fma, about.rounds = about.fma and fused, about.rounds and fused
        module, self.lanes = Module(about), lanes
        for name in names:
            for dtype in dtypes:
                module.functions[f"run.{name}.{dtype}"] = self._loop(module, name, dtype)
        text = module.text()
        self._code = llvm_backend.load(text)

    def _loop(self, module, name, dtype):
        count = operands(name)
        labels = [f"%p{i}" for i in range(count + 1)]
        code = Code(module, f"run.{name}.{dtype}", [("i64", "%n"), *(("ptr", p) for p in labels)],
                    attributes=module.target.attributes)
        b = Builder(code, self.lanes)
        with code.loop(0, "%n", self.lanes) as loop:
            xs = [b.load(code.at(p, loop.index, LLVM[dtype]), dtype) for p in labels[:-1]]
            y = getattr(b, name)(*xs) if name in ROUNDINGS else b.function(name, *xs)
            b.store(y, code.at(labels[-1], loop.index, LLVM[dtype]))
        return code.text()

    def __call__(self, name, *xs):
        dtype, size = xs[0].dtype, len(xs[0])
        count = -(-size // self.lanes) * self.lanes
        xs = [np.concatenate([x, np.ones(count - size, dtype)]) for x in xs]
        out = np.empty(count, dtype)
        run = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * (len(xs) + 1))(
            self._code.address(f"run.{name}.{dtype}"))
        run(count, *[x.ctypes.data for x in xs], out.ctypes.data)
        return out[:size]


# -- samples ---------------------------------------------------------------------------------------
def spread(dtype, count, seed=0):
    """Numbers of every size of a dtype, and more of the sizes that occur."""
    rng = np.random.default_rng(seed)
    size = {"float32": 4, "float64": 8}[dtype]
    every = rng.integers(0, 2 ** (8 * size), count, dtype=f"u{size}").view(dtype)
    usual = [rng.uniform(-r, r, count // 2).astype(dtype) for r in (1, 10)]
    wider = rng.uniform(-800 if size == 8 else -110, 800 if size == 8 else 110, count // 4)
    tiny = rng.normal(size=count // 4) * 10.0 ** rng.integers(-8, 5, count // 4)
    return np.concatenate([every, *usual, wider.astype(dtype), tiny.astype(dtype)])


def pairs(dtype, count, seed=0):
    rng = np.random.default_rng(seed)
    x, y = (rng.permutation(spread(dtype, count // 4, seed + i))[:count] for i in (1, 2))
    base = np.abs(rng.permutation(spread(dtype, count // 4, seed + 3))[:count])
    with np.errstate(all="ignore"):  # powers that are neither 0 nor infinite
        room = np.log(np.finfo(dtype).max) / np.log(base.astype("float64"))
        power = (rng.uniform(-1, 1, len(base)) * room).astype(dtype)
    return np.concatenate([x, base]), np.concatenate([y, power])


def families(name, dtype, count, seed=0):
    """Operands in the domain of a function of several: usual, small, large, nearly equal ones."""
    rng = np.random.default_rng(seed)

    def even(low, high):
        return rng.uniform(low, high, count)

    def scales(low, high):
        return 10.0 ** rng.uniform(low, high, count)

    if name in ("igamma", "igammac", "igamma_slope"):
        a = scales(0, 3)
        near = scales(2, 5)
        parts = [(even(0.1, 10), even(0.1, 20)), (scales(-8, 0), scales(-8, 0.5)),
                 (a, a * even(0.6, 1.5)), (scales(-3, 2.5), scales(-3, 2.5)),
                 (near, near * (1 + rng.normal(size=count) * 2 / np.sqrt(near)))]
        parts = parts[:4] if name == "igamma_slope" else parts  # its kernel takes long there
    elif name == "betainc":
        a, b = scales(0, 3.5), scales(0, 3.5)
        middle = a / (a + b) * (1 + rng.normal(size=count) / np.sqrt(a + b))
        parts = [(even(0.1, 10), even(0.1, 10), even(0, 1)), (a, b, np.clip(middle, 0, 1)),
                 (scales(-5, 1), scales(-5, 1), even(0, 1)),
                 (scales(-2, 2), scales(-2, 2), scales(-6, 0))]
    elif name == "zeta":
        parts = [(even(1.01, 10), even(0.1, 10)), (even(1.01, 90), even(0.3, 20)),
                 (even(1.01, 10), scales(-3, 6)), (even(2, 8).round(), even(-20, 0))]
    else:
        parts = [(even(0, 6).round(), even(0.1, 10)), (even(0, 20).round(), even(1, 30)),
                 (even(0, 4).round(), even(-5, 0))]
    with np.errstate(all="ignore"):
        return [np.concatenate(one).astype(dtype) for one in zip(*parts, strict=True)]


def specials(dtype, count):
    with np.errstate(all="ignore"):
        points = np.array(SPECIAL).astype(dtype)
    grids = np.meshgrid(*[points] * count)
    return [grid.ravel() for grid in grids]


# -- measures --------------------------------------------------------------------------------------
def ulps(got, wanted, dtype, least=0.0):
    """|got - wanted| in units in the last place; infinite where one is finite and one is not.

    least: numbers below it have its unit.
    """
    with np.errstate(all="ignore"):
        rounded = wanted.astype(dtype)
        _, exponent = np.frexp(np.maximum(np.abs(wanted), max(np.finfo(dtype).tiny, least)))
        unit = np.ldexp(np.ones_like(wanted), exponent - 1 - DIGITS[dtype])
        distance = np.abs(got.astype(wanted.dtype) - wanted) / unit
        same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
        finite = np.isfinite(rounded) & np.isfinite(got)
    return np.where(same & ~finite, 0.0, np.where(finite, distance, np.inf)).astype("float64")


def reference(name, dtype, xs):
    wide = WIDE[dtype]
    with np.errstate(all="ignore"):
        if name == "fmod":
            return np.fmod(*xs).astype(wide)
        return REFERENCES[name](*[x.astype(wide) for x in xs]).astype(wide)


def measured(functions, name, dtype, count):
    """The operands, and how many ulp each result is off."""
    if name in SEVERAL:
        xs = tuple(families(name, dtype, count // (400 if name == "igamma_slope" else 4)))
    else:
        xs = pairs(dtype, count) if name in BINARY else (spread(dtype, count),)
    if name in REACH:
        xs = tuple(x[np.abs(x) < REACH[name]] for x in xs)
    return xs, ulps(functions(name, *xs), reference(name, dtype, xs), dtype, LEAST.get(name, 0.0))


def numpy_error(name, dtype, xs):
    if name in SCIPY or name in ("sigmoid", "softplus", "fmod"):
        return None
    with np.errstate(all="ignore"):
        own = REFERENCES[name](*xs)
    return float(np.max(ulps(own, reference(name, dtype, xs), dtype)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(REFERENCES))
    parser.add_argument("--lanes", type=int, default=8)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--count", type=int, default=1_000_000)
    given = parser.parse_args()
    names = given.names or list(REFERENCES)
    functions = Functions(names, given.lanes, not given.plain)
    print(f"{'function':10} {'dtype':8} {'max ulp':>9} {'99.9 %':>7} {'NumPy':>7}  worst at")
    for name in names:
        for dtype in DTYPES:
            xs, off = measured(functions, name, dtype, given.count)
            worst = int(np.argmax(off))
            theirs = numpy_error(name, dtype, xs)
            shown = "" if theirs is None else f"{theirs:.2f}"
            print(f"{name:10} {dtype:8} {off[worst]:9.2f} {np.quantile(off, 0.999):7.2f} "
                  f"{shown:>7}  {', '.join(repr(float(x[worst])) for x in xs)}")


if __name__ == "__main__":
    sys.exit(main())
