# Written by tools/stubs.py (make stubs).
"""tf.dtypes.experimental"""

import tapeflow as tf

float4_e2m1fn: tf.DType
float8_e4m3b11fnuz: tf.DType
float8_e4m3fn: tf.DType
float8_e4m3fnuz: tf.DType
float8_e5m2: tf.DType
float8_e5m2fnuz: tf.DType
int2: tf.DType
int4: tf.DType
uint2: tf.DType
uint4: tf.DType
