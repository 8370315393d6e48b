"""The call path: from Python objects to a table of pointers, in native code.

`enter(objects, variables, frame)` finds the data of every array, scalar and variable by itself,
checks dtype, shape and layout, and runs the code: a call costs less than one NumPy op. It relies on
the layout of CPython's and NumPy's objects, which is probed first; where it is not as expected (or
objects may change under us, without a global lock) pointers are found in Python.

A frame is an array of 64-bit words: [0] the code to run or 0, [1] the binding table, [2…] the
pointer table. `enter` gives 0 if all went well, 1 if an object does not fit (nothing was done), 2
if the code set its status word. `quick` makes a function for Python of the same, which makes the
results as well.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.jit.runtime.fork_gate import once

HEAD = 7  # words of a binding table before its records
RECORD = 6  # words of a record: scalar type, descr, rank, address of sizes, slot, written
FRAME = 2  # words of a frame before the pointer table

# What both ways in share.
SHARED = """
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
"""

ENTER = SHARED + """
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
"""

CALL = SHARED + """
define private ptr @tensor(ptr %block, ptr %rec) nounwind {
entry:
  %incp = getelementptr i64, ptr %block, i64 9
  %inc = load ptr, ptr %incp
  %kind = load i64, ptr %rec
  %whatp = getelementptr i64, ptr %rec, i64 1
  %what = load ptr, ptr %whatp
  %allocp = getelementptr i64, ptr %rec, i64 2
  %alloc = load ptr, ptr %allocp
  switch i64 %kind, label %made [ i64 0, label %array i64 1, label %scalar ]
array:
  call void %inc(ptr %what)
  %rankp = getelementptr i64, ptr %rec, i64 3
  %rank = load i64, ptr %rankp
  %rank32 = trunc i64 %rank to i32
  %dimsp = getelementptr i64, ptr %rec, i64 4
  %dims = load ptr, ptr %dimsp
  %ndp = getelementptr i64, ptr %block, i64 14
  %nd = load ptr, ptr %ndp
  %newp = getelementptr i64, ptr %block, i64 12
  %new = load ptr, ptr %newp
  %va = call ptr %new(ptr %nd, ptr %what, i32 %rank32, ptr %dims, ptr null, ptr null, i32 0,
                      ptr null)
  br label %have
scalar:
  %vs = call ptr %alloc(ptr %what, i64 0)
  br label %have
have:
  %v = phi ptr [ %va, %array ], [ %vs, %scalar ]
  %none = icmp eq ptr %v, null
  br i1 %none, label %bad, label %made
made:
  %value = phi ptr [ null, %entry ], [ %v, %have ]
  %typep = getelementptr i64, ptr %block, i64 4
  %type = load ptr, ptr %typep
  %tallocp = getelementptr i64, ptr %block, i64 5
  %talloc = load ptr, ptr %tallocp
  %t = call ptr %talloc(ptr %type, i64 0)
  %tnone = icmp eq ptr %t, null
  br i1 %tnone, label %drop, label %fill
fill:
  %vop = getelementptr i64, ptr %block, i64 6
  %vo = load i64, ptr %vop
  %vp = getelementptr i8, ptr %t, i64 %vo
  store ptr %value, ptr %vp
  %uop = getelementptr i64, ptr %block, i64 7
  %uo = load i64, ptr %uop
  %zerop = getelementptr i64, ptr %block, i64 8
  %zero = load ptr, ptr %zerop
  call void %inc(ptr %zero)
  %up = getelementptr i8, ptr %t, i64 %uo
  store ptr %zero, ptr %up
  ret ptr %t
drop:
  %decp = getelementptr i64, ptr %block, i64 10
  %dec = load ptr, ptr %decp
  call void %dec(ptr %value)
  ret ptr null
bad:
  ret ptr null
}
define ptr @call(ptr %self, ptr %args) nounwind {
entry:
  %own = alloca ptr
  %blockp = getelementptr i8, ptr %self, i64 16
  %block = load ptr, ptr %blockp
  %frame = load ptr, ptr %block
  %varp = getelementptr ptr, ptr %block, i64 1
  %variables = load ptr, ptr %varp
  %np = getelementptr i64, ptr %block, i64 2
  %n = load i64, ptr %np
  %singlep = getelementptr i64, ptr %block, i64 3
  %single = load i64, ptr %singlep
  %decp = getelementptr i64, ptr %block, i64 10
  %dec = load ptr, ptr %decp
  %leftpp = getelementptr i64, ptr %block, i64 15
  %leftp = load ptr, ptr %leftpp
  %left = load i64, ptr %leftp
  %records = getelementptr i64, ptr %block, i64 16
  %table1 = getelementptr i64, ptr %frame, i64 1
  %table = load ptr, ptr %table1
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
  %fits = icmp eq i64 %size, %na
  %again = icmp sgt i64 %left, 0
  %may = and i1 %fits, %again
  br i1 %may, label %kind, label %miss
kind:
  %less = sub i64 %left, 1
  store i64 %less, ptr %leftp
  %isone = icmp ne i64 %single, 0
  br i1 %isone, label %only, label %many
only:
  %t = call ptr @tensor(ptr %block, ptr %records)
  store ptr %t, ptr %own
  %tnone = icmp eq ptr %t, null
  br i1 %tnone, label %failed, label %ready
many:
  %listnewp = getelementptr i64, ptr %block, i64 11
  %listnew = load ptr, ptr %listnewp
  %list = call ptr %listnew(i64 %n)
  %lnone = icmp eq ptr %list, null
  br i1 %lnone, label %failed, label %held
held:
  %lip = getelementptr i8, ptr %list, i64 24
  %li = load ptr, ptr %lip
  br label %mtest
mtest:
  %m = phi i64 [ 0, %held ], [ %m1, %mput ]
  %mmore = icmp slt i64 %m, %n
  br i1 %mmore, label %mnext, label %ready
mnext:
  %mro = mul i64 %m, 6
  %mrec = getelementptr i64, ptr %records, i64 %mro
  %mt = call ptr @tensor(ptr %block, ptr %mrec)
  %mnone = icmp eq ptr %mt, null
  br i1 %mnone, label %short, label %mput
mput:
  %mp = getelementptr ptr, ptr %li, i64 %m
  store ptr %mt, ptr %mp
  %m1 = add i64 %m, 1
  br label %mtest
short:
  call void %dec(ptr %list)
  br label %failed
failed:
  ret ptr null
ready:
  %result = phi ptr [ %t, %only ], [ %list, %mtest ]
  %tensors = phi ptr [ %own, %only ], [ %li, %mtest ]
  br label %test
test:
  %i = phi i64 [ 0, %ready ], [ %i1, %bind ]
  %more = icmp slt i64 %i, %na
  br i1 %more, label %look, label %outs
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
outs:
  %j = phi i64 [ 0, %test ], [ %j1, %onext ]
  %omore = icmp slt i64 %j, %n
  br i1 %omore, label %out, label %vars
out:
  %oro = mul i64 %j, 6
  %orec = getelementptr i64, ptr %records, i64 %oro
  %okind = load i64, ptr %orec
  %oslotp = getelementptr i64, ptr %orec, i64 5
  %oslot = load i64, ptr %oslotp
  %goal = getelementptr ptr, ptr %slots, i64 %oslot
  %otp = getelementptr ptr, ptr %tensors, i64 %j
  %ot = load ptr, ptr %otp
  %ovp = getelementptr i8, ptr %ot, i64 %vo
  %ov = load ptr, ptr %ovp
  switch i64 %okind, label %onext [ i64 0, label %oarray i64 1, label %oscalar ]
oarray:
  %odp = getelementptr i8, ptr %ov, i64 16
  %od = load ptr, ptr %odp
  store ptr %od, ptr %goal
  br label %onext
oscalar:
  %os = getelementptr i8, ptr %ov, i64 16
  store ptr %os, ptr %goal
  br label %onext
onext:
  %j1 = add i64 %j, 1
  br label %outs
vars:
  %vip = getelementptr i8, ptr %variables, i64 24
  %vi = load ptr, ptr %vip
  %vro = mul i64 %no, 6
  %vfirst = getelementptr i64, ptr %first, i64 %vro
  %res = call i64 @rest(ptr %vi, ptr %frame, ptr %table, ptr %slots, ptr %vfirst)
  %good = icmp eq i64 %res, 0
  br i1 %good, label %truths, label %bad
truths:
  %k = phi i64 [ 0, %vars ], [ %k1, %knext ]
  %kmore = icmp slt i64 %k, %n
  br i1 %kmore, label %truth, label %done
truth:
  %kro = mul i64 %k, 6
  %krec = getelementptr i64, ptr %records, i64 %kro
  %kkind = load i64, ptr %krec
  %istruth = icmp eq i64 %kkind, 2
  br i1 %istruth, label %pick, label %knext
pick:
  %kslotp = getelementptr i64, ptr %krec, i64 5
  %kslot = load i64, ptr %kslotp
  %kp = getelementptr ptr, ptr %slots, i64 %kslot
  %kd = load ptr, ptr %kp
  %byte = load i8, ptr %kd
  %on = icmp ne i8 %byte, 0
  %truep = getelementptr i64, ptr %krec, i64 1
  %falsep = getelementptr i64, ptr %krec, i64 2
  %which = select i1 %on, ptr %truep, ptr %falsep
  %obj = load ptr, ptr %which
  %incp = getelementptr i64, ptr %block, i64 9
  %inc = load ptr, ptr %incp
  call void %inc(ptr %obj)
  %ktp = getelementptr ptr, ptr %tensors, i64 %k
  %kt = load ptr, ptr %ktp
  %kvp = getelementptr i8, ptr %kt, i64 %vo
  store ptr %obj, ptr %kvp
  br label %knext
knext:
  %k1 = add i64 %k, 1
  br label %truths
done:
  ret ptr %result
bad:
  call void %dec(ptr %result)
  br label %miss
miss:
  %minc = getelementptr i64, ptr %block, i64 9
  %mincf = load ptr, ptr %minc
  %missp = getelementptr i64, ptr %block, i64 13
  %misso = load ptr, ptr %missp
  call void %mincf(ptr %misso)
  ret ptr %misso
}
"""


class _Layout:
    """Where things are in Python's objects, if they are where `enter` looks."""

    def __init__(self) -> None:
        self.snapshot = self.value = self.uid = 0
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
        tensor._uid = 1 << 40  # an object of its own
        self.uid = _offset(tensor, tensor._uid)
        variable = Variable(1.0)
        self.snapshot = _offset(variable, variable._snapshot)
        if not self.value or not self.uid or not self.snapshot:
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


