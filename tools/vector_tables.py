"""Writes the Chebyshev series that the special functions of native code are made of.

    python tools/vector_tables.py > tapeflow/jit/codegen/vector_math/tables.py

Needs mpmath, which computes in 40 digits; nothing else of the project does. A row says which
function of one variable is developed, where, and how large it is at least where its accuracy counts
(None: the least that it is on the interval); coefficients are given until what is left is below
2^-54 of that.
"""

from __future__ import annotations

import sys
from typing import Any

import mpmath as mp

mp.mp.dps = 40
NODES = 64
ZERO = mp.mpf(10) ** -30  # stands for 0 where a formula divides by it
HALF = mp.mpf(1) / 2


def root(u: Any) -> Any:
    return mp.sqrt(u)


def at_large(f: Any) -> Any:
    """A function of 1 / x as one of u = 1 / x."""
    return lambda u: f(1 / u)


def scaled(kind: Any, order: int, sign: int) -> Any:
    """sqrt(x) exp(sign x) times a modified Bessel function, of 1 / x."""
    return at_large(lambda x: kind(order, x) * mp.exp(sign * x) * root(x))


def wave(order: int, part: int) -> Any:
    """P and x Q of Hankel's J = sqrt(2 / pi x) (P cos - Q sin), of 1 / x²."""

    def f(u: Any) -> Any:
        x = 1 / root(u)
        angle, size = x - (2 * order + 1) * mp.pi / 4, root(mp.pi * x / 2)
        j, y = mp.besselj(order, x) * size, mp.bessely(order, x) * size
        if part == 0:
            return j * mp.cos(angle) + y * mp.sin(angle)
        return (y * mp.cos(angle) - j * mp.sin(angle)) * x

    return f


def without_zeros(order: int) -> Any:
    """J without its first two zeros (and J1 without that at 0), of x²."""
    zeros = [mp.besseljzero(order, k) ** 2 for k in (1, 2)]

    def f(u: Any) -> Any:
        x = root(u + ZERO)
        return mp.besselj(order, x) / x ** order / ((u - zeros[0]) * (u - zeros[1]))

    return f


def second_kind(order: int) -> Any:
    """Y0 - 2/pi log(x) J0; (Y1 - 2/pi (log(x) J1 - 1/x)) / x; of x²."""

    def f(u: Any) -> Any:
        x = root(u + ZERO)
        rest = mp.bessely(order, x) - 2 / mp.pi * mp.log(x) * mp.besselj(order, x)
        return rest if order == 0 else (rest + 2 / mp.pi / x) / x

    return f


def fresnel(part: int) -> Any:
    """pi x f and pi² x³ g, where C = 1/2 + f sin - g cos and S = 1/2 - f cos - g sin, of 1 / x⁴."""

    def f(u: Any) -> Any:
        x = 1 / root(root(u))
        angle = mp.pi * x * x / 2
        s, c = HALF - mp.fresnels(x), HALF - mp.fresnelc(x)
        if part == 0:
            return (s * mp.cos(angle) - c * mp.sin(angle)) * mp.pi * x
        return (c * mp.cos(angle) + s * mp.sin(angle)) * mp.pi ** 2 * x ** 3

    return f


