"""The call path: from Python objects to a table of pointers, in native code.

`enter(objects, variables, frame)` finds the data of every array, scalar and variable by itself,
checks dtype, shape and layout, and runs the code: a call costs less than one NumPy op. It relies on
the layout of CPython's and NumPy's objects, which is probed first; where it is not as expected (or
objects may change under us, without a global lock) pointers are found in Python.

A frame is an array of 64-bit words: [0] the code to run or 0, [1] the binding table, [2…] the
pointer table. `enter` gives 0 if all went well, 1 if an object does not fit (nothing was done), 2
if the code set its status word.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

import numpy as np

from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable

HEAD = 7  # words of a binding table before its records
RECORD = 6  # words of a record: scalar type, descr, rank, address of sizes, slot, written
FRAME = 2  # words of a frame before the pointer table

TEXT = """
define private i64 @one(ptr %o, ptr %rec, ptr %slots, ptr %nd) {
entry:
  %typ = getelementptr i8, ptr %o, i64 8
  %ty = load ptr, ptr %typ
  %slotp = getelementptr i8, ptr %rec, i64 32
  %slot = load i64, ptr %slotp
  %goal = getelementptr ptr, ptr %slots, i64 %slot
  %isnd = icmp eq ptr %ty, %nd
  br i1 %isnd, label %array, label %scalar
scalar:
  %want = load ptr, ptr %rec
  %same = icmp eq ptr %ty, %want
  br i1 %same, label %inline, label %bad
inline:
  %in = getelementptr i8, ptr %o, i64 16
  store ptr %in, ptr %goal
  ret i64 0
array:
  %dp = getelementptr i8, ptr %o, i64 56
  %d = load ptr, ptr %dp
  %wdp = getelementptr i8, ptr %rec, i64 8
  %wd = load ptr, ptr %wdp
  %c1 = icmp eq ptr %d, %wd
  %np = getelementptr i8, ptr %o, i64 24
  %n = load i32, ptr %np
  %n64 = sext i32 %n to i64
  %wnp = getelementptr i8, ptr %rec, i64 16
  %wn = load i64, ptr %wnp
  %c2 = icmp eq i64 %n64, %wn
  %fp = getelementptr i8, ptr %o, i64 64
  %f = load i32, ptr %fp
  %g = and i32 %f, 257
  %c3 = icmp eq i32 %g, 257
  %c12 = and i1 %c1, %c2
  %c = and i1 %c12, %c3
  br i1 %c, label %sizes, label %bad
sizes:
  %shp = getelementptr i8, ptr %o, i64 32
  %sh = load ptr, ptr %shp
  %wsp = getelementptr i8, ptr %rec, i64 24
  %ws = load ptr, ptr %wsp
  br label %test
test:
  %i = phi i64 [ 0, %sizes ], [ %i1, %next ]
  %more = icmp slt i64 %i, %wn
  br i1 %more, label %next, label %good
next:
  %ap = getelementptr i64, ptr %sh, i64 %i
  %a = load i64, ptr %ap
  %bp = getelementptr i64, ptr %ws, i64 %i
  %b = load i64, ptr %bp
  %i1 = add i64 %i, 1
  %eq = icmp eq i64 %a, %b
  br i1 %eq, label %test, label %bad
good:
  %datap = getelementptr i8, ptr %o, i64 16
  %data = load ptr, ptr %datap
  store ptr %data, ptr %goal
  ret i64 0
bad:
  ret i64 1
}
define private i64 @alone(ptr %tensor, ptr %value, ptr %nd) {
entry:
  %r1 = load i32, ptr %tensor
  %r2 = load i32, ptr %value
  %c1 = icmp eq i32 %r1, 1
  %c2 = icmp eq i32 %r2, 1
  %c = and i1 %c1, %c2
  br i1 %c, label %kind, label %bad
kind:
  %typ = getelementptr i8, ptr %value, i64 8
  %ty = load ptr, ptr %typ
  %isnd = icmp eq ptr %ty, %nd
  br i1 %isnd, label %array, label %good
array:
  %fp = getelementptr i8, ptr %value, i64 64
  %f = load i32, ptr %fp
  %g = and i32 %f, 1028
  %own = icmp eq i32 %g, 1028
  br i1 %own, label %good, label %bad
good:
  ret i64 0
bad:
  ret i64 1
}
define private i64 @rest(ptr %vi, ptr %frame, ptr %table, ptr %slots, ptr %vfirst) nounwind {
entry:
  %nvp = getelementptr i64, ptr %table, i64 1
  %nv = load i64, ptr %nvp
  %ndp = getelementptr i64, ptr %table, i64 2
  %nd = load ptr, ptr %ndp
  %sop = getelementptr i64, ptr %table, i64 3
  %so = load i64, ptr %sop
  %vop = getelementptr i64, ptr %table, i64 4
  %vo = load i64, ptr %vop
  br label %vtest
vtest:
  %j = phi i64 [ 0, %entry ], [ %j1, %vnext ]
  %vmore = icmp slt i64 %j, %nv
  br i1 %vmore, label %vbind, label %run
vbind:
  %vp = getelementptr ptr, ptr %vi, i64 %j
  %v = load ptr, ptr %vp
  %snp = getelementptr i8, ptr %v, i64 %so
  %sn = load ptr, ptr %snp
  %vap = getelementptr i8, ptr %sn, i64 %vo
  %va = load ptr, ptr %vap
  %vr6 = mul i64 %j, 6
  %vrec = getelementptr i64, ptr %vfirst, i64 %vr6
  %vres = call i64 @one(ptr %va, ptr %vrec, ptr %slots, ptr %nd)
  %vok = icmp eq i64 %vres, 0
  br i1 %vok, label %written, label %bad
written:
  %wp = getelementptr i64, ptr %vrec, i64 5
  %w = load i64, ptr %wp
  %isw = icmp ne i64 %w, 0
  br i1 %isw, label %check, label %vnext
check:
  %al = call i64 @alone(ptr %sn, ptr %va, ptr %nd)
  %alok = icmp eq i64 %al, 0
  br i1 %alok, label %vnext, label %bad
vnext:
  %j1 = add i64 %j, 1
  br label %vtest
run:
  %fn = load ptr, ptr %frame
  %any = icmp ne ptr %fn, null
  br i1 %any, label %go, label %fine
go:
  %stp = getelementptr ptr, ptr %slots, i64 2
  %st = load ptr, ptr %stp
  store i64 0, ptr %st
  call void %fn(ptr %slots)
  %status = load i64, ptr %st
  %z = icmp eq i64 %status, 0
  %code = select i1 %z, i64 0, i64 2
  ret i64 %code
fine:
  ret i64 0
bad:
  ret i64 1
}
define i64 @enter(ptr %objects, ptr %variables, ptr %frame) nounwind {
entry:
  %tablep = getelementptr i64, ptr %frame, i64 1
  %table = load ptr, ptr %tablep
  %slots = getelementptr i64, ptr %frame, i64 2
  %no = load i64, ptr %table
  %ndp = getelementptr i64, ptr %table, i64 2
  %nd = load ptr, ptr %ndp
  %first = getelementptr i64, ptr %table, i64 7
  %oip = getelementptr i8, ptr %objects, i64 24
  %oi = load ptr, ptr %oip
  %vip = getelementptr i8, ptr %variables, i64 24
  %vi = load ptr, ptr %vip
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %i1, %bind ]
  %more = icmp slt i64 %i, %no
  br i1 %more, label %bind, label %vars
