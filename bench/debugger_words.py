"""The names of TensorFlow that the mistakes use, in PyTorch's and JAX's own ops."""

import types
from typing import Any


def _module(names: dict[str, Any]) -> Any:
    """A module whose dotted names are modules in it: "math.log" is `module.math.log`."""
    module = types.ModuleType("words")
    for name, function in names.items():
        *path, last = name.split(".")
        owner = module
        for part in path:
            if not hasattr(owner, part):
                setattr(owner, part, types.SimpleNamespace())
            owner = getattr(owner, part)
        setattr(owner, last, function)
    return module


def torch_words() -> Any:
    import torch
    dtypes = {"float32": torch.float32, "float16": torch.float16, "int32": torch.int32}

    def constant(data: Any, dtype: Any = None) -> Any:
        return torch.tensor(data, dtype=dtypes.get(dtype, dtype))

    def refused(*args: Any) -> Any:
        return torch.from_numpy(args[0](args[1][0].detach().numpy()))

    return _module({
        **dtypes, "constant": constant, "sqrt": torch.sqrt, "norm": torch.linalg.norm,
        "linalg.norm": torch.linalg.norm, "reduce_sum": torch.sum, "reduce_mean": torch.mean,
        "reduce_min": torch.min, "reduce_max": torch.max, "math.log": torch.log,
        "math.reduce_std": lambda x: torch.std(x, unbiased=False), "math.rsqrt": torch.rsqrt,
        "where": torch.where, "zeros_like": torch.zeros_like, "ones_like": torch.ones_like,
        "exp": torch.exp, "square": torch.square, "acos": torch.acos, "asin": torch.asin,
        "boolean_mask": lambda x, mask: x[mask], "abs": torch.abs, "cast": lambda x, t: x.to(t),
        "nn.relu": torch.relu, "nn.softmax": lambda x: torch.softmax(x, -1),
        "sigmoid": torch.sigmoid, "atan2": torch.atan2, "round": torch.round,
        "shape": lambda x: torch.tensor(x.shape), "stop_gradient": lambda x: x.detach(),
        "argmax": torch.argmax, "equal": torch.eq, "floor": torch.floor, "math.ceil": torch.ceil,
        "one_hot": lambda k, n: torch.nn.functional.one_hot(k, n).float(),
        "gather": lambda x, k: x[k], "numpy_function": refused,
        "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh, "pow": torch.pow,
        "sign": torch.sign, "size": lambda x: torch.tensor(x.numel()), "eye": torch.eye,
        "ones": torch.ones, "reduce_prod": torch.prod, "reshape": torch.reshape,
        "stack": lambda xs: torch.stack([torch.as_tensor(x) for x in xs]),
        "math.cumprod": lambda x: torch.cumprod(x, 0), "math.log1p": torch.log1p,
        "math.expm1": torch.expm1, "math.lgamma": torch.lgamma, "math.erfinv": torch.erfinv,
        "math.ndtri": torch.special.ndtri, "math.zeta": torch.special.zeta,
        "math.reciprocal": torch.reciprocal, "math.floormod": torch.remainder,
        "math.lbeta": lambda x: torch.sum(torch.lgamma(x)) - torch.lgamma(torch.sum(x)),
        "math.l2_normalize": lambda x, epsilon: torch.nn.functional.normalize(
            x, dim=0, eps=epsilon),
        "nn.moments": lambda x, axis: (torch.mean(x, axis), torch.var(x, axis, unbiased=False)),
        "nn.softplus": torch.nn.functional.softplus, "nn.batch_normalization": _normalised(
            torch.rsqrt), "linalg.logdet": torch.logdet, "linalg.qr": torch.linalg.qr,
        "linalg.triangular_solve": lambda a, b: torch.linalg.solve_triangular(a, b, upper=False),
        "while_loop": _loop})


def jax_words() -> Any:
    import jax
    import jax.numpy as jnp

    def on_host(function: Any, xs: list, dtype: Any) -> Any:
        return jax.pure_callback(function, jax.ShapeDtypeStruct(xs[0].shape, dtype), *xs)

    return _module({
        "float32": jnp.float32, "float16": jnp.float16, "int32": jnp.int32,
        "constant": lambda data, dtype=None: _quiet(jnp.array, data, dtype), "sqrt": jnp.sqrt,
        "norm": jnp.linalg.norm, "linalg.norm": jnp.linalg.norm, "reduce_sum": jnp.sum,
        "reduce_mean": jnp.mean, "reduce_min": jnp.min, "reduce_max": jnp.max,
        "math.log": jnp.log, "math.reduce_std": jnp.std, "math.rsqrt": jax.lax.rsqrt,
        "where": jnp.where, "zeros_like": jnp.zeros_like, "ones_like": jnp.ones_like,
        "exp": jnp.exp, "square": jnp.square, "acos": jnp.arccos, "asin": jnp.arcsin,
        "boolean_mask": lambda x, mask: x[jnp.nonzero(mask)[0]], "abs": jnp.abs,
        "cast": lambda x, t: x.astype(t), "nn.relu": jax.nn.relu, "nn.softmax": jax.nn.softmax,
        "sigmoid": jax.nn.sigmoid, "atan2": jnp.arctan2, "round": jnp.round,
        "shape": lambda x: jnp.array(x.shape), "stop_gradient": jax.lax.stop_gradient,
        "argmax": jnp.argmax, "equal": jnp.equal, "floor": jnp.floor, "math.ceil": jnp.ceil,
        "one_hot": jax.nn.one_hot, "gather": lambda x, k: x[k], "numpy_function": on_host,
        "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh, "pow": jnp.power, "sign": jnp.sign,
        "size": lambda x: jnp.array(x.size), "eye": jnp.eye, "ones": jnp.ones,
        "reduce_prod": jnp.prod, "reshape": jnp.reshape, "stack": jnp.stack,
        "math.cumprod": jnp.cumprod,
        "math.log1p": jnp.log1p, "math.expm1": jnp.expm1, "math.lgamma": jax.lax.lgamma,
        "math.erfinv": jax.lax.erf_inv, "math.ndtri": jax.scipy.special.ndtri,
        "math.zeta": jax.lax.zeta, "math.reciprocal": jnp.reciprocal, "math.floormod": jnp.mod,
        "math.lbeta": lambda x: jnp.sum(jax.lax.lgamma(x)) - jax.lax.lgamma(jnp.sum(x)),
        "math.l2_normalize": lambda x, epsilon: x / jnp.maximum(jnp.linalg.norm(x), epsilon),
        "nn.moments": lambda x, axis: (jnp.mean(x, axis), jnp.var(x, axis)),
        "nn.softplus": jax.nn.softplus, "nn.batch_normalization": _normalised(jax.lax.rsqrt),
        "linalg.logdet": lambda a: jnp.linalg.slogdet(a)[1], "linalg.qr": jnp.linalg.qr,
        "linalg.triangular_solve": lambda a, b: jax.scipy.linalg.solve_triangular(
            a, b, lower=True), "while_loop": _loop})


def _normalised(rsqrt: Any) -> Any:
    def batch_normalization(x: Any, mean: Any, variance: Any, offset: Any, scale: Any,
                            epsilon: float) -> Any:
        return (x - mean) * rsqrt(variance + epsilon)
    return batch_normalization


def _loop(more: Any, body: Any, values: list) -> Any:
    while more(*values):
        values = body(*values)
    return values


def _quiet(make: Any, *args: Any) -> Any:
    """Data may be infinite; what is looked for is made by ops."""
    import jax
    with jax.debug_nans(False), jax.debug_infs(False):
        return make(*args)
