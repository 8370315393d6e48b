"""Functions and classes of the live package as the text of stubs. Used by tools/stubs.py."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stub_overrides import BASES, EXTRA, MEMBERS, OPEN, RETURNS
from stub_types import ALIASES, Scope, annotation, default, globals_of, parameter

WIDTH = 100
INDENT = "    "
_SIGNED = "add sub mul truediv floordiv mod pow matmul and or xor".split()
OPERATORS = frozenset([f"__{one}__" for one in _SIGNED] + [f"__r{one}__" for one in _SIGNED]
                      + [f"__{one}__" for one in "neg abs invert round lt le gt ge eq ne".split()])
PROTOCOLS = OPERATORS | {f"__{one}__" for one in """
    array bool call complex contains delitem dlpack dlpack_device enter exit float get getattr
    getitem hash iadd imul index init int ipow isub iter itruediv len next setitem
    tf_tensor""".split()}
OURS = ("tapeflow.", "tensorflow.", "keras.")  # modules that classes say they are of
TENSORS = ("Tensor", "Variable")  # whose operators give tensors


# -- functions -------------------------------------------------------------------------------------
def function(name: str, value: Any, scope: Scope, returns: str | None = None,
             first: str | None = None, owner: str = "", key: str = "") -> str:
    """`def name(…) -> …`; `first` takes the place of the first parameter, `self` or `cls`."""
    parameters = list(_signature(value).parameters.values())
    space, key = globals_of(value), key or f"{owner}.{name}"
    texts = _parameters(parameters[1:] if first else parameters, space, scope, key in OPEN)
    if owner and name in OPERATORS and len(texts) == 1:
        kind = "object" if name in ("__eq__", "__ne__") else "TensorLike"
        texts = [f"other: {_operand(parameters[-1], kind, owner, space, scope)}"]
    texts = [*([first] if first else []), *texts]
    returns = returns or _returns(name, value, scope, owner, key)
    ignore = name in ("__eq__", "__ne__") and not returns.endswith("bool")
    text = wrapped(f"def {name}(", texts, f") -> {returns}: ...", ignore)
    return _documented(text, value)


def _signature(value: Any) -> inspect.Signature:
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):  # of C
        return inspect.signature(lambda *args, **kwargs: None)


def _parameters(parameters: list[inspect.Parameter], space: dict, scope: Scope,
                open_first: bool = False) -> list[str]:
    texts, star = [], False
    for index, one in enumerate(parameters):
        if one.kind is one.VAR_POSITIONAL:
            star = True
        if one.kind is one.KEYWORD_ONLY and not star:
            texts.append("*")
            star = True
        sign = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        kind = scope.any() if open_first and not index else parameter(one, space, scope)
        text = f"{sign}{one.name}: {kind}"
        if one.default is not one.empty:
            text += f" = {default(one.default, scope)}"
        texts.append(text)
        follows = parameters[index + 1:index + 2]
        if one.kind is one.POSITIONAL_ONLY and not (
                follows and follows[0].kind is one.POSITIONAL_ONLY):
            texts.append("/")
    return texts


def _operand(one: inspect.Parameter, kind: str, owner: str, space: dict, scope: Scope) -> str:
    known = annotation(one.annotation, space, scope)
    if known is not None or kind == "object":
        return known or kind
    if scope.open:
        return scope.any()
    return scope.alias("DenseLike" if owner in TENSORS else kind)


def _returns(name: str, value: Any, scope: Scope, owner: str, key: str) -> str:
    """What a function gives back; a function made by an op's record gives a tensor."""
    space, given = globals_of(value), RETURNS.get(key)
    if given is not None:
        return imported(given, scope)
    written = _signature(value).return_annotation
    known = annotation(written, space, scope)
    if known is not None:
        return _context(known, scope) if _is_context(value) else known
    if name in ("__init__",):
        return "None"
    if written is inspect.Parameter.empty and space.get("__name__", "").startswith("tapeflow."):
        if owner and name in OPERATORS:
            scope.modules.add("import tapeflow as tf")
            return "tf.Tensor" if owner in TENSORS else f"tf.{owner}"
        if not owner:
            return imported("tf.Tensor", scope)
    return scope.any()


