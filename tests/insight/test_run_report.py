"""tf.insight.report and Monitor: the page is whole and fetches nothing, its numbers are right.

In a browser: `make browser` (tests/browser).
"""

import html.parser
import inspect
import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.cli import main
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.state import state
from tapeflow.insight.run_report import html_page
from tapeflow.insight.run_report.line_sampler import LineSampler, Tree
from tapeflow.insight.run_report.native_lines import divide_native

ROOT = Path(__file__).resolve().parents[2]
PLAIN = GradientTape._backward
X = np.random.default_rng(0).standard_normal((32, 4)).astype("float32")


class Page(html.parser.HTMLParser):
    """A page whose tags are balanced; `data` is what its script finds."""

    VOID = {"meta", "br", "input"}

    def __init__(self, path):
        super().__init__()
        self.open, self.data, self.text = [], None, Path(path).read_text(encoding="utf-8")
        self.feed(self.text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        assert "src" not in names and "href" not in names
        if tag not in self.VOID:
            self.open.append((tag, names))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open and self.open[-1][1].get("id") == "data":
            self.data = json.loads(data)


def outside(text):
    """Addresses that a browser might fetch: names of namespaces are not fetched."""
    return [one for one in re.findall(r"https?://[^\s\"'<)\\]+", text)
            if one != "http://www.w3.org/2000/svg"]


def train(step, w, count):
    norms = []
    for _ in range(count):
        norms.append(float(step(w)))
    return norms


def eager_step(w):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(tf.constant(X) @ w) - 0.5) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    return tf.norm(g)


@pytest.mark.parametrize("kind", ["eager", "traced", "native"])
def test_curves_are_the_gradients(kind, tmp_path):
    step = eager_step if kind == "eager" else tf.function(
        eager_step, autograph=False, jit_compile=kind == "native" or None)
    w = tf.Variable(np.eye(4, dtype="float32"), name="layer/w")
    with tf.insight.report(tmp_path / "run.html", title="a <b> run"):
        norms = train(step, w, 5)
    assert GradientTape._backward is PLAIN and state.record_type is None
    page = Page(tmp_path / "run.html")
    assert not outside(page.text) and "<title>a &lt;b&gt; run</title>" in page.text
    (site,) = page.data["monitors"]
    assert site["steps"] == 5 and Path(__file__).name in site["title"]
    (series,) = site["series"]
    assert series["name"] == "layer/w"
    np.testing.assert_allclose([p[1] for p in series["points"]], norms, rtol=1e-4)
    assert len(site["losses"]) == 5 and site["losses"][0][1] > site["losses"][-1][1]
    assert sum(series["histograms"][0]["gradient"]["counts"]) == 16
    assert "<svg" in site["drawing"] and "norm of the gradient:" in site["drawing"]
    if kind == "eager":
        assert site["memory"]["total"] > 0 and site["memory"]["profile"]
    else:
        assert any(one["name"] == "eager_step" for one in page.data["functions"])
    train(step, w, 2)  # nobody watches any more
    plain = tf.Variable(np.eye(4, dtype="float32"))
    np.testing.assert_allclose(train(eager_step, plain, 5), norms, rtol=1e-4)


def test_norms_of_a_function_whose_first_trace_is_never_run(tmp_path):
    w = tf.Variable(np.eye(4, dtype="float32"))

    @tf.function(autograph=False)
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x @ w))
        return tape.gradient(loss, w)

    with tf.insight.report(tmp_path / "run.html") as run:
        step.get_concrete_function(tf.TensorSpec([2, 4]))
        step(tf.ones([3, 4]))
    (site,) = run.data["monitors"]
    assert "norm of the gradient:" in site["drawing"]


def test_nones_and_nans_have_reasons(tmp_path):
    w, u = tf.Variable([0.0, 1.0], name="w"), tf.Variable(1.0, name="u")
    with tf.insight.report(tmp_path / "run.html") as run:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.math.log(w) * w)
        tape.gradient(y, [w, u])
    found = {one["kind"]: one for one in run.data["problems"]}
    assert "not read" in found["None"]["text"]
    assert "born in log" in found["NaN"]["text"] and Path(__file__).name in found["NaN"]["text"]
    assert run.data["monitors"][0]["series"][0]["points"][0][1] is None
    Page(tmp_path / "run.html")


def test_time_names_lines_and_ops(tmp_path):
    with tf.insight.report(tmp_path / "run.html") as run:
        x = tf.ones([200, 200])
        for _ in range(40):
            x = tf.linalg.inv(x + tf.eye(200) * 200.0)
        for _ in range(150):  # enough for a sample, however fast they are
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.linalg.inv(x + tf.eye(200) * 200.0)
            tape.gradient(y, x)
    times = run.data["time"]
    assert any(mode == "backward" for mode, _, _ in times["ops"])
    assert times["seconds"] > 0 and times["flame"]["seconds"] > 0
    assert any(mode == "eager" for mode, _, _ in times["ops"])
    assert any(Path(__file__).name in line for _, line, _ in times["lines"])
    total = sum(seconds for _, _, seconds in times["ops"])
    assert total == pytest.approx(times["flame"]["seconds"], rel=0.05)


