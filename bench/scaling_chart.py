"""The predictions of `scaling.py` as SVG: efficiency against ranks, a panel for each model."""

import math

COLOURS = {"flat": "#b55", "flat, overlap": "#e80", "hierarchical": "#36c",
           "hierarchical, overlap": "#2a7"}
WIDE, HIGH, LEFT, TOP, APART = 300, 180, 50, 70, 370


def chart(curves):
    """{model: {way: [(ranks, efficiency)]}} side by side."""
    width = LEFT + APART * len(curves)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="310" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="310" fill="white"/>',
           '<text x="10" y="20" font-weight="bold" font-size="13">Samples per second of a rank, '
           "against one rank (predicted)</text>"]
    for i, (way, colour) in enumerate(COLOURS.items()):
        x = 10 + 160 * i
        out.append(f'<rect x="{x}" y="34" width="16" height="4" fill="{colour}"/>'
                   f'<text x="{x + 20}" y="40">{way}</text>')
    for i, (model, lines) in enumerate(curves.items()):
        out += panel(LEFT + APART * i, model, lines)
    return "\n".join([*out, "</svg>"]) + "\n"


def panel(x, title, lines):
    """Axes: ranks in powers of two, efficiency from 0 to 1."""
    bottom = TOP + HIGH
    most = math.log2(max(ranks for line in lines.values() for ranks, _ in line))
    out = [f'<text x="{x}" y="{TOP - 8}" font-weight="bold">{title}</text>',
           f'<path d="M{x} {TOP}V{bottom}H{x + WIDE}" fill="none" stroke="#888"/>',
           f'<text x="{x + WIDE}" y="{bottom + 34}" text-anchor="end">ranks</text>']
    for exponent in range(0, int(most) + 1, 3):
        at = x + WIDE * exponent / most
        out.append(f'<text x="{at:.0f}" y="{bottom + 16}" text-anchor="middle">{1 << exponent}'
                   "</text>")
    for tenths in range(0, 11, 2):
        at = bottom - HIGH * tenths / 10
        out.append(f'<path d="M{x} {at:.0f}h{WIDE}" stroke="#ddd"/>'
                   f'<text x="{x - 5}" y="{at + 4:.0f}" text-anchor="end">{tenths / 10}</text>')
    for way, line in lines.items():
        path = " ".join(f"{x + WIDE * math.log2(ranks) / most:.1f},{bottom - HIGH * value:.1f}"
                        for ranks, value in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[way]}" '
                   'stroke-width="2"/>')
    return out
