"""The LLVM text of the call stub (call_stub.py), and the structs that Python hands to it.

Two functions can be called from outside. Both bind values, bind variables and run the code:

    @run_on_objects   of a list of arrays and scalars, those for the results among them
    @call_on_tensors  of a tuple of Tensors; it makes the results as well

To bind a value is to see that it has the dtype, shape and layout that a record tells, and to put
the address of its elements into its slot of the pointer table.
"""

from __future__ import annotations

import ctypes
from typing import ClassVar

from tapeflow.jit.runtime.native_call.python_objects import (
    ALIGNED,
    C_CONTIGUOUS,
    OWNS_DATA,
    WRITEABLE,
    CDataObject,
    PyArrayObject,
    PyListObject,
    PyObject,
    PyScalarObject,
    PyTupleObject,
)
from tapeflow.jit.runtime.struct_layout import (
    Fields,
    Struct,
    i64,
    index_step,
    loop_head,
    pointer,
)

# What the functions give: all went well; an object does not fit, and nothing was done; the code set
# its status word.
DONE, MISMATCH, FAILED = 0, 1, 2
ARRAY, SCALAR, BOOL = 0, 1, 2  # kinds of outputs


class Frame(Struct):
    """What one run at a time has: the code or null, what to bind. The pointer table follows."""

    _fields_ = (("code", pointer), ("table", pointer))


class PointerTable(Struct):
    """The pointers that code begins with; those of inputs, variables, outputs, constants follow."""

    _fields_ = (("arena", pointer), ("pool", pointer), ("status", pointer))


class BindingTable(Struct):
    """What a program binds. The records of all objects follow, then those of all variables."""

    _fields_ = (("object_count", i64), ("variable_count", i64), ("ndarray_type", pointer),
                ("snapshot_offset", i64), ("value_offset", i64), ("argument_count", i64),
                ("tensor_type", pointer))


class BindingRecord(Struct):
    """What one value must be like, and where its address goes. scalar_type: null of arrays."""

    _fields_ = (("scalar_type", pointer), ("descr", pointer), ("rank", i64), ("sizes", pointer),
                ("slot", i64), ("is_written", i64))


class CallBlock(Struct):
    """What @call_on_tensors knows: the program, and how objects are made and counted.

    calls_left: where a number is that each call makes less by one; at 0 every call is a miss.
    The records of outputs follow.
    """

    _fields_ = (("frame", pointer), ("variables", pointer), ("output_count", i64),
                ("is_single", i64), ("tensor_type", pointer), ("new_tensor", pointer),
                ("value_offset", i64), ("uid_offset", i64), ("uid", pointer),
                ("increment", pointer), ("decrement", pointer), ("new_list", pointer),
                ("new_array", pointer), ("miss", pointer), ("ndarray_type", pointer),
                ("calls_left", pointer))


class _Output(Struct):
    _fields_: ClassVar[Fields] = (("kind", i64), ("slot", i64))


class ArrayOutput(_Output):
    _fields_ = (("descr", pointer), ("rank", i64), ("sizes", pointer))


class ScalarOutput(_Output):
    _fields_ = (("scalar_type", pointer), ("allocate", pointer), ("_unused", i64))


class BoolOutput(_Output):
    """True and False are shared objects: the result refers to one of them after the run."""

    _fields_ = (("true", pointer), ("false", pointer), ("_unused", i64))


assert ctypes.sizeof(ArrayOutput) == ctypes.sizeof(ScalarOutput) == ctypes.sizeof(BoolOutput)


# -- what both functions share ---------------------------------------------------------------------
def bind() -> str:
    """@bind: put the address of a value's elements into its slot, if it is as its record tells."""
    record = BindingRecord.at("%record")
    return f"""
define private i64 @bind(ptr %value, ptr %record, ptr %slots, ptr %ndarray_type) {{
entry:
  {PyObject.at("%value").load("ob_type")}
  {record.load("slot")}
  %slot_address = getelementptr ptr, ptr %slots, i64 %slot
  %is_array = icmp eq ptr %ob_type, %ndarray_type
  br i1 %is_array, label %check_array, label %check_scalar
check_scalar:
  {record.load("scalar_type")}
  %is_scalar = icmp eq ptr %ob_type, %scalar_type
  br i1 %is_scalar, label %bind_scalar, label %mismatch
bind_scalar:
  {PyScalarObject.at("%value").address("obval")}
  store ptr %obval, ptr %slot_address
  ret i64 {DONE}
{_check_array()}
bind_array:
  {PyArrayObject.at("%value").load("data")}
  store ptr %data, ptr %slot_address
  ret i64 {DONE}
mismatch:
  ret i64 {MISMATCH}
}}
"""