def keeping(name: str, value: Any, scope: Scope, listed: bool = False) -> str:
    """A function that gives what it is given: a tensor, or a composite of the same kind."""
    first = next(iter(_signature(value).parameters))
    composite = "Sequence[CompositeT]" if listed else "CompositeT"
    dense = f"@overload\ndef {{name}}({first}: DenseLike{{rest}}) -> tf.Tensor:\n    {{doc}}"
    other = f"@overload\ndef {{name}}({first}: {composite}{{rest}}) -> CompositeT: ..."
    # A list is DenseLike too, so a list of composites comes first; else the usual case does, which
    # is what tf.function(tf.sin) takes.
    return by_template(name, value, "\n".join([other, dense] if listed else [dense, other]), scope)


def by_template(name: str, value: Any, template: str, scope: Scope) -> str:
    """A definition of stub_overrides.py, with the live parameters and documentation."""
    lines = []
    rest = _parameters(list(_signature(value).parameters.values())[1:], globals_of(value), scope)
    for line in template.strip().splitlines():
        line = line.replace("{name}", name).replace("{doc}", doc(value) or "...")
        if "{rest}" in line:
            start, end = line.split("{rest}")
            call, _, first = start.partition("(")
            line = wrapped(f"{call}(", [first, *rest], end)
        lines.append(line)
    return hand_written("\n".join(lines), scope)


def _is_context(value: Any) -> bool:
    while hasattr(value, "__wrapped__"):
        if getattr(value, "__globals__", {}).get("__name__") == "contextlib":
            return True
        value = value.__wrapped__
    return False


def _context(known: str, scope: Scope) -> str:
    """`@contextmanager` turns an iterator of a value into a context with that value."""
    inner = known.partition("[")[2][:-1]
    return f"{scope.use('contextlib', 'AbstractContextManager')}[{inner}]"


def imported(text: str, scope: Scope) -> str:
    """A type written by hand, with its imports."""
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id == "tf":
                scope.modules.add("import tapeflow as tf")
            elif node.id == "np":
                scope.modules.add("import numpy as np")
            elif node.id == "Any":
                node.id = scope.any()
            elif node.id == "Iterator":
                node.id = scope.use("collections.abc", node.id)
            else:
                node.id = scope.use("builtins", node.id)
    return ast.unparse(tree)


def wrapped(start: str, parts: list[str], end: str, ignore: bool = False) -> str:
    """`start` + parts + `end`, on one line or on several of at most WIDTH columns."""
    end += "  # type: ignore[override]" if ignore else ""
    line = start + ", ".join(parts) + end
    if len(line) <= WIDTH - 2 * len(INDENT):
        return line
    body = textwrap.wrap(", ".join(one.replace(" ", "\0") for one in parts) + ",",
                         WIDTH - 2 * len(INDENT), break_long_words=False, break_on_hyphens=False)
    return "\n".join([start, *[INDENT + one.replace("\0", " ") for one in body], end])


def _documented(text: str, value: Any) -> str:
    """A body with the first line of the docstring in place of `...`."""
    said = doc(value)
    if not said:
        return text
    head, _, comment = text.partition(": ...")
    return f"{head}:{comment}\n{INDENT}{said}"


def doc(value: Any) -> str:
    """The first line of the docstring, in quotes."""
    said = (inspect.getdoc(value) or "").partition("\n")[0].strip()
    if not said or not getattr(value, "__doc__", None):
        return ""
    said = said.replace("\\", "\\\\")
    said = said[1:] if said.startswith('"') else said
    if len(said) > WIDTH - 14:
        said = said[:WIDTH - 16].rpartition(" ")[0] + " …"
    return f'"""{said}{" " if said.endswith(chr(34)) else ""}"""'


