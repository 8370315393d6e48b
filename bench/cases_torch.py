"""The cases of `eager.py` in the words of PyTorch: eager autograd, updates in place."""

import numpy as np


def cases(torch):
    """A dict from case to a function of no arguments that does one step of it."""
    return {
        "multiply": multiply(torch),
        "cube": cube(torch),
        "sines": sines(torch),
        "regression": regression(torch),
        "mlp": mlp(torch),
    }


def multiply(torch):
    a, b = torch.tensor(3.0), torch.tensor(4.0)
    return lambda: a * b


def cube(torch):
    x = torch.tensor(3.0, requires_grad=True)

    def step():
        y = x**3
        return torch.autograd.grad(y, x)[0]

    return step


def sines(torch):
    x = torch.tensor(0.5, requires_grad=True)

    def step():
        y = x
        for _ in range(100):
            y = torch.sin(y)
        return torch.autograd.grad(y, x)[0]

    return step


def regression(torch):
    x_data = torch.tensor([1.0, 2.0, 3.0, 4.0])
    y_data = torch.tensor([5.0, 8.0, 11.0, 14.0])
    W = torch.tensor(0.0, requires_grad=True)
    b = torch.tensor(0.0, requires_grad=True)
    learning_rate = 0.01

    def step():
        y_pred = W * x_data + b
        loss = torch.mean(torch.square(y_data - y_pred))
        gradients = torch.autograd.grad(loss, [W, b])
        with torch.no_grad():
            W.sub_(learning_rate * gradients[0])
            b.sub_(learning_rate * gradients[1])
        return W

    return step


def mlp(torch):
    rng = np.random.default_rng(0)
    x = torch.from_numpy(rng.random((64, 784), np.float32))
    labels = torch.from_numpy(rng.integers(0, 10, 64))
    w1 = torch.tensor(rng.standard_normal((784, 128)).astype("f") * 0.05, requires_grad=True)
    b1 = torch.zeros(128, requires_grad=True)
    w2 = torch.tensor(rng.standard_normal((128, 10)).astype("f") * 0.1, requires_grad=True)
    b2 = torch.zeros(10, requires_grad=True)
    parameters = [w1, b1, w2, b2]
    cross_entropy = torch.nn.functional.cross_entropy

    def step():
        hidden = torch.relu(x @ w1 + b1)
        loss = cross_entropy(hidden @ w2 + b2, labels)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter.sub_(gradient, alpha=0.01)
        return w2

    return step