@once
def layout() -> _Layout:
    return _Layout()


@once
def enter() -> Any:
    """The native function (objects, variables, frame) -> int, which holds the global lock."""
    from tapeflow.jit.runtime import llvm_backend
    loaded = llvm_backend.load(ENTER)
    function = ctypes.PYFUNCTYPE(ctypes.c_longlong, ctypes.py_object, ctypes.py_object,
                                 ctypes.c_void_p)(loaded.address("enter"))
    function._code = loaded  # keeps it alive
    return function


class _Method(ctypes.Structure):
    """Python's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int),
                ("doc", ctypes.c_char_p))


ONE_OBJECT = 8  # METH_O
ALLOC = 47  # Py_tp_alloc
NEW_ARRAY = 94  # PyArray_NewFromDescr in NumPy's table of functions


@once
def _call() -> Any:
    """The code of `quick`, apart from that of `enter`, which every program waits for."""
    from tapeflow.jit.runtime import llvm_backend
    return llvm_backend.load(CALL)


@once
def _makers() -> list[int]:
    """Words 4 to 14 of a block of `quick`, without MISS: how objects are made and counted."""
    python = ctypes.pythonapi
    capsule = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", python))
    functions = ctypes.c_void_p * (NEW_ARRAY + 1)
    numpy = functions.from_address(capsule(np._core._multiarray_umath._ARRAY_API, None))
    counting = [ctypes.cast(getattr(python, name), ctypes.c_void_p).value or 0
                for name in ("Py_IncRef", "Py_DecRef", "PyList_New")]
    return [id(Tensor), _alloc(Tensor), layout().value, layout().uid, id(0), *counting,
            numpy[NEW_ARRAY] or 0, 0, id(np.ndarray)]


def _alloc(kind: type) -> int:
    """The function that makes objects of a type: f(type, 0)."""
    slot = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_int)(
        ("PyType_GetSlot", ctypes.pythonapi))
    return slot(kind, ALLOC)


def quick(frame: Any, variables: list, outputs: list[tuple], single: bool, miss: Any,
          left: Any) -> Any:
    """A function of a tuple of Tensors: it finds their data, makes the results, runs the code.

    It gives a list of Tensors, the only one if `single`, or `miss` if arguments or variables do not
    fit or the code set its status word. To Python it is a built-in function, so a call costs next
    to nothing. No Python code runs between the first pointer and the last result: one frame serves
    all threads. `outputs` has (shape, dtype, slot). `left` is a ctypes.c_longlong that each call
    makes less by one; at 0 every call is a miss.
    """
    words = [frame.address, id(variables), len(outputs), int(single), *_makers(),
             ctypes.addressof(left)]
    words[13] = id(miss)
    keep: list[Any] = [frame, variables, miss, left]
    for shape, dtype, slot in outputs:
        sizes = (ctypes.c_longlong * max(len(shape), 1))(*shape)
        keep += [dtype, sizes]
        if shape:
            words += [0, id(dtype), 0, len(shape), ctypes.addressof(sizes), slot]
        elif dtype.kind == "b":  # True and False are shared objects
            words += [2, id(np.True_), id(np.False_), 0, 0, slot]
        else:
            words += [1, id(dtype.type), _alloc(dtype.type), 0, 0, slot]
    block = (ctypes.c_size_t * len(words))(*words)
    method = _Method(b"call", _call().address("call"), ONE_OBJECT, None)
    block.keep = [*keep, method]  # its code is there for good
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi))
    return new(ctypes.addressof(method), block, None)


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
    variable._change(_copied)


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.array(value, order="C")
    return value.dtype.type(value)


def address_of(value: Any) -> int:
    """Where `enter` finds the elements of an array or the number of a scalar."""
    return value.ctypes.data if isinstance(value, np.ndarray) else id(value) + 16


def fitting(x: Any, shape: tuple, dtype: Any) -> np.ndarray:
    """An array that `enter` takes, with the values of one that it does not."""
    return np.require(np.asarray(x, dtype), requirements=["C", "A"]).reshape(shape)


