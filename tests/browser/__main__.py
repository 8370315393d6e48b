"""The HTML report in a real browser: it opens, tabs show, hover works, large tapes are usable.

    python -m tests.browser [--screenshots FOLDER]       (make browser)
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.devtools import Browser

ROOT = Path(__file__).resolve().parents[2]
TABS = ("Curves", "Histograms", "Tape", "Memory", "Time", "Compiled", "Problems")
MANY = """\
import tensorflow as tf
w = tf.Variable([0.5, 0.3], name="w")
with tf.GradientTape() as tape:
    x = tf.constant([1.0, 2.0])
    for _ in range(2500):
        x = tf.sin(x * w)
        x = x + w * 0.1
    y = tf.reduce_sum(tf.math.log(w) * x)
tape.gradient(y, w)
"""


def report_of(program: Path, folder: Path) -> Path:
    """The page about a program."""
    page = folder / f"{program.stem}.html"
    subprocess.run([sys.executable, "-m", "tapeflow", "report", "-o", str(page), str(program)],
                   check=True, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return page


def check(browser: Browser, page: Path, pictures: Path | None) -> None:
    """Everything that is seen of one page."""
    browser.events.clear()
    started = time.monotonic()
    browser.open(page)
    opened = time.monotonic() - started
    shown = browser.evaluate("[...document.querySelectorAll('#tabs button')].map("
                             "one => one.dataset.tab)")
    assert shown == list(TABS), shown
    for name in TABS:
        browser.evaluate(f"document.querySelector('#tabs button[data-tab={name}]').click()")
        deadline = time.monotonic() + 10
        section = f"document.querySelector('main section[data-tab={name}]')"
        while not browser.evaluate(f"!{section}.hidden && {section}.innerText.length > 10"):
            assert time.monotonic() < deadline, f"the tab {name} does not show"
        visible = browser.evaluate("[...document.querySelectorAll('main section')].filter("
                                   "one => !one.hidden).length")
        assert visible == 1
        if pictures is not None:
            browser.screenshot(pictures / f"report_{name.lower()}.webp")
    tip = hover(browser)
    zoom = zoomed(browser)
    if every_op(browser):
        zoomed(browser)  # the first one waits until all is painted
        whole, tip = zoomed(browser), hover(browser)
        assert whole < 1.0, whole
        print(f"{page.name}: every op in a box of its own, a zoom takes {1000 * whole:.0f} ms")
    assert not browser.complaints(), browser.complaints()
    print(f"{page.name}: {page.stat().st_size:,} bytes, open after {opened:.2f} s, "
          f"hover says {tip!r}, a zoom takes {1000 * zoom:.0f} ms")


def hover(browser: Browser) -> str:
    """Move the mouse over a box of the tape, a curve and the flames; the words of the first."""
    said = []
    for name, target in (("Tape", ".view g.node rect"), ("Curves", ".plot .hit"),
                         ("Time", ".flame div")):
        browser.evaluate(f"document.querySelector('#tabs button[data-tab={name}]').click()")
        box = browser.evaluate(f"""(() => {{ const one = document.querySelector(
            'main section:not([hidden]) {target}'); one.scrollIntoView({{block: 'center'}});
            const r = one.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        browser.mouse("mouseMoved", box[0] - 1, box[1])
        browser.mouse("mouseMoved", *box)
        text = browser.evaluate("document.getElementById('tip').hidden ? '' : "
                                "document.getElementById('tip').textContent")
        assert text, f"no words over {target}"
        said.append(text.split("\n")[0])
    return said[0]


def every_op(browser: Browser) -> bool:
    """Show a large tape without groups, if the page offers it."""
    browser.evaluate("document.querySelector('#tabs button[data-tab=Tape]').click()")
    button = "document.querySelector('main section:not([hidden]) button.every')"
    if not browser.evaluate(f"!!{button}"):
        return False
    started = time.monotonic()
    browser.evaluate(f"{button}.click()")
    boxes = int(browser.evaluate("document.querySelector('.view').dataset.boxes"))
    assert boxes >= 10_000, boxes
    print(f"{boxes:,} boxes after {time.monotonic() - started:.2f} s")
    return True


def zoomed(browser: Browser) -> float:
    """Seconds that a turn of the wheel over the picture takes; it has to change the picture."""
    browser.evaluate("document.querySelector('#tabs button[data-tab=Tape]').click()")
    place = browser.evaluate("(() => { const r = document.querySelector('.view')"
                             ".getBoundingClientRect(); return [r.x + 60, r.y + 60]; })()")
    state = "document.querySelector('.view svg').style.transform"
    before = browser.evaluate(state)
    started = time.monotonic()
    browser.mouse("mouseWheel", *place, deltaX=0, deltaY=-120)
    for _ in range(100):
        if browser.evaluate(state) != before:
            return time.monotonic() - started
        time.sleep(0.01)
    raise AssertionError("the wheel does not zoom")


def main() -> None:
    """Report on programs, and look at the pages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--screenshots", type=Path, help="a folder for pictures of the tabs")
    asked = parser.parse_args()
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            many = folder / "many.py"
            many.write_text(MANY)
            for program in (ROOT / "tests/browser/program.py", many,
                            ROOT / "examples/linear_regression.py"):
                pictures = asked.screenshots if program.name == "program.py" else None
                check(browser, report_of(program, folder), pictures)
    finally:
        browser.close()
    print("every tab shows, hover and zoom work")


if __name__ == "__main__":
    main()
