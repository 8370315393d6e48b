"""Tapes belong to their thread."""

import threading

import tapeflow as tf


def test_sixteen_threads_with_a_tape_each_do_not_disturb_one_another():
    shared = tf.Variable(2.0)
    constant = tf.constant(3.0)
    start = threading.Barrier(16)
    wrong: list = []

    def work(k: int) -> None:
        start.wait()
        for step in range(200):
            with tf.GradientTape() as tape:
                tape.watch(constant)
                y = shared * constant * float(k)
                with tf.GradientTape() as inner:
                    z = shared * shared
                second = inner.gradient(z, shared)
            got = tape.gradient([y, second], [shared, constant])
            want = (3.0 * k + 2.0, 2.0 * k)
            if [float(g) for g in got] != list(want):
                wrong.append((k, step, got))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_tape_does_not_hear_of_other_threads():
    x = tf.Variable(2.0)
    made = []
    with tf.GradientTape() as tape:
        thread = threading.Thread(target=lambda: made.append(x * x))
        thread.start()
        thread.join()
    assert tape.watched_variables() == ()
    assert tape.gradient(made[0], x) is None


def test_a_tape_opened_in_one_thread_may_be_asked_in_another():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    answers = []
    thread = threading.Thread(target=lambda: answers.append(tape.gradient(y, x)))
    thread.start()
    thread.join()
    assert float(answers[0]) == 6.0
