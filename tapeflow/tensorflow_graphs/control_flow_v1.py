"""Conditionals and loops of TensorFlow 1 as If and While: Switch, Merge, Enter, Exit and the like.

There a branch is the nodes between Switch, which lets a tensor into one of two branches, and Merge;
a loop is a frame of nodes between Enter and Exit, whose variables are Merges of what enters and
what NextIteration brings back. Both become functions here, added to the library, and a node that
calls them; a node that the graph reads keeps its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tapeflow.base import errors
from tapeflow.io.protobuf.graph_protos import FunctionDef, NodeDef

_SWITCH, _MERGE = ("Switch", "RefSwitch"), ("Merge", "RefMerge")
_ENTER, _EXIT = ("Enter", "RefEnter"), ("Exit", "RefExit")
_NEXT = ("NextIteration", "RefNextIteration")
_ANY = 21  # DT_VARIANT: of a list of types only the length is read


def structured(nodes: list[Any], library: Any) -> list[Any]:
    """The nodes with If and While for what they hold of TensorFlow 1's control flow."""
    if not any(node.op in _MERGE or node.op in _EXIT for node in nodes):
        return nodes
    return _with_choices(_with_loops(nodes, library), library)


def interior(nodes: list[Any], structured: list[Any]) -> set[str]:
    """The names of nodes inside branches and loops, which run as parts of functions."""
    found = {node.name for node in nodes} - {node.name for node in structured}
    for node in _forwards(structured):
        if node.op in _SWITCH or any(
                base(one) in found for one in node.input):
            found.add(node.name)
    return found


def base(reference: str) -> str:
    """The node of a reference: `node`, `node:1`, `^node`."""
    return reference.lstrip("^").partition(":")[0]


def _forwards(nodes: list[Any]) -> list[Any]:
    """Each node after those that it reads, but for what comes back in loops."""
    named = {node.name: node for node in nodes}
    order: dict[str, Any] = {}
    open_names: set[str] = set()
    for first in nodes:
        stack = [(first.name, False)]
        while stack:
            name, left = stack.pop()
            if left:
                open_names.discard(name)
                order[name] = named[name]
            elif name not in order:
                if name in open_names:
                    raise errors.InvalidArgumentError(
                        None, None, f"the node {name!r} waits for itself")
                open_names.add(name)
                stack.append((name, True))
                before = [base(one) for one in named[name].input]
                stack += [(one, False) for one in before if one in named and one not in order
                          and named[one].op not in _NEXT]
    return list(order.values())


class _Function:
    """A function in the making: some nodes of a graph, read from what it is given."""

    def __init__(self, name: str, nodes: dict[str, Any], given: dict[str, str]):
        self._nodes, self._given = nodes, given  # references by node: the argument's name
        self._message = FunctionDef()
        self._message.signature.name = name
        for one in dict.fromkeys(given.values()):
            self._message.signature.input_arg.add(name=one, type=_ANY)

    def _reference(self, one: str) -> str:
        return self._given.get(one) or self._given.get(base(one)) or one

    def finish(self, results: list[str], library: Any) -> str:
        """Add the nodes that lead to the results; the function's name in the library."""
        for i, one in enumerate(results):
            self._message.signature.output_arg.add(name=f"result{i}", type=_ANY)
            self._message.ret[f"result{i}"] = self._reference(one)
        needed = _behind(results, self._nodes, self._given)
        kept = []
        for node in [self._nodes[name] for name in self._nodes if name in needed]:
            made = NodeDef.FromString(node.SerializeToString())
            del made.input[:]
            made.input.extend([self._reference(one) for one in node.input
                               if one[:1] != "^" or base(one) in needed])
            kept.append(made)
        found = {node.name: node for node in _with_choices(kept, library)}
        needed = _behind(self._message.ret.values(), found, {})
        self._message.node_def.extend([found[name] for name in found if name in needed])
        name = self._message.signature.name
        if name in library.functions:
            raise errors.InvalidArgumentError(None, None, f"two functions have the name {name!r}")
        library.functions[name] = self._message
        return name


def _behind(references: Iterable[str], nodes: dict[str, Any], given: dict[str, str]) -> set[str]:
    """The nodes that references lead back to, but for those that are given."""
    found: set[str] = set()
    pending = list(references)
    while pending:
        one = pending.pop()
        name = base(one)
        if one not in given and name not in given and name in nodes and name not in found:
            found.add(name)
            pending += nodes[name].input
    return found


def _calling(name: str, op: str, inputs: Iterable[str], **functions: str) -> Any:
    made = NodeDef(name=name, op=op, input=list(inputs))
    for key, one in functions.items():
        made.attr[key].func.name = one
    return made


def _standing_for(node: Any, source: str) -> Any:
    """An Identity with the name and the type of a node."""
    made = NodeDef(name=node.name, op="Identity", input=[source])
    if "T" in node.attr:
        made.attr["T"].CopyFrom(node.attr["T"])
    return made


