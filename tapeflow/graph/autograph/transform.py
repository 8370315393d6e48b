"""The syntax tree of a function, with statements and expressions as calls of `runtime`.

    if test: A else: B     →   two inner functions over the names they assign, and __ag.if_stmt
    while / for            →   inner functions for test and body, and __ag.while_stmt / for_stmt
    a and b, not a, a < b < c, x if c else y, f(x)   →   __ag.and_, not_, …, call
Lines are kept, so that tracebacks show the user's program.
"""

from __future__ import annotations

import ast
from typing import Any

from tapeflow.graph.autograph import jumps

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def transform(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function with its control flow as calls."""
    function.decorator_list = []
    jumps.lower_returns(function)
    function = jumps.LowerLoopJumps().visit(function)
    return _Statements(function).run()


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
        if isinstance(node.ctx, ast.Load) and node.id in self.state - self.parameters:
            return ast.copy_location(_ag("load", [node]), node)
        return node

    # -- inner scopes: left to their own conversion when they are called ---------------------------
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        node.args.kw_defaults = [one and self.visit(one) for one in node.args.kw_defaults]
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
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
        names = self._names([*node.body, *node.orelse])
        test = self.visit(node.test)
        number = self._number()
        made = [self._block(f"__ag_then_{number}", node.body, names, node),
                self._block(f"__ag_else_{number}", node.orelse, names, node),
                *self._accessors(number, names, node)]
        call = _ag("if_stmt", [test, _load(f"__ag_then_{number}"), _load(f"__ag_else_{number}"),
                               *self._access(number, names)])
        return self._placed([*made, ast.Expr(call)], node)

    def visit_While(self, node: ast.While) -> Any:
        names = self._names(node.body)
        number = self._number()
        test = ast.FunctionDef(f"__ag_test_{number}", _no_arguments(),
                               [ast.Return(self.visit(node.test))], [])
        made = [test, self._block(f"__ag_body_{number}", node.body, names, node),
                *self._accessors(number, names, node)]
        call = _ag("while_stmt", [_load(f"__ag_test_{number}"), _load(f"__ag_body_{number}"),
                                  *self._access(number, names)])
        after = self._visited(node.orelse)
        return self._placed([*made, ast.Expr(call)], node) + after

    def visit_For(self, node: ast.For) -> Any:
        extra = getattr(node, "extra_test", None)
        names = self._names([*node.body, ast.Assign([node.target], ast.Constant(None))])
        number = self._number()
        item = f"__ag_item_{number}"
        first = ast.copy_location(ast.Assign([node.target], ast.Name(item, ast.Load())), node)
        body = self._block(f"__ag_body_{number}", [first, *node.body], names, node, item)
        made: list[ast.stmt] = [body, *self._accessors(number, names, node)]
        if extra is None:
            test: ast.expr = ast.Constant(None)
        else:
            made.append(ast.FunctionDef(f"__ag_test_{number}", _no_arguments(),
                                        [ast.Return(self.visit(extra))], []))
            test = _load(f"__ag_test_{number}")
        call = _ag("for_stmt", [self.visit(node.iter), test, _load(f"__ag_body_{number}"),
                                *self._access(number, names)])
        return self._placed([*made, ast.Expr(call)], node) + self._visited(node.orelse)

    def visit_Assert(self, node: ast.Assert) -> Any:
        message = self.visit(node.msg) if node.msg else ast.Constant(None)
        call = _ag("assert_stmt", [self.visit(node.test), _thunk(message)])
        return ast.copy_location(ast.Expr(call), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Name) and node.target.id in self.state - self.parameters:
            # The name is checked before its first use.
            check = ast.copy_location(ast.Expr(_ag("load", [_load(node.target.id)])), node)
            node.value = self.visit(node.value)
            return [check, node]
        self.generic_visit(node)
        return node

    def visit_Delete(self, node: ast.Delete) -> Any:
        targets = [one for one in node.targets
                   if not (isinstance(one, ast.Name) and one.id in self.state)]
        dropped = [_assign(one.id, _ag("Missing", [ast.Constant(one.id)])) for one in node.targets
                   if isinstance(one, ast.Name) and one.id in self.state]
        made: list[ast.stmt] = [ast.Delete(targets)] if targets else []
        return self._placed([*made, *dropped], node)

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
        parts: list[ast.expr] = [ast.Lambda(_arguments("a", "b"), ast.Compare(_load("a"), [op], [_load("b")]))
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
    def _names(self, statements: list[Any]) -> list[str]:
        return sorted(assigned(statements) - self.globals - self.nonlocals)

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _visited(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        flat: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            flat.extend(made if isinstance(made, list) else [made])
        return flat

    def _block(self, name: str, statements: list[ast.stmt], names: list[str], where: ast.AST,
               *parameters: str) -> ast.stmt:
        body: list[ast.stmt] = self._declare(names)
        body += self._visited(statements)
        made = ast.FunctionDef(name, _arguments(*parameters), body or [ast.Pass()], [])
        return ast.copy_location(made, where)

    def _declare(self, names: list[str]) -> list[ast.stmt]:
        declared: list[ast.stmt] = []
        if names:
            declared.append(ast.Nonlocal(list(names)))
        if self.globals:
            declared.append(ast.Global(sorted(self.globals)))
        if self.nonlocals:
            declared.append(ast.Nonlocal(sorted(self.nonlocals)))
        return declared

    def _accessors(self, number: int, names: list[str], where: ast.AST) -> list[ast.stmt]:
        values = ast.Tuple([_load(name) for name in names], ast.Load())
        get = ast.FunctionDef(f"__ag_get_{number}", _no_arguments(), [ast.Return(values)], [])
        targets = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        store: list[ast.stmt] = [ast.Assign([targets], _load("values"))] if names else [ast.Pass()]
        put = ast.FunctionDef(f"__ag_set_{number}", _arguments("values"),
                              [*([ast.Nonlocal(list(names))] if names else []), *store], [])
        return [get, put]

    def _access(self, number: int, names: list[str]) -> list[ast.expr]:
        shown: list[ast.expr] = [ast.Constant(name) for name in names]
        return [_load(f"__ag_get_{number}"), _load(f"__ag_set_{number}"),
                ast.Tuple(shown, ast.Load())]

    def _placed(self, statements: list[Any], where: ast.AST) -> list[Any]:
        for statement in statements:
            if not hasattr(statement, "lineno"):
                ast.copy_location(statement, where)
            ast.fix_missing_locations(statement)
        return statements


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
