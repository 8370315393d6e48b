"""GradientTape: records ops on what it watches, and walks the record backwards.

The record is a list of entries, one an op, appended as ops run:
    unary    (op, ux, uy, y, x)
    binary   (op, ua, ub, uy, y, a, b)
    general  (op, ins, outs, ys, xs, attrs)
where u… are uids (0: not watched). Only what the op's rule saves is kept; for the rest an Outline.
`_tracked` maps the uid of each watched tensor to (op, *uids of its inputs), None for a leaf: that
skeleton holds no tensors and outlives the walk, so `explain` can still say why a gradient is None.
"""

from __future__ import annotations

import enum
import weakref
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record.op import Op, Outline, same_shape
from tapeflow.core.record.primitive_ops import broadcast_to, constant_like, dims
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices, add_gradients, densify, wrap_gradient
from tapeflow.core.values.tensor import Tensor, next_uid, uid_of, wrap
from tapeflow.core.values.variable import Variable

ndarray = np.ndarray
_FLOAT32 = np.dtype("float32")
_ONE = np.float32(1)
KEEP_BYTES = 4096  # an unsaved operand smaller than this costs less than its Outline


@export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """What `gradient` gives for a source that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"


_NONE = UnconnectedGradients.NONE


def _outline(x: Any) -> Any:
    """What to keep of an operand that no rule needs."""
    value = x._value if type(x) is Tensor else None
    if type(value) is ndarray and value.nbytes > KEEP_BYTES:
        return Outline(value.shape, value.dtype)
    return x


class Record(states.Listener):
    """The entries of one recording and what they lead from; the part of a tape that listens."""

    __slots__ = ("_accessed", "_assigned", "_barren", "_entries", "_escaped", "_forgot", "_owner",
                 "_paused", "_positions", "_severed", "_tracked", "_variables", "__weakref__")

    def __init__(self, watch_accessed_variables: bool):
        self._accessed = watch_accessed_variables
        self._entries: list[Any] = [None]  # the None marks the bottom
        self._tracked: dict[int, tuple | None] = {}
        self._variables: dict[int, Any] = {}
        # For explanations only:
        self._severed: dict[int, tuple] = {}  # like _tracked, for what no gradient can reach
        self._escaped: set[int] = set()  # uids whose value left for plain Python
        # variable -> what was assigned to it: (tensor, a uid of that time)
        self._assigned: dict[int, list[tuple[int, int]]] = {}
        self._barren: set[tuple[int, int]] = set()  # (result, input) where a rule gave None
        self._owner: Any = None  # a weak reference to the tape
        self._paused = False
        self._forgot = False  # made by reset()
        self._positions: dict[int, tuple[str, int]] | None = None

    # -- listening -------------------------------------------------------------------------------
    def note1(self, op: Op, x: Tensor, y: Tensor) -> None:
        tracked, ux = self._tracked, x._uid
        if ux not in tracked or op.reason is not None:
            return self._sever(op, (x,), y)
        uy = y._uid = y._uid or next_uid()
        tracked[uy] = (op, ux)
        self._entries.append((op, ux, uy, y if op.saves_out else None,
                              x if op.saves[0] or type(x._value) is not ndarray else _outline(x)))
        return None

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        tracked, ua, ub = self._tracked, a._uid, b._uid
        if ua in tracked:
            if ub not in tracked:
                ub = 0
        elif ub in tracked:
            ua = 0
        else:
            return self._sever(op, (a, b), y)
        if op.reason is not None:
            return self._sever(op, (a, b), y)
        if self._severed and not (ua and ub):
            self._sever(op, (a, b), y)
        uy = y._uid = y._uid or next_uid()
        tracked[uy] = (op, ua, ub)
        keep_a, keep_b = op.saves
        self._entries.append((op, ua, ub, uy, y if op.saves_out else None,
                              a if keep_a or type(a._value) is not ndarray else _outline(a),
                              b if keep_b or type(b._value) is not ndarray else _outline(b)))
        return None

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        tracked = self._tracked
        ins = tuple([x._uid if x._uid in tracked else 0 for x in xs])
        if not any(ins) or op.reason is not None:
            return self._sever(op, xs, ys)
        if not op.multi and not _differentiable(ys):
            return self._sever(op, xs, ys, True)
        if self._severed and 0 in ins:
            self._sever(op, xs, ys)
        skeleton = (op, *ins)
        if op.multi:
            outs: Any = tuple([uid_of(y) for y in ys])
            for uid in outs:
                tracked[uid] = skeleton
        else:
            outs = ys._uid = ys._uid or next_uid()
            tracked[outs] = skeleton
        saves = op.saves
        if saves is True:
            kept = xs
        elif saves is False:
            kept = tuple([_outline(x) for x in xs])
        else:
            kept = tuple([x if keep else _outline(x)
                          for x, keep in zip(xs, saves, strict=True)])
        if not op.saves_out:
            ys = tuple([_outline(y) for y in ys]) if op.multi else None
        self._entries.append((op, ins, outs, ys, kept, attrs))
        return None

    def read(self, variable: Any) -> Tensor:
        uid = variable._uid
        if self._accessed and uid not in self._tracked and variable.trainable:
            self._tracked[uid] = None
            self._variables[uid] = variable
        return variable._snapshot

    def follows(self, uid: int) -> bool:
        return uid in self._tracked

    def abandoned(self) -> bool:
        return self._owner is not None and self._owner() is None

    def escaped(self, tensor: Tensor) -> None:
        self._escaped.add(tensor._uid)

    def assigned(self, variable: Any, tensor: Tensor) -> None:
        if tensor._uid:
            self._assigned.setdefault(variable._uid, []).append((tensor._uid, next_uid()))

    def skeleton(self) -> Record:
        """What explanations need of this record, without what keeps tensors alive."""
        bones = Record(self._accessed)
        for name in ("_assigned", "_barren", "_escaped", "_forgot", "_paused", "_positions",
                     "_severed", "_tracked"):
            setattr(bones, name, getattr(self, name))
        bones._variables = {uid: Subject(one) for uid, one in self._variables.items()
                            if uid in self._assigned}
        return bones

    def _sever(self, op: Op, xs: tuple, ys: Any, cut: bool = False) -> None:
        """Remember, for explanations, what depends on a watched tensor but not differentiably."""
        tracked, severed = self._tracked, self._severed
        cut = cut or op.reason is not None
        if not cut and not severed:
            return
        ins = [x._uid for x in xs if x._uid in severed or (cut and x._uid in tracked)]
        if ins:
            for y in ys if op.multi else (ys,):
                severed[uid_of(y)] = (op, *ins)

    # -- walking back ------------------------------------------------------------------------------
    def walk(self, grads: dict[int, Any], keep: set[int], bare: bool, consume: bool) -> None:
        """Push the gradients in `grads` (by uid) down to the leaves; those in `keep` stay."""
        pop = self._entries.pop if consume else self._entries[:].pop
        while True:
            entry = pop()
            if entry is None:
                break
            size = len(entry)
            if size == 5:
                op, ux, uy, y, x = entry
                g = grads.get(uy) if uy in keep else grads.pop(uy, None)
                if g is None:
                    continue
                if type(g) is IndexedSlices and not op.slices:
                    g = densify(g)
                if bare:
                    gx = op.rules[0](g, y if y is None else y._value, x._value)
                else:
                    gx = _apply_rule(op, 0, g, y, (x,), {})
                if gx is not None:
                    before = grads.get(ux)
                    grads[ux] = gx if before is None else add_gradients(before, gx)
            elif size == 7:
                op, ua, ub, uy, y, a, b = entry
                g = grads.get(uy) if uy in keep else grads.pop(uy, None)
                if g is None:
                    continue
                if type(g) is IndexedSlices:
                    g = densify(g)
                if bare:
                    a, b = a._value, b._value
                    if y is not None:
                        y = y._value
                rules = op.rules
                if ua and rules[0] is not None:
                    gx = rules[0](g, y, a, b) if bare else _apply_rule(op, 0, g, y, (a, b), {})
                    if gx is not None:
                        before = grads.get(ua)
                        grads[ua] = gx if before is None else add_gradients(before, gx)
                if ub and rules[1] is not None:
                    gx = rules[1](g, y, a, b) if bare else _apply_rule(op, 1, g, y, (a, b), {})
                    if gx is not None:
                        before = grads.get(ub)
                        grads[ub] = gx if before is None else add_gradients(before, gx)
            else:
                bare = self._walk_general(entry, grads, keep, bare)

    def _walk_general(self, entry: tuple, grads: dict, keep: set[int], bare: bool) -> bool:
        op, ins, outs, ys, xs, attrs = entry
        if op.multi:
            gs = [grads.get(uid) if uid in keep else grads.pop(uid, None) for uid in outs]
            if all(g is None for g in gs):
                return bare
            g: Any = _fill(gs, ys, bare)
        else:
            g = grads.get(outs) if outs in keep else grads.pop(outs, None)
            if g is None:
                return bare
            if type(g) is IndexedSlices and not op.slices:
                g = densify(g)
        if bare:
            xs = [x._value for x in xs]
            if ys is not None:
                ys = [y._value for y in ys] if op.multi else ys._value
        if not bare and state.trace is not None and state.trace.defers(op, g, ys, xs):
            results = [state.trace.defer(op, i, g, ys, xs, attrs) if uid else None
                       for i, uid in enumerate(ins)]
        elif op.joint is not None:
            results = op.joint(g, ys, *xs, **attrs)
        else:
            results = [rule(g, ys, *xs, **attrs) if uid and rule is not None else None
                       for uid, rule in zip(ins, op.rules, strict=True)]
        for uid, gx in zip(ins, results, strict=True):
            if gx is None:
                if uid:
                    self._barren.update([(y, uid) for y in (outs if op.multi else (outs,))])
            elif uid:
                before = grads.get(uid)
                grads[uid] = gx if before is None else add_gradients(before, gx)
                if bare and gx.dtype.kind == "V":
                    # NumPy promotes bfloat16 * float to float32; Tensors do not.
                    bare = False
        if not bare and any(not isinstance(one, (Tensor, IndexedSlices)) for one in grads.values()):
            for uid, one in grads.items():
                grads[uid] = wrap_gradient(one)
        return bare


def _apply_rule(op: Op, index: int, g: Any, y: Any, xs: tuple, attrs: dict) -> Any:
    """A rule on Tensors; a trace may put it off until sizes are known."""
    trace, rule = state.trace, op.rules[index] if op.rules else None
    if rule is None:
        return None
    if trace is not None and trace.defers(op, g, y, xs):
        return trace.defer(op, index, g, y, xs, attrs)
    return rule(g, y, *xs, **attrs)


def zeros_for(x: Any) -> Any:
    """Zeros like a Tensor or bare value."""
    if isinstance(x, Tensor):
        return constant_like(x, 0)
    return np.zeros(x.shape, x.dtype)


def _fill(gs: list, ys: Any, bare: bool) -> tuple:
    """Gradients of all outputs of a multi-output op: zeros for those that nothing used."""
    filled = []
    for g, y in zip(gs, ys, strict=True):
        if g is None:
            y = y._value if type(y) is Tensor else y
            if isinstance(y, Tensor):
                g = constant_like(y, 0)
            else:
                g = np.zeros(y.shape, y.dtype)
                g = g if bare else wrap(g)
        filled.append(densify(g) if type(g) is IndexedSlices else g)
    return tuple(filled)


def ones_like(x: Any) -> Any:
    """The seed of a walk."""
    if type(x) is Tensor:
        value = x._value
        if value.shape:
            return wrap(np.ones(value.shape, value.dtype))
        return wrap(_ONE if value.dtype is _FLOAT32 else value.dtype.type(1))
    return constant_like(x, 1)


@export("GradientTape", "autodiff.GradientTape")
class GradientTape:
    """Record operations, then differentiate them.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> tape.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>

    Beyond TensorFlow's: `explain(target, sources)` says why a gradient is None.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True):
        self._record: Record | None = None
        self._used: Record | None = None  # the skeleton of a record that was consumed
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._recording = False

    # -- recording -------------------------------------------------------------------------------
    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._recording:
            self._stop()

    def _start(self) -> None:
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to "
                             "re-enter an already-active tape.")
        if self._record is None:
            self._record = self._new_record()
        states.push(self._record)
        self._recording = True

    def _new_record(self) -> Record:
        record = (state.record_type or Record)(self._watch_accessed_variables)
        record._owner = weakref.ref(self)
        return record

    def _stop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        states.remove(self._record)
        self._recording = False

    def watch(self, tensor: Any) -> None:
        """Make sure that `tensor` (or each in a structure) is traced by this tape."""
        record = self._record
        for one in [tensor] if isinstance(tensor, Tensor) else _watched(tensor):
            if record is None:
                raise RuntimeError("GradientTape.watch: this tape is not recording and has no "
                                   "record: call it inside the `with` block.")
            if not _differentiable(one):
                _warn(f"The dtype of the watched tensor must be floating (e.g. tf.float32), "
                      f"got {one.dtype!r}")
            if not self._recording:
                continue  # as in TensorFlow: a paused or finished tape takes no note
            record._tracked.setdefault(uid_of(one), None)
            if isinstance(one, Variable):
                record._variables[one._uid] = one

    def watched_variables(self) -> tuple:
        """The variables this tape watches, in order of their creation."""
        record = self._record or self._used
        if record is None:
            return ()
        return tuple(record._variables[uid] for uid in sorted(record._variables))

    def reset(self) -> None:
        """Forget all that was recorded, explicit `watch` calls included."""
        if not self._recording:
            raise ValueError("Tape is not recording: GradientTape.reset belongs inside the `with` "
                             "block.")
        before, self._record = self._record, self._new_record()
        self._record._forgot = True
        states.set_stack(tuple([self._record if one is before else one for one in state.stack]))
        self._used = None

    def stop_recording(self) -> _Paused:
        """Context in which this tape does not record."""
        if self._record is None:
            raise RuntimeError("Trying to exit context without entering: "
                               "GradientTape.stop_recording needs a tape that is recording.")
        return _Paused(self)

    # -- differentiating ---------------------------------------------------------------------------
    def gradient(self, target: Any, sources: Any, output_gradients: Any = None,
                 unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """Gradient of the sum of `target` with respect to each of `sources`, in their structure."""
        record = self._begin()
        if target is None:
            raise TypeError("Argument `target` should be a list or nested structure of Tensors, "
                            "Variables or CompositeTensors to be differentiated, but received "
                            "None.")
        flat, rebuild = _flatten_sources(sources)
        targets = [target] if type(target) is Tensor else _tensors_of(nest.flatten(target))
        seeds = None if output_gradients is None else _seeds(output_gradients, targets)
        zero = unconnected_gradients is not _NONE and UnconnectedGradients(
            unconnected_gradients) is UnconnectedGradients.ZERO
        try:
            results = self._backward(record, targets, flat, seeds)
        finally:
            self._finish()
        if zero:
            results = [constant_like(_value(source), 0) if one is None else one
                       for one, source in zip(results, flat, strict=True)]
        if rebuild is None:
            return results[0]
        return results if rebuild is list else rebuild(results)

    def _begin(self) -> Record:
        record = self._record
        if record is None:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set "
                               "of gradients (or jacobians)")
        if self._recording and not self._persistent:
            self._stop()
        return record

    def _finish(self) -> None:
        if not self._persistent:
            record = self._record
            if record is not None:
                record._entries = [None]
                self._used = record
            self._record = None

    def _backward(self, record: Record, targets: list, sources: list, seeds: list | None) -> list:
        """Gradients of the sources, None where there is none."""
        grads: dict[int, Any] = {}
        bare = not state.stack and state.trace is None
        for position, target in enumerate(targets):
            if not _differentiable(target):
                _warn("The dtype of the target tensor must be floating (e.g. tf.float32) when "
                      f"calling GradientTape.gradient, got {target.dtype!r}")
                continue
            seed = ones_like(_value(target)) if seeds is None else seeds[position]
            uid = target._uid or uid_of(target)
            grads[uid] = seed if uid not in grads else add_gradients(grads[uid], seed)
            bare = bare and type(seed) is Tensor and seed._value.dtype.kind != "V"
        keep = {source._uid or uid_of(source) for source in sources}
        if bare:
            for uid, seed in grads.items():
                grads[uid] = seed._value
            token = ignore_fp_errors()
            try:
                record.walk(grads, keep, True, not self._persistent)
            finally:
                restore_fp_errors(token)
        else:
            record.walk(grads, keep, False, not self._persistent)
        results = []
        for source in sources:
            g = grads.get(source._uid)
            if g is not None:
                g = wrap_gradient(g) if _differentiable(source) else None
            results.append(g)
        if None in [g if g is None else 0 for g in results]:
            NONES[:] = [(record.skeleton(), [Subject(one) for one in targets],
                         [Subject(one) for one in sources])]
        return results