def _check_array() -> str:
    """Blocks of @bind: dtype, rank, flags, then the size of every dimension."""
    array, record = PyArrayObject.at("%value"), BindingRecord.at("%record")
    flags = C_CONTIGUOUS | ALIGNED
    return f"""check_array:
  {array.load("descr")}
  {record.load("descr", "%want_descr")}
  %same_descr = icmp eq ptr %descr, %want_descr
  {array.load("nd")}
  %rank = sext i32 %nd to i64
  {record.load("rank", "%want_rank")}
  %same_rank = icmp eq i64 %rank, %want_rank
  {array.load("flags")}
  %layout = and i32 %flags, {flags}
  %same_layout = icmp eq i32 %layout, {flags}
  %same_kind = and i1 %same_descr, %same_rank
  %same = and i1 %same_kind, %same_layout
  br i1 %same, label %check_sizes, label %mismatch
check_sizes:
  {array.load("dimensions")}
  {record.load("sizes")}
  br label %next_size
{loop_head("next_size", "%axis", "%want_rank", before="check_sizes", latch="check_size",
           body="check_size", done="bind_array")}
check_size:
  %size_address = getelementptr i64, ptr %dimensions, i64 %axis
  %size = load i64, ptr %size_address
  %want_size_address = getelementptr i64, ptr %sizes, i64 %axis
  %want_size = load i64, ptr %want_size_address
  {index_step("%axis")}
  %same_size = icmp eq i64 %size, %want_size
  br i1 %same_size, label %next_size, label %mismatch"""


def check_unshared() -> str:
    """@check_unshared: whether nobody else holds a variable's value, so that it may be changed."""
    flags = OWNS_DATA | WRITEABLE
    return f"""
define private i64 @check_unshared(ptr %tensor, ptr %value, ptr %ndarray_type) {{
entry:
  {PyObject.at("%tensor").load("ob_refcnt", "%tensor_count")}
  {PyObject.at("%value").load("ob_refcnt", "%value_count")}
  %tensor_unshared = icmp eq i32 %tensor_count, 1
  %value_unshared = icmp eq i32 %value_count, 1
  %unshared = and i1 %tensor_unshared, %value_unshared
  br i1 %unshared, label %check_type, label %mismatch
check_type:
  {PyObject.at("%value").load("ob_type")}
  %is_array = icmp eq ptr %ob_type, %ndarray_type
  br i1 %is_array, label %check_flags, label %fits
check_flags:
  {PyArrayObject.at("%value").load("flags")}
  %memory = and i32 %flags, {flags}
  %own_memory = icmp eq i32 %memory, {flags}
  br i1 %own_memory, label %fits, label %mismatch
fits:
  ret i64 {DONE}
mismatch:
  ret i64 {MISMATCH}
}}
"""


def bind_variables_and_run() -> str:
    """@bind_variables_and_run: what follows when the objects are bound."""
    table, record = BindingTable.at("%table"), BindingRecord.at("%record")
    return f"""
define private i64 @bind_variables_and_run(ptr %variables, ptr %frame, ptr %table, ptr %slots,
                                           ptr %records) nounwind {{
entry:
  {table.load("variable_count")}
  {table.load("ndarray_type")}
  {table.load("snapshot_offset")}
  {table.load("value_offset")}
  br label %next_variable
{loop_head("next_variable", "%i", "%variable_count", before="entry", latch="variable_bound",
           body="bind_variable", done="find_code")}
bind_variable:
  %variable_address = getelementptr ptr, ptr %variables, i64 %i
  %variable = load ptr, ptr %variable_address
  %snapshot_address = getelementptr i8, ptr %variable, i64 %snapshot_offset
  %snapshot = load ptr, ptr %snapshot_address
  %value_address = getelementptr i8, ptr %snapshot, i64 %value_offset
  %value = load ptr, ptr %value_address
  {BindingRecord.element("%records", "%i", "%record")}
  %bound = call i64 @bind(ptr %value, ptr %record, ptr %slots, ptr %ndarray_type)
  %is_bound = icmp eq i64 %bound, {DONE}
  br i1 %is_bound, label %find_writes, label %mismatch
find_writes:
  {record.load("is_written")}
  %may_change = icmp ne i64 %is_written, 0
  br i1 %may_change, label %check_holders, label %variable_bound
check_holders:
  %unshared = call i64 @check_unshared(ptr %snapshot, ptr %value, ptr %ndarray_type)
  %is_unshared = icmp eq i64 %unshared, {DONE}
  br i1 %is_unshared, label %variable_bound, label %mismatch
variable_bound:
  {index_step("%i")}
  br label %next_variable
{_run()}
mismatch:
  ret i64 {MISMATCH}
}}
"""


