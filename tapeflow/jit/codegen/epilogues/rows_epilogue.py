"""Where an epilogue reads and writes, told before it does: a kernel fetches what is far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.codegen.addressing import Access, operand_access, result_access
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.epilogues.epilogue import Epilogue
from tapeflow.jit.codegen.epilogues.row_sums import RowSums
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.lowering.plan import strides_of


@dataclass(frozen=True)
class RowsEpilogue:
    """An epilogue on pieces of rows. at: (code, row, column) of an element -> what is done there;
    sums: those that it makes over rows.
    """

    at: Callable[[Code, str, str], Epilogue]
    sums: RowSums | None = None

    def __call__(self, builder: Builder, code: Code, row: str, column: str, value: Val,
                 lanes: int) -> None:
        self.at(code, row, column).run(builder, value)

    def places(self, code: Code, row: str, column: Any) -> list[tuple[str, bool]]:
        """The addresses of elements that lie side by side as those of the row do, and whether
        they are written. What all rows share is read again and again, and is near."""
        epilogue = self.at(code, row, str(column))
        found: dict[str, bool] = {}
        along = -1 if epilogue.vector is None else epilogue.vector
        for access, written in _accesses(epilogue):
            others = [stride for dim, stride in access.strides.items() if dim != along]
            if access.strides.get(along) == 1 and any(others):
                address = epilogue.address(access)
                found[address] = found.get(address, False) or written
        return list(found.items())


def _accesses(epilogue: Epilogue) -> list[tuple[Access, bool]]:
    """What is read, then what is written."""
    fused, plan = epilogue.fused, epilogue.plan
    assert fused.head is not None
    found, result = [], fused.head.result
    for instr in fused.instructions:
        for i, x in enumerate(instr.inputs):
            buffer = plan.view_of(x).buffer
            if ir.literal_of(buffer) is None and not fused.within(instr, i, buffer):
                found.append((operand_access(plan, fused, instr, i), False))
    if result in fused.makes:
        found.append((Access(result, 0, strides_of(result, fused.axes[result])), True))
    found += [(result_access(fused, instr), True) for instr in fused.instructions
              if instr.combine is None and (
                  instr.target is not None or instr.out in fused.makes)]
    return found
