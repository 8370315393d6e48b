"""Ranks against one rank, against a bare MPI.Allreduce and against PyTorch's DDP; and beyond.

    python bench/scaling.py [--torch PYTHON] [--rounds 10] [--chart docs/scaling.svg]

All jobs are alive at the same time and asked in turn; a figure is the minimum over all rounds, and
beside each stands a check that the numbers are right. From the times measured here it fits the
engine's latency and bandwidth, predicts 1, 2 and 4 ranks of this machine to be compared with what
was measured, and 8 to 4,096 ranks of machines like this on a network.
"""

import argparse
import json
import math
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import scaling_chart

HERE = Path(__file__).resolve().parent
WORKER = str(HERE / "scaling_worker.py")
MODELS = ("MLP 784-512-512-10", "LeNet")
BATCH = 256
SIZES = [1 << k for k in range(10, 24, 2)]
TARGETS = {"exchange": 1.3, "ranks": 1.7, "torch": 1.5}
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                            "TF_NUM_INTRAOP_THREADS"), "1")


class Job:
    """Processes that wait for requests on the standard input of the first of them."""

    def __init__(self, *commands):
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(HERE.parent)}
        self._all = [subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            stderr=subprocess.DEVNULL) for words in commands]

    def ask(self, **request):
        first = self._all[0]
        first.stdin.write(json.dumps(request) + "\n")
        first.stdin.flush()
        line = first.stdout.readline()
        if not line:
            raise SystemExit(f"a job has died at {request}")
        return json.loads(line)

    def close(self):
        for one in self._all:
            one.stdin.close()
        for one in self._all:
            one.wait(30)


def tapeflow(ranks):
    return Job([sys.executable, "-m", "tapeflow", "launch", "-n", str(ranks), "--threads", "1",
                WORKER])


def torch(python, ranks):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return Job(*[[python, WORKER, "--torch", str(i), str(ranks), str(port)]
                 for i in range(ranks)])


def measure(jobs, rounds, count):
    """The least seconds of a step, by job and model, and of exchanges, by bytes."""
    steps, alone, bare, ours, cpu = {}, {}, {}, {}, {}
    curve = {}
    for _ in range(rounds):
        for model in MODELS:
            for name, job in jobs.items():
                found = job.ask(do="steps_of", model=model, batch=BATCH, count=count)
                steps[name, model] = min(found + [steps.get((name, model), math.inf)])
                found = job.ask(do="cpu_of", model=model, batch=BATCH, count=count)
                cpu[name, model] = min(found + [cpu.get((name, model), math.inf)])
            found = jobs["2 ranks"].ask(do="steps_of", model=model, batch=BATCH, count=count,
                                        reduce=False)
            alone[model] = min(found + [alone.get(model, math.inf)])
            a, b = jobs["2 ranks"].ask(do="exchange", model=model, count=count)
            bare[model] = min(a + [bare.get(model, math.inf)])
            ours[model] = min(b + [ours.get(model, math.inf)])
        for nbytes in SIZES:
            found = jobs["2 ranks"].ask(do="allreduce", nbytes=nbytes, count=4 * count)
            curve[nbytes] = min(found + [curve.get(nbytes, math.inf)])
    return steps, cpu, alone, bare, ours, curve


def fit(curve):
    """Seconds of an exchange whatever its size, and for each byte: least relative squares."""
    sizes, times = np.array(list(curve)), np.array(list(curve.values()))
    rows = np.stack([np.ones(len(sizes)), sizes], 1) / times[:, None]
    return np.linalg.lstsq(rows, np.ones(len(sizes)), rcond=None)[0]


