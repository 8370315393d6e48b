"""Convolutions, their gradients and pooling with every choice forced, against the ops' kernels."""

import itertools
import random

import numpy as np

from tapeflow.jit.choices import CHOICES, forcing, watching
from tapeflow.jit.codegen.builder import LLVM, Val
from tapeflow.jit.codegen.partial_vectors import sum_dtype
from tapeflow.jit.kernels.conv.conv_plan import plan_window, supported
from tapeflow.jit.runtime import target, thread_pool
from tests.jit.test_windows import (
    ROLES,
    UNIT,
    Batch,
    convolution,
    numbers,
    operands_of,
    pooled,
    pooling,
)

FAMILIES = ("conv", "conv_direct", "conv_filter_gradient", "conv_scatter", "pooling")
TRIES = 100  # sizes that are drawn until what is forced is possible
CONVOLUTIONS = ("forward", "input", "filter")
PLACES = 1024
DTYPES = ("float32", "float32", "float64", "float16", "bfloat16")


def geometry(rng: random.Random, deep: bool) -> tuple:
    """Sizes of a convolution: x, filters, strides, padding, dilations, groups."""
    axes = rng.choice((1, 2, 2, 2, 3))
    window = tuple([rng.choice((1, 1, 2, 3, 3, 4)) for _ in range(axes)])
    dilations = tuple([rng.choice((1, 1, 1, 2)) for _ in range(axes)])
    strides = (1,) * axes if max(dilations) > 1 else tuple(
        [rng.choice((1, 1, 2, 3)) for _ in range(axes)])
    least = [(k - 1) * d + 1 for k, d in zip(window, dilations)]
    sizes = tuple([n + rng.randrange(0, 7) for n in least])
    padding = rng.choice(("SAME", "VALID", tuple([(rng.randrange(3), rng.randrange(3))
                                                  for _ in range(axes)])))
    channels = rng.choice((1, 2, 3, 4, 7, 8, 9, 16, 17, 20, 32, 33, 64))
    outer = rng.choice((1, 2, 3, 7, 8, 9, 15, 17, 32, 33, 64))
    groups = 1
    if deep:
        outer, groups = channels, channels
    elif rng.random() < 0.2:
        groups, channels, outer = 2, 2 * rng.choice((2, 3, 8)), 2 * rng.choice((1, 3, 8, 9))
    batch = rng.choice((1, 2, 2, 3, 5))
    return ((batch, *sizes, channels), (*window, channels // groups, outer), strides, padding,
            dilations, groups)


def pool_geometry(rng: random.Random) -> tuple:
    x, filters, strides, padding, dilations, _ = geometry(rng, False)
    window = filters[:-2]
    if rng.random() < 0.3:  # windows side by side that are the whole image
        x = (x[0], *[2 * k for k in window], x[-1])
        strides, dilations, padding = window, (1,) * len(window), "VALID"
    elif rng.random() < 0.2:
        window = tuple([5] * len(window))
        x = (x[0], *[n + 5 for n in x[1:-1]], x[-1])
        dilations = (1,) * len(window)
    if not isinstance(padding, str):
        padding = tuple([(min(a, k - 1), min(b, k - 1)) for (a, b), k in zip(padding, window)])
    return x, window, strides, padding, dilations


def epilogue(columns: int):
    """The value, and the number of its place in the result, modulo what float16 can hold."""
    def write(builder, code, row, column, value, lanes):
        kind = LLVM[value.dtype]
        ramp = ", ".join(f"i64 {i}" for i in range(lanes))
        place = code.add(code.mul(row, columns), column)
        number = builder.splat(place, "int64")
        if lanes > 1:
            number = builder.add(number, Val(f"<{ramp}>", "int64"))
        number = builder.both(number, builder.const(PLACES - 1, "int64"))
        # In the dtype of sums, as instructions that follow are computed.
        wide = builder.cast(value, sum_dtype(value.dtype))
        total = builder.add(wide, builder.cast(number, wide.dtype))
        builder.store(builder.cast(total, value.dtype), code.at("%c", place, kind))

    return write


class Case:
    """One op: its role, sizes and dtype, and what is forced."""

    def __init__(self, role: str, case: tuple, dtype: str, ties: str, tail: bool, forced: dict):
        self.role, self.case, self.dtype, self.ties = role, case, dtype, ties
        self.tail, self.forced = tail, forced
        if role in CONVOLUTIONS:
            self.window = convolution(role, case, dtype)
        else:
            self.window = pooling(role, case, dtype, ties)

    def __str__(self) -> str:
        return f"{self.role} {self.case} {self.dtype}, epilogue {self.tail}, {self.forced}"

    def takes(self) -> bool:
        """Whether what is forced is possible here, as far as the plan tells."""
        with forcing(self.forced), watching() as taken:
            plan_window(target.host(), self.window, self.tail, 2)
        names = {name for name, _ in taken}
        return all(item in taken for item in self.forced.items()
                   if item[0] in names or item[0].endswith(".tile"))

    def write(self, batch: Batch) -> None:
        window = self.window
        columns = window.outer if self.role in ("forward", "filter") else window.channels
        with forcing(self.forced):
            self.name = batch.add(window, epilogue(columns) if self.tail else None)

    def run(self, batch: Batch) -> None:
        out = self.window.out
        if self.role in CONVOLUTIONS:
            a, b, wanted = operands_of(self.role, self.case, out, self.dtype)
        else:
            x = numbers(self.case[0], self.dtype, 0)
            g = numbers((x.shape[0], *out, x.shape[-1]), self.dtype, 1)
            a, b, wanted = pooled(self.role, self.case, x, g, self.ties)
        result = np.full(wanted.shape, 7, self.dtype)
        batch.run(self.name, a, b, result)
        if self.tail:
            wanted = wanted.astype("f8") + np.arange(wanted.size).reshape(wanted.shape) % PLACES
        unit = {"float32": 4e-6, "float64": 1e-13}.get(self.dtype, 2 * UNIT[self.dtype])
        np.testing.assert_allclose(result.astype("f8"), wanted.astype("f8"), rtol=unit,
                                   atol=unit * max(1.0, np.abs(wanted).max()), err_msg=str(self))


def cases(count: int, each: int, seed: int):
    """`count` as the compiler likes them; then `each` for every alternative of every choice."""
    rng = random.Random(seed)
    roles = itertools.cycle((*CONVOLUTIONS, *ROLES))

    def one(role: str, forced: dict):
        attempt = 0
        while True:
            attempt, pool = attempt + 1, role in ROLES
            case = pool_geometry(rng) if pool else geometry(rng, rng.random() < 0.25)
            try:
                found = Case(role, case, rng.choice(DTYPES),
                             rng.choice(("first", "all")), rng.random() < 0.4, forced)
            except Exception:  # no such geometry
                continue
            if supported(found.window) and (not forced or attempt > TRIES or found.takes()):
                return found

    for _ in range(count):
        yield one(next(roles), {})
    for name, choice in sorted(CHOICES.items()):
        family = name.split(".")[0]
        if family in FAMILIES:
            mine = {"pooling": ROLES, "conv_filter_gradient": ("filter",),
                    "conv_scatter": ("input",), "conv_direct": ("forward", "input")}.get(
                        family, (*CONVOLUTIONS, *ROLES))
            for alternative in choice.alternatives(target.host()):
                forced = {name: alternative}
                if family == "conv_scatter":
                    forced["conv.kernel"] = "scatter"
                for _ in range(each):
                    yield one(rng.choice(mine), forced)


def run(count: int = 70, each: int = 2, seed: int = 0) -> int:
    done = 0
    batch, batched = Batch(2), []

    def finish() -> None:
        batch.compile()
        for case in batched:
            case.run(batch)

    for case in cases(count, each, seed):
        case.write(batch)
        batched.append(case)
        done += 1
        if len(batched) >= 60:
            finish()
            batch, batched = Batch(2), []
    finish()
    return done


def same_bits(count: int, seed: int = 0) -> None:
    """The number of threads changes no bit."""
    rng = random.Random(seed)
    for _ in range(count):
        role = rng.choice(CONVOLUTIONS)
        case = geometry(rng, rng.random() < 0.25)
        x = (rng.choice((1, 2, 8)), *[3 * n for n in case[0][1:-1]], case[0][-1])
        case = (x, *case[1:])
        results = []
        for many in (1, 2, 3):
            thread_pool.set_count(many)
            try:
                window = convolution(role, case, "float32")
                if not supported(window):
                    break
                batch = Batch(many)
                name = batch.add(window)
                batch.compile()
                a, b, wanted = operands_of(role, case, window.out, "float32")
                result = np.full(wanted.shape, 7, "float32")
                batch.run(name, a, b, result)
            finally:
                thread_pool.set_count(0)
            results.append(result)
        for other in results[1:]:
            assert np.array_equal(results[0], other), (role, case)