class Subject:
    """What an explanation needs to know of a target or source, without keeping it alive."""

    __slots__ = ("dtype", "kind", "name", "shape", "trainable", "uid")

    def __init__(self, x: Any):
        self.uid, self.dtype, self.shape = uid_of(x), x.dtype, x.shape
        variable = isinstance(x, Variable)
        self.kind = "variable" if variable else "tensor"
        self.name = x.name if variable else ""
        self.trainable = variable and x.trainable


NONES: list[tuple] = []  # the last gradient() that gave a None: (skeleton, targets, sources)


class _Paused:
    """Takes a tape off the stack for a while and puts it back in its place."""

    __slots__ = ("position", "tape")

    def __init__(self, tape: GradientTape):
        self.tape = tape

    def __enter__(self) -> None:
        tape = self.tape
        if not tape._recording:
            raise ValueError("Tape is not recording.")
        self.position = state.stack.index(tape._record)
        if tape._record is not None:
            tape._record._paused = True
        tape._stop()

    def __exit__(self, *exc: Any) -> None:
        tape = self.tape
        if tape._recording:
            return
        if tape._record is None:
            tape._record = tape._new_record()
        stack = list(state.stack)
        stack.insert(self.position, tape._record)
        states.set_stack(tuple(stack))
        tape._recording = True


