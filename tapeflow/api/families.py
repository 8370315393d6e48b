"""Which families of names, and what else, are loaded only when a program asks for them.

Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import later
from tapeflow.ops._support import large_operands
from tapeflow.ops.conv import conv_ops as convolutions


def _compiled_window(*operands: Any) -> Any:
    from tapeflow.jit.tiering.eager_tiering import choose_window
    return choose_window(*operands)


convolutions.native = _compiled_window


def _compiled_op(*operands: Any) -> Any:
    from tapeflow.jit.tiering.eager_tiering import choose_op
    return choose_op(*operands)


large_operands.native = _compiled_op

later("tapeflow.numpy_api", "experimental.numpy.*", "experimental.numpy.random.*")
later("tapeflow.insight.numerics", "debugging.enable_check_numerics",
      "debugging.disable_check_numerics")
later("tapeflow.api.tracebacks", "debugging.enable_traceback_filtering",
      "debugging.disable_traceback_filtering", "debugging.is_traceback_filtering_enabled")
_SAMPLERS = [f"{kind}_candidate_sampler" for kind in (
    "uniform", "log_uniform", "learned_unigram", "fixed_unigram", "all")]
later("tapeflow.ops.random.samplers.candidates", *[f"random.{name}" for name in _SAMPLERS],
      *[f"nn.{name}" for name in _SAMPLERS[2:]])
later("tapeflow.ops.nn.sampled_losses", "nn.compute_accidental_hits", "nn.sampled_softmax_loss",
      "nn.nce_loss")
later("tapeflow.ops.nn.isotonic", "nn.isotonic_regression")
later("tapeflow.ops.nn.morphology", "nn.dilation2d", "nn.erosion2d")
later("tapeflow.ops.nn.local_response", "nn.local_response_normalization", "nn.lrn",
      "nn.batch_norm_with_global_normalization")
later("tapeflow.ops.reduce.approx_top_k", "math.sobol_sample",
      *[f"{space}.approx_{which}_k" for space in ("math", "nn") for which in ("max", "min")])
later("tapeflow.linear_operators", *[f"linalg.LinearOperator{kind}" for kind in (
    "", "Adjoint", "BlockDiag", "BlockLowerTriangular", "Circulant", "Circulant2D", "Circulant3D",
    "Composition", "Diag", "FullMatrix", "Householder", "Identity", "Inversion", "Kronecker",
    "LowRankUpdate", "LowerTriangular", "Permutation", "ScaledIdentity", "Toeplitz", "Tridiag",
    "Zeros")], "linalg.eigh_tridiagonal", "linalg.experimental.*")
later("tapeflow.ops.nn.quantization", "quantization.*")
later("tapeflow.api.profiler", "profiler.experimental.*")
later("tapeflow.api.test_case", "test.TestCase", "test.main", "test.is_cpu_target_available")
later("tapeflow.api.uncommon", "DeviceSpec", "variable_creator_scope", "get_current_name_scope",
      "CriticalSection",
      "AggregationMethod", "guarantee_const", "parallel_stack", "xla.experimental.*",
      *[f"compat.{name}" for name in (
          "forward_compatible", "forward_compatibility_horizon", "dimension_value",
          "dimension_at_index")],
      "autograph.set_verbosity", "autograph.trace", "autograph.experimental.Feature",
      *[f"config.experimental.{name}" for name in (
          "set_synchronous_execution", "enable_mlir_bridge", "disable_mlir_bridge")],
      *[f"experimental.{name}" for name in (
          "async_scope", "async_clear_error", "function_executor_type")])
