# Names to which only loops have given a value, in loops and branches that follow.

# --- changed_by_a_second_loop
@tf.function
def f(x, m):
    for t in tf.range(3):
        z = x * tf.cast(t, tf.float32)
    for t in tf.range(m):
        z = z + 1.0
    return z
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))
@tf.function
def g(x, m):
    for t in tf.range(3):
        z = x * tf.cast(t, tf.float32)
    i = tf.constant(0)
    while i < m:
        z = x
        i += 1
    return z
print(g(tf.constant(2.0), tf.constant(0)), g(tf.constant(2.0), tf.constant(3)))

# --- tested_by_a_second_loop
@tf.function
def f(x, m):
    for t in tf.range(3):
        z = x * tf.cast(t, tf.float32)
    while z < 4.0 + tf.cast(m, tf.float32):
        z = z + 1.0
    return z
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))

# --- never_given_and_changed
@tf.function
def f(x, m):
    for t in tf.range(m):
        z = x
    for t in tf.range(2):
        z = z + 1.0
    return z
print(f(tf.constant(2.0), tf.constant(1)))
f(tf.constant(2.0), tf.constant(0))

# --- changed_by_a_branch
@tf.function
def f(x, m):
    for t in tf.range(3):
        z = x * tf.cast(t, tf.float32)
    if m > 0:
        z = z + 1.0
    return z
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))

# --- not_read_behind_a_branch
@tf.function
def f(x, m):
    u = x
    if x > 1.0:
        for t in tf.range(m):
            z = x * 2.0
            u = u + z
    else:
        z = x
        u += z
    z = u
    return z + 1.0
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)), f(tf.constant(0.5), tf.constant(0)))

# --- given_anew
@tf.function
def f(x, m):
    u = x
    for s in tf.range(2):
        for t in tf.range(m):
            z = x * 2.0
            u += z
        for t in tf.range(m + 1):
            z = u
            u += z
    return u
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))
@tf.function
def g(x, m):
    u = x
    for t in tf.range(m):
        z = x * 2.0
        u += z
    for t in tf.range(2):
        z = [t, t + 1]
        u += tf.cast(z[0] + z[1], tf.float32)
    return u
print(g(tf.constant(2.0), tf.constant(0)), g(tf.constant(2.0), tf.constant(3)))

# --- structures
@tf.function
def f(x, m):
    for t in tf.range(m + 1):
        z = {"a": x, "b": (x + 1.0, t)}
    for t in tf.range(m):
        z = {"a": z["a"] + 1.0, "b": (z["b"][0] * 2.0, t)}
    return z["a"], z["b"][0], z["b"][1]
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))

# --- gradients
@tf.function
def f(x, m):
    with tf.GradientTape() as tape:
        tape.watch(x)
        for t in tf.range(m + 1):
            z = x * tf.cast(t + 1, tf.float32)
        for t in tf.range(m):
            z = z * x
        if x > 1.0:
            z = z * z
    return z, tape.gradient(z, x)
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))

# --- given_by_an_inner_loop
@tf.function
def f(x, m):
    for s in tf.range(2):
        for t in tf.range(m):
            z = x * tf.cast(s + t, tf.float32)
    return z
print(f(tf.constant(2.0), tf.constant(3)))

# --- loops_in_both_branches
@tf.function
def f(x, m):
    if m > 1:
        for t in tf.range(m + 1):
            z = x
    else:
        for t in tf.range(m + 1):
            z = x * 3.0
    for t in tf.range(m):
        if t == 1:
            continue
        z = z + 1.0
    while z < 20.0:
        if m == 0:
            break
        z = z * 2.0
    return z
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(3)))

# --- continue_in_a_loop_that_may_not_run
@tf.function
def f(x, k):
    u = x
    for t in tf.range(k):
        if x > 5.0:
            u = u + 1.0
        elif x > 1.0:
            for s in tf.range(k - 4):
                if u > 5.0:
                    continue
                u = u + x
    return u
print(f(tf.constant(2.0), tf.constant(0)), f(tf.constant(2.0), tf.constant(2)), f(tf.constant(2.0), tf.constant(6)))
