"""NaNs and infinities of whole models: recurrent, adversarial, reinforcement, physics, mixed
precision. Each says what remedy a report must name."""

import tapeflow as tf
from tests.insight.unusual_nan_mistakes import mistakes

TABLE, mistake = mistakes()
STEP = tf.Variable(0.0)


@mistake("logarithm", 0.0, 2.0, 3.0)
def geometric_mean_with_a_zero(x):
    return tf.reduce_prod(x) ** (1.0 / 3.0)  # here


@mistake("1e-12", 0.0, 1.0)
def a_robust_loss_at_zero(x):
    return tf.reduce_sum((x * x) ** 0.45)  # here


@mistake("xlog1py", 1.0, 0.5)
def density_of_a_beta_distribution_at_its_end(x):
    b = 1.0
    return tf.reduce_sum((b - 1.0) * tf.math.log(1.0 - x))  # here


@mistake("-1e4", 0.0, 1.0)
def an_attention_mask_in_float16(x):
    scores = tf.cast(x, tf.float16) + tf.constant([-1e9, -1e9], tf.float16)
    return tf.reduce_sum(tf.nn.softmax(scores))  # here


@mistake("learning rate", 3.0)
def a_recurrent_state_that_grows(x):
    h = x
    for _ in range(100):
        h = h * 4.0  # here
    return tf.reduce_sum(h)


@mistake("1e-12", 1.0, 2.0)
def a_gradient_penalty_of_a_flat_critic(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        critic = tf.reduce_sum(x * 0.0)
    slope = tape.gradient(critic, x) * x
    return (tf.norm(slope) - 1.0) ** 2  # here


@mistake("log_softmax", 0.0, 200.0)
def log_probability_of_an_action_that_never_happens(x):
    p = tf.nn.softmax(x)
    advantage = 0.0
    return -advantage * tf.math.log(p[0])  # here


@mistake("1e-12", 3.0)
def advantages_of_a_single_episode(x):
    a = (x - tf.reduce_mean(x)) / tf.math.reduce_std(x)  # here
    return tf.reduce_sum(a)


@mistake("softplus", 30.0)
def entropy_of_a_squashed_normal(x):
    return tf.reduce_sum(tf.math.log(1.0 - tf.tanh(x) ** 2))  # here


@mistake("tf.where", 1.0, 0.5)
def a_mask_times_infinity(x):
    mask = tf.constant([1.0, 0.0])
    return tf.reduce_sum(tf.nn.softmax(x + (1.0 - mask) * -float("inf")))  # here


@mistake("slogdet", 1e15)
def a_determinant_that_overflows(x):
    a = tf.eye(3) * x
    return tf.math.log(tf.linalg.det(a))  # here


@mistake("divide_no_nan", 1.0)
def a_warm_up_of_no_steps(x):
    rate = STEP / 0.0  # here
    return tf.reduce_sum(rate * x)


@mistake("expm1", 0.0)
def softplus_undone_at_zero(x):
    return tf.reduce_sum(tf.math.log(tf.exp(x) - 1.0))  # here


@mistake("1 + 1e-6", 1.0)
def hyperbolic_distance_of_equal_points(x):
    return tf.reduce_sum(tf.acosh(x))  # here


@mistake("clip_by_global_norm", 1.0, 2.0)
def a_learning_rate_that_is_far_too_large(x):
    w = x
    for _ in range(8):
        w = w - 1e6 * (w ** 3)  # here
    return tf.reduce_sum(w)