def _run() -> str:
    """Blocks: call the code of the frame, if it has any, and give what its status word says."""
    return f"""find_code:
  {Frame.at("%frame").load("code")}
  %has_code = icmp ne ptr %code, null
  br i1 %has_code, label %run, label %bound_only
run:
  {PointerTable.at("%slots").load("status", "%status_address")}
  store i64 0, ptr %status_address
  call void %code(ptr %slots)
  %status = load i64, ptr %status_address
  %is_good = icmp eq i64 %status, 0
  %result = select i1 %is_good, i64 {DONE}, i64 {FAILED}
  ret i64 %result
bound_only:
  ret i64 {DONE}"""


def shared_functions() -> str:
    return bind() + check_unshared() + bind_variables_and_run()


def _open_frame() -> str:
    """What both functions read of a frame when they begin."""
    frame, table = Frame.at("%frame"), BindingTable.at("%table")
    return f"""{frame.load("table")}
  {frame.end("%slots")}
  {table.load("object_count")}
  {table.load("ndarray_type")}
  {table.end("%records")}"""


def _bind_objects(count: str, *, before: str, done: str, unwrap: str = "",
                  value: str = "%object") -> str:
    """Blocks: bind each of %objects in order. `unwrap` finds the value in %object."""
    return f"""{loop_head("next_object", "%i", count, before=before, latch="bind_object",
                          body="take_object", done=done)}
take_object:
  %object_address = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %object_address
  {unwrap or "br label %bind_object"}
bind_object:
  {_value_of_tensor("%object", value) if unwrap else ""}
  {BindingRecord.element("%records", "%i", "%record")}
  %bound = call i64 @bind(ptr {value}, ptr %record, ptr %slots, ptr %ndarray_type)
  {index_step("%i")}
  %is_bound = icmp eq i64 %bound, {DONE}
  br i1 %is_bound, label %next_object, label %mismatch"""


def _value_of_tensor(tensor: str, into: str) -> str:
    return f"""{into}.at = getelementptr i8, ptr {tensor}, i64 %value_offset
  {into} = load ptr, ptr {into}.at"""


def _run_bound() -> str:
    """Instructions that bind the variables in the list %variables and run the code."""
    return f"""{PyListObject.at("%variables").load("ob_item", "%variable_items")}
  {BindingRecord.element("%records", "%object_count", "%variable_records")}
  %status = call i64 @bind_variables_and_run(ptr %variable_items, ptr %frame, ptr %table, \
ptr %slots, ptr %variable_records)"""


# -- on objects ------------------------------------------------------------------------------------
def run_on_objects() -> str:
    """@run_on_objects(list of objects, list of variables, frame) and what it calls."""
    return shared_functions() + f"""
define i64 @run_on_objects(ptr %object_list, ptr %variables, ptr %frame) nounwind {{
entry:
  {_open_frame()}
  {PyListObject.at("%object_list").load("ob_item", "%objects")}
  br label %next_object
{_bind_objects("%object_count", before="entry", done="run")}
run:
  {_run_bound()}
  ret i64 %status
mismatch:
  ret i64 {MISMATCH}
}}
"""


