"""Compiled functions: tapeflow against TensorFlow (and XLA), JAX and PyTorch, in one run.

    python bench/compiled.py [--tensorflow PYTHON] [--xla] [--jax PYTHON] [--torch PYTHON]
                             [--inductor] [--first] [--only CASE ...] [--chart FILE]
                             [--table FILE] [--patience SECONDS]

PYTHON is an interpreter that has the library; `--inductor` adds torch.compile, which needs a C++
compiler. The last column is the best peer's time divided by tapeflow's, with the ratio that is
meant to be reached. Status 1 if one is not. `--first` times first calls instead, trace and
compilation: tapeflow's are meant to be shorter than those of the others that compile. `--table`
writes the table that README.md has.
"""

import argparse
import sys

import race

# Case -> title, and how many times faster than the best of the others tapeflow is meant to be.
CASES = {
    "regression": ("linear-regression step", 8),
    "logistic": ("logistic regression step", 8),
    "policy": ("policy-gradient step", 8),
    "cube": ("d(x³)/dx", 5),
    "sines": ("100 sin and the gradient", 3.5),
    "lotka": ("Lotka–Volterra, RK4, 200 steps", 1),
    "mlp": ("MLP 784-128-10, SGD step", 1.8),
    "adam": ("MLP 784-128-10, Adam step", 1.8),
    "wide_mlp": ("MLP 784-512-512-10, batch 1024", 1.3),
    "chain": ("4 M elements, chain and gradient", 3),
    "lstm": ("LSTM, 50 steps, and gradient", 1.5),
    "lstm_loop": ("the same as a loop of Python", 1.5),
    "transformer": ("transformer block and gradient", 1.3),
    "lenet": ("LeNet step", 1.2),
    "conv": ("conv 3×3 16→32, all gradients", 1),
    "xent": ("softmax cross-entropy 64×32000", 1.5),
    "norm": ("normalisation 2000²", 2),
    "embedding": ("embedding update", 3),
    "hessian": ("Hessian", 2),
    "hvp": ("Hessian-vector product", 2),
    "batch_jacobian": ("batch Jacobian", 2),
    "cholesky": ("64 Cholesky systems, and gradient", 1.5),
    "solve": ("64 systems by LU, and gradient", 1.5),
    "top_k": ("top 8 of 256×1000, and gradient", 1.5),
    "matmul": ("matrix product 1024²", 0.9),
}
NAMES = {"tapeflow": "tapeflow", "tensorflow": "TensorFlow", "xla": "XLA", "jax": "JAX",
         "torch": "PyTorch", "inductor": "torch.compile"}
COMPILERS = ("tapeflow", "xla", "jax", "inductor")  # those whose first call compiles


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, 6, "xla", "jax", "torch", "inductor")
    parser.add_argument("--first", action="store_true", help="first calls, of those that compile")
    parser.add_argument("--only", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--chart", metavar="FILE", help="draw the ratios as SVG")
    parser.add_argument("--patience", type=float, default=race.PATIENCE,
                        help="seconds for one answer; who has none is left out of the case")
    parser.add_argument("--table", metavar="FILE", help="write the times as Markdown")
    options = parser.parse_args()
    race.PATIENCE = options.patience
    pythons = race.pythons(options, "cases_compiled")
    chosen = {case: CASES[case] for case in options.only}
    if options.first:
        chosen = {case: (title, 1) for case, (title, _) in chosen.items()}
        pythons = {one: how for one, how in pythons.items() if one in COMPILERS}
        best, versions = race.measure_first(chosen, pythons, options.launches)
        return 0 if report(chosen, best, versions, "ms for a first call", 1e3) else 1
    best, versions = race.measure(
        chosen, pythons, options.launches, options.rounds, options.seconds
    )
    met = report(chosen, best, versions)
    if options.chart:
        with open(options.chart, "w", encoding="utf-8") as file:
            file.write(chart(chosen, best))
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write(table(chosen, best, versions))
    return 0 if met else 1


def ratio_of(times: dict[str, float]) -> tuple[float, str]:
    """How many times faster tapeflow is than the best of the others, and which that is."""
    peers = {library: t for library, t in times.items() if library != "tapeflow"}
    if not peers:
        return float("nan"), ""
    quickest = min(peers, key=peers.__getitem__)
    return peers[quickest] / times["tapeflow"], quickest


def report(cases, best, versions, what="µs per step", scale=1e6) -> bool:
    race.progress("")
    print(", ".join(f"{library} {version}" for library, version in versions.items()))
    print(f"{what}, least of all rounds\n")
    heading = "".join(f"{library:>12}" for library in versions)
    print(f"{'':<34}{heading}   best peer / tapeflow")
    all_met = True
    for case, (title, wanted) in cases.items():
        times = best[case]
        ratio, peer = ratio_of(times)
        line = f"{title:<34}" + "".join(f"{times[one] * scale:>12.2f}" for one in versions)
        if peer:
            met = ratio >= wanted
            all_met &= met
            line += f"   {ratio:7.2f} ({peer}), ≥ {wanted:g} {race.verdict(met)}"
        print(line)
    return bool(all_met)


def table(cases, best, versions) -> str:
    """The times as Markdown, a column for each library; – where it has no answer."""
    heads = [NAMES[library] if library in ("tapeflow", "xla", "inductor") else
             f"{NAMES[library]} {'.'.join(version.split('.')[:2])}"
             for library, version in versions.items()]
    rows = [["µs per step", *heads, "best of the others / tapeflow"], ["---"] * (len(heads) + 2)]
    for case, (title, _) in cases.items():
        ratio, peer = ratio_of(best[case])
        rows.append([title, *[_digits(best[case][library]) for library in versions],
                     f"{ratio:.{1 if ratio >= 1.2 else 2}f}× ({NAMES[peer]})" if peer else "–"])
    return "".join([f"| {' | '.join(row)} |\n" for row in rows])


def _digits(seconds: float) -> str:
    """Microseconds with as many digits as mean something."""
    if seconds == float("inf"):
        return "–"
    return f"{seconds * 1e6:,.{2 if seconds < 1e-4 else 0}f}"


def chart(cases, best) -> str:
    """Bars of the ratios, as SVG."""
    rows = [(title, *ratio_of(best[case])) for case, (title, _) in cases.items()]
    height, widest = 22 * len(rows) + 50, 330
    top = max([ratio for _, ratio, _ in rows if ratio == ratio], default=1.0)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" '
             'font-family="sans-serif" font-size="13">',
             '<text x="10" y="20" font-weight="bold">How many times faster than the best of the '
             "others (logarithmic)</text>"]
    for i, (title, ratio, peer) in enumerate(rows):
        y = 36 + 22 * i
        wide = max(2.0, widest * _log(max(ratio, 1.0)) / max(_log(top), 1e-9))
        colour = "#2a7" if ratio >= 1 else "#b55"
        lines.append(f'<text x="230" y="{y + 13}" text-anchor="end">{title}</text>')
        lines.append(f'<rect x="240" y="{y}" width="{wide:.0f}" height="16" fill="{colour}"/>')
        lines.append(f'<text x="{248 + wide:.0f}" y="{y + 13}">{ratio:.1f}× {peer}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _log(x: float) -> float:
    import math
    return math.log10(x)


if __name__ == "__main__":
    sys.exit(main())
