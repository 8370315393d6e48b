"""The cases of `compiled.py` in the words of PyTorch: eager autograd, or torch.compile."""

import numpy as np
from cases_compiled import data


def cases(torch, compiled=False):
    """A dict from case to a function of no arguments that does one step of it."""
    made = data()

    def finish(f):
        return torch.compile(f) if compiled else f

    found = {}
    for make in (scalars, losses, networks, sequences, arrays, systems, curvature):
        found.update(make(torch, made, finish))
    return found


def tensors(torch, arrays, grad=False):
    return [torch.tensor(one, requires_grad=grad) for one in arrays]


def descending(torch, loss, parameters, rate=0.01):
    """One step of gradient descent; `loss` may be compiled."""
    def step():
        value = loss()
        slopes = torch.autograd.grad(value, parameters)
        with torch.no_grad():
            for w, g in zip(parameters, slopes):
                w.sub_(g, alpha=rate)
        return value

    return step


def scalars(torch, made, finish):
    x, y = tensors(torch, made["regression"])
    w, b = tensors(torch, [np.float32(0), np.float32(0)], True)
    regression = finish(lambda: torch.mean(torch.square(y - (w * x + b))))
    at, half = tensors(torch, [np.float32(3), np.float32(0.5)], True)
    cubed = finish(lambda: at ** 3)

    def sines():
        z = half
        for _ in range(100):
            z = torch.sin(z)
        return z

    sines = finish(sines)
    p, = tensors(torch, made["lotka"])

    def lotka():
        def rates(x, y):
            return p[0] * x - p[1] * x * y, p[3] * x * y - p[2] * y

        x = y = torch.tensor(1.0)
        h = 0.02
        for _ in range(200):
            a = rates(x, y)
            b = rates(x + h / 2 * a[0], y + h / 2 * a[1])
            c = rates(x + h / 2 * b[0], y + h / 2 * b[1])
            d = rates(x + h * c[0], y + h * c[1])
            x = x + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
            y = y + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        return x + y

    return {"regression": descending(torch, regression, [w, b]),
            "cube": lambda: torch.autograd.grad(cubed(), at)[0],
            "sines": lambda: torch.autograd.grad(sines(), half)[0],
            "lotka": lotka}


def losses(torch, made, finish):
    x, y, start = made["logistic"]
    x, y = tensors(torch, [x, y])
    w, = tensors(torch, [start], True)
    functional = torch.nn.functional
    logistic = finish(lambda: functional.binary_cross_entropy_with_logits(x @ w, y))
    states, actions, returns, begin = made["policy"]
    states, actions, returns = tensors(torch, [states, actions, returns])
    theta, = tensors(torch, [begin], True)

    def policy():
        logs = torch.log_softmax(states @ theta, 1)
        return -torch.mean(logs.gather(1, actions[:, None])[:, 0] * returns)

    return {"logistic": descending(torch, logistic, [w]),
            "policy": descending(torch, finish(policy), [theta])}


def networks(torch, made, finish):
    functional = torch.nn.functional
    x, labels, *start = made["mlp"]
    x, labels = tensors(torch, [x, labels])

    def loss_of(ws):
        return functional.cross_entropy(torch.relu(x @ ws[0] + ws[1]) @ ws[2] + ws[3], labels)

    plain, moved = tensors(torch, start, True), tensors(torch, start, True)
    optimizer = torch.optim.Adam(moved, lr=0.001, eps=1e-7)
    adam_loss = finish(lambda: loss_of(moved))

    def adam():
        optimizer.zero_grad()
        value = adam_loss()
        value.backward()
        optimizer.step()
        return value

    wide_x, wide_labels, *wide = made["wide_mlp"]
    wide_x, wide_labels = tensors(torch, [wide_x, wide_labels])
    wide = tensors(torch, wide, True)

    def wide_loss():
        h = torch.relu(torch.relu(wide_x @ wide[0] + wide[1]) @ wide[2] + wide[3])
        return functional.cross_entropy(h @ wide[4] + wide[5], wide_labels)

    images, digits, weights = made["lenet"]
    images, digits = torch.tensor(images).permute(0, 3, 1, 2).contiguous(), torch.tensor(digits)
    ps = [torch.tensor(one.transpose(3, 2, 0, 1).copy() if one.ndim == 4 else one,
                       requires_grad=True) for one in weights]

    def lenet():
        h = functional.max_pool2d(torch.relu(functional.conv2d(images, ps[0], ps[1], padding=2)), 2)
        h = functional.max_pool2d(torch.relu(functional.conv2d(h, ps[2], ps[3])), 2)
        h = torch.relu(h.permute(0, 2, 3, 1).reshape(32, 400) @ ps[4] + ps[5])
        return functional.cross_entropy(torch.relu(h @ ps[6] + ps[7]) @ ps[8] + ps[9], digits)

    pixels, kernel, wanted = made["conv"]
    pixels = torch.tensor(pixels.transpose(0, 3, 1, 2).copy(), requires_grad=True)
    kernel = torch.tensor(kernel.transpose(3, 2, 0, 1).copy(), requires_grad=True)
    wanted = torch.tensor(wanted.transpose(0, 3, 1, 2).copy())
    conv = finish(lambda: functional.conv2d(pixels, kernel, padding=1))

    def both():
        found = torch.autograd.grad(conv(), [pixels, kernel], wanted)
        return found[1], found[0]

    return {"mlp": descending(torch, finish(lambda: loss_of(plain)), plain), "adam": adam,
            "wide_mlp": descending(torch, finish(wide_loss), wide),
            "lenet": descending(torch, finish(lenet), ps), "conv": both}


