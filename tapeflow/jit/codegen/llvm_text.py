"""Text of LLVM functions: names, blocks, loops with carried values.

A Module collects functions and what they declare; a Code is one function being written. Nothing
here knows of tensors. LLVM's optimising passes are not run, so what is written here is what runs:
values are in SSA form from the start and loops are tested at their end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PART = 350  # lines of code that are worth a thread of their own
FUNCTION = 20  # lines that a function costs besides its own
_NAME = re.compile(r"@([\w.$]+)")
_CONSTANT = re.compile(r"@c\d+\b")


def _names_in(text: str) -> set[str]:
    return set(_NAME.findall(text))


class Module:
    """Functions, declarations and constants of one piece of machine code."""

    def __init__(self, target: Any):
        self.target = target
        self.functions: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self.written: dict[Any, str] = {}  # what a function is for -> its name
        self._same: dict[str, str] = {}  # text of a function, without its name -> its name

    def declare(self, name: str, returns: str, *params: str) -> str:
        """Make an outer function or intrinsic known; gives its name with @."""
        self.declared.setdefault(name, f"declare {returns} @{name}({', '.join(params)})")
        return f"@{name}"

    def once(self, name: str, write: Callable[[], Code]) -> str:
        """The function of this name, written at its first use; gives its name with @."""
        if name not in self.functions:
            self.functions[name] = ""
            self.functions[name] = write().text()
        return f"@{name}"

    def add(self, code: Code) -> str:
        """Add a function; one with the same text serves for both."""
        text = code.text()
        name = self._same.setdefault(text.replace(f"@{code.name}(", "@(", 1), code.name)
        if name == code.name:
            self.functions[name] = text
        return f"@{name}"

    def take(self, other: Module) -> None:
        """Add the functions of another module, which stays as it is, and what they name."""
        names = {name: self.constant(text) for text, name in other.constants.items()}
        for name, text in other.functions.items():
            self.functions.setdefault(name, _CONSTANT.sub(lambda found: names[found[0]], text)
                                      if names else text)
        for name, line in other.declared.items():
            self.declared.setdefault(name, line)

    def constant(self, text: str) -> str:
        """A private constant, `[4 x i64] [...]`; gives its name with @."""
        return self.constants.setdefault(text, f"@c{len(self.constants)}")

    def text(self) -> str:
        lines = [f"{name} = private unnamed_addr constant {text}"
                 for text, name in self.constants.items()]
        lines += self.functions.values()
        lines += [line for name, line in self.declared.items() if name not in self.functions]
        return "\n".join(lines) + "\n"

    def texts(self, most: int) -> list[str]:
        """The same code as at most so many texts of about equal length, to be linked again."""
        most = min(most, sum(text.count("\n") for text in self.functions.values()) // PART)
        return [self.text()] if most < 2 else [self._part(names) for names in self._shares(most)]

    def _shares(self, count: int) -> list[list[str]]:
        """Names of functions, divided; those that an internal one binds together stay so."""
        leader = {name: name for name in self.functions}

        def find(name: str) -> str:
            while leader[name] != name:
                leader[name] = name = leader[leader[name]]  # half the way for the next
            return name

        private = {name for name, text in self.functions.items() if text.startswith("define priv")}
        internal = {name for name, text in self.functions.items()
                    if text.startswith("define internal")}
        for name, text in self.functions.items():
            for other in _names_in(text) & internal:
                leader[find(other)] = find(name)
        groups: dict[str, list[str]] = {}
        for name in self.functions:
            if name not in private:
                groups.setdefault(find(name), []).append(name)
        lengths = {key: sum(self.functions[name].count("\n") + FUNCTION for name in names)
                   for key, names in groups.items()}
        shares: list[list[str]] = [[] for _ in range(count)]
        filled = [0] * count
        for key in sorted(groups, key=lambda key: -lengths[key]):
            least = filled.index(min(filled))
            filled[least] += lengths[key]
            shares[least] += groups[key]
        return [share for share in shares if share]

    def _part(self, names: list[str]) -> str:
        """A text with these functions, copies of the private ones, and declarations of others."""
        own, others = dict.fromkeys(names), set()
        for name in own.copy():
            others |= self._copied(name, own)
        known = {name[1:]: f"{name} = private unnamed_addr constant {text}"
                 for text, name in self.constants.items()}
        lines = [known[name] for name in known if name in others]
        lines += [self.functions[name] for name in own]
        for name in sorted(others - own.keys() - known.keys()):
            if name in self.functions:
                head = self.functions[name].partition("\n")[0]
                lines.append("declare" + head.removeprefix("define").rstrip("{"))
            else:
                lines.append(self.declared[name])
        return "\n".join(lines) + "\n"

    def _copied(self, name: str, own: dict[str, None]) -> set[str]:
        """What a function names; private functions among it become `own`."""
        found = _names_in(self.functions[name])
        for other in sorted([one for one in found if one not in own]):
            if self.functions.get(other, "").startswith("define private"):
                own[other] = None
                found |= self._copied(other, own)
        return found


class Loop:
    """A loop being written: `index`, `carry` (values at an iteration's start), `after` (set by the
    body: values at its end) and, when it is closed, `results`."""

    __slots__ = ("after", "carry", "index", "results")

    def __init__(self, index: str, carry: list[str]):
        self.index, self.carry = index, carry
        self.after: list[str] = list(carry)
        self.results: list[str] = []


class Code:
    """One function. `let` names the value of an instruction, `do` writes one without value."""

    def __init__(self, module: Module, name: str, params: list[tuple[str, str]],
                 returns: str = "void", attributes: str = "", linkage: str = ""):
        self.module, self.name, self.params, self.returns = module, name, params, returns
        self.attributes, self.linkage = attributes, linkage
        self.lines: list[str] = []
        self.heads: list[str] = []  # what stands at the function's start
        self.block = "entry"
        self.table = "%slots"  # the parameter that has the pointer table
        self._count = 0
        self.known_at_entry: dict[str, str] = {}  # computed at the start: may be used everywhere
        self._known: dict[str, str] = {}  # instructions whose value can be used again
        self._scopes: list[list[str]] = [[]]  # those that were written in each open scope

    # -- instructions ----------------------------------------------------------------------------
    def name_for(self, stem: str = "v") -> str:
        self._count += 1
        return f"%{stem}{self._count}"

    def let(self, instruction: str) -> str:
        """The value of an instruction that reads memory or has an effect."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def pure(self, instruction: str) -> str:
        """The value of an instruction that depends on its operands only: written once."""
        name = self._known.get(instruction)
        if name is None:
            name = self._known[instruction] = self.let(instruction)
            self._scopes[-1].append(instruction)
        return name

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What `pure` writes inside is not used outside: that part may not run."""
        self._scopes.append([])
        yield
        for instruction in self._scopes.pop():
            del self._known[instruction]

    def room(self, kind: str, count: int = 1) -> str:
        """Memory on the stack, for as long as the function runs."""
        name = self.name_for("room")
        self.heads.append(f"  {name} = alloca {kind}, i64 {count}, align 64")
        return name

    def do(self, instruction: str) -> None:
        self.lines.append(f"  {instruction}")

    def start(self, block: str) -> None:
        self.lines.append(f"{block}:")
        self.block = block

    def label(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    # -- whole numbers and addresses -------------------------------------------------------------
    def add(self, a: str | int, b: str | int) -> str:
        if str(a) == "0":
            return str(b)
        if str(b) == "0":
            return str(a)
        if isinstance(a, int) and isinstance(b, int):
            return str(a + b)
        return self.pure(f"add nsw i64 {a}, {b}")

    def mul(self, a: str | int, b: str | int) -> str:
        if "0" in (str(a), str(b)):
            return "0"
        if str(a) == "1":
            return str(b)
        if str(b) == "1":
            return str(a)
        if _is_constant(a) and _is_constant(b):
            return str(int(a) * int(b))
        return self.pure(f"mul nsw i64 {a}, {b}")

    def at(self, pointer: str, index: str | int, element: str) -> str:
        """The address of an element of an array."""
        if str(index) == "0":
            return pointer
        return self.pure(f"getelementptr inbounds {element}, ptr {pointer}, i64 {index}")

    # -- blocks ----------------------------------------------------------------------------------
    @contextmanager
    def loop(self, begin: str | int, end: str | int, step: int = 1,
             carry: list[tuple[str, str]] | tuple = (), some: bool | None = None) -> Iterator[Loop]:
        """for index in range(begin, end, step); `carry` has (type, first value).

        some: whether it is known that there is at least one iteration.
        """
        if some is None:
            some = _is_constant(begin) and _is_constant(end) and int(begin) < int(end)
        if some and _is_constant(begin) and _is_constant(end) and int(begin) + step >= int(end):
            loop = Loop(str(begin), [first for _, first in carry])  # one iteration is no loop
            yield loop
            loop.results = list(loop.after)
            return
        body, done = self.label("body"), self.label("done")
        before = self.block
        if some:
            self.do(f"br label %{body}")
        else:
            any_ = self.let(f"icmp slt i64 {begin}, {end}")
            self.do(f"br i1 {any_}, label %{body}, label %{done}")
        self.start(body)
        index = self.name_for("i")
        loop = Loop(index, [self.name_for("c") for _ in carry])
        top = len(self.lines)
        with self.scope():
            yield loop
        following = self.let(f"add nsw i64 {index}, {step}")
        more = self.let(f"icmp slt i64 {following}, {end}")
        last = self.block
        self.do(f"br i1 {more}, label %{body}, label %{done}")
        heads = [f"  {index} = phi i64 [ {begin}, %{before} ], [ {following}, %{last} ]"]
        for (kind, first), name, after in zip(carry, loop.carry, loop.after, strict=True):
            heads.append(f"  {name} = phi {kind} [ {first}, %{before} ], [ {after}, %{last} ]")
        self.lines[top:top] = heads
        self.start(done)
        for (kind, first), after in zip(carry, loop.after, strict=True):
            loop.results.append(after if some else self.let(
                f"phi {kind} [ {first}, %{before} ], [ {after}, %{last} ]"))

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """Do it only if an i1 is true."""
        then, done = self.label("then"), self.label("fi")
        self.do(f"br i1 {condition}, label %{then}, label %{done}")
        self.start(then)
        with self.scope():
            yield
        self.do(f"br label %{done}")
        self.start(done)

    def if_else(self, condition: str, then: Callable[[], None],
                otherwise: Callable[[], None]) -> None:
        """One of two pieces of text without results."""
        yes, no, done = self.label("yes"), self.label("no"), self.label("done")
        self.do(f"br i1 {condition}, label %{yes}, label %{no}")
        for label, write in ((yes, then), (no, otherwise)):
            self.start(label)
            with self.scope():
                write()
            self.do(f"br label %{done}")
        self.start(done)

    def values_unless(self, condition: str, values: list[tuple[str, str]],
                      otherwise: Callable[[], list[str]]) -> list[str]:
        """These (type, value) if an i1 is true, else those that `otherwise` computes."""
        compute, done = self.label("compute"), self.label("known")
        before = self.block
        self.do(f"br i1 {condition}, label %{done}, label %{compute}")
        self.start(compute)
        with self.scope():
            computed = otherwise()
        last = self.block
        self.do(f"br label %{done}")
        self.start(done)
        return [self.let(f"phi {kind} [ {value}, %{before} ], [ {other}, %{last} ]")
                for (kind, value), other in zip(values, computed)]

    def leave(self, condition: str) -> None:
        """Return if an i1 is true."""
        out, on = self.label("out"), self.label("on")
        self.do(f"br i1 {condition}, label %{out}, label %{on}")
        self.start(out)
        self.do("ret void")
        self.start(on)

    def text(self) -> str:
        params = ", ".join(f"{kind} {label}" for kind, label in self.params)
        head = f"define {self.linkage} {self.returns} @{self.name}({params})"
        end = [] if self.lines and self.lines[-1].lstrip().startswith("ret ") else ["  ret void"]
        return "\n".join([f"{head} {self.attributes} {{", "entry:", *self.heads, *self.lines,
                          *end, "}"])


def _is_constant(x: str | int) -> bool:
    return isinstance(x, int) or x.lstrip("-").isdigit()
