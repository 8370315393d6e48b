"""Which function writes which record as ONNX nodes.

`@written("add")` above a function of (writer, node, *operands): operands and results are Terms.
`@written_complex("add")` is the same for complex operands or results, which ONNX lacks: a complex
Term is a float tensor with one axis more at the end, of size 2, the real part first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

WRITTEN: dict[str, Callable] = {}
WRITTEN_COMPLEX: dict[str, Callable] = {}
WAITING: dict[str, Callable] = {}  # calls of public functions that wait for ranks or axes


def _register(table: dict[str, Callable], names: tuple[str, ...]) -> Callable:
    def put(function: Callable) -> Callable:
        for name in names:
            if table.setdefault(name, function) is not function:
                raise ValueError(f"the record {name} is written twice")
        return function
    return put


def written(*names: str) -> Callable:
    return _register(WRITTEN, names)


def written_complex(*names: str) -> Callable:
    return _register(WRITTEN_COMPLEX, names)


def written_waiting(*names: str) -> Callable:
    """Of (writer, *arguments), as the public function takes them, with Terms for tensors."""
    return _register(WAITING, names)


def table() -> Iterator[tuple[str, list[str], bool]]:
    """Of each record: its name, the ONNX operators in its function's text, complex or not."""
    import inspect
    for name in sorted({*WRITTEN, *WRITTEN_COMPLEX}):
        function = WRITTEN.get(name) or WRITTEN_COMPLEX[name]
        kinds = getattr(function, "kinds", None) or sorted(set(re.findall(
            r'"([A-Z][A-Za-z0-9]+)"', inspect.getsource(function))))
        yield name, list(kinds), name in WRITTEN_COMPLEX
