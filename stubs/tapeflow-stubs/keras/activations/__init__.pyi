# Written by tools/stubs.py (make stubs).
"""tf.keras.activations"""

from typing import Any

def serialize(activation: Any) -> Any: ...

def celu(x: Any, alpha: Any = 1.0) -> Any:
    """Continuously Differentiable Exponential Linear Unit."""

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Return a Keras activation function via its config."""

def elu(x: Any, alpha: Any = 1.0) -> Any:
    """Exponential Linear Unit."""

def exponential(x: Any) -> Any:
    """Exponential activation function."""

def gelu(x: Any, approximate: Any = False) -> Any:
    """Gaussian error linear unit (GELU) activation function."""

def get(identifier: Any) -> Any:
    """Retrieve a Keras activation function via an identifier."""

def glu(x: Any, axis: Any = -1) -> Any:
    """Gated Linear Unit (GLU) activation function."""

def hard_shrink(x: Any, threshold: Any = 0.5) -> Any:
    """Hard Shrink activation function."""

def hard_sigmoid(x: Any) -> Any:
    """Hard sigmoid activation function."""

def hard_silu(x: Any) -> Any:
    """Hard SiLU activation function, also known as Hard Swish."""

def hard_tanh(x: Any) -> Any:
    """HardTanh activation function."""

def leaky_relu(x: Any, negative_slope: Any = 0.2) -> Any:
    """Leaky relu activation function."""

def linear(x: Any) -> Any:
    """Linear activation function (pass-through)."""

def log_sigmoid(x: Any) -> Any:
    """Logarithm of the sigmoid activation function."""

def log_softmax(x: Any, axis: Any = -1) -> Any:
    """Log-Softmax activation function."""

def mish(x: Any) -> Any:
    """Mish activation function."""

def relu(
    x: Any, negative_slope: Any = 0.0, max_value: Any = None, threshold: Any = 0.0,
) -> Any:
    """Applies the rectified linear unit activation function."""

def relu6(x: Any) -> Any:
    """Relu6 activation function."""

def selu(x: Any) -> Any:
    """Scaled Exponential Linear Unit (SELU)."""

def sigmoid(x: Any) -> Any:
    """Sigmoid activation function."""

def silu(x: Any) -> Any:
    """Swish (or Silu) activation function."""

def soft_shrink(x: Any, threshold: Any = 0.5) -> Any:
    """Soft Shrink activation function."""

def softmax(x: Any, axis: Any = -1) -> Any:
    """Softmax converts a vector of values to a probability distribution."""

def softplus(x: Any) -> Any:
    """Softplus activation function."""

def softsign(x: Any) -> Any:
    """Softsign activation function."""

def sparse_plus(x: Any) -> Any:
    """SparsePlus activation function."""

def sparse_sigmoid(x: Any) -> Any:
    """Sparse sigmoid activation function."""

def sparsemax(x: Any, axis: Any = -1) -> Any:
    """Sparsemax activation function."""

def squareplus(x: Any, b: Any = 4) -> Any:
    """Squareplus activation function."""

def tanh(x: Any) -> Any:
    """Hyperbolic tangent activation function."""

def tanh_shrink(x: Any) -> Any:
    """Tanh shrink activation function."""

def threshold(x: Any, threshold: Any, default_value: Any) -> Any:
    """Threshold activation function."""

hard_swish = hard_silu
swish = silu