# -- classes ---------------------------------------------------------------------------------------
def class_text(name: str, cls: type, scope: Scope) -> str:
    """A class with the public members of its own and of bases that users have no name for."""
    outer = scope.members
    members = dict(_members(name, cls, scope))
    scope.members = outer | set(members)
    bases = [BASES[name]] if name in BASES else _bases(cls, scope)
    fields = _fields(cls, scope)
    lines = [*fields.values()]
    for member, value in members.items():
        if member not in fields:
            lines += _member(name, member, value, scope)
    for member in _attributes(cls, scope):
        if member not in members and member not in fields:
            lines.append(f"{member}: {scope.any()}")
    lines += EXTRA.get(name, ())
    scope.members = outer
    said = doc(cls)
    hand_written("\n".join([BASES.get(name, ""), *EXTRA.get(name, ())]), scope)
    body = [*([said] if said and not _is_generated(cls) else []), *lines] or ["..."]
    head = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
    return head + "\n" + textwrap.indent("\n".join(body), INDENT)


def _is_generated(cls: type) -> bool:
    return (cls.__doc__ or "").startswith(f"{cls.__name__}(")


def _stops(cls: type, scope: Scope) -> bool:
    """Whether a class in the MRO is a base in the stub, so that its members are not repeated."""
    return scope.names.of_class(cls) is not None or not cls.__module__.startswith(OURS)


def _bases(cls: type, scope: Scope) -> list[str]:
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return [scope.use("typing", "NamedTuple")]
    found: list[type] = []
    for base in cls.__mro__[1:-1]:
        if _stops(base, scope) and not any(issubclass(one, base) for one in found):
            found.append(base)
    return [text for text in (scope.reference(one) for one in found) if text != "Any"]


def _own(cls: type, scope: Scope) -> list[type]:
    """The class and those of its bases that are no bases in the stub."""
    named = {other for base in cls.__mro__[1:] if _stops(base, scope) for other in base.__mro__}
    return [base for base in cls.__mro__[:-1] if base not in named]


def _members(owner: str, cls: type, scope: Scope) -> Iterator[tuple[str, Any]]:
    """Public members in the order of the source: of the class, then of bases without a name."""
    seen: set[str] = set()
    for base in _own(cls, scope):
        for name, value in vars(base).items():
            if name in seen or name.startswith("_") and name not in PROTOCOLS:
                continue
            if MEMBERS.get(f"{owner}.{name}", "") is None:
                continue
            if issubclass(cls, tuple) and name == "__init__":
                continue
            seen.add(name)
            yield name, value


def _member(owner: str, name: str, value: Any, scope: Scope) -> list[str]:
    by_hand = None if scope.open else MEMBERS.get(f"{owner}.{name}")
    if by_hand is not None:
        return [hand_written(by_hand, scope)]
    if isinstance(value, property):
        getter = function(name, value.fget, scope, first="self", owner=owner)
        lines = ["@property", *getter.splitlines()]
        if value.fset is not None:
            kind = getter.partition(") -> ")[2].partition(":")[0]
            lines += [f"@{name}.setter", f"def {name}(self, value: {kind}) -> None: ..."]
        return lines
    if isinstance(value, classmethod):
        return ["@classmethod", function(name, value.__func__, scope, first="cls", owner=owner)]
    if isinstance(value, staticmethod):
        return ["@staticmethod", function(name, value.__func__, scope, owner=owner)]
    if name == "__hash__":
        return ["def __hash__(self) -> int: ..."] if value is not None else []
    if isinstance(value, types.FunctionType):
        return [function(name, value, scope, first="self", owner=owner)]
    if isinstance(value, enum.Enum):
        return [f"{name} = {value.value!r}"]
    if isinstance(value, type) and (value.__qualname__.endswith(f".{name}")
                                    or issubclass(value, tuple)):
        return [class_text(name, value, scope)]
    if isinstance(value, type) or callable(value) and not hasattr(value, "__get__"):
        return [f"{name}: {scope.any()}"]
    kind = type(value) if type(value) in (bool, int, float, str) else None
    return [f"{name}: {scope.reference(kind) if kind else scope.any()}"]


