"""Steps of optimizers: gradients applied to variables, whole or row by row.

`var`, `accum`, `m` … are resource handles, which are the variables themselves; of TensorFlow 1 they
are references, and the step gives the variable.
"""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


@raw
def ResourceApplyGradientDescent(var: Any, alpha: Any, delta: Any) -> Any:
    var.assign_sub(alpha * delta)
    return ()


@raw
def ResourceApplyMomentum(var: Any, accum: Any, lr: Any, grad: Any, momentum: Any,
                          use_nesterov: bool) -> Any:
    moved = accum.read_value() * momentum + grad
    accum.assign(moved)
    var.assign_sub(grad * lr + moved * momentum * lr if use_nesterov else moved * lr)
    return ()


@raw
def ResourceApplyAdam(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any,
                      beta1: Any, beta2: Any, epsilon: Any, grad: Any, use_nesterov: bool) -> Any:
    rate = lr * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
    first = m.read_value() + (grad - m) * (1 - beta1)
    second = v.read_value() + (grad * grad - v) * (1 - beta2)
    m.assign(first)
    v.assign(second)
    push = first * beta1 + grad * (1 - beta1) if use_nesterov else first
    var.assign_sub(push * rate / (tf.sqrt(second) + epsilon))
    return ()


@raw
def ResourceApplyKerasMomentum(var: Any, accum: Any, lr: Any, grad: Any, momentum: Any,
                               use_nesterov: bool) -> Any:
    moved = accum.read_value() * momentum - lr * grad
    accum.assign(moved)
    var.assign_add(moved * momentum - lr * grad if use_nesterov else moved)
    return ()


@raw
def ResourceApplyRMSProp(var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any,
                         epsilon: Any, grad: Any) -> Any:
    square = ms.read_value() + (grad * grad - ms) * (1 - rho)
    ms.assign(square)
    moved = mom.read_value() * momentum + lr * grad / tf.sqrt(square + epsilon)
    mom.assign(moved)
    var.assign_sub(moved)
    return ()


@raw
def ResourceApplyCenteredRMSProp(var: Any, mg: Any, ms: Any, mom: Any, lr: Any, rho: Any,
                                 momentum: Any, epsilon: Any, grad: Any) -> Any:
    square = ms.read_value() + (grad * grad - ms) * (1 - rho)
    mean = mg.read_value() + (grad - mg) * (1 - rho)
    ms.assign(square)
    mg.assign(mean)
    moved = mom.read_value() * momentum + lr * grad / tf.sqrt(square - mean * mean + epsilon)
    mom.assign(moved)
    var.assign_sub(moved)
    return ()


@raw
def ResourceApplyAdagradV2(var: Any, accum: Any, lr: Any, epsilon: Any, grad: Any,
                           update_slots: bool) -> Any:
    if update_slots:
        accum.assign_add(grad * grad)
    var.assign_sub(lr * grad / (tf.sqrt(accum.read_value()) + epsilon))
    return ()


@raw
def ResourceApplyAdagrad(var: Any, accum: Any, lr: Any, grad: Any, update_slots: bool) -> Any:
    return ResourceApplyAdagradV2(var, accum, lr, 0.0, grad, update_slots)


@raw
def ResourceApplyAdadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any,
                          epsilon: Any, grad: Any) -> Any:
    square = accum.read_value() * rho + grad * grad * (1 - rho)
    accum.assign(square)
    update = tf.sqrt(accum_update.read_value() + epsilon) / tf.sqrt(square + epsilon) * grad
    accum_update.assign(accum_update.read_value() * rho + update * update * (1 - rho))
    var.assign_sub(lr * update)
    return ()


@raw
def ResourceApplyAdaMax(var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any,
                        beta2: Any, epsilon: Any, grad: Any) -> Any:
    first = m.read_value() + (grad - m) * (1 - beta1)
    most = tf.maximum(beta2 * v.read_value(), tf.abs(grad))
    m.assign(first)
    v.assign(most)
    var.assign_sub(lr / (1 - beta1_power) * (first / (most + epsilon)))
    return ()


@raw
def ResourceApplyAdamWithAmsgrad(
        var: Any, m: Any, v: Any, vhat: Any, beta1_power: Any, beta2_power: Any, lr: Any,
        beta1: Any, beta2: Any, epsilon: Any, grad: Any) -> Any:
    rate = lr * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
    first = m.read_value() + (grad - m) * (1 - beta1)
    second = v.read_value() + (grad * grad - v) * (1 - beta2)
    most = tf.maximum(vhat.read_value(), second)
    m.assign(first)
    v.assign(second)
    vhat.assign(most)
    var.assign_sub(first * rate / (tf.sqrt(most) + epsilon))
    return ()


@raw
def ResourceApplyFtrlV2(
        var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any,
        l2_shrinkage: Any, lr_power: Any, multiply_linear_by_lr: bool) -> Any:
    new = accum.read_value() + grad * grad
    before, after = accum.read_value() ** -lr_power, new ** -lr_power
    shrunk = grad + 2 * l2_shrinkage * var.read_value()
    if multiply_linear_by_lr:
        line = linear.read_value() + shrunk * lr - (after - before) * var.read_value()
        l1, quadratic = l1 * lr, after + 2 * l2 * lr
    else:
        line = linear.read_value() + shrunk - (after - before) / lr * var.read_value()
        quadratic = after / lr + 2 * l2
    linear.assign(line)
    var.assign((tf.clip_by_value(line, -l1, l1) - line) / quadratic)
    accum.assign(new)
    return ()


