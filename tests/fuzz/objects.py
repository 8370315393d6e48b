"""Machine code of functions that were met before.

A program is compiled many times, each time with other choices of the compiler, and most of its
functions stay as they are. What LLVM makes of a function depends on its text and the machine alone,
so one that was compiled before is linked again: under a name that is made of its text.
"""

from __future__ import annotations

import functools
import hashlib
import re

from tapeflow.graph import ir
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.pipeline import compile_function
from tapeflow.jit.runtime import llvm_backend, thread_pool
from tapeflow.jit.runtime.executable import Executable
from tapeflow.jit.runtime.image_cache.image import Image
from tapeflow.jit.runtime.target import Target, host

NAME = re.compile(r"@([\w.$]+)")
LINKAGE = re.compile(r"^define (?:internal |private )?")


class Part:
    """An object file, and the functions of other parts that it calls."""

    def __init__(self, data: bytes, needs: set[str]):
        self.data, self.needs = data, needs


class Objects:
    """The parts that the variants of one program are linked from; mathematical functions serve
    all programs."""

    vectors: dict[str, Part] = {}

    def __init__(self):
        self.parts: dict[str, Part] = {}
        self._code: llvm_backend.LoadedCode | None = None
        self._loaded: set[bytes] = set()

    def load(self, image: Image) -> llvm_backend.LoadedCode:
        """Machine code with what an image needs: all variants of a program share one engine."""
        new = [data for data in image.objects if data not in self._loaded]
        self._loaded.update(new)
        if self._code is None:
            self._code = llvm_backend.load_objects(new, thread_pool.symbols())
        elif new:
            _add(self._code, new)
        return self._code

    def find(self, name: str) -> Part | None:
        return self.parts.get(name) or self.vectors.get(name)

    def link(self, module: Module) -> tuple[list[bytes], dict[str, str]]:
        """Object files for a module, and its functions' names there."""
        texts = Renamed(module)
        for name in module.functions:
            texts.rename(name)
        new = [name for name in texts.functions if self.find(name) is None]
        for name in [name for name in new if name in texts.private]:
            self.vectors[name] = texts.part([name])
        rest = [name for name in new if name not in texts.private]
        if rest:
            part = texts.part(rest)
            self.parts.update(dict.fromkeys(rest, part))
        return self._closure(texts.functions), texts.names

    def _closure(self, names) -> list[bytes]:
        """The parts that have these functions, and all that those need."""
        found: dict[int, bytes] = {}
        left = list(names)
        while left:
            part = self.find(left.pop())
            assert part is not None
            if id(part) not in found:
                found[id(part)] = part.data
                left += part.needs
        return list(found.values())


class Renamed:
    """The functions of a module under names that are made of their texts."""

    def __init__(self, module: Module):
        self.module = module
        self.names: dict[str, str] = {}
        self.functions: dict[str, str] = {}  # texts, by their new names
        self.private: set[str] = set()
        self._uses: dict[str, set[str]] = {}
        self._constants = {name[1:]: text for text, name in module.constants.items()}
        self._target = llvm_backend._compiler_and_cpu(module.target)

    def rename(self, name: str) -> str:
        known = self.names.get(name)
        if known is not None:
            return known
        text, uses = self.module.functions[name], set()

        def other(found: re.Match) -> str:
            one = found[1]
            if one == name:
                return "@?"
            if one in self._constants:
                new = "k" + _digest(self._constants[one])
            elif one in self.module.functions:
                new = self.rename(one)
            else:
                new = one
            uses.add((one, new))
            return f"@{new}"

        body = NAME.sub(other, LINKAGE.sub("define ", text))
        made = self.names[name] = "f" + _digest(self._target + body)
        self.functions[made] = body.replace("@?", f"@{made}")
        self._uses[made] = uses
        if text.startswith("define private"):
            self.private.add(made)
        return made

    def part(self, names: list[str]) -> Part:
        """An object file with these functions."""
        own, lines, needs = set(names), {}, set()
        for name in names:
            for old, new in self._uses[name]:
                if old in self._constants:
                    lines[new] = f"@{new} = private unnamed_addr constant {self._constants[old]}"
                elif new in own:
                    continue
                elif new in self.functions:
                    head = self.functions[new].partition("\n")[0]
                    lines[new] = "declare" + head.removeprefix("define").rstrip("{")
                    needs.add(new)
                else:
                    lines[new] = self.module.declared[old]
        text = "\n".join([*lines.values(), *[self.functions[name] for name in names], ""])
        return Part(_compiled(text, self.module.target), needs)


def _compiled(text: str, target: Target) -> bytes:
    """As `llvm_backend.compile_object`, with one target machine for all that is compiled."""
    llvm = llvm_backend._llvm()
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.triple = target.triple
    return _target_machine(target).emit_object(module)


@functools.cache
def _target_machine(target: Target):
    return llvm_backend.target_machine(llvm_backend._llvm(), target)


def _add(code: llvm_backend.LoadedCode, objects: list[bytes]) -> None:
    """Load more objects beside those that are there."""
    from llvmlite.binding import ObjectFileRef
    for data in objects:
        code._engine.add_object_file(ObjectFileRef.from_data(data))
    code._engine.finalize_object()


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def linked(graph: ir.Graph, objects: Objects) -> tuple[Executable, frozenset[str]]:
    """Native code linked from functions that were compiled before, and new ones; and what it is
    made of: the same for the same code."""
    function = compile_function(graph, Module(host()))
    data, names = objects.link(function.module)
    image = Image.of(function, data)
    code = Alias(objects.load(image), names)
    made = Executable(function.graph, graph, image, code, lambda: function, reuse=True)
    return made, frozenset(names.values())


class Alias(llvm_backend.LoadedCode):
    """Code whose functions are asked for by other names."""

    def __init__(self, code: llvm_backend.LoadedCode, names: dict[str, str]):
        self._code, self._names = code, names

    def address(self, name: str) -> int:
        return self._code.address(self._names[name])
