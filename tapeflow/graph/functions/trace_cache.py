"""The traces of one tf.function, and which of them serves a call.

A signature that was seen before is found by its key. A new one is served by the narrowest trace
that covers it; if there is none, the function is traced, with `reduce_retracing` for any size where
two signatures differ.
"""

from __future__ import annotations

from typing import Any

from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.signature import Signature
from tapeflow.graph.functions.signature_text import difference


class TraceCache:
    """The concrete functions of a tf.function.

    by_key    those that served a signature, by its key
    in_order  those that were traced, the first one first
    """

    def __init__(self) -> None:
        self.by_key: dict[Any, ConcreteFunction] = {}
        self.in_order: list[ConcreteFunction] = []
        self._relaxed: list[Signature] = []

    def add(self, signature: Signature, concrete: ConcreteFunction) -> None:
        """Keep a new trace."""
        self.in_order.append(concrete)
        self.by_key[signature.key] = concrete

    def replace(self, old: ConcreteFunction, new: ConcreteFunction) -> None:
        """Let another trace take the place of one, whatever it served."""
        for key, one in self.by_key.items():
            if one is old:
                self.by_key[key] = new
        self.in_order = [new if one is old else one for one in self.in_order]

    def covering(self, signature: Signature) -> ConcreteFunction | None:
        """The narrowest trace that can serve these arguments."""
        fitting = [one for one in self.in_order if one.signature.covers(signature.key)]
        for one in fitting:
            if not any(other is not one and one.signature.covers(other.signature.key)
                       for other in fitting):
                return one
        return None

    def relax(self, signature: Signature) -> Signature:
        """The second shape of an argument makes its differing sizes unknown."""
        for position, known in enumerate(self._relaxed):
            merged = known.merge(signature)
            if merged is not None:
                self._relaxed[position] = merged.described()
                return merged
        self._relaxed.append(signature.described())
        return signature

    def why_new(self, signature: Signature) -> str:
        """What differs from the last trace, in words."""
        if not self.in_order:
            return "the function is a new one"
        return difference(self.in_order[-1].signature.labels(), signature.labels())
