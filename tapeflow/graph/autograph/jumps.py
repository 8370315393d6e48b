"""break, continue and return become flags, so that every block has one way in and one way out.

`if c: return a` with more statements behind it first becomes an if with an else, so that most
functions need no flags at all.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tapeflow.graph.autograph.unbound_names import RESULT, RETURNED

SKIPPED = "__ag_skipped_"  # flags of `continue`: nobody looks at them outside their loops

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def contains(statements: list[ast.stmt], kinds: type | tuple, loops: bool = True) -> bool:
    """Whether a jump of these kinds is in the statements; not inside inner functions."""
    for statement in statements:
        if isinstance(statement, kinds):
            return True
        if isinstance(statement, _SCOPES):
            continue
        if not loops and isinstance(statement, (ast.For, ast.While)):
            if contains(statement.orelse, kinds, loops):
                return True
            continue
        for block in blocks(statement):
            if contains(block, kinds, loops):
                return True
    return False


def blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The statement lists inside a statement."""
    found = [getattr(statement, field) for field in ("body", "orelse", "finalbody")
             if isinstance(getattr(statement, field, None), list)]
    found += [handler.body for handler in getattr(statement, "handlers", [])]
    found += [case.body for case in getattr(statement, "cases", [])]
    return found


def _always_returns(statements: list[ast.stmt]) -> bool:
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    return isinstance(last, ast.If) and _always_returns(last.body) and _always_returns(last.orelse)