def _fields(cls: type, scope: Scope) -> dict[str, str]:
    """Declared fields: of a named tuple, of a message, of options."""
    declared = getattr(cls, "_fields", None)
    if isinstance(declared, tuple):
        return dict(_tuple_fields(cls, declared, scope))
    if isinstance(declared, dict):
        return {name: f"{name}: {scope.any()}" for name in declared}
    return {}


def _tuple_fields(cls: Any, declared: tuple, scope: Scope) -> Iterator[tuple[str, str]]:
    known = inspect.signature(cls.__new__).parameters
    written = {name: text for base in reversed(cls.__mro__)
               for name, text in vars(base).get("__annotations__", {}).items()}
    space = next((globals_of(one) for one in vars(cls).values()
                  if isinstance(one, types.FunctionType)
                  and one.__globals__.get("__name__", "").startswith("tapeflow.")), {})
    for name in declared:
        one = known.get(name)
        kind = annotation(_plain(written.get(name, inspect.Parameter.empty)), space, scope)
        if kind is None and one is not None:
            kind = parameter(one, globals_of(cls.__new__), scope)
            kind = scope.any() if kind.endswith("Like") else kind
        if kind in (None, "Any") and not written and cls in scope.names.unnamed.values():
            kind = imported("tf.Tensor", scope)  # the outputs of an op
        end = "" if one is None or one.default is one.empty else f" = {default(one.default, scope)}"
        yield name, f"{name}: {kind or scope.any()}{end}"


def _plain(written: Any) -> Any:
    return getattr(written, "__forward_arg__", written)  # NamedTuple wraps strings


def _attributes(cls: type, scope: Scope) -> list[str]:
    """What the methods of a class set on `self`, and its slots."""
    found: dict[str, None] = {}
    for base in _own(cls, scope):
        for name in (*vars(base).get("__annotations__", {}), *_slots(base)):
            found[name] = None
        for value in vars(base).values():
            if isinstance(value, types.FunctionType):
                found |= dict.fromkeys(_stored(value))
    return [name for name in found if not name.startswith("_")]


def _slots(cls: type) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _stored(method: types.FunctionType) -> Iterator[str]:
    """The names of `self.name = …` in a method."""
    code = inspect.unwrap(method).__code__
    node = _functions(code.co_filename).get(code.co_firstlineno)
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            if isinstance(one.value, ast.Name) and one.value.id == "self":
                yield one.attr


@functools.cache
def _functions(file: str) -> dict[int, ast.AST]:
    """The functions of a file by the line that they start on."""
    if not Path(file).exists():
        return {}
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {min(one.lineno for one in (node, *node.decorator_list)): node
            for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def hand_written(text: str, scope: Scope) -> str:
    """A definition written by hand in stub_overrides.py, with its imports."""
    tree = ast.parse(text)
    known = {"typing": ("Any", "Concatenate", "Generic", "overload"),
             "collections.abc": ("Callable", "Iterator", "Sequence"),
             "tapeflow._typing": (*ALIASES, "CompositeT", "P", "Q", "R", "T")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id == "tf":
                scope.modules.add("import tapeflow as tf")
            elif node.id == "np":
                scope.modules.add("import numpy as np")
            for module, names in known.items():
                if node.id in names and scope.use(module, node.id) != node.id:
                    raise ValueError(f"{node.id} is taken; name it by hand")
    if "tuple" in scope.defined:  # as in `tapeflow`, which has tf.tuple
        text = re.sub(r"(?<![.\w])tuple\[", scope.use("builtins", "tuple") + "[", text)
    return text.strip("\n")