# -- on Tensors ------------------------------------------------------------------------------------
def call_on_tensors() -> str:
    """@call_on_tensors(the ctypes object of a CallBlock, tuple of Tensors) and what it calls.

    It gives a Tensor, a list of them, `miss`, or null with an exception of Python.
    """
    return shared_functions() + new_output() + f"""
define ptr @call_on_tensors(ptr %self, ptr %arguments) nounwind {{
entry:
  %only_tensor = alloca ptr
  {CDataObject.at("%self").load("b_ptr", "%block")}
  {_open_call()}
  br i1 %may_run, label %count_call, label %miss
{_make_results()}
results_made:
  %result = phi ptr [ %tensor, %make_one ], [ %list, %next_result ]
  %tensors = phi ptr [ %only_tensor, %make_one ], [ %list_items, %next_result ]
  br label %next_object
{_bind_objects("%argument_count", before="results_made", done="next_output", value="%value",
               unwrap=_check_tensor())}
{_bind_outputs()}
run:
  {_run_bound()}
  %is_done = icmp eq i64 %status, {DONE}
  br i1 %is_done, label %next_bool, label %mismatch
{_set_bools()}
done:
  ret ptr %result
mismatch:
  call void %decrement(ptr %result)
  br label %miss
miss:
  {CallBlock.at("%block").load("increment", "%increment_miss")}
  {CallBlock.at("%block").load("miss", "%missed")}
  call void %increment_miss(ptr %missed)
  ret ptr %missed
}}
"""


def _open_call() -> str:
    """Instructions: the program and the arguments; whether they are as many as they should be."""
    block, table = CallBlock.at("%block"), BindingTable.at("%table")
    return f"""{block.load("frame")}
  {block.load("variables")}
  {block.load("output_count")}
  {block.load("is_single")}
  {block.load("decrement")}
  {block.load("calls_left", "%left_address")}
  %left = load i64, ptr %left_address
  {block.end("%outputs")}
  {_open_frame()}
  {table.load("value_offset")}
  {table.load("argument_count")}
  {table.load("tensor_type")}
  {PyTupleObject.at("%arguments").load("ob_size")}
  {PyTupleObject.at("%arguments").address("ob_item", "%objects")}
  %fits = icmp eq i64 %ob_size, %argument_count
  %is_left = icmp sgt i64 %left, 0
  %may_run = and i1 %fits, %is_left"""


def _check_tensor() -> str:
    """What ends a block: on to the next if %object is a Tensor."""
    return f"""{PyObject.at("%object").load("ob_type")}
  %is_tensor = icmp eq ptr %ob_type, %tensor_type
  br i1 %is_tensor, label %bind_object, label %mismatch"""


def _make_results() -> str:
    """Blocks: the Tensors of the outputs, before anything runs: to make them can fail."""
    return f"""count_call:
  %less = sub i64 %left, 1
  store i64 %less, ptr %left_address
  %has_one = icmp ne i64 %is_single, 0
  br i1 %has_one, label %make_one, label %make_list
make_one:
  %tensor = call ptr @new_output(ptr %block, ptr %outputs)
  store ptr %tensor, ptr %only_tensor
  %no_tensor = icmp eq ptr %tensor, null
  br i1 %no_tensor, label %error, label %results_made
make_list:
  {CallBlock.at("%block").load("new_list")}
  %list = call ptr %new_list(i64 %output_count)
  %no_list = icmp eq ptr %list, null
  br i1 %no_list, label %error, label %fill_list
fill_list:
  {PyListObject.at("%list").load("ob_item", "%list_items")}
  br label %next_result
{loop_head("next_result", "%r", "%output_count", before="fill_list", latch="put_result",
           body="make_result", done="results_made")}
make_result:
  {ArrayOutput.element("%outputs", "%r", "%new")}
  %result_tensor = call ptr @new_output(ptr %block, ptr %new)
  %no_result = icmp eq ptr %result_tensor, null
  br i1 %no_result, label %drop_list, label %put_result
put_result:
  %item_address = getelementptr ptr, ptr %list_items, i64 %r
  store ptr %result_tensor, ptr %item_address
  {index_step("%r")}
  br label %next_result
drop_list:
  call void %decrement(ptr %list)
  br label %error
error:
  ret ptr null"""


def _bind_outputs() -> str:
    """Blocks: where the elements of the new results are; bools have their memory in the frame."""
    output = ArrayOutput.at("%output")
    return f"""{loop_head("next_output", "%j", "%output_count", before="next_object",
                          latch="output_bound", body="bind_output", done="run")}
bind_output:
  {ArrayOutput.element("%outputs", "%j", "%output")}
  {output.load("kind")}
  {output.load("slot")}
  %slot_address = getelementptr ptr, ptr %slots, i64 %slot
  %made_address = getelementptr ptr, ptr %tensors, i64 %j
  %made = load ptr, ptr %made_address
  {_value_of_tensor("%made", "%made_value")}
  switch i64 %kind, label %output_bound [ i64 {ARRAY}, label %array_output
                                          i64 {SCALAR}, label %scalar_output ]
array_output:
  {PyArrayObject.at("%made_value").load("data")}
  store ptr %data, ptr %slot_address
  br label %output_bound
scalar_output:
  {PyScalarObject.at("%made_value").address("obval")}
  store ptr %obval, ptr %slot_address
  br label %output_bound
output_bound:
  {index_step("%j")}
  br label %next_output"""


