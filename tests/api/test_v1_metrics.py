"""tf.compat.v1.metrics: what TensorFlow 2.21 gave for two batches, and the variables' names."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
LABELS = [[True, False, True, True], [False, False, True, False]]
CHANCES = [[0.9, 0.2, 0.4, 0.6], [0.7, 0.1, 0.8, 0.3]]
WEIGHTS = [[1.0, 2.0, 0.5, 1.0], [1.0, 1.0, 3.0, 1.0]]
LIMITS = [0.15, 0.5, 0.75]
AT = "_at_thresholds"

# name, argument, weighted, after the first batch, after the second
CASES = [
    ("true_positives", (), False, 3.0, 5.0),
    ("true_positives", (), True, 5.0, 6.5),
    ("false_positives", (), True, 1.0, 3.0),
    ("true_negatives", (), True, 4.0, 7.0),
    ("false_negatives", (), True, 0.5, 4.5),
    ("precision", (), True, 0.8333333134651184, 0.6842105388641357),
    ("recall", (), True, 0.9090909361839294, 0.5909090638160706),
    ("accuracy", (), True, 0.8571428656578064, 0.6428571343421936),
    ("true_positives" + AT, (LIMITS,), False, [4.0, 3.0, 2.0], [8.0, 5.0, 3.0]),
    ("true_positives" + AT, (LIMITS,), True, [5.5, 5.0, 4.0], [11.0, 6.5, 4.5]),
    ("false_positives" + AT, (LIMITS,), True, [4.0, 1.0, 0.0], [7.0, 3.0, 1.0]),
    ("true_negatives" + AT, (LIMITS,), True, [1.0, 4.0, 5.0], [3.0, 7.0, 9.0]),
    ("false_negatives" + AT, (LIMITS,), True, [0.0, 0.5, 1.5], [0.0, 4.5, 6.5]),
    ("precision" + AT, (LIMITS,), True, [0.5789473652839661, 0.8333333134651184, 1.0],
     [0.6111111044883728, 0.6842105388641357, 0.8181818127632141]),
    ("recall" + AT, (LIMITS,), True, [1.0, 0.9090909361839294, 0.7272727489471436],
     [1.0, 0.5909090638160706, 0.40909090638160706]),
    ("sensitivity_at_specificity", (0.7,), False, 1.0, 0.5),
    ("sensitivity_at_specificity", (0.7,), True, 1.0, 0.9090909361839294),
    ("specificity_at_sensitivity", (0.6,), False, 1.0, 0.625),
    ("specificity_at_sensitivity", (0.6,), True, 1.0, 0.699999988079071),
]


@pytest.mark.parametrize("name, argument, weighted, first, second", CASES)
def test_two_batches(name, argument, weighted, first, second):
    with tf.Graph().as_default(), v1.Session() as session:
        chances = v1.placeholder(tf.float32, [None, 4])
        labels = v1.placeholder(tf.bool, [None, 4])
        predictions = chances if argument else chances > 0.5
        value, update = getattr(v1.metrics, name)(
            labels, predictions, *argument, weights=WEIGHTS if weighted else None)
        session.run(v1.local_variables_initializer())
        found = session.run(update, {chances: CHANCES, labels: LABELS})
        np.testing.assert_array_equal(found, np.float32(first))
        session.run(update, {chances: CHANCES[::-1], labels: LABELS})
        np.testing.assert_array_equal(session.run(value), np.float32(second))
        assert v1.get_collection("metric_variables") == v1.local_variables()
        assert not v1.global_variables()


def test_names_are_counted_in_each_graph():
    for _ in range(2):
        with tf.Graph().as_default():
            v1.metrics.precision([True], [True])
            v1.metrics.true_positives_at_thresholds([True], [0.5], [0.1])
            v1.metrics.mean([1.0])
            v1.metrics.mean([1.0])
            assert [one.name for one in v1.local_variables()] == [
                "precision/true_positives/count:0", "precision/false_positives/count:0",
                "true_positives/true_positives:0", "mean/total:0", "mean/count:0",
                "mean_1/total:0", "mean_1/count:0"]


def test_mean_is_weighted_and_joins_collections():
    with tf.Graph().as_default(), v1.Session() as session:
        value, update = v1.metrics.mean([1.0, 2.0, 6.0], [1.0, 0.0, 3.0], ["values"], ["updates"])
        session.run(v1.local_variables_initializer())
        assert session.run(value) == 0.0
        assert session.run(v1.get_collection("updates"))[0] == 4.75
        assert session.run(v1.get_collection("values")) == [4.75]


def test_predictions_are_between_0_and_1():
    with tf.Graph().as_default(), v1.Session() as session:
        chances = v1.placeholder(tf.float32, [2])
        _, update = v1.metrics.recall_at_thresholds([True, False], chances, [0.5])
        session.run(v1.local_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="predictions must be in"):
            session.run(update, {chances: [0.5, 1.5]})


def test_there_are_none_in_eager_execution():
    with pytest.raises(RuntimeError, match=r"tf\.metrics\.recall is not supported"):
        v1.metrics.recall([True], [True])
    with pytest.raises(ValueError, match="must be in the range"):
        v1.metrics.sensitivity_at_specificity([True], [0.5], 1.5)