def dawson(x: Any) -> Any:
    return root(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def integral(x: Any) -> Any:
    return mp.ei(x) * mp.exp(-x) * x


def inverse(w: Any) -> Any:
    """erfinv(x) / x, of w = -log(1 - x²)."""
    x = root(-mp.expm1(-w))
    if w < 8:
        return mp.erfinv(x) / x
    wanted = -w - mp.log1p(x)  # the logarithm of 1 - x
    return mp.findroot(lambda y: mp.log(mp.erfc(y)) - wanted, (root(w) * 0.9, root(w))) / x


def stirling(u: Any) -> Any:
    """y (lgamma(y) - (y - 1/2) log(y) + y - log(2 pi) / 2), of 1 / y²."""
    y = 1 / root(u)
    return y * (mp.loggamma(y) - (y - HALF) * mp.log(y) + y - mp.log(2 * mp.pi) / 2)


SERIES = {
    "BESSEL": {
        "i0 near": (lambda x: mp.exp(-x) * mp.besseli(0, x), 0, 8, None),
        "i0 far": (scaled(mp.besseli, 0, -1), ZERO, 1 / 8, None),
        "i1 near": (lambda x: mp.exp(-x) * mp.besseli(1, x + ZERO) / (x + ZERO), 0, 8, None),
        "i1 far": (scaled(mp.besseli, 1, -1), ZERO, 1 / 8, None),
        "i0 small": (lambda u: mp.besseli(0, root(u)), 0, 4, None),
        "i1 small": (lambda u: mp.besseli(1, root(u + ZERO)) / root(u + ZERO), 0, 4, None),
        "k0 near": (lambda u: mp.besselk(0, root(u + ZERO)) + mp.log(root(u + ZERO) / 2)
                    * mp.besseli(0, root(u + ZERO)), 0, 4, 0.1),
        "k0 far": (scaled(mp.besselk, 0, 1), ZERO, 1 / 2, None),
        "k1 near": (lambda u: root(u + ZERO) * (mp.besselk(1, root(u + ZERO)) - mp.log(
            root(u + ZERO) / 2) * mp.besseli(1, root(u + ZERO))), 0, 4, 0.25),
        "k1 far": (scaled(mp.besselk, 1, 1), ZERO, 1 / 2, None),
        "j0 near": (without_zeros(0), 0, 64, None),
        "j1 near": (without_zeros(1), 0, 64, None),
        "y0 near": (second_kind(0), 0, 64, 0.1),
        "y1 near": (second_kind(1), 0, 64, 0.01),
        "p0": (wave(0, 0), ZERO, 1 / 64, None), "q0": (wave(0, 1), ZERO, 1 / 64, None),
        "p1": (wave(1, 0), ZERO, 1 / 64, None), "q1": (wave(1, 1), ZERO, 1 / 64, None),
    },
    "ERFINV": {
        "centre": (lambda w: inverse(w + ZERO), 0, 6.25, None),
        "side": (lambda r: inverse(r * r), 2.5, 4, None),
        "tail": (lambda r: inverse(r * r), 4, 6.1, None),
        "far": (lambda u: inverse(1 / (u * u)) * u, 1 / 27.5, 1 / 6, None),
    },
    "GAMMA": {
        "centre": (lambda x: mp.loggamma(x + ZERO) / ((x + ZERO - 1) * (x + ZERO - 2)), 0.75, 3.25,
                   0.001),
        "reciprocal": (lambda a: mp.rgamma(1 + a), 0, 4, None),
        "near one": (lambda a: mp.loggamma(1 + a + ZERO) / (a + ZERO), 0, 1.25, 0.2),
        "excess": (lambda t: (t - mp.log1p(t)) / (t * t), -0.4, 0.4, None),
        "stirling 3": (stirling, ZERO, 1 / 3.25 ** 2, 0.001),
    },
    "INTEGRALS": {
        "expint 0": (lambda x: (mp.ei(x + ZERO) - mp.log(x + ZERO) - mp.euler) / (x + ZERO), 0, 4,
                     None),
        "expint 4": (at_large(integral), 1 / 8, 1 / 4, None),
        "expint 8": (at_large(integral), 1 / 20, 1 / 8, None),
        "expint 20": (at_large(integral), ZERO, 1 / 20, None),
        "dawson 0": (lambda u: dawson(root(u + ZERO)) / root(u + ZERO), 0, 5, None),
        "dawson 5": (at_large(lambda x: dawson(root(x)) * root(x)), 1 / 11, 1 / 5, None),
        "dawson 11": (at_large(lambda x: dawson(root(x)) * root(x)), 1 / 24, 1 / 11, None),
        "dawson 24": (at_large(lambda x: dawson(root(x)) * root(x)), ZERO, 1 / 24, None),
        "fresnel c": (lambda u: mp.fresnelc(root(root(u + ZERO))) / root(root(u + ZERO)), 0, 6.5,
                      None),
        "fresnel s": (lambda u: mp.fresnels(root(root(u + ZERO))) / root(root(u + ZERO)) ** 3, 0,
                      6.5, None),
        "fresnel f": (fresnel(0), 1 / 45, 1 / 6.5, 2),
        "fresnel g": (fresnel(1), 1 / 45, 1 / 6.5, 16),
        "fresnel f far": (fresnel(0), ZERO, 1 / 45, 2),
        "fresnel g far": (fresnel(1), ZERO, 1 / 45, 16),
        "dilogarithm": (lambda w: mp.polylog(2, w + ZERO) / (w + ZERO), -HALF, HALF, None),
    },
}


def uniform(rows: int, columns: int) -> list[list]:
    """Taylor coefficients of Temme's functions C_k of eta, a row for each k: DLMF 8.12.

    lambda - 1 = eta + eta²/3 + …, whose coefficients are alpha; gamma: of 1 / a, for 1 / Gamma.
    """
    width = columns + 2 * rows + 2
    alpha = [mp.mpf(0), mp.mpf(1)]
    for n in range(2, width + 2):
        pairs = mp.fsum(j * alpha[j] * alpha[n - j + 1] for j in range(2, n))
        alpha.append((alpha[n - 1] - pairs) / (n + 1))
    row = [-1 / mp.mpf(3)] + [(n + 2) * alpha[n + 2] for n in range(1, width)]
    first, found = row, [row[:columns]]
    gamma = mp.taylor(lambda t: mp.exp(-mp.fsum(
        mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) * t ** (2 * k - 1)
        for k in range(1, rows + 2))), 0, rows)
    for k in range(1, rows):
        row = [gamma[k] * first[n] + (n + 2) * row[n + 2] for n in range(len(row) - 2)]
        found.append(row[:columns])
    return found