def _set_bools() -> str:
    """Blocks: results that are a single bool refer to Python's True or False."""
    output = BoolOutput.at("%bool")
    return f"""{loop_head("next_bool", "%k", "%output_count", before="run", latch="bool_set",
                          body="find_bool", done="done")}
find_bool:
  {BoolOutput.element("%outputs", "%k", "%bool")}
  {output.load("kind", "%bool_kind")}
  %is_bool = icmp eq i64 %bool_kind, {BOOL}
  br i1 %is_bool, label %set_bool, label %bool_set
set_bool:
  {output.load("slot", "%bool_slot")}
  %bool_slot_address = getelementptr ptr, ptr %slots, i64 %bool_slot
  %byte_address = load ptr, ptr %bool_slot_address
  %byte = load i8, ptr %byte_address
  %is_true = icmp ne i8 %byte, 0
  {output.address("true")}
  {output.address("false")}
  %which = select i1 %is_true, ptr %true, ptr %false
  %bool_object = load ptr, ptr %which
  {CallBlock.at("%block").load("increment")}
  call void %increment(ptr %bool_object)
  %bool_tensor_address = getelementptr ptr, ptr %tensors, i64 %k
  %bool_tensor = load ptr, ptr %bool_tensor_address
  %bool_value_address = getelementptr i8, ptr %bool_tensor, i64 %value_offset
  store ptr %bool_object, ptr %bool_value_address
  br label %bool_set
bool_set:
  {index_step("%k")}
  br label %next_bool"""


def new_output() -> str:
    """@new_output: a Tensor with an array or scalar of its own; of a bool without value."""
    block = CallBlock.at("%block")
    return f"""
define private ptr @new_output(ptr %block, ptr %output) nounwind {{
entry:
  {block.load("increment")}
  {ArrayOutput.at("%output").load("kind")}
  switch i64 %kind, label %new_tensor [ i64 {ARRAY}, label %new_array
                                        i64 {SCALAR}, label %new_scalar ]
{_new_value()}
new_tensor:
  %value = phi ptr [ null, %entry ], [ %new, %value_made ]
  {block.load("tensor_type")}
  {block.load("new_tensor", "%allocate_tensor")}
  %tensor = call ptr %allocate_tensor(ptr %tensor_type, i64 0)
  %no_tensor = icmp eq ptr %tensor, null
  br i1 %no_tensor, label %drop_value, label %fill_tensor
fill_tensor:
  {block.load("value_offset")}
  %value_address = getelementptr i8, ptr %tensor, i64 %value_offset
  store ptr %value, ptr %value_address
  {block.load("uid_offset")}
  {block.load("uid")}
  call void %increment(ptr %uid)
  %uid_address = getelementptr i8, ptr %tensor, i64 %uid_offset
  store ptr %uid, ptr %uid_address
  ret ptr %tensor
drop_value:
  {block.load("decrement")}
  call void %decrement(ptr %value)
  ret ptr null
error:
  ret ptr null
}}
"""


def _new_value() -> str:
    """Blocks of @new_output: the array, which takes a reference to its dtype, or the scalar."""
    block, array, scalar = (CallBlock.at("%block"), ArrayOutput.at("%output"),
                            ScalarOutput.at("%output"))
    return f"""new_array:
  {array.load("descr")}
  call void %increment(ptr %descr)
  {array.load("rank")}
  %nd = trunc i64 %rank to i32
  {array.load("sizes")}
  {block.load("ndarray_type")}
  {block.load("new_array", "%array_new")}
  %array = call ptr %array_new(ptr %ndarray_type, ptr %descr, i32 %nd, ptr %sizes, ptr null,
                               ptr null, i32 0, ptr null)
  br label %value_made
new_scalar:
  {scalar.load("scalar_type")}
  {scalar.load("allocate")}
  %scalar = call ptr %allocate(ptr %scalar_type, i64 0)
  br label %value_made
value_made:
  %new = phi ptr [ %array, %new_array ], [ %scalar, %new_scalar ]
  %no_value = icmp eq ptr %new, null
  br i1 %no_value, label %error, label %new_tensor"""
