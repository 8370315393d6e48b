"""What `make demo` shows: a network learns three spirals, gradients that are None explain
themselves, and a program written for TensorFlow runs unchanged. About ten seconds."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# These matrices are small: threads of the BLAS gain nothing, and on a busy machine they wait for
# each other a hundred times longer than the work takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from terminal import Terminal

import tapeflow as tf

HERE = Path(__file__).resolve().parent
SECONDS = 25  # on a slow machine the training stops here
FRAME_SECONDS = 0.2


def spirals(points_per_arm: int = 150, arms: int = 3):
    """Points on the arms of a spiral, and the arm of each."""
    rng = np.random.default_rng(7)
    radius = np.linspace(0.05, 1, points_per_arm)
    points, labels = [], []
    for arm in range(arms):
        angle = 11.0 * radius + 2 * np.pi * arm / arms + rng.normal(0, 0.14, points_per_arm)
        points.append(np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=1))
        labels.append(np.full(points_per_arm, arm))
    return np.concatenate(points).astype("f"), np.concatenate(labels).astype("i")


class Network(tf.Module):
    """Two hidden layers of tanh."""

    def __init__(self, sizes=(2, 48, 48, 3)):
        super().__init__()
        self.weights = [
            tf.Variable(tf.random.normal([a, b], stddev=1.2 / a**0.5, seed=a + b))
            for a, b in zip(sizes, sizes[1:])
        ]
        self.offsets = [tf.Variable(tf.zeros([b])) for b in sizes[1:]]

    def __call__(self, x):
        for w, b in zip(self.weights[:-1], self.offsets[:-1]):
            x = tf.tanh(x @ w + b)
        return x @ self.weights[-1] + self.offsets[-1]


class Adam:
    """The optimiser, written out: a training loop needs no more than the tape."""

    def __init__(self, variables, rate=0.0003):
        self.variables, self.rate, self.step = variables, rate, 0
        self.means = [tf.Variable(tf.zeros_like(v)) for v in variables]
        self.squares = [tf.Variable(tf.zeros_like(v)) for v in variables]

    def apply(self, gradients):
        self.step += 1
        rate = self.rate * (1 - 0.99**self.step) ** 0.5 / (1 - 0.9**self.step)
        for v, m, s, g in zip(self.variables, self.means, self.squares, gradients):
            m.assign_add(0.1 * (g - m))
            s.assign_add(0.01 * (g * g - s))
            v.assign_sub(rate * m / (tf.sqrt(s) + 1e-7))


def train(screen: Terminal, steps: int) -> None:
    """The loop, with a picture of what the network believes."""
    tf.random.set_seed(1)
    points, labels = spirals()
    x, y = tf.constant(points), tf.constant(labels)
    network = Network()
    optimiser = Adam(network.trainable_variables)
    picture = Picture(screen, steps, points, labels)
    begin = time.perf_counter()
    for step in range(1, steps + 1):
        with tf.GradientTape() as tape:
            logits = network(x)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            )
        optimiser.apply(tape.gradient(loss, optimiser.variables))
        elapsed = time.perf_counter() - begin
        last = step == steps or elapsed > SECONDS
        if picture.due(step, elapsed, last):
            accuracy = np.mean(np.argmax(logits.numpy(), -1) == labels)
            picture.draw(network, step, float(loss), accuracy, elapsed, last)
        if last:
            break


class Picture:
    """The decision map, the progress line and the curve of the loss."""

    def __init__(self, screen: Terminal, steps: int, points, labels):
        self.screen, self.steps = screen, steps
        self.losses, self.next_time = [], 0.0
        height, width = screen.pixels
        ys, xs = np.linspace(1.1, -1.1, height), np.linspace(-1.1, 1.1, width)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype("f")
        self.grid, self.shape = tf.constant(grid), (height, width)
        self.points = np.full((height, width), -1)
        rows = np.abs(ys[:, None] - points[:, 1]).argmin(0)
        columns = np.abs(xs[:, None] - points[:, 0]).argmin(0)
        self.points[rows, columns] = labels

    def due(self, step: int, elapsed: float, last: bool) -> bool:
        """A frame every fifth of a second; without a tty ten in all."""
        if not self.screen.live:
            return last or step % max(1, self.steps // 10) == 0
        return last or elapsed >= self.next_time

    def draw(self, network, step, loss, accuracy, elapsed, last) -> None:
        self.next_time = elapsed + FRAME_SECONDS
        self.losses.append(loss)
        progress = (
            f"  {self.screen.bar(step / self.steps)} step {step}/{self.steps}  loss {loss:.4f}  "
            f"accuracy {accuracy:6.1%}  {step / elapsed:,.0f} steps/s"
        )
        if not (self.screen.live or last):
            self.screen.print(progress)
            return
        classes = np.argmax(network(self.grid).numpy(), -1).reshape(self.shape)
        lines = [*self.screen.map(classes, self.points), "", progress]
        self.screen.frame([*lines, f"  {self.screen.spark(self.losses, self.shape[1])}"])


def explain(screen: Terminal) -> None:
    """Three gradients that are None, and what tapeflow says of them."""
    x = tf.constant(2.0)
    w = tf.Variable(3.0, name="w")
    steps = tf.Variable(4, name="steps")
    with tf.GradientTape(persistent=True) as tape:
        y = tf.stop_gradient(w * x) * tf.cast(steps, tf.float32)
    screen.print("  y = tf.stop_gradient(w * x) * tf.cast(steps, tf.float32)")
    screen.print(f"  tape.gradient(y, [x, w, steps])  ->  {tape.gradient(y, [x, w, steps])}")
    screen.print("  tape.explain(y, [x, w, steps])   ->")
    screen.paragraph(str(tape.explain(y, [x, w, steps])))


def run_unchanged(screen: Terminal) -> None:
    """A program that imports tensorflow, and one that dies of a gradient that is None."""
    screen.print("  $ tapeflow run examples/linear_regression.py")
    show(screen, HERE / "linear_regression.py")
    source = (
        "import tensorflow as tf\n"
        "x = tf.constant(3.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = x**2\n"
        "print(tape.gradient(y, x).numpy())\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "forgot_watch.py")
        path.write_text(source)
        screen.print()
        screen.print("  $ tapeflow run forgot_watch.py")
        show(screen, path, hide=folder + "/")


def show(screen: Terminal, path: Path, hide: str = "") -> None:
    """Run a program with `tapeflow run` and show what it prints."""
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "tapeflow", "run", str(path)], capture_output=True, text=True
    )
    screen.paragraph((done.stdout + done.stderr).replace(hide, ""))
    screen.print(f"    (exit {done.returncode}, {time.perf_counter() - begin:.2f} s in all)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=6000, help="training steps")
    steps = parser.parse_args().steps
    screen = Terminal()
    screen.heading("1. A network learns three spirals with tf.GradientTape")
    train(screen, steps)
    screen.heading("2. A gradient that is None says why")
    explain(screen)
    screen.heading("3. A program written for TensorFlow, unchanged")
    run_unchanged(screen)
    screen.heading("What to try next")
    screen.print("  .venv/bin/tapeflow run your_program.py    a TensorFlow program of yours")
    screen.print("  .venv/bin/tapeflow run examples/physics_informed.py")
    screen.print("  .venv/bin/tapeflow doctor                 what tapeflow runs on here")
    screen.print("  make test                                 the tests")


if __name__ == "__main__":
    main()
