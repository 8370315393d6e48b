"""Scalar functions from Python's syntax tree to LLVM text. Imported by `scalar_machine_code.py`.

All numbers are i64 or double, all pointers have the type of what they point at. A local variable is
a slot of the stack with the type of what is first assigned to it; LLVM makes registers of them.
"""

from __future__ import annotations

import ast
import itertools
from typing import Any, NamedTuple

from tapeflow.jit.scalar_functions import vector_instructions as vectors


class Refused(Exception):
    """Something that the subset of Python does not have."""


class Value(NamedTuple):
    """An operand of LLVM text and its type: i64, double, i1 or a name of POINTERS or VECTORS."""

    text: str
    kind: str


class Element(NamedTuple):
    """What a pointer points at: its type in memory, and the instruction that widens it."""

    memory: str
    size: int
    widen: str
    narrow: str
    wide: str


POINTERS = {
    "U8": Element("i8", 1, "zext", "trunc", "i64"),
    "I16": Element("i16", 2, "sext", "trunc", "i64"),
    "U32": Element("i32", 4, "zext", "trunc", "i64"),
    "I32": Element("i32", 4, "sext", "trunc", "i64"),
    "I64s": Element("i64", 8, "", "", "i64"),
    "F32": Element("float", 4, "fpext", "fptrunc", "double"),
    "F64s": Element("double", 8, "", "", "double"),
}
VECTORS = vectors.LANES
SCALARS = {"I64": "i64", "int": "i64", "F64": "double", "float": "double"}
INTEGER_OPS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and",
               ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr"}