bind:
  %op = getelementptr ptr, ptr %oi, i64 %i
  %o = load ptr, ptr %op
  %ro = mul i64 %i, 6
  %rec = getelementptr i64, ptr %first, i64 %ro
  %r = call i64 @one(ptr %o, ptr %rec, ptr %slots, ptr %nd)
  %i1 = add i64 %i, 1
  %ok = icmp eq i64 %r, 0
  br i1 %ok, label %test, label %bad
vars:
  %vro = mul i64 %no, 6
  %vfirst = getelementptr i64, ptr %first, i64 %vro
  %res = call i64 @rest(ptr %vi, ptr %frame, ptr %table, ptr %slots, ptr %vfirst)
  ret i64 %res
bad:
  ret i64 1
}
define i64 @quick(ptr %args, ptr %state) nounwind {
entry:
  %stp = getelementptr i8, ptr %state, i64 24
  %st = load ptr, ptr %stp
  %outs = load ptr, ptr %st
  %varp = getelementptr ptr, ptr %st, i64 1
  %variables = load ptr, ptr %varp
  %wordp = getelementptr ptr, ptr %st, i64 2
  %words = load ptr, ptr %wordp
  %fp = getelementptr i8, ptr %words, i64 16
  %frame = load ptr, ptr %fp
  %tablep = getelementptr i64, ptr %frame, i64 1
  %table = load ptr, ptr %tablep
  %slots = getelementptr i64, ptr %frame, i64 2
  %no = load i64, ptr %table
  %ndp = getelementptr i64, ptr %table, i64 2
  %nd = load ptr, ptr %ndp
  %vop = getelementptr i64, ptr %table, i64 4
  %vo = load i64, ptr %vop
  %nap = getelementptr i64, ptr %table, i64 5
  %na = load i64, ptr %nap
  %ttp = getelementptr i64, ptr %table, i64 6
  %tt = load ptr, ptr %ttp
  %first = getelementptr i64, ptr %table, i64 7
  %sizep = getelementptr i8, ptr %args, i64 16
  %size = load i64, ptr %sizep
  %items = getelementptr i8, ptr %args, i64 24
  %oip = getelementptr i8, ptr %outs, i64 24
  %oi = load ptr, ptr %oip
  %vip = getelementptr i8, ptr %variables, i64 24
  %vi = load ptr, ptr %vip
  %fits = icmp eq i64 %size, %na
  br i1 %fits, label %test, label %bad
test:
  %i = phi i64 [ 0, %entry ], [ %i1, %bind ]
  %more = icmp slt i64 %i, %na
  br i1 %more, label %look, label %made
look:
  %op = getelementptr ptr, ptr %items, i64 %i
  %o = load ptr, ptr %op
  %typ = getelementptr i8, ptr %o, i64 8
  %ty = load ptr, ptr %typ
  %ist = icmp eq ptr %ty, %tt
  br i1 %ist, label %bind, label %bad
bind:
  %vap = getelementptr i8, ptr %o, i64 %vo
  %va = load ptr, ptr %vap
  %ro = mul i64 %i, 6
  %rec = getelementptr i64, ptr %first, i64 %ro
  %r = call i64 @one(ptr %va, ptr %rec, ptr %slots, ptr %nd)
  %i1 = add i64 %i, 1
  %ok = icmp eq i64 %r, 0
  br i1 %ok, label %test, label %bad
made:
  %j = phi i64 [ %na, %test ], [ %j1, %mbind ]
  %mmore = icmp slt i64 %j, %no
  br i1 %mmore, label %mbind, label %vars
mbind:
  %k = sub i64 %j, %na
  %mp = getelementptr ptr, ptr %oi, i64 %k
  %m = load ptr, ptr %mp
  %mro = mul i64 %j, 6
  %mrec = getelementptr i64, ptr %first, i64 %mro
  %mr = call i64 @one(ptr %m, ptr %mrec, ptr %slots, ptr %nd)
  %j1 = add i64 %j, 1
  %mok = icmp eq i64 %mr, 0
  br i1 %mok, label %made, label %bad
vars:
  %vro = mul i64 %no, 6
  %vfirst = getelementptr i64, ptr %first, i64 %vro
  %res = call i64 @rest(ptr %vi, ptr %frame, ptr %table, ptr %slots, ptr %vfirst)
  ret i64 %res
bad:
  ret i64 1
}
"""


class _Layout:
    """Where things are in Python's objects, if they are where `enter` looks."""

    def __init__(self) -> None:
        self.snapshot = self.value = 0
        self.good = False
        if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
            return
        if not getattr(sys, "_is_gil_enabled", lambda: True)():
            return
        self.good = self._probe()

    def _probe(self) -> bool:
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        tensor = wrap(array)
        self.value = _offset(tensor, array)
        variable = Variable(1.0)
        self.snapshot = _offset(variable, variable._snapshot)
        if not self.value or not self.snapshot:
            return False
        words = _words(array, 9)
        flags = words[8] & 0xFFFFFFFF
        number = np.float32(1.5)
        inline = (ctypes.c_float).from_address(id(number) + 16).value
        listed = [array]
        items = _words(listed, 4)[3]
        block = (ctypes.c_size_t * 2)()
        return (words[1] == id(np.ndarray) and words[2] == array.ctypes.data
                and words[3] & 0xFFFFFFFF == 2 and words[7] == id(array.dtype)
                and flags & 0x505 == 0x501 and inline == 1.5
                and ctypes.c_size_t.from_address(items).value == id(array)
                and _words(block, 3)[2] == ctypes.addressof(block)
                and _words(words[4], 2, address=True) == [2, 3])


