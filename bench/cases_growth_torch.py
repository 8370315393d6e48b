"""The cases of `growth.py` in the words of PyTorch: eager autograd."""

from cases_growth import NODES, RATE, SEQUENCE, data


def step_of(torch, curve: str, size: int):
    """A function of no arguments: one step, which gives a number; None: there is none."""
    made = data(curve, size)
    if curve == "compile":
        return None
    if curve == "tape":
        x = torch.tensor(made, requires_grad=True)

        def tape():
            y = x
            for _ in range(size):
                y = torch.sin(y)
            return torch.autograd.grad(y, x)[0]

        return tape
    if curve == "nodes":
        x = torch.tensor(made)

        def nodes():
            y = x
            for _ in range(size // NODES):
                y = torch.tanh(y * 0.5 + x)
            return torch.sum(y)

        return nodes
    x, ws = torch.tensor(made[0]), [torch.tensor(one, requires_grad=True) for one in made[1]]
    loss = recurrent if curve == "sequence" else layers

    def step():
        value = loss(torch, x, ws)
        slopes = torch.autograd.grad(value, ws)
        with torch.no_grad():
            for w, g in zip(ws, slopes):
                w.sub_(g, alpha=RATE)
        return value

    return step


def layers(torch, x, ws):
    for w in ws:
        x = torch.relu(x @ w)
    return torch.mean(torch.square(x))


def recurrent(torch, x, ws):
    h = torch.zeros(SEQUENCE)
    for now in x:
        h = torch.tanh(now @ ws[0] + h @ ws[1])
    return torch.mean(torch.square(h))
