"""The curves of `growth.py` as SVG: a row for each, time at the left and memory at the right."""

import math

COLOURS = {"tapeflow": "#2a7", "tensorflow": "#e80", "xla": "#b55", "jax": "#36c", "torch": "#83a"}
WIDE, HIGH = 300, 150  # of a panel's axes
LEFT, TOP, APART, ROW = 64, 60, 380, 215


def chart(curves: list) -> str:
    """(curve, lines by library) in rows, on logarithmic axes."""
    height = TOP + ROW * len(curves)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="760" height="{height}" fill="white"/>',
           '<text x="10" y="20" font-weight="bold" font-size="13">How time and memory grow '
           "(logarithmic axes; memory: the most that the process held)</text>"]
    drawn = [library for library in COLOURS if any(library in lines for _, lines in curves)]
    for i, library in enumerate(drawn):
        out.append(f'<rect x="{10 + 110 * i}" y="32" width="16" height="4" '
                   f'fill="{COLOURS[library]}"/><text x="{30 + 110 * i}" y="38">{library}</text>')
    for i, (curve, lines) in enumerate(curves):
        y = TOP + ROW * i
        for x, which, unit, what in ((LEFT, 1, 1e-3, "ms"), (LEFT + APART, 2, 1e6, "MB")):
            points = {library: [(point[0], point[which] / unit) for point in lines[library]]
                      for library in drawn if library in lines}
            out += panel(x, y, points, f"{curve.title}, {what}", curve.unit)
    return "\n".join([*out, "</svg>"]) + "\n"


def panel(x: int, y: int, points: dict, title: str, unit: str) -> list[str]:
    """Axes with a label at each power of ten, and a line for each library."""
    across = Axis([size for line in points.values() for size, _ in line], WIDE)
    upwards = Axis([value for line in points.values() for _, value in line], HIGH)
    bottom = y + 20 + HIGH
    out = [f'<text x="{x}" y="{y + 12}" font-weight="bold">{title}</text>',
           f'<path d="M{x} {y + 20}V{bottom}H{x + WIDE}" fill="none" stroke="#888"/>',
           f'<text x="{x + WIDE}" y="{bottom + 30}" text-anchor="end">{unit}</text>']
    for value in across.labels():
        at = x + across.place(value)
        out.append(f'<path d="M{at:.0f} {bottom}v4" stroke="#888"/>'
                   f'<text x="{at:.0f}" y="{bottom + 16}" text-anchor="middle">{words(value)}'
                   "</text>")
    for value in upwards.labels():
        at = bottom - upwards.place(value)
        out.append(f'<path d="M{x} {at:.0f}h{WIDE}" stroke="#ddd"/>'
                   f'<text x="{x - 5}" y="{at + 4:.0f}" text-anchor="end">{words(value)}</text>')
    for library, line in points.items():
        places = [(x + across.place(size), bottom - upwards.place(value)) for size, value in line]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        wide = 2.5 if library == "tapeflow" else 1.5
        out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[library]}" '
                   f'stroke-width="{wide}"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{COLOURS[library]}"/>'
                for a, b in places]
    return out


class Axis:
    """A logarithmic axis that holds all values."""

    def __init__(self, values: list, length: int):
        self.values, self.length = values, length
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if self.high - self.low < 0.5:
            self.low, self.high = self.low - 0.25, self.high + 0.25

    def place(self, value: float) -> float:
        return self.length * (math.log10(value) - self.low) / (self.high - self.low)

    def labels(self) -> list[float]:
        """Powers of ten; within one or two of them some numbers between."""
        steps = (1,) if self.high - self.low > 2 else (1, 2, 5)
        every = max(1, round((self.high - self.low) / 5))
        return [step * 10.0 ** power
                for power in range(math.floor(self.low), math.ceil(self.high) + 1, every)
                for step in steps
                if self.low - 1e-9 <= math.log10(step * 10.0 ** power) <= self.high + 1e-9]


def words(value: float) -> str:
    """1000 as 1,000, 1000000 as 10⁶."""
    if value >= 1e5 or value < 1e-3:
        power = str(round(math.log10(value)))
        return "10" + power.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
