"""Circulant matrices in one to three dimensions: diagonal after a Fourier transform."""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.linear_operators.operator import FLOATS, LinearOperator, joined, kept


class _Circulant(LinearOperator):
    """x ↦ IFFT(spectrum · FFT(x)), over the last `depth` axes."""

    depth = 1

    def __init__(self, spectrum: Any, input_output_dtype: Any = tf.complex64,
                 is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = True,
                 name: str | None = None):
        self._spectrum = kept(spectrum, "spectrum", FLOATS)
        rank = self._spectrum.shape.rank
        if rank is not None and rank < self.depth:
            raise ValueError(f"Argument `spectrum` must have at least {self.depth} dimensions. "
                             f"Received: {spectrum}.")
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("A [[nested] block] circulant operator is always square.")
        super().__init__(input_output_dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, True, name or type(self).__name__)

    @property
    def spectrum(self) -> Any:
        return self._spectrum

    @property
    def block_depth(self) -> int:
        return self.depth

    @property
    def block_shape(self) -> Any:
        return self._spectrum.shape[-self.depth:]

    def block_shape_tensor(self) -> Any:
        """The shape of a block as a vector."""
        return tf.shape(self._spectrum)[-self.depth:]

    def _shape(self) -> Any:
        side = self.block_shape.num_elements()
        return self._spectrum.shape[:-self.depth].concatenate([side, side])

    def _typed(self, x: Any) -> Any:
        """In the dtype of arguments and results; of what should be real, the real part."""
        return tf.cast(tf.math.real(x) if x.dtype.is_complex and not self.dtype.is_complex else x,
                       self.dtype)

    def _complex(self, x: Any) -> Any:
        return tf.cast(x, tf.complex128 if x.dtype in (tf.float64, tf.complex128)
                       else tf.complex64)

    def _transform(self, x: Any, inverse: bool) -> Any:
        names = {1: "", 2: "2d", 3: "3d"}
        kind = f"{'i' if inverse else ''}fft{names[self.depth]}"
        return getattr(tf.signal, kind)(self._complex(x))

    def _filtered(self, x: Any, spectrum: Any) -> Any:
        """Columns of x as signals, their transforms times the spectrum, and back."""
        rows = tf.linalg.matrix_transpose(x)
        lead = tf.shape(rows)[:-1]
        signals = tf.reshape(rows, joined(lead, tf.shape(self._spectrum)[-self.depth:]))
        spectrum = tf.expand_dims(spectrum, -self.depth - 1)
        transformed = self._transform(signals, False)
        found = self._transform(transformed * tf.cast(spectrum, transformed.dtype), True)
        flat = tf.reshape(found, joined(tf.shape(found)[:-self.depth], [-1]))
        return self._typed(tf.linalg.matrix_transpose(flat))

    def _values(self, adjoint: bool) -> Any:
        spectrum = tf.convert_to_tensor(self._spectrum)
        return tf.math.conj(spectrum) if adjoint else spectrum

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._filtered(x, self._values(adjoint))

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._filtered(rhs, 1 / self._values(adjoint))

    def _axes(self) -> list[int]:
        return list(range(-self.depth, 0))

    def _determinant(self) -> Any:
        return self._typed(tf.reduce_prod(self._spectrum, axis=self._axes()))

    def _log_abs_determinant(self) -> Any:
        logs = tf.math.log(tf.abs(self._spectrum))
        return self._typed(tf.reduce_sum(logs, axis=self._axes()))

    def _trace(self) -> Any:
        return self._typed(tf.reduce_sum(self._spectrum, axis=self._axes()))

    def _diag_part(self) -> Any:
        mean = tf.reduce_mean(self._spectrum, axis=self._axes())
        side = self._size(-1)
        return self._typed(mean)[..., tf.newaxis] * tf.ones([side], self.dtype)

    def _eigvals(self) -> Any:
        spectrum = tf.convert_to_tensor(self._spectrum)
        return tf.reshape(spectrum, joined(tf.shape(spectrum)[:-self.depth], [-1]))

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> None:
        tf.debugging.assert_positive(
            tf.math.real(self._spectrum), "Not positive definite: real part of the spectrum was "
                                          "not all positive.")

    def cond(self, name: str = "cond") -> Any:
        values = tf.abs(self._eigvals())
        return tf.reduce_max(values, axis=-1) / tf.reduce_min(values, axis=-1)

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        """The kernel that the operator convolves with."""
        return self._typed(self._transform(self._values(False), True))

    def _like(self, spectrum: Any) -> LinearOperator:
        return type(self)(spectrum, self.dtype, is_non_singular=self.is_non_singular,
                          is_self_adjoint=self.is_self_adjoint,
                          is_positive_definite=self.is_positive_definite)

    def _inverse(self) -> LinearOperator:
        return self._like(1 / self._values(False))

    def _adjoint(self) -> LinearOperator:
        return self._like(self._values(True))


@export("linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(_Circulant):
    """A circulant matrix, by the Fourier transform of its first column."""


@export("linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(_Circulant):
    """A block circulant matrix of circulant blocks."""

    depth = 2


@export("linalg.LinearOperatorCirculant3D")
class LinearOperatorCirculant3D(_Circulant):
    """Circulant blocks of circulant blocks of circulant matrices."""

    depth = 3