@raw
def ResourceApplyFtrl(var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any,
                      lr_power: Any, multiply_linear_by_lr: bool) -> Any:
    return ResourceApplyFtrlV2(var, accum, linear, grad, lr, l1, l2, 0.0, lr_power,
                               multiply_linear_by_lr)


# -- row by row: of the rows that a gradient has, the others stay as they are ----------------------
class Rows:
    """Rows of a variable: reads and assignments are of these alone. Each is named once."""

    def __init__(self, variable: Any, indices: Any):
        self._variable, self._indices = variable, indices

    def read_value(self) -> Any:
        return tf.gather(self._variable.read_value(), self._indices)

    def assign(self, rows: Any) -> None:
        # A gradient may have no shape.
        shape = self._indices.shape.concatenate(self._variable.shape[1:])
        self._variable.scatter_update(tf.IndexedSlices(tf.ensure_shape(rows, shape), self._indices))

    def assign_add(self, rows: Any) -> None:
        self.assign(self.read_value() + rows)

    def assign_sub(self, rows: Any) -> None:
        self.assign(self.read_value() - rows)

    def __rsub__(self, other: Any) -> Any:
        return other - self.read_value()


@raw
def ResourceSparseApplyMomentum(var: Any, accum: Any, lr: Any, grad: Any, indices: Any,
                                momentum: Any, use_nesterov: bool) -> Any:
    return ResourceApplyMomentum(Rows(var, indices), Rows(accum, indices), lr, grad, momentum,
                                 use_nesterov)


@raw
def ResourceSparseApplyKerasMomentum(var: Any, accum: Any, lr: Any, grad: Any, indices: Any,
                                     momentum: Any, use_nesterov: bool) -> Any:
    return ResourceApplyKerasMomentum(Rows(var, indices), Rows(accum, indices), lr, grad,
                                      momentum, use_nesterov)


@raw
def ResourceSparseApplyAdagradV2(var: Any, accum: Any, lr: Any, epsilon: Any, grad: Any,
                                 indices: Any, update_slots: bool) -> Any:
    return ResourceApplyAdagradV2(Rows(var, indices), Rows(accum, indices), lr, epsilon, grad,
                                  update_slots)


@raw
def ResourceSparseApplyAdagrad(var: Any, accum: Any, lr: Any, grad: Any, indices: Any,
                               update_slots: bool) -> Any:
    return ResourceSparseApplyAdagradV2(var, accum, lr, 0.0, grad, indices, update_slots)


@raw
def ResourceSparseApplyRMSProp(var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any,
                               epsilon: Any, grad: Any, indices: Any) -> Any:
    return ResourceApplyRMSProp(Rows(var, indices), Rows(ms, indices), Rows(mom, indices), lr, rho,
                                momentum, epsilon, grad)


@raw
def ResourceSparseApplyCenteredRMSProp(
        var: Any, mg: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any,
        grad: Any, indices: Any) -> Any:
    return ResourceApplyCenteredRMSProp(Rows(var, indices), Rows(mg, indices), Rows(ms, indices),
                                        Rows(mom, indices), lr, rho, momentum, epsilon, grad)


@raw
def ResourceSparseApplyAdadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any,
                                epsilon: Any, grad: Any, indices: Any) -> Any:
    return ResourceApplyAdadelta(Rows(var, indices), Rows(accum, indices),
                                 Rows(accum_update, indices), lr, rho, epsilon, grad)


@raw
def ResourceSparseApplyFtrlV2(
        var: Any, accum: Any, linear: Any, grad: Any, indices: Any, lr: Any, l1: Any, l2: Any,
        l2_shrinkage: Any, lr_power: Any, multiply_linear_by_lr: bool) -> Any:
    return ResourceApplyFtrlV2(Rows(var, indices), Rows(accum, indices), Rows(linear, indices),
                               grad, lr, l1, l2, l2_shrinkage, lr_power, multiply_linear_by_lr)


@raw
def ResourceSparseApplyFtrl(
        var: Any, accum: Any, linear: Any, grad: Any, indices: Any, lr: Any, l1: Any, l2: Any,
        lr_power: Any, multiply_linear_by_lr: bool) -> Any:
    return ResourceSparseApplyFtrlV2(var, accum, linear, grad, indices, lr, l1, l2, 0.0, lr_power,
                                     multiply_linear_by_lr)


# -- TensorFlow 1 ----------------------------------------------------------------------------------
@raw
def ApplyGradientDescent(var: Any, alpha: Any, delta: Any) -> Any:
    return var.assign_sub(alpha * delta)


@raw
def ApplyMomentum(var: Any, accum: Any, lr: Any, grad: Any, momentum: Any,
                  use_nesterov: bool) -> Any:
    ResourceApplyMomentum(var, accum, lr, grad, momentum, use_nesterov)
    return var


@raw
def ApplyAdam(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any,
              beta2: Any, epsilon: Any, grad: Any, use_nesterov: bool) -> Any:
    ResourceApplyAdam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad,
                      use_nesterov)
    return var