def sequences(torch, made, finish):
    x, *start = made["lstm"]
    x = torch.tensor(x)
    layer = torch.nn.LSTM(32, 64, bias=True)
    with torch.no_grad():
        layer.weight_ih_l0.copy_(torch.tensor(start[0].T))
        layer.weight_hh_l0.copy_(torch.tensor(start[1].T))
        layer.bias_ih_l0.zero_()
        layer.bias_hh_l0.zero_()
    parameters = list(layer.parameters())[:3]

    def lstm():  # PyTorch's own, fused
        return torch.sum(torch.square(layer(x)[0][-1]))

    tokens, square, wide, narrow = made["transformer"]
    tokens = torch.tensor(tokens)
    ws = tensors(torch, [*square, wide, narrow], True)

    def normal(a):
        return torch.nn.functional.layer_norm(a, (64,))

    def transformer():
        h = normal(tokens)
        q, k, v = [(h @ w).reshape(8, 32, 4, 16).transpose(1, 2) for w in ws[:3]]
        a = torch.softmax(q @ k.transpose(2, 3) / 4.0, -1) @ v
        h = tokens + a.transpose(1, 2).reshape(8, 32, 64) @ ws[3]
        y = h + torch.nn.functional.gelu(normal(h) @ ws[4]) @ ws[5]
        return torch.mean(torch.square(y))

    return {"lstm": descending(torch, lstm, parameters, 1e-6),
            "lstm_loop": descending(torch, lstm, parameters, 1e-6),
            "transformer": descending(torch, finish(transformer), ws)}


def arrays(torch, made, finish):
    long, = tensors(torch, made["chain"], True)
    chain = finish(lambda: torch.sum(
        torch.tanh(long * 2.0) * torch.exp(-long * long) + torch.sin(long)))
    logits, labels = torch.tensor(made["xent"][0], requires_grad=True), torch.tensor(
        made["xent"][1])
    xent = finish(lambda: torch.nn.functional.cross_entropy(logits, labels))

    def with_slope():
        value = xent()
        return value, torch.autograd.grad(value, logits)[0]

    square, = tensors(torch, made["norm"])
    table, ids = torch.tensor(made["embedding"][0]), torch.tensor(made["embedding"][1])

    def embedding():
        rows = table[ids]
        table.index_add_(0, ids, rows, alpha=-2e-6)
        return torch.sum(torch.square(rows))

    a, b = tensors(torch, made["matmul"])
    return {"chain": lambda: torch.autograd.grad(chain(), long)[0], "xent": with_slope,
            "norm": finish(lambda: torch.nn.functional.layer_norm(square, (2000,))),
            "embedding": finish(embedding), "matmul": lambda: a @ b}


def systems(torch, made, finish):
    given, largest = tensors(torch, made["systems"], True), tensors(torch, made["top_k"], True)

    def with_gradient(loss_of, xs):
        def step():
            loss = loss_of(*xs)
            return loss, torch.autograd.grad(loss, xs)

        return finish(step)

    def cholesky(a, b):
        factor = torch.linalg.cholesky(a @ a.mT)
        return torch.sum(torch.cholesky_solve(b, factor) ** 2)

    return {"cholesky": with_gradient(cholesky, given),
            "solve": with_gradient(lambda a, b: torch.sum(torch.linalg.solve(a, b) ** 2), given),
            "top_k": with_gradient(lambda x: torch.sum(torch.topk(x, 8)[0] ** 2), largest)}


def curvature(torch, made, finish):
    point, matrix = tensors(torch, made["hessian"])
    func = torch.func

    def value(x):
        return torch.sum(torch.tanh(matrix @ x) ** 2)

    def along(x):
        return torch.sum(func.grad(value)(x) * x)

    rows = torch.tensor(np.linspace(-1, 1, 32 * 12, dtype="f").reshape(32, 12))
    return {"hessian": finish(lambda: func.hessian(value)(point)),
            "hvp": finish(lambda: func.grad(along)(point)),
            "batch_jacobian": finish(lambda: func.vmap(func.jacrev(
                lambda r: torch.tanh(r @ matrix)))(rows))}