# -- loops -----------------------------------------------------------------------------------------
class _Frames:
    """To which loop each node belongs, and which loop is inside which."""

    def __init__(self, nodes: list[Any]):
        self.parent: dict[str, str] = {"": ""}
        self.members: dict[str, list[Any]] = {}
        where: dict[str, str] = {}
        for node in _forwards(nodes):
            around = max([where.get(base(one), "") for one in node.input] or [""], key=self.depth)
            if node.op in _ENTER:
                own = node.attr["frame_name"].s.decode()
                self.parent.setdefault(own, around)
                if not own or self.depth(own) == 0:
                    raise errors.InvalidArgumentError(
                        None, None, f"the node {node.name!r} enters a loop inside itself")
                around = own
            if around:
                self.members.setdefault(around, []).append(node)
            where[node.name] = self.parent[around] if node.op in _EXIT else around

    def depth(self, name: str) -> int:
        seen: list[str] = []
        while name:
            if name in seen:
                return 0
            seen.append(name)
            name = self.parent[name]
        return len(seen)

    def innermost_first(self) -> list[str]:
        return sorted(self.members, key=self.depth, reverse=True)


def _with_loops(nodes: list[Any], library: Any) -> list[Any]:
    frames = _Frames(nodes)
    found = {node.name: node for node in nodes}
    for frame in frames.innermost_first():
        made = _loop(frame, frames.members[frame], library)
        for node in frames.members[frame]:
            del found[node.name]
        found.update({node.name: node for node in made})
        frames.members.get(frames.parent[frame], []).extend(made)
    return list(found.values())


def _named(node: Any, nodes: dict[str, Any], position: int, ops: tuple) -> Any:
    """The node that one input of a node comes from, which must have one of some ops."""
    source = nodes.get(base(node.input[position])) if position < len(node.input) else None
    if source is None or source.op not in ops:
        raise errors.InvalidArgumentError(
            None, None, f"the node {node.name!r} ({node.op}) of a loop does not read a node "
                        f"{ops[0]}")
    return source


def _loop(frame: str, members: list[Any], library: Any) -> list[Any]:
    """The While of a frame, and an Identity for each of its Exits."""
    nodes = {node.name: node for node in members}
    tests = [node for node in members if node.op == "LoopCond"]
    if len(tests) != 1:
        raise errors.InvalidArgumentError(
            None, None, f"the loop {frame!r} has {len(tests)} conditions")
    merges = [node for node in members if node.op in _MERGE and len(node.input) == 2
              and base(node.input[1]) in nodes and nodes[base(node.input[1])].op in _NEXT]
    enters = [_named(node, nodes, 0, _ENTER) for node in merges]
    entering = {node.name for node in enters}
    constant = [node for node in members if node.op in _ENTER and node.name not in entering]
    switches = {base(node.input[0]): node for node in members
                if node.op in _SWITCH and base(node.input[1]) == tests[0].name}
    arguments = {node.name: node.name for node in (*merges, *constant)}
    in_body = dict(arguments)
    for node in merges:
        if node.name in switches:
            in_body[switches[node.name].name] = node.name
    test = _Function(f"{frame}/condition", nodes, arguments).finish(
        list(tests[0].input[:1]), library)
    body = _Function(f"{frame}/body", nodes, in_body).finish(
        [_named(node, nodes, 1, _NEXT).input[0] for node in merges]
        + [node.name for node in constant], library)
    inputs = [node.input[0] for node in (*enters, *constant)]
    waits = [one for node in (*enters, *constant) for one in node.input[1:] if one[:1] == "^"]
    whole = _calling(f"{frame}/While", "While", [*inputs, *dict.fromkeys(waits)],
                     cond=test, body=body)
    whole.attr["T"].list.type.extend([_ANY] * len(inputs))
    places = {switches[node.name].name: i for i, node in enumerate(merges)
              if node.name in switches}
    exits = [_standing_for(node, f"{whole.name}:{places[_named(node, nodes, 0, _SWITCH).name]}")
             for node in members if node.op in _EXIT]
    return [whole, *exits]


# -- conditionals ----------------------------------------------------------------------------------
class _Choice(NamedTuple):
    """Merges of one condition, none of which depends on another."""

    condition: str
    merges: list[Any]
    sides: list[tuple[str, str]]  # of each Merge: what it is if the condition is false, and if true
    after: set[int]  # the numbers of the choices that these depend on


def _with_choices(nodes: list[Any], library: Any) -> list[Any]:
    """The nodes with an If for the Merges of each condition; inner ones first."""
    found = {node.name: node for node in nodes}
    choices: list[_Choice] = []
    behind: dict[str, set[int]] = {}  # the choices that a node depends on, inner ones too
    for node in _forwards(nodes):
        behind[node.name] = set().union(*[behind.get(base(one), ()) for one in node.input])
        if node.op in _MERGE:
            condition, sides = _sides(node, found, choices)
            joined = [i for i, one in enumerate(choices) if one.condition == condition
                      and i not in behind[node.name]]
            if not joined:
                choices.append(_Choice(condition, [], [], set()))
            number = joined[0] if joined else len(choices) - 1
            choices[number].merges.append(node)
            choices[number].sides.append(sides)
            choices[number].after.update(behind[node.name])
            behind[node.name].add(number)
    for choice in _inner_first(choices):
        for node in _if(choice, found, library):
            found[node.name] = node
    return list(found.values())


