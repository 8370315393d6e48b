"""The syntax tree of a function, with statements and expressions as calls of `runtime`.

    if test: A else: B     →   two inner functions over the names they assign, and __ag.if_stmt
    while / for            →   inner functions for test and body, and __ag.while_stmt / for_stmt
    a and b, not a, a < b < c, x if c else y, f(x)   →   __ag.and_, not_, …, call
Lines are kept, so that tracebacks show the user's program.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from tapeflow.graph.autograph import jumps
from tapeflow.graph.autograph.unbound_names import RESULT

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def transform(function: ast.FunctionDef, inside: str | None = None) -> ast.FunctionDef:
    """The function with its control flow as calls; `inside` is the class it was defined in."""
    function.decorator_list = []
    if inside:
        function = _Mangled(inside).visit(function)
    function.body = _Plain().statements(function.body)
    jumps.lower_returns(function)
    function = jumps.LowerLoopJumps().visit(function)
    return _Statements(function).run()


class _Plain(ast.NodeTransformer):
    """Assignments without annotations: an annotated name cannot be that of an outer function."""

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(one) for one in body]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        made = ast.Pass() if node.value is None else ast.Assign([node.target], node.value)
        return ast.copy_location(made, node)

    def _inner_scope(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _inner_scope


class _Mangled(ast.NodeTransformer):
    """Private names, `__name`, as the compiler spells them inside a class."""

    def __init__(self, inside: str):
        self.prefix = f"_{inside.lstrip('_')}" if inside.strip("_") else ""

    def _spelt(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return self.prefix + name if private else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._spelt(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._spelt(node.attr)
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._spelt(node.arg)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def assigned(nodes: list[Any]) -> set[str]:
    """Names that statements bind in the function's own scope."""
    found: set[str] = set()
    for node in nodes:
        _collect(node, found)
    return found


def _collect(node: ast.AST, found: set[str]) -> None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        found.add(node.name)
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                found.add(inner.target.id)
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        found.add(node.id)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        found.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    if isinstance(node, ast.ExceptHandler) and node.name:
        found.add(node.name)
    for child in ast.iter_child_nodes(node):
        _collect(child, found)


def _declared(function: ast.FunctionDef, kind: type) -> set[str]:
    return {name for node in ast.walk(function) if isinstance(node, kind)
            for name in node.names}  # type: ignore[attr-defined]