class Machine:
    """What the predictions assume: cores of a host, and the network between hosts."""

    def __init__(self, cores, latency, per_byte, network_latency, network_bandwidth):
        self.cores, self.latency, self.per_byte = cores, latency, per_byte
        self.network_latency, self.network_per_byte = network_latency, 1 / network_bandwidth

    def flat(self, ranks, nbytes, hosts):
        """Seconds of an all-reduce in which all ranks are equal."""
        if ranks == 1:
            return 0.0
        moved = 2 * (ranks - 1) / ranks * nbytes
        if hosts == 1:
            return self.latency * math.log2(ranks) + moved * self.per_byte
        # All ranks of a host share its link.
        return (2 * math.log2(ranks) * self.network_latency + self.latency
                + moved * self.network_per_byte * ranks / hosts)

    def hierarchical(self, ranks, nbytes, hosts):
        """Seconds if the ranks of a host add up first, and one sum leaves each host."""
        if hosts == 1:
            return self.flat(ranks, nbytes, 1)
        inside = self.flat(ranks // hosts, nbytes, 1)
        moved = 2 * (hosts - 1) / hosts * nbytes
        return (inside + 2 * math.log2(hosts) * self.network_latency
                + moved * self.network_per_byte)


def predict(machine, compute, nbytes, ranks, way, overlap, ranks_of_a_host):
    """Seconds of a step; what is exchanged during two thirds of the compute costs nothing."""
    hosts = max(1, ranks // ranks_of_a_host)
    crowd = max(1.0, ranks / hosts / machine.cores)
    exchange = getattr(machine, way)(ranks, nbytes, hosts)
    busy = compute * crowd
    return busy + (max(exchange - busy * 2 / 3, exchange * 0.1) if overlap else exchange)


def bytes_of(model):
    sizes = {"MLP 784-512-512-10": 784 * 512 + 512 + 512 * 512 + 512 + 5120 + 10,
             "LeNet": 156 + 2416 + 48120 + 10164 + 850}
    return 4 * sizes[model]


def report(name, value, target, better):
    met = value <= target if better == "less" else value >= target
    print(f"  {name:58} {value:6.2f}   target {'≤' if better == 'less' else '≥'} {target}"
          f"   {'met' if met else 'MISSED'}")
    return met


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--torch", help="a Python that has PyTorch")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--count", type=int, default=20, help="steps of a round")
    parser.add_argument("--chart")
    parser.add_argument("--ranks", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--network-latency", type=float, default=3e-6, help="seconds")
    parser.add_argument("--network-bandwidth", type=float, default=12.5e9, help="bytes a second")
    given = parser.parse_args()
    jobs = {f"{n} rank{'s' * (n > 1)}": tapeflow(n) for n in given.ranks}
    if given.torch:
        jobs["torch"] = torch(given.torch, 2)
    losses = {name: {model: job.ask(do="losses", model=model, batch=BATCH * (
        2 if name in ("2 ranks", "torch") else 1)) for model in MODELS}
        for name, job in jobs.items()}
    steps, cpu, alone, bare, ours, curve = measure(jobs, given.rounds, given.count)
    for job in jobs.values():
        job.close()
    latency, per_byte = fit(curve)
    # For two ranks: one exchange moves the bytes once.
    machine = Machine(os.cpu_count(), latency, per_byte, given.network_latency,
                      given.network_bandwidth)
    met = tables(steps, cpu, alone, bare, ours, losses, "torch" in jobs)
    if latency <= 0 or per_byte <= 0:
        print("no predictions: the times of exchanges do not grow with their bytes, as they do "
              "where nothing else runs")
        return 1
    curves = predictions(machine, steps, cpu)
    if given.chart:
        Path(given.chart).write_text(scaling_chart.chart(curves))
    return 0 if met else 1


def tables(steps, cpu, alone, bare, ours, losses, with_torch):
    """Print what was measured; whether all targets are met."""
    met = True
    for model in MODELS:
        one, two = steps["1 rank", model], steps["2 ranks", model]
        print(f"{model}, batch {BATCH} a rank, one thread a rank "
              f"({bytes_of(model) / 1e6:.2f} MB of gradients)")
        for name in [key for key, _ in steps if (key, model) in steps and _ == model]:
            print(f"  {name:10} {steps[name, model] * 1e3:8.2f} ms a step, "
                  f"{cpu[name, model] * 1e3:.2f} ms of CPU a rank")
        print(f"  2 ranks without exchange {alone[model] * 1e3:.2f} ms; exchange "
              f"{ours[model] * 1e3:.2f} ms, bare Allreduce {bare[model] * 1e3:.2f} ms")
        met &= report("exchange / bare MPI.Allreduce", ours[model] / bare[model],
                      TARGETS["exchange"], "less")
        met &= report("samples per second, 2 ranks / 1 rank", 2 * one / two, TARGETS["ranks"],
                      "more")
        print(f"  2 ranks / 1 rank by CPU time of a rank (no measurement of the target): "
              f"{2 * cpu['1 rank', model] / cpu['2 ranks', model]:.2f}")
        if with_torch:
            met &= report("samples per second, tapeflow / PyTorch DDP, 2 ranks",
                          steps["torch", model] / two, TARGETS["torch"], "more")
            if model in ("MLP 784-512-512-10",):  # LeNet's features come in another order there
                a, b = losses["2 ranks"][model], losses["torch"][model]
                same = np.allclose(a, b, rtol=1e-4)
                print(f"  losses after 4 steps: {a[-1]:.5f}, PyTorch's {b[-1]:.5f}"
                      f"{'' if same else '   DIFFERENT'}")
                met &= same
        else:
            print(f"  losses of 4 steps: {[round(x, 4) for x in losses['2 ranks'][model]]}")
    return met


def predictions(machine, steps, cpu):
    """Print predictions beside measurements; the curves for the chart."""
    print(f"the engine here: {machine.latency * 1e6:.0f} µs an exchange, "
          f"{1e-9 / machine.per_byte:.1f} GB a second")
    curves = {}
    for model in MODELS:
        # CPU time of one rank: its time on an idle core, whatever else runs here.
        compute, nbytes = cpu["1 rank", model], bytes_of(model)
        print(f"{model}: predicted and measured here")
        for ranks in (1, 2, 4):
            name = f"{ranks} rank{'s' * (ranks > 1)}"
            if (name, model) not in steps:
                continue
            found = predict(machine, compute, nbytes, ranks, "flat", False, ranks)
            print(f"  {name:8} {found * 1e3:8.2f} ms {steps[name, model] * 1e3:8.2f} ms   "
                  f"{found / steps[name, model]:.2f}")
        print(f"{model}: efficiency on hosts of {machine.cores} ranks (predicted)")
        for way in ("flat", "hierarchical"):
            for overlap in (False, True):
                line = [(ranks, compute / predict(machine, compute, nbytes, ranks, way, overlap,
                                                  machine.cores))
                        for ranks in (1, 2, *[8 << k for k in range(10)])]
                title = f"{way}{', overlap' if overlap else ''}"
                curves.setdefault(model, {})[title] = line
                shown = "  ".join(f"{ranks}: {value:.0%}" for ranks, value in line
                                  if ranks in (8, 64, 512, 4096))
                print(f"  {title:24} {shown}")
    return curves


if __name__ == "__main__":
    sys.exit(main())