def test_time_of_native_code_is_divided_by_lines():
    w = tf.Variable(np.eye(64, dtype="float32"))

    @tf.function(jit_compile=True)
    def step(x):
        with tf.GradientTape() as tape:
            h = x @ w  # the product
            loss = tf.reduce_sum(tf.tanh(h))  # the rest
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    step(tf.ones([64, 64]))
    sampler = LineSampler()
    for line in ("a.py:1", "a.py:2"):
        leaf = sampler._leaves.setdefault("step", [])
        leaf.append(Tree())
        leaf[-1].seconds = 0.5
        sampler._native["step", line] = sampler.by_line["native", line] = 0.5
    sampler.by_op["native", "step"] = 1.0
    divide_native(sampler, [step])
    code, first = inspect.getsourcelines(test_time_of_native_code_is_divided_by_lines)
    at = {mark: first + next(i for i, line in enumerate(code) if f"# {mark}" in line)
          for mark in ("the product", "the rest")}
    times = sampler.to_dict()
    lines = {name: seconds for mode, name, seconds in times["lines"]}
    for line in at.values():
        assert lines[f"{Path(__file__).name}:{line}"] > 0, lines
    assert "a.py:1" not in lines and sum(lines.values()) == pytest.approx(1.0, abs=1e-3)
    ops = {name: seconds for _, name, seconds in times["ops"]}
    assert "matmul" in ops and any(one.startswith("gradient: ") for one in ops)
    assert sum(ops.values()) == pytest.approx(1.0, abs=1e-3)
    for leaf in sampler._leaves["step"]:
        assert sum(one.seconds for one in leaf.children.values()) == pytest.approx(0.5)


def test_a_report_that_fails_lets_the_program_go_on(tmp_path, monkeypatch):
    def broken(*args):
        raise ZeroDivisionError("mine")

    monkeypatch.setattr("tapeflow.insight.run_report.gradient_sites.memory_of", broken)
    w = tf.Variable(3.0)
    with tf.insight.report(tmp_path / "run.html"), tf.GradientTape() as tape:
        y = w * w
        with pytest.warns(UserWarning, match="ZeroDivisionError: mine"):
            assert float(tape.gradient(y, w)) == 6.0
    assert GradientTape._backward is PLAIN


def test_a_page_of_hostile_texts():
    data = {"title": "</script><script>alert(1)</script>{{data}}", "problems": [
        {"kind": "None", "site": "</script>", "name": "<!--", "reason": "", "text": "{{script}}",
         "step": 0}]}
    text = html_page.page(data)
    assert text.count("</script>") == 2 and "<script>alert" not in text
    held = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(held) == data


def test_wrong_use(tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder"):
        tf.insight.report(tmp_path / "absent" / "run.html")
    with pytest.raises(KeyError, match="mine"), tf.insight.report(tmp_path / "run.html") as run:
        raise KeyError("mine")
    assert run.data["problems"][0]["name"] == "KeyError"
    with pytest.raises(RuntimeError, match="begun already"):
        run.start()


def test_monitor():
    monitor = tf.insight.Monitor()
    w, b = tf.Variable([3.0, 4.0], name="w"), tf.Variable(1.0, name="b")
    for step in range(2600):
        monitor.note(step, ["w", "b"], [w, b], [2 * w.numpy(), None], 25.0)
    points = monitor.series["w"].points
    assert 1000 <= len(points) <= 2000 and points[0].step == 0 and points[-1].step > 2590
    steps = np.diff([point.step for point in points])
    assert (steps == steps[0]).all()
    assert points[0].norm == 10.0 and points[0].ratio == 2.0
    assert monitor.series["b"].missing == 2600 and len(monitor.losses) == len(points)
    json.dumps(monitor.to_dict(), allow_nan=False)
    with pytest.raises(ValueError, match="2 gradients for 1"):
        monitor.record(0, [w, w], [w])
    with tf.GradientTape() as tape:
        loss = b * b
    with pytest.raises(ValueError, match="needs `loss`"):
        monitor.record(0, tape, [b])
    monitor.record(0, tape, [b], loss)
    assert float(monitor.gradients[0]) == 2.0 and "b ()" in repr(monitor)


def test_monitor_as_a_callback_of_keras(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = tf.keras.Sequential([tf.keras.layers.Dense(3, name="hidden"),
                                     tf.keras.layers.Dense(1, name="out")])
        model.compile("sgd", "mse")
        model.fit(X, X[:, :1], epochs=1, batch_size=8, verbose=0)
        monitor = tf.insight.Monitor()
        model.fit(X, X[:, :1], epochs=2, batch_size=8, verbose=0, callbacks=[monitor.callback()])
        model.fit(X, X[:, :1], epochs=1, batch_size=8, verbose=0)
    assert {name.partition("/")[2] for name in monitor.series} == {
        "hidden/kernel", "hidden/bias", "out/kernel", "out/bias"}
    assert all(len(one.points) == 8 for one in monitor.series.values())
    assert len(monitor.losses) == 8 and GradientTape._backward is PLAIN
    monitor.report(tmp_path / "monitor.html")
    assert Page(tmp_path / "monitor.html").data["monitors"][0]["series"]


def test_the_command(tmp_path):
    program = tmp_path / "train.py"
    program.write_text("import sys\nimport tensorflow as tf\n"
                       "x = tf.Variable(float(sys.argv[1]), name='x')\n"
                       "for _ in range(3):\n"
                       "    with tf.GradientTape() as tape:\n        y = x * x\n"
                       "    x.assign_sub(0.1 * tape.gradient(y, x))\n"
                       "print(float(x))\nsys.exit(3)\n")
    done = subprocess.run(
        [sys.executable, "-m", "tapeflow", "report", "train.py", "2.0"], cwd=tmp_path, text=True,
        capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 3 and float(done.stdout) == pytest.approx(2 * 0.8 ** 3)
    assert "train.report.html" in done.stderr
    (site,) = Page(tmp_path / "train.report.html").data["monitors"]
    assert [round(p[1], 3) for p in site["series"][0]["points"]] == [4.0, 3.2, 2.56]
    for words in ([], ["-o"], ["-o", "absent/x.html", "train.py"], ["--help"]):
        assert main(["report", *words]) == 2