class _Statements(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef):
        self.function = function
        arguments = function.args
        self.parameters = {one.arg for one in [
            *arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs,
            *[extra for extra in (arguments.vararg, arguments.kwarg) if extra]]}
        self.globals = _declared(function, ast.Global)
        self.nonlocals = _declared(function, ast.Nonlocal)
        self.count = 0
        self.state: set[str] = set()  # local names that some converted block assigns
        self.loads = _loads(function)

    def run(self) -> ast.FunctionDef:
        function = self.function
        self._find_state(function.body)
        body = [self.visit(statement) for statement in function.body]
        flat: list[ast.stmt] = []
        for one in body:
            flat.extend(one if isinstance(one, list) else [one])
        start = [_assign(name, _ag("Missing", [ast.Constant(name)]))
                 for name in sorted(self.state - self.parameters)]
        docstring = flat[:1] if ast.get_docstring(function) else []
        function.body = [*docstring, *start, *flat[len(docstring):]]
        for made in start:
            ast.copy_location(made, function)
        return ast.fix_missing_locations(function)

    def _find_state(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if isinstance(statement, _SCOPES):
                continue
            if isinstance(statement, (ast.If, ast.While, ast.For)):
                self.state |= assigned([statement]) - self.globals - self.nonlocals
            for block in jumps.blocks(statement):
                self._find_state(block)

    # -- names -----------------------------------------------------------------------------------
    def visit_Name(self, node: ast.Name) -> ast.AST:
        # What a function returns may be missing: `returned` knows what that means.
        if isinstance(node.ctx, ast.Load) and node.id in self.state and node.id != RESULT:
            return ast.copy_location(_ag("load", [node]), node)
        return node

    # -- inner scopes: left to their own conversion when they are called ---------------------------
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        node.args.kw_defaults = [one and self.visit(one) for one in node.args.kw_defaults]
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        # Converted where it is defined: it may be handed to anyone, not only called here.
        mark: ast.expr = ast.Attribute(_load("__ag"), "converted", ast.Load())
        node.decorator_list.append(ast.fix_missing_locations(ast.copy_location(mark, node)))
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        inner = {one.arg for one in [*node.args.posonlyargs, *node.args.args,
                                     *node.args.kwonlyargs]}
        hidden, self.state = self.state, self.state - inner
        node.body = self.visit(node.body)
        self.state = hidden
        return node

    def _visit_comprehension(self, node: Any) -> ast.AST:
        bound: set[str] = set()
        for generator in node.generators:
            _collect(generator.target, bound)
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        hidden, self.state = self.state, self.state - bound
        for generator in node.generators:
            if generator is not first:
                generator.iter = self.visit(generator.iter)
            generator.ifs = [self.visit(one) for one in generator.ifs]
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        self.state = hidden
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    # -- statements --------------------------------------------------------------------------------
    def visit_If(self, node: ast.If) -> Any:
        block = _Block(self, node, [*node.body, *node.orelse])
        test = self.visit(node.test)
        made = [self._block(f"__ag_then_{block.index}", node.body, block),
                self._block(f"__ag_else_{block.index}", node.orelse, block),
                *block.accessors()]
        call = _ag("if_stmt", [test, _load(f"__ag_then_{block.index}"),
                               _load(f"__ag_else_{block.index}"), *block.access()])
        return self._located([*made, ast.Expr(call)], node)

    def visit_While(self, node: ast.While) -> Any:
        options, node.body = _options(node.body)
        block = _Block(self, node, node.body)
        test = ast.FunctionDef(f"__ag_test_{block.index}", _no_arguments(),
                               [ast.Return(self.visit(node.test))], [])
        made = [test, self._block(f"__ag_body_{block.index}", node.body, block),
                *block.accessors()]
        call = _ag("while_stmt", [_load(f"__ag_test_{block.index}"),
                                  _load(f"__ag_body_{block.index}"), *block.access(),
                                  *self._options(options)])
        after = self._visited(node.orelse)
        return self._located([*made, ast.Expr(call)], node) + after

    def visit_For(self, node: ast.For) -> Any:
        extra = getattr(node, "extra_test", None)
        options, node.body = _options(node.body)
        target: Any = ast.copy_location(ast.Assign([node.target], ast.Constant(None)), node)
        block = _Block(self, node, [*node.body, target])
        item = f"__ag_item_{block.index}"
        first = ast.copy_location(ast.Assign([node.target], ast.Name(item, ast.Load())), node)
        made: list[ast.stmt] = [
            self._block(f"__ag_body_{block.index}", [first, *node.body], block, item),
            *block.accessors()]
        if extra is None:
            test: ast.expr = ast.Constant(None)
        else:
            made.append(ast.FunctionDef(f"__ag_test_{block.index}", _no_arguments(),
                                        [ast.Return(self.visit(extra))], []))
            test = _load(f"__ag_test_{block.index}")
        call = _ag("for_stmt", [self.visit(node.iter), test, _load(f"__ag_body_{block.index}"),
                                *block.access(), *self._options(options)])
        return self._located([*made, ast.Expr(call)], node) + self._visited(node.orelse)

    def _options(self, options: ast.Call | None) -> list[ast.expr]:
        if options is None:
            return []
        # Names are compared by identity with what the loop carries: they stand as they are.
        given = ast.Call(_load("dict"), options.args, options.keywords)
        return [_thunk(ast.copy_location(given, options))]

    def visit_Assert(self, node: ast.Assert) -> Any:
        message = self.visit(node.msg) if node.msg else ast.Constant(None)
        call = _ag("assert_stmt", [self.visit(node.test), _thunk(message)])
        return ast.copy_location(ast.Expr(call), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Name) and node.target.id in self.state:
            # The name must have a value before it is changed.
            name = node.target.id
            check = ast.copy_location(_assign(name, _ag("load", [_load(name)])), node)
            node.value = self.visit(node.value)
            return [ast.fix_missing_locations(check), node]
        self.generic_visit(node)
        return node

    def visit_Delete(self, node: ast.Delete) -> Any:
        targets = [one for one in node.targets
                   if not (isinstance(one, ast.Name) and one.id in self.state)]
        dropped = [_assign(one.id, _ag("Missing", [ast.Constant(one.id)])) for one in node.targets
                   if isinstance(one, ast.Name) and one.id in self.state]
        made: list[ast.stmt] = [ast.Delete(targets)] if targets else []
        return self._located([*made, *dropped], node)

    # -- expressions -------------------------------------------------------------------------------
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return ast.copy_location(_ag(name, [_thunk(self.visit(one)) for one in node.values]), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return ast.copy_location(_ag("not_", [node.operand]), node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        # a < b < c: b is computed once.
        sides = [node.left, *node.comparators]
        parts: list[ast.expr] = [
            ast.Lambda(_arguments("a", "b"), ast.Compare(_load("a"), [op], [_load("b")]))
            for op in node.ops]
        call = _ag("compare", [ast.List(parts, ast.Load()),
                               ast.List([_thunk(side) for side in sides], ast.Load())])
        return ast.copy_location(call, node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(_ag("if_exp", [node.test, _thunk(node.body),
                                                _thunk(node.orelse)]), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("super", "locals", "globals", "vars", "eval", "exec", "dir", "breakpoint"):
            if name == "super" and not node.args and self.function.args.args:
                first = self.function.args.args[0].arg
                node.args = [_load("__class__"), _load(first)]
            return node
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and (
                node.func.value.id == "__ag"):
            return node
        call = ast.Call(ast.Attribute(_load("__ag"), "call", ast.Load()),
                        [node.func, *node.args], node.keywords)
        return ast.copy_location(call, node)

    # -- pieces ------------------------------------------------------------------------------------
    def _visited(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        flat: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            flat.extend(made if isinstance(made, list) else [made])
        return flat

    def _block(self, name: str, statements: list[ast.stmt], block: _Block,
               *parameters: str) -> ast.stmt:
        body = [*block.declarations(), *self._visited(statements)]
        made = ast.FunctionDef(name, _arguments(*parameters), body or [ast.Pass()], [])
        return ast.copy_location(made, block.node)

    def _located(self, statements: list[Any], where: ast.AST) -> list[Any]:
        for statement in statements:
            if not hasattr(statement, "lineno"):
                ast.copy_location(statement, where)
            ast.fix_missing_locations(statement)
        return statements


class _Block:
    """What a statement's blocks assign: names of the function, and attributes or items."""

    def __init__(self, owner: _Statements, node: ast.AST, statements: list[Any]):
        self.owner, self.node = owner, node
        owner.count += 1
        self.index = owner.count
        own = assigned(statements)
        self.names = sorted(own - owner.globals - owner.nonlocals)
        self.targets = _targets(statements, own)
        inner = _loads(node)
        self.live = [owner.loads.get(name, 0) > inner.get(name, 0) or (
            name.startswith("__ag_") and not name.startswith(jumps.SKIPPED)) for name in self.names]

    def declarations(self) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        if self.names:
            found.append(ast.Nonlocal(list(self.names)))
        if self.owner.globals:
            found.append(ast.Global(sorted(self.owner.globals)))
        if self.owner.nonlocals:
            found.append(ast.Nonlocal(sorted(self.owner.nonlocals)))
        return found

    def accessors(self) -> list[ast.stmt]:
        """The functions that get and set all of them at once."""
        values: list[ast.expr] = [_load(name) for name in self.names]
        values += [_ag("peek", [_thunk(_copy(target, ast.Load())), ast.Constant(text)])
                   for text, target in self.targets.items()]
        get = ast.FunctionDef(f"__ag_get_{self.index}", _no_arguments(),
                              [ast.Return(ast.Tuple(values, ast.Load()))], [])
        held = [f"__ag_target_{i}" for i in range(len(self.targets))]
        store: list[ast.stmt] = []
        if values:
            targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in self.names + held]
            store.append(ast.Assign([ast.Tuple(targets, ast.Store())], _load("values")))
        for name, target in zip(held, self.targets.values(), strict=True):
            # An item that was not there before stays out.
            store.append(ast.If(_ag("present", [_load(name)]),
                                [ast.Assign([_copy(target, ast.Store())], _load(name))], []))
        put = ast.FunctionDef(f"__ag_set_{self.index}", _arguments("values"), [
            *([ast.Nonlocal(list(self.names))] if self.names else []),
            *(store or [ast.Pass()])], [])
        return [get, put]

    def access(self) -> list[ast.expr]:
        shown: list[ast.expr] = [ast.Constant(name) for name in [*self.names, *self.targets]]
        live: list[ast.expr] = [ast.Constant(one) for one in self.live]
        live += [ast.Constant(True)] * len(self.targets)
        return [_load(f"__ag_get_{self.index}"), _load(f"__ag_set_{self.index}"),
                ast.Tuple(shown, ast.Load()), ast.Tuple(live, ast.Load())]


def _loads(node: ast.AST) -> dict[str, int]:
    """How often each name is read inside a node, inner functions included."""
    found: dict[str, int] = {}
    for one in ast.walk(node):
        name = None
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            name = one.id
        elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            name = one.target.id
        if name is not None:
            found[name] = found.get(name, 0) + 1
        extra = getattr(one, "extra_test", None)
        if extra is not None:
            for key, count in _loads(extra).items():
                found[key] = found.get(key, 0) + count
    return found


def _targets(statements: list[Any], own: set[str]) -> dict[str, Any]:
    """Attributes and items that statements assign, by their text: `self.x`, `d["k"]`.

    Only of objects from outside the statements, and with nothing to compute on the way.
    """
    found: dict[str, Any] = {}
    for statement in statements:
        for node in _own_nodes(statement):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(
                    node.ctx, ast.Store):
                roots = _roots(node)
                if roots is not None and not roots & own:
                    found.setdefault(ast.unparse(node), node)
    return found


def _own_nodes(node: ast.AST) -> Any:
    """A node and those below it, but not inside inner functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _SCOPES):
            yield from _own_nodes(child)


def _roots(node: Any) -> set[str] | None:
    """The names that a chain of attributes and plain items needs; None for anything else."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Attribute):
        return _roots(node.value)
    if isinstance(node, ast.Subscript):
        inner = _roots(node.value)
        if inner is None or not isinstance(node.slice, (ast.Constant, ast.Name)):
            return None
        return inner | ({node.slice.id} if isinstance(node.slice, ast.Name) else set())
    return None


def _copy(target: Any, context: ast.expr_context) -> Any:
    made = copy.deepcopy(target)
    made.ctx = context
    return made


def _options(body: list[ast.stmt]) -> tuple[ast.Call | None, list[ast.stmt]]:
    """A call of set_loop_options among the statements, and the others."""
    for i, statement in enumerate(body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            function = statement.value.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(
                function, "id", "")
            if name == "set_loop_options":
                rest = [*body[:i], *body[i + 1:]]
                return statement.value, rest or [ast.copy_location(ast.Pass(), statement)]
    return None, body


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _ag(name: str, args: list[Any]) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name("__ag", ast.Load()), name, ast.Load()), args, [])


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _arguments(*names: str) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _no_arguments() -> ast.arguments:
    return _arguments()


def _thunk(body: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Lambda(_no_arguments(), body), body)