def nest_returns(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Move what follows `if c: … return` into its else branch."""
    for i, statement in enumerate(statements):
        if not isinstance(statement, ast.If) or not contains([statement], ast.Return):
            continue
        rest = statements[i + 1:]
        if _always_returns(statement.body):
            statement.orelse = statement.orelse + rest
        elif _always_returns(statement.orelse):
            statement.body = statement.body + rest
        else:
            continue
        statement.body = nest_returns(statement.body)
        statement.orelse = nest_returns(statement.orelse)
        return statements[:i + 1]
    return statements


def lower_returns(function: ast.FunctionDef) -> None:
    """One return at the end; flags where a return stands inside a block."""
    function.body = nest_returns(function.body)
    if not any(contains([one], ast.Return) for one in function.body
               if not isinstance(one, ast.Return)):
        return
    guarded = contains(_without_last_return(function.body), ast.Return)
    complete = _always_returns(function.body)
    body = _Returns(guarded, not complete or _returns_none(function.body)).block(function.body)
    start: list[ast.stmt] = [_assign(RESULT, ast.Constant(None), function)]
    if guarded:
        start.insert(0, _assign(RETURNED, ast.Constant(False), function))
        start[1] = _assign(RESULT, _runtime("Missing", [ast.Constant("return value")]), function)
    done = [_load(RETURNED)] if guarded and not complete else []
    end = ast.Return(_runtime("returned", [_load(RESULT), *done]))
    function.body = [*start, *body, ast.copy_location(end, function.body[-1])]


def _without_last_return(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements but for returns that already are the last thing to happen."""
    if not statements:
        return []
    last = statements[-1]
    if isinstance(last, ast.Return):
        return statements[:-1]
    if isinstance(last, ast.If) and not contains(statements[:-1], ast.Return):
        return _without_last_return(last.body) + _without_last_return(last.orelse)
    return statements


def _returns_none(statements: list[ast.stmt]) -> bool:
    """Whether one of the return statements gives None; not inside inner functions."""
    for one in statements:
        if isinstance(one, ast.Return):
            if one.value is None or isinstance(one.value, ast.Constant) and one.value.value is None:
                return True
        elif not isinstance(one, _SCOPES) and any(_returns_none(inner) for inner in blocks(one)):
            return True
    return False


# At the end of a `try` whose handlers see what cannot be converted, as they do in TensorFlow.
_SURE = f"""
try:
    __ag.surely_returned({RESULT}, {RETURNED})
except ValueError:
    {RESULT}, {RETURNED} = __ag.Missing("return value"), False
    raise
"""


class _Returns:
    def __init__(self, guarded: bool, gives_none: bool):
        self.guarded, self.gives_none = guarded, gives_none

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for i, statement in enumerate(statements):
            if isinstance(statement, ast.Return):
                value = statement.value or ast.Constant(None)
                result.append(_assign(RESULT, value, statement))
                if self.guarded:  # last: the value may raise, and somebody catch it
                    result.append(_assign(RETURNED, ast.Constant(True), statement))
                return result
            if isinstance(statement, _SCOPES) or not contains([statement], ast.Return):
                result.append(statement)
                continue
            self._inside(statement)
            result.append(statement)
            rest = statements[i + 1:]
            if rest and self.guarded:
                result.append(_guard(RETURNED, self.block(rest), rest[0]))
                return result
        return result

    def _inside(self, statement: ast.stmt) -> None:
        left = self.guarded and contains(getattr(statement, "body", []), ast.Return)
        _each_block(statement, self.block)
        if left:
            _guard_else(statement, RETURNED)
            if self.gives_none and isinstance(statement, ast.Try) and statement.handlers:
                for made in ast.parse(_SURE).body:
                    statement.body.append(_placed(made, statement.body[-1]))
        if isinstance(statement, (ast.For, ast.While)):
            _add_test(statement, RETURNED)


class LowerLoopJumps(ast.NodeTransformer):
    """break and continue of each loop become flags of that loop."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def _visit_loop(self, node: ast.For | ast.While) -> ast.AST:
        self.generic_visit(node)
        leaves = contains(node.body, ast.Break, loops=False)
        skips = contains(node.body, ast.Continue, loops=False)
        if not leaves and not skips:
            return node
        self.count += 1
        left, skipped = f"__ag_left_{self.count}", f"{SKIPPED}{self.count}"
        body = _Flags(left, skipped).block(node.body)
        result: list[ast.AST] = []
        if skips:
            body.insert(0, _assign(skipped, ast.Constant(False), node))
        if leaves:
            result.append(_assign(left, ast.Constant(False), node))
            _add_test(node, left)
        node.body = body
        result.append(node)
        if leaves and node.orelse:
            otherwise, node.orelse = node.orelse, []
            result.append(_guard(left, otherwise, node))
        return result  # type: ignore[return-value]

    visit_For = _visit_loop
    visit_While = _visit_loop


class _Flags:
    def __init__(self, left: str, skipped: str):
        self.left, self.skipped = left, skipped

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for i, statement in enumerate(statements):
            if isinstance(statement, (ast.Break, ast.Continue)):
                flag = self.left if isinstance(statement, ast.Break) else self.skipped
                result.append(_assign(flag, ast.Constant(True), statement))
                return result
            leaves = contains([statement], ast.Break, loops=False)
            skips = contains([statement], ast.Continue, loops=False)
            result.append(statement)
            if not leaves and not skips:
                continue
            flags = [name for name, used in ((self.left, leaves), (self.skipped, skips)) if used]
            within = isinstance(statement, ast.Try) and contains(
                statement.body, (ast.Break, ast.Continue), loops=False)
            _each_block(statement, self.block)
            if within:
                _guard_else(statement, flags)
            rest = statements[i + 1:]
            if rest:
                result.append(_guard(flags, self.block(rest), rest[0]))
                return result
        return result


def _each_block(statement: ast.stmt, change: Callable) -> None:
    """Change the statement lists inside a statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if isinstance(block, list):
            setattr(statement, field, change(block))
    for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        part.body = change(part.body)


def _guard_else(statement: ast.stmt, flags: str | list[str]) -> None:
    """The `else` of a try or a loop does not run if a jump has left its body."""
    if isinstance(statement, (ast.Try, ast.For, ast.While)) and statement.orelse:
        statement.orelse = [_guard(flags, statement.orelse, statement.orelse[0])]


def _placed(made: ast.stmt, where: ast.AST) -> ast.stmt:
    """A statement made here, at the line of one of the function's."""
    for one in ast.walk(made):
        ast.copy_location(one, where)
    return made


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _runtime(name: str, args: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Attribute(_load("__ag"), name, ast.Load()), args, [])


def _assign(name: str, value: ast.expr, where: ast.AST) -> ast.stmt:
    made = ast.Assign([ast.Name(name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(made, where))


def _not_any(flags: str | list[str]) -> ast.expr:
    names = [flags] if isinstance(flags, str) else flags
    tests: list[ast.expr] = [ast.UnaryOp(ast.Not(), _load(name)) for name in names]
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _guard(flags: str | list[str], body: list[ast.stmt], where: ast.AST) -> ast.stmt:
    made = ast.If(_not_any(flags), body, [])
    return ast.fix_missing_locations(ast.copy_location(made, where))


def _add_test(loop: ast.For | ast.While, flag: str) -> None:
    """Loops also end when the flag is set; for-loops keep that as an extra test."""
    test = _not_any(flag)
    if isinstance(loop, ast.While):
        loop.test = ast.fix_missing_locations(ast.copy_location(
            ast.BoolOp(ast.And(), [test, loop.test]), loop.test))
    else:
        before = getattr(loop, "extra_test", None)
        both = test if before is None else ast.BoolOp(ast.And(), [test, before])
        loop.extra_test = ast.fix_missing_locations(  # type: ignore[attr-defined]
            ast.copy_location(both, loop))