def as_source(x: Any, where: str) -> Any:
    """A Tensor or Variable, or what stands for one (`handle` or `value` of variable-likes)."""
    if isinstance(x, (Tensor, Variable)):
        return x
    if getattr(x, "_should_act_as_resource_variable", False):
        return as_source(x.value, where)
    if isinstance(x, IndexedSlices):
        return x.values
    message = (f"GradientTape.{where}: passed in object {x!r} of type {type(x).__name__!r}, not "
               "tf.Tensor or tf.Variable or ExtensionType.")
    if where == "watch":
        raise ValueError(message)
    numbers = (int, float, complex, list, tuple, np.ndarray, np.generic)
    raise (AttributeError if isinstance(x, numbers) else TypeError)(message)


def _value(x: Any) -> Any:
    return x._snapshot if isinstance(x, Variable) else x


def _differentiable(x: Any) -> bool:
    value = x if type(x) is Tensor else _value(x)
    if type(value) is Tensor:
        dtype = value._value.dtype
        return dtype is _FLOAT32 or dtype.kind in "fcV"
    return value.dtype.is_floating or value.dtype.is_complex


def _flatten_sources(sources: Any) -> tuple[list, Any]:
    """The sources as a list, and how to give the results their structure back."""
    if type(sources) is list:
        for one in sources:
            if not isinstance(one, (Tensor, Variable)):
                break
        else:
            return sources, list
    if isinstance(sources, (Tensor, Variable)):
        return [sources], None
    given = nest.flatten(sources)
    return _tensors_of(given), lambda results: nest.pack_sequence_as(
        sources, _gathered(given, results))


