"""The cases of `growth.py` in the words of JAX; its tape is `jax.grad` of a Python loop, eager."""

from cases_growth import NODES, RATE, SEQUENCE, data


def step_of(jax, curve: str, size: int):
    """A function of no arguments: one step, which gives a number."""
    jnp, made = jax.numpy, data(curve, size)
    if curve == "tape":
        x = jnp.asarray(made)

        def sines(y):
            for _ in range(size):
                y = jnp.sin(y)
            return y

        return lambda: jax.grad(sines)(x).block_until_ready()
    if curve in ("nodes", "compile"):
        x = jnp.asarray(made)

        def nodes(x):
            y = x
            for _ in range(size // NODES):
                y = jnp.tanh(y * 0.5 + x)
            return jnp.sum(y)

        if curve == "compile":  # a function that JAX has not seen
            return lambda: jax.jit(lambda x: nodes(x))(x).block_until_ready()
        function = jax.jit(nodes)
        return lambda: function(x).block_until_ready()
    return descending(jax, jnp, curve, made)


def descending(jax, jnp, curve, made):
    def layers(ws, x):
        for w in ws:
            x = jax.nn.relu(x @ w)
        return jnp.mean(jnp.square(x))

    def recurrent(ws, x):
        def body(h, now):
            h = jnp.tanh(now @ ws[0] + h @ ws[1])
            return h, None

        h, _ = jax.lax.scan(body, jnp.zeros(SEQUENCE), x)
        return jnp.mean(jnp.square(h))

    loss = recurrent if curve == "sequence" else layers
    slope = jax.value_and_grad(loss)

    def once(ws, x):
        value, gradients = slope(ws, x)
        return [w - RATE * g for w, g in zip(ws, gradients)], value

    function = jax.jit(once, donate_argnums=0)
    state = [jnp.asarray(one) for one in made[1]]
    x = jnp.asarray(made[0])

    def step():
        nonlocal state
        state, value = function(state, x)
        jax.block_until_ready(state)
        return value

    return step