def develop(f: Any, low: Any, high: Any) -> tuple[list, Any]:
    """Chebyshev coefficients by interpolation, and the least size of the function."""
    low, high = mp.mpf(low), mp.mpf(high)
    angles = [mp.pi * (k + HALF) / NODES for k in range(NODES)]
    values = [f((low + high) / 2 + (high - low) / 2 * mp.cos(angle)) for angle in angles]
    series = [2 * mp.fsum(v * mp.cos(j * angle) for v, angle in zip(values, angles, strict=True))
              / NODES for j in range(NODES)]
    series[0] /= 2
    return series, min(abs(v) for v in values)


def shortened(series: list, size: Any) -> list:
    rest, count = mp.mpf(0), len(series)
    while count and rest + abs(series[count - 1]) < size * mp.mpf(2) ** -54:
        count, rest = count - 1, rest + abs(series[count - 1])
    return series[:count]


def listed(numbers: list, indent: str, end: str) -> str:
    lines, line = [], indent
    for one in numbers:
        if len(line) + len(repr(float(one))) + 2 > 100:
            lines.append(line)
            line = indent
        line += f" {float(one)!r},"
    return "\n".join([*lines, line.rstrip(",") + end])


def main() -> None:
    write = sys.stdout.write
    write('"""Chebyshev series of special functions; written by tools/vector_tables.py."""\n\n')
    write("from tapeflow.jit.codegen.vector_math.chebyshev import Chebyshev\n")
    for group, rows in SERIES.items():
        write(f"\n{group} = {{\n")
        for name, (f, low, high, size) in rows.items():
            series, least = develop(f, low, high)
            size = least if size is None else size
            kept = shortened(series, size)
            low = 0 if low is ZERO else low
            ends = f"{float(low)!r}, {float(high)!r}"
            write(f'    "{name}": Chebyshev({ends}, {float(size):.2g}, [\n')
            write(listed(kept, "       ", "]),\n"))
            print(f"{group} {name}: {len(kept)} terms", file=sys.stderr)
        write("}\n")
    write("\n# Temme's functions, of the incomplete gamma function for large a: powers of eta\n")
    write("UNIFORM = [\n")
    for k, row in enumerate(uniform(8, 20)):
        last = max((n for n, c in enumerate(row) if abs(c) * 0.48 ** n * 100.0 ** -k > 1e-18),
                   default=0)
        kept = row[:last + 1]
        write("    [" + listed(kept, "    ", "],\n").lstrip())
    write("]\n")


if __name__ == "__main__":
    main()