def _words(thing: Any, count: int, address: bool = False) -> list[int]:
    return list((ctypes.c_size_t * count).from_address(thing if address else id(thing)))


def _offset(holder: Any, held: Any) -> int:
    """Where in an object the reference to another one is; 0 if it is not found."""
    size = min(sys.getsizeof(holder), type(holder).__basicsize__)
    words = _words(holder, size // 8)
    found = [8 * i for i, word in enumerate(words) if word == id(held)]
    return found[0] if len(found) == 1 else 0


@functools.cache
def layout() -> _Layout:
    return _Layout()


@functools.cache
def enter() -> Any:
    """The native function (objects, variables, frame) -> int, which holds the global lock."""
    from tapeflow.jit import machine
    loaded = machine.load(TEXT)
    function = ctypes.PYFUNCTYPE(ctypes.c_longlong, ctypes.py_object, ctypes.py_object,
                                 ctypes.c_void_p)(loaded.address("enter"))
    function._code = loaded  # keeps it alive
    return function


@functools.cache
def quick() -> Any:
    """Like `enter`, from a tuple of Tensors and a list of three: arrays for the results, variables,
    the frame. Each argument of a foreign function costs, so there are only two."""
    code = enter()._code
    return ctypes.PYFUNCTYPE(ctypes.c_longlong, ctypes.py_object, ctypes.py_object)(
        code.address("quick"))


class Table:
    """The binding table: what objects and variables must be like, and where pointers go."""

    def __init__(self, objects: list[tuple[tuple, Any, int]],
                 variables: list[tuple[tuple, Any, int, bool]], arguments: int = 0):
        self._keep: list[Any] = []
        words = [len(objects), len(variables), id(np.ndarray), layout().snapshot, layout().value,
                 arguments, id(Tensor)]
        for shape, dtype, slot in objects:
            words += self._record(shape, dtype, slot, False)
        for shape, dtype, slot, written in variables:
            words += self._record(shape, dtype, slot, written)
        self._words = (ctypes.c_longlong * len(words))(*words)
        self.address = ctypes.addressof(self._words)

    def _record(self, shape: tuple, dtype: Any, slot: int, written: bool) -> list[int]:
        dtype = np.dtype(dtype)
        sizes = (ctypes.c_longlong * max(len(shape), 1))(*shape)
        self._keep += [dtype, sizes]
        scalar = id(dtype.type) if not shape else 0
        return [scalar, id(dtype), len(shape), ctypes.addressof(sizes), slot, int(written)]


def own(variable: Any) -> None:
    """Let nobody but a variable hold its value, so that native code may change it."""
    value = variable._snapshot._value
    if isinstance(value, np.ndarray):
        variable._swap(np.array(value, order="C"))
    else:
        variable._swap(value.dtype.type(value))


def address_of(value: Any) -> int:
    """Where `enter` finds the elements of an array or the number of a scalar."""
    return value.ctypes.data if isinstance(value, np.ndarray) else id(value) + 16


def fitting(x: Any, shape: tuple, dtype: Any) -> np.ndarray:
    """An array that `enter` takes, with the values of one that it does not."""
    return np.require(np.asarray(x, dtype), requirements=["C", "A"]).reshape(shape)


