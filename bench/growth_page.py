"""The curves of `growth.py` as a page of the documentation: tables of numbers, and who is ahead."""

import os

HEAD = """# How cost grows

`make bench-growth` (`bench/growth.py`) runs one case at many sizes, in processes of their own that
take turns, for tapeflow, TensorFlow, XLA, JAX and PyTorch. Below are the least milliseconds of
a step and, in parentheses, the most megabytes that the process held. A library that would need too
long for a step is left out from there on.
"""


def by_size(lines: dict) -> dict:
    """For each library, seconds and bytes by size."""
    return {library: {size: rest for size, *rest in points} for library, points in lines.items()}


def page(curves: list, chart: str | None, crossings) -> str:
    """(curve, lines by library) as Markdown; `crossings(table)` gives lines: who is ahead."""
    parts = [HEAD]
    if chart:
        parts.append(f"![Time and memory against size]({os.path.basename(chart)})\n")
    for curve, lines in curves:
        table = by_size(lines)
        rows = [[curve.unit, *table], ["---"] * (len(table) + 1)]
        rows += [[f"{size:,}", *[cell(one, size) for one in table.values()]]
                 for size in table["tapeflow"]]
        parts.append(f"## {curve.title[0].upper()}{curve.title[1:]}")
        parts.append("".join([f"| {' | '.join(row)} |\n" for row in rows]))
        ahead = crossings(table)
        parts.append("\n".join([f"- {line}" for line in ahead] or ["No peer is ahead."]) + "\n")
    return "\n".join(parts)


def cell(one: dict, size: int) -> str:
    """Milliseconds and megabytes, or a dash."""
    if size not in one:
        return "–"
    seconds, peak = one[size]
    digits = f"{seconds * 1e3:,.0f}" if seconds >= 1 else f"{seconds * 1e3:.3g}"
    return f"{digits} ({peak / 1e6:,.0f})"