def _watched(structure: Any) -> list:
    """What `watch` was given, one by one; of a composite every part."""
    return [as_source(part, "watch") for one in nest.flatten(structure)
            for part in (nest.flatten(one, expand_composites=True) if isinstance(one, Composite)
                         else (one,))]


def _tensors_of(given: list) -> list:
    """Sources or targets as tensors and variables; composites tell what is differentiated."""
    flat: list[Any] = []
    for one in given:
        flat += one._gradient_parts() if isinstance(one, Composite) else [
            as_source(one, "gradient")]
    return flat


def _gathered(given: list, results: list) -> list:
    """One result for each source, those to the parts of a composite joined."""
    if not any(isinstance(one, Composite) for one in given):
        return results
    left = iter(results)
    return [one._gradient_like([next(left) for _ in one._gradient_parts()])
            if isinstance(one, Composite) else next(left) for one in given]


def _seeds(output_gradients: Any, targets: list) -> list:
    given = nest.flatten(output_gradients)
    if len(given) < len(targets):
        raise ValueError(f"GradientTape.gradient: output_gradients has {len(given)} tensors, "
                         f"target has {len(targets)}.")
    seeds = [convert(one, hint=target.dtype) for one, target in zip(given, targets, strict=False)]
    for seed, target in zip(seeds, targets, strict=True):
        if seed.dtype != target.dtype:
            raise errors.invalid("GradientTape.gradient", (
                f"output_gradients must have the dtype of the target, {target.dtype.name}, got "
                f"{seed.dtype.name}"))
    return [seed if same_shape(seed, _value(target))
            else broadcast_to(seed, shape=dims(_value(target)))
            for seed, target in zip(seeds, targets, strict=True)]


def _warn(message: str) -> None:
    import logging
    logging.getLogger("tensorflow").warning(message)
