# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.mixed_precision.experimental"""

from tapeflow.compat.v1.mixed_precision import (
    DynamicLossScale as DynamicLossScale,
    FixedLossScale as FixedLossScale,
    LossScale as LossScale,
    MixedPrecisionLossScaleOptimizer as MixedPrecisionLossScaleOptimizer,
)
