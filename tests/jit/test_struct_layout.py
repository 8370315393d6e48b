"""Structs by name: fields are where C, LLVM and Python's objects have them."""

import ctypes

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.runtime import llvm_backend, thread_pool_code
from tapeflow.jit.runtime.native_call import call_stub_code, python_objects
from tapeflow.jit.runtime.struct_layout import (
    CACHE_LINE,
    Struct,
    cache_line,
    field_offset,
    field_type,
    i8,
    i32,
    i64,
    index_step,
    loop_head,
    pointer,
)


class Sample(Struct):
    _fields_ = (("first", i8), ("second", i32), ("third", i8), ("fourth", i64), ("fifth", pointer))


class Longer(Sample):
    _fields_ = (("sixth", i32), ("seventh", i64))


class Lines(Struct):
    _fields_ = (*cache_line(("a", i64)), *cache_line(("b", i64), ("c", i32)),
                *cache_line(("d", i8 * CACHE_LINE)), ("e", i64))


def declared(*modules):
    """The structs that modules declare."""
    return [thing for module in modules for thing in vars(module).values()
            if isinstance(thing, type) and issubclass(thing, Struct) and thing is not Struct
            and thing.__module__ == module.__name__]


STRUCTS = [Sample, Longer, *declared(python_objects, call_stub_code, thread_pool_code)]


def fields(struct):
    """The fields of a struct that LLVM text may load, those of its bases first."""
    return [(name, kind) for base in reversed(struct.__mro__)
            for name, kind in vars(base).get("_fields_", ()) if issubclass(kind, SIMPLE)]


SIMPLE = (i8, i32, i64, pointer, ctypes.c_uint32)


def native(text, *kinds, returns=ctypes.c_int64):
    code = llvm_backend.load(text)
    function = ctypes.CFUNCTYPE(returns, *kinds)(code.address("f"))
    function.keep = code
    return function


def test_the_text_of_fields():
    sample = Sample.at("%s")
    assert sample.load("first") == "%first = load i8, ptr %s"
    assert sample.load("fourth", "%x") == (
        "%x.at = getelementptr i8, ptr %s, i64 16\n  %x = load i64, ptr %x.at")
    assert sample.store("second", "%v") == (
        "%set_second.at = getelementptr i8, ptr %s, i64 4\n  store i32 %v, ptr %set_second.at")
    assert sample.address("fifth") == "%fifth = getelementptr i8, ptr %s, i64 24"
    assert sample.end("%more") == "%more = getelementptr i8, ptr %s, i64 32"
    assert Sample.element("%all", "%i", "%one") == (
        "%one = getelementptr [32 x i8], ptr %all, i64 %i")
    with pytest.raises(AttributeError):
        sample.load("sixth")


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_offsets_are_those_of_ctypes_and_of_llvm(struct):
    """Against a plain ctypes.Structure with the same fields, and an LLVM type with them."""
    class Plain(ctypes.Structure):
        _fields_ = [field for base in reversed(struct.__mro__)
                    for field in vars(base).get("_fields_", ())]

    names = [name for name, _ in Plain._fields_]
    assert ctypes.sizeof(struct) == ctypes.sizeof(Plain)
    assert [field_offset(struct, name) for name in names] == [
        getattr(Plain, name).offset for name in names]
    kinds = dict(fields(struct))
    if kinds.keys() != set(names):  # with an array at its end, or a C string
        return
    text = f"%S = type {{ {', '.join(field_type(struct, name) for name in names)} }}\n"
    for i, name in enumerate(names):
        at = native(f"{text}define ptr @f() {{\n  %p = getelementptr %S, ptr null, i64 0, i32 {i}\n"
                    "  ret ptr %p\n}\n")
        assert at() == field_offset(struct, name)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_native_code_reads_what_python_wrote_and_the_reverse(struct):
    one, other = struct(), struct()
    for i, (name, _) in enumerate(fields(struct)):
        setattr(one, name, 3 + i)
    lines = [f"  {struct.at('%a').load(name)}\n  {struct.at('%b').store(name, f'%{name}')}"
             for name, _ in fields(struct)]
    copy = native("define void @f(ptr %a, ptr %b) {\n" + "\n".join(lines) + "\n  ret void\n}\n",
                  pointer, pointer, returns=None)
    copy(ctypes.addressof(one), ctypes.addressof(other))
    for i, (name, _) in enumerate(fields(struct)):
        assert getattr(other, name) == 3 + i


def test_fields_on_cache_lines_of_their_own():
    assert [field_offset(Lines, name) for name in "abcde"] == [0, 64, 72, 128, 192]
    lines = [field_offset(thread_pool_code.PoolState, name) // CACHE_LINE
             for name in ("ticket", "done", "function", "sleepers", "busy", "mutex", "signal",
                          "call_number", "handles")]
    assert len(set(lines)) == len(lines)


def test_loops_over_structs():
    total = native(f"""
define i64 @f(ptr %all, i64 %count) {{
entry:
  br label %next
{loop_head("next", "%i", "%count", before="entry", latch="add", body="add", done="done")}
add:
  {Sample.element("%all", "%i", "%one")}
  {Sample.at("%one").load("fourth")}
  {Sample.at("%all").atomic_update("add", "second", "1", "%old")}
  {Sample.at("%all").store("fifth", "%one")}
  {index_step("%i")}
  br label %next
done:
  {Sample.at("%all").load("second", "%result")}
  %wide = sext i32 %result to i64
  ret i64 %wide
}}
""", pointer, i64)
    samples = (Sample * 5)()
    for count in (0, 1, 5):
        samples[0].second = 10
        assert total(ctypes.addressof(samples), count) == 10 + count
    assert samples[0].fifth == ctypes.addressof(samples[4])


def test_atomic_instructions():
    exchange = native(f"""
define i64 @f(ptr %s, i64 %expected, i64 %new) {{
entry:
  {Sample.at("%s").compare_exchange("fourth", "%expected", "%new", "%was")}
  {Sample.at("%s").atomic_load("fourth", "%now")}
  {Sample.at("%s").atomic_store("fifth", "%s")}
  %result = select i1 %was, i64 %now, i64 -1
  ret i64 %result
}}
""", pointer, i64, i64)
    sample = Sample(fourth=7)
    assert exchange(ctypes.addressof(sample), 6, 9) == -1 and sample.fourth == 7
    assert exchange(ctypes.addressof(sample), 7, 9) == 9 and sample.fourth == 9
    assert sample.fifth == ctypes.addressof(sample)


# -- objects ---------------------------------------------------------------------------------------
def test_objects_lie_as_declared():
    found = python_objects.ObjectLayout()
    assert found.supported
    x = tf.constant([1.0, 2.0])
    value = pointer.from_address(id(x) + found.tensor_value).value
    assert value == id(x._value)
    array = python_objects.PyArrayObject.from_address(value)
    assert array.data == x._value.ctypes.data and array.descr == id(np.dtype("f"))


@pytest.mark.parametrize("name", ["PyArrayObject", "PyListObject", "PyTupleObject", "CDataObject",
                                  "PyScalarObject"])
def test_objects_that_lie_otherwise_are_noticed(monkeypatch, name):
    class Shifted(python_objects.PyObject):  # with a word more in front
        _fields_ = (("_more", i64), *vars(getattr(python_objects, name))["_fields_"])

    monkeypatch.setattr(python_objects, name, Shifted)
    assert not python_objects.ObjectLayout().supported