def _inner_first(choices: list[_Choice]) -> list[_Choice]:
    left, found = dict(enumerate(choices)), []
    while left:
        ready = [i for i, one in left.items() if not one.after & left.keys()]
        found += [left.pop(i) for i in ready]
    return found


def _sides(merge: Any, nodes: dict[str, Any], choices: list[_Choice]) -> tuple[str, tuple]:
    """The condition of a Merge, and its inputs for false and true."""
    if len([one for one in merge.input if one[:1] != "^"]) != 2:
        raise errors.InvalidArgumentError(
            None, None, f"the node {merge.name!r} merges other than two branches")
    merged = {one.name: choice.condition for choice in choices for one in choice.merges}
    conditions, side = "", -1
    for position in (0, 1):
        entered = _nearest_switch(merge.input[position], nodes, merged)
        if entered is not None:
            conditions, index = entered
            side = index if position == 1 else 1 - index
            break
    if side < 0:
        raise errors.InvalidArgumentError(
            None, None, f"the node {merge.name!r} merges branches of no condition")
    ordered = (merge.input[0], merge.input[1]) if side else (merge.input[1], merge.input[0])
    return conditions, ordered


def _condition(switch: Any, nodes: dict[str, Any]) -> str:
    """What decides a Switch: of one conditional some read it through an Identity."""
    reference = switch.input[1]
    while base(reference) in nodes and nodes[base(reference)].op == "Identity":
        reference = nodes[base(reference)].input[0]
    return reference


def _nearest_switch(reference: str, nodes: dict[str, Any], merged: dict[str, str]) -> Any:
    """The condition and the output of the first Switch behind a reference; inner ones are passed.

    A Merge on the way is the result of an inner conditional: its Switches do not count.
    """
    pending, seen = [(reference, frozenset[str]())], set()
    while pending:
        one, inner = pending.pop(0)
        node = nodes.get(base(one))
        if node is None or (one, inner) in seen:
            continue
        seen.add((one, inner))
        if node.op in _SWITCH and _condition(node, nodes) not in inner:
            return _condition(node, nodes), int(one.partition(":")[2] or 0)
        if node.op in _MERGE and node.name in merged:
            inner = inner | {merged[node.name]}
        pending += [(before, inner) for before in node.input]
    return None


def _if(choice: _Choice, nodes: dict[str, Any], library: Any) -> list[Any]:
    """The If of a choice, and an Identity for each of its Merges."""
    name = choice.merges[0].name
    inside = _inside(choice, nodes)
    given: dict[str, str] = {}  # in the branches: a reference from outside, or a Switch
    outside: dict[str, str] = {}  # the argument by what stands for it outside
    waits: dict[str, None] = {}
    results = [one for sides in choice.sides for one in sides]
    reads = [one for inner in sorted(inside) for one in nodes[inner].input]
    for one in (*results, *reads):
        node = nodes.get(base(one))
        if node is not None and _enters(node, choice, nodes):
            given[node.name] = outside.setdefault(node.input[0], f"argument {len(outside)}")
        elif base(one) not in inside:
            if one[:1] == "^":
                waits[one] = None
            else:
                given[one] = outside.setdefault(one, f"argument {len(outside)}")
    within = {key: nodes[key] for key in nodes if key in inside}
    branches = [_Function(f"{name}/{kind}", within, given or {}).finish(
        [sides[i] for sides in choice.sides], library) for i, kind in enumerate(("else", "then"))]
    whole = _calling(f"{name}/If", "If", [choice.condition, *outside, *waits],
                     else_branch=branches[0], then_branch=branches[1])
    whole.attr["Tin"].list.type.extend([_ANY] * len(outside))
    whole.attr["Tout"].list.type.extend([_ANY] * len(choice.merges))
    return [whole, *[_standing_for(node, f"{whole.name}:{i}")
                     for i, node in enumerate(choice.merges)]]


def _inside(choice: _Choice, nodes: dict[str, Any]) -> set[str]:
    """The nodes behind a choice's Merges that depend on a Switch of its condition."""
    depends: dict[str, bool] = {}
    stack = [(base(one), False) for sides in choice.sides for one in sides]
    while stack:
        name, left = stack.pop()
        node = nodes.get(name)
        if node is None:
            depends[name] = False
        elif left:
            depends[name] = any(depends.get(base(one)) or _enters(nodes.get(base(one)), choice,
                                                                nodes)
                                for one in node.input)
        elif name not in depends:
            depends[name] = False
            if not _enters(node, choice, nodes):
                stack.append((name, True))
                stack += [(base(one), False) for one in node.input]
    return {name for name, inner in depends.items() if inner}


def _enters(node: Any, choice: _Choice, nodes: dict[str, Any]) -> bool:
    """Whether a node lets a tensor into a branch of the choice."""
    return node is not None and node.op in _SWITCH and (
        _condition(node, nodes) == choice.condition)