FLOAT_OPS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
COMPARISONS = {ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une"), ast.Lt: ("slt", "olt"),
               ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge")}


def llvm_type(kind: str) -> str:
    if kind in VECTORS:
        return f"<8 x {VECTORS[kind]}>"
    return "ptr" if kind in POINTERS else kind


class Signature(NamedTuple):
    """Kinds of a function's parameters by name, and of its result."""

    parameters: dict[str, str]
    result: str


def signature(function: ast.FunctionDef) -> Signature:
    kinds = {**SCALARS, **{name: name for name in (*POINTERS, *VECTORS)}}

    def kind(annotation: Any) -> str:
        if not isinstance(annotation, ast.Name) or annotation.id not in kinds:
            raise Refused(f"{function.name}: a parameter or result without a known type")
        return kinds[annotation.id]

    return Signature({one.arg: kind(one.annotation) for one in function.args.args},
                     kind(function.returns))


class FunctionTranslator(ast.NodeVisitor):
    """LLVM text of one function. `constants`: the numbers of its module, by name."""

    def __init__(self, name: str, signatures: dict[str, Signature], constants: dict[str, Any],
                 crc: tuple[str, str] | None):
        self.name, self.signatures, self.constants = name, signatures, constants
        self.crc = crc
        self.slots: dict[str, str] = {}
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.loops: list[tuple[str, str]] = []  # (where `continue` goes, where `break` goes)
        self.numbers = itertools.count()
        self.ended = False  # the block has its last instruction

    # -- text ------------------------------------------------------------------------------------
    def emit(self, operation: str, kind: str) -> Value:
        result = f"%t{next(self.numbers)}"
        self.lines.append(f"  {result} = {operation}")
        return Value(result, kind)

    def act(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def label(self) -> str:
        return f"b{next(self.numbers)}"

    def begin(self, label: str) -> None:
        self.jump(label)
        self.lines.append(f"{label}:")
        self.ended = False

    def jump(self, label: str) -> None:
        if not self.ended:
            self.act(f"br label %{label}")
        self.ended = True

    def branch(self, test: ast.expr, then: str, other: str) -> None:
        self.act(f"br i1 {self.truth(test)}, label %{then}, label %{other}")
        self.ended = True

    def translated(self, function: ast.FunctionDef) -> str:
        parameters, result = self.signatures[self.name]
        for name, kind in parameters.items():
            self.store(name, Value(f"%{name}", kind))
        self.block(function.body)
        if not self.ended:
            self.act(f"ret {llvm_type(result)} zeroinitializer")
        given = ", ".join(f"{llvm_type(kind)} %{name}" for name, kind in parameters.items())
        head = f"define {llvm_type(result)} @{self.name}({given}) nounwind {{"
        return "\n".join([head, "first.block:",  # no name of a variable has a point
                          *self.allocas, *self.lines, "}", ""])

    # -- statements ------------------------------------------------------------------------------
    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if not self.ended:
                self.visit(statement)

    def generic_visit(self, node: ast.AST) -> Any:
        raise Refused(f"{self.name}: {type(node).__name__} in line {getattr(node, 'lineno', '?')}")

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.value(node.value)

    def visit_Pass(self, node: ast.Pass) -> None:
        pass

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        self.assign(node.target, self.value(ast.BinOp(read, node.op, node.value)))

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.store(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise Refused(f"{self.name}: an assignment to {ast.unparse(target)}")
        place, element = self.place(target)
        value = self.as_kind(value, element.wide)
        if element.narrow:
            value = self.emit(f"{element.narrow} {element.wide} {value.text} to {element.memory}",
                              element.memory)
        self.act(f"store {element.memory} {value.text}, ptr {place}, align 1")

    def store(self, name: str, value: Value) -> None:
        kind = self.slots.get(name)
        if kind is None:
            kind = self.slots[name] = "i64" if value.kind == "i1" else value.kind
            self.allocas.append(f"  %v.{name} = alloca {llvm_type(kind)}")
        value = self.as_kind(value, kind)
        self.act(f"store {llvm_type(kind)} {value.text}, ptr %v.{name}")

    def visit_Return(self, node: ast.Return) -> None:
        kind = self.signatures[self.name].result
        value = self.as_kind(self.value(node.value), kind) if node.value else Value("0", kind)
        self.act(f"ret {llvm_type(kind)} {value.text}")
        self.ended = True

    def visit_If(self, node: ast.If) -> None:
        then, other, end = self.label(), self.label(), self.label()
        self.branch(node.test, then, other)
        self.begin(then)
        self.block(node.body)
        self.jump(end)
        self.begin(other)
        self.block(node.orelse)
        self.begin(end)

    def visit_While(self, node: ast.While) -> None:
        test, body, end = self.label(), self.label(), self.label()
        self.begin(test)
        self.branch(node.test, body, end)
        self.begin(body)
        self.loops.append((test, end))
        self.block(node.body)
        self.loops.pop()
        self.jump(test)
        self.begin(end)

    def visit_For(self, node: ast.For) -> None:
        """`for i in range(n)` and `range(m, n)`."""
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
                and call.func.id == "range" and isinstance(node.target, ast.Name)
                and len(call.args) < 3):
            raise Refused(f"{self.name}: a loop over {ast.unparse(call)}")
        first = self.value(call.args[0]) if len(call.args) == 2 else Value("0", "i64")
        stop = self.value(call.args[-1])
        test, body, step, end = (self.label() for _ in range(4))
        counter = f"for.{body}"
        self.store(counter, first)
        self.begin(test)
        now = self.load(counter)
        go_on = self.emit(f"icmp slt i64 {now.text}, {stop.text}", "i1")
        self.act(f"br i1 {go_on.text}, label %{body}, label %{end}")
        self.ended = True
        self.begin(body)
        self.store(node.target.id, now)
        self.loops.append((step, end))
        self.block(node.body)
        self.loops.pop()
        self.begin(step)
        self.store(counter, self.emit(f"add i64 {self.load(counter).text}, 1", "i64"))
        self.jump(test)
        self.begin(end)

    def visit_Break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1][1])

    def visit_Continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])

    # -- expressions -----------------------------------------------------------------------------
    def value(self, node: ast.expr) -> Value:
        return self.visit(node)

    def as_kind(self, value: Value, kind: str) -> Value:
        if value.kind == kind:
            return value
        if (value.kind, kind) == ("i1", "i64"):
            return self.emit(f"zext i1 {value.text} to i64", kind)
        if (value.kind, kind) == ("i64", "double"):
            return self.emit(f"sitofp i64 {value.text} to double", kind)
        if value.kind == "i64" and kind in VECTORS:
            return vectors.broadcast(self, value, kind)
        raise Refused(f"{self.name}: a {value.kind} where a {kind} belongs")

    def truth(self, node: ast.expr) -> str:
        value = self.value(node)
        if value.kind == "i1":
            return value.text
        return self.emit(f"icmp ne i64 {self.as_kind(value, 'i64').text}, 0", "i1").text

    def load(self, name: str) -> Value:
        kind = self.slots[name]
        return self.emit(f"load {llvm_type(kind)}, ptr %v.{name}", kind)

    def visit_Name(self, node: ast.Name) -> Value:
        if node.id in self.slots:
            return self.load(node.id)
        if node.id in self.constants:
            return Value(str(self.constants[node.id]), "i64")
        raise Refused(f"{self.name}: {node.id} is neither a variable nor a constant")

    def visit_Constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, float):
            return Value(f"{node.value:e}", "double")
        if not isinstance(node.value, int):
            raise Refused(f"{self.name}: the constant {node.value!r}")
        return Value(str(int(node.value)), "i64")

    def visit_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        kind = self.common(left, right)
        table: dict = FLOAT_OPS if kind == "double" else INTEGER_OPS
        operation = table.get(type(node.op))
        if operation is None:
            raise Refused(f"{self.name}: {ast.unparse(node)}")
        left, right = self.as_kind(left, kind), self.as_kind(right, kind)
        return self.emit(f"{operation} {llvm_type(kind)} {left.text}, {right.text}", kind)

    def common(self, left: Value, right: Value) -> str:
        """The kind that an operation of both has."""
        for kind in (left.kind, right.kind):
            if kind in VECTORS or kind == "double":
                return kind
        return "i64"

    def visit_IfExp(self, node: ast.IfExp) -> Value:
        """Both values are computed, and one is taken."""
        test, then, other = self.truth(node.test), self.value(node.body), self.value(node.orelse)
        kind = self.common(then, other)
        then, other = self.as_kind(then, kind), self.as_kind(other, kind)
        typed = llvm_type(kind)
        return self.emit(f"select i1 {test}, {typed} {then.text}, {typed} {other.text}", kind)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.emit(f"xor i1 {self.truth(node.operand)}, true", "i1")
        value = self.value(node.operand)
        if isinstance(node.op, ast.Invert):
            return self.emit(f"xor i64 {value.text}, -1", "i64")
        if value.kind == "double":
            return self.emit(f"fneg double {value.text}", "double")
        typed = llvm_type(value.kind)
        return self.emit(f"sub {typed} zeroinitializer, {value.text}", value.kind)

    def visit_Compare(self, node: ast.Compare) -> Value:
        """`a < b`, and `a < b < c` of which each is computed once."""
        operands = [self.value(one) for one in (node.left, *node.comparators)]
        kind = "double" if any(one.kind == "double" for one in operands) else "i64"
        operands = [self.as_kind(one, kind) for one in operands]
        found: Value | None = None
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            names = COMPARISONS[type(op)]
            test = f"icmp {names[0]}" if kind == "i64" else f"fcmp {names[1]}"
            one = self.emit(f"{test} {kind} {left.text}, {right.text}", "i1")
            found = one if found is None else self.emit(f"and i1 {found.text}, {one.text}", "i1")
        assert found is not None
        return found

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        """The operands behind one that decides are not computed."""
        result = f"bool.{next(self.numbers)}"
        end = self.label()
        stops = isinstance(node.op, ast.Or)
        for i, operand in enumerate(node.values):
            test = Value(self.truth(operand), "i1")
            self.store(result, test)
            if i + 1 < len(node.values):
                more = self.label()
                ways = (end, more) if stops else (more, end)
                self.act(f"br i1 {test.text}, label %{ways[0]}, label %{ways[1]}")
                self.ended = True
                self.begin(more)
        self.begin(end)
        return self.emit(f"icmp ne i64 {self.load(result).text}, 0", "i1")

    def place(self, node: ast.Subscript) -> tuple[str, Element]:
        pointer = self.value(node.value)
        if pointer.kind not in POINTERS:
            raise Refused(f"{self.name}: {ast.unparse(node)} of what is no pointer")
        element = POINTERS[pointer.kind]
        index = self.as_kind(self.value(node.slice), "i64")
        place = self.emit(
            f"getelementptr {element.memory}, ptr {pointer.text}, i64 {index.text}", "ptr")
        return place.text, element

    def visit_Subscript(self, node: ast.Subscript) -> Value:
        place, element = self.place(node)
        value = self.emit(f"load {element.memory}, ptr {place}, align 1", element.wide)
        if not element.widen:
            return value
        return self.emit(f"{element.widen} {element.memory} {value.text} to {element.wide}",
                         element.wide)

    # -- calls -----------------------------------------------------------------------------------
    def visit_Call(self, node: ast.Call) -> Value:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise Refused(f"{self.name}: {ast.unparse(node)}")
        name = node.func.id
        given = [self.value(one) for one in node.args]
        if name in POINTERS:
            return self.emit(f"inttoptr i64 {given[0].text} to ptr", name)
        if name in ("int", "float"):
            return self.converted(given[0], SCALARS[name])
        if name in VECTORS:
            return self.as_kind(given[0], name)
        if name in vectors.INSTRUCTIONS:
            return vectors.INSTRUCTIONS[name](self, *given)
        if name in ("word", "half_word", "big_word"):
            return self.unaligned(given, name)
        if name == "unsigned_shift":
            return self.emit(f"lshr i64 {given[0].text}, {given[1].text}", "i64")
        if name in ("crc_word", "crc_byte"):
            return self.checksum(given, name == "crc_word")
        if name not in self.signatures:
            raise Refused(f"{self.name}: a call of {name}")
        parameters, result = self.signatures[name]
        listed = ", ".join(f"{llvm_type(kind)} {self.as_kind(value, kind).text}"
                           for value, kind in zip(given, parameters.values(), strict=True))
        return self.emit(f"call {llvm_type(result)} @{name}({listed})", result)

    def converted(self, value: Value, kind: str) -> Value:
        if value.kind in POINTERS:
            return self.emit(f"ptrtoint ptr {value.text} to i64", "i64")
        if (value.kind, kind) == ("double", "i64"):
            return self.emit(f"fptosi double {value.text} to i64", kind)
        return self.as_kind(value, kind)

    def unaligned(self, given: list[Value], name: str) -> Value:
        place = self.emit(f"getelementptr i8, ptr {given[0].text}, i64 {given[1].text}", "ptr")
        size = 32 if name == "half_word" else 64
        value = self.emit(f"load i{size}, ptr {place.text}, align 1", "i64")
        if name == "big_word":
            return self.emit(f"call i64 @llvm.bswap.i64(i64 {value.text})", "i64")
        return value if size == 64 else self.emit(f"zext i32 {value.text} to i64", "i64")

    def checksum(self, given: list[Value], whole: bool) -> Value:
        """One instruction; without it, what calls this is never run (`HAS_CRC`)."""
        if self.crc is None:
            return given[0]
        state, value = given
        low = self.emit(f"trunc i64 {state.text} to i32", "i32").text
        if whole and self.crc[0].startswith("llvm.x86"):
            return self.emit(f"call i64 @{self.crc[0]}(i64 {state.text}, i64 {value.text})", "i64")
        if whole:
            made = self.emit(f"call i32 @{self.crc[0]}(i32 {low}, i64 {value.text})", "i32")
        else:
            narrow = "i8" if self.crc[1].startswith("llvm.x86") else "i32"
            byte = self.emit(f"trunc i64 {value.text} to {narrow}", narrow).text
            made = self.emit(f"call i32 @{self.crc[1]}(i32 {low}, {narrow} {byte})", "i32")
        return self.emit(f"zext i32 {made.text} to i64", "i64")


DECLARED = {
    "llvm.x86.sse42.crc32.64.64": "declare i64 @llvm.x86.sse42.crc32.64.64(i64, i64)",
    "llvm.x86.sse42.crc32.32.8": "declare i32 @llvm.x86.sse42.crc32.32.8(i32, i8)",
    "llvm.aarch64.crc32cx": "declare i32 @llvm.aarch64.crc32cx(i32, i64)",
    "llvm.aarch64.crc32cb": "declare i32 @llvm.aarch64.crc32cb(i32, i32)",
}


def translate(source: str, constants: dict[str, Any], crc: tuple[str, str] | None
              ) -> tuple[str, dict[str, Signature]]:
    """LLVM text of the functions of a module, and their signatures."""
    functions = [one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)]
    signatures = {one.name: signature(one) for one in functions}
    texts = [FunctionTranslator(one.name, signatures, constants, crc).translated(one)
             for one in functions]
    declared = [*(DECLARED[name] for name in crc or ()), *vectors.DECLARED]
    return "\n".join([*declared, *texts]), signatures
