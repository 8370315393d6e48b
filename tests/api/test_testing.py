"""tf.test.compute_gradient finds right gradients right and wrong ones wrong."""

import os
import sys

import numpy as np
import pytest

import tapeflow as tf


def test_a_wrong_gradient_is_seen():
    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda g: g * 3.0 * x

    by_tape, by_differences = tf.test.compute_gradient(wrong, [tf.constant([1.0, 2.0])])
    assert np.abs(by_tape[0] - by_differences[0]).max() > 1.0


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_dtypes(dtype):
    x = tf.cast([[1.0, 2.0], [3.0, -1.0]], dtype)
    by_tape, by_differences = tf.test.compute_gradient(lambda x: x * x, [x], delta=0.25)
    assert by_tape[0].shape == by_differences[0].shape == (4, 4)
    assert by_tape[0].dtype == by_differences[0].dtype == dtype.as_numpy_dtype
    np.testing.assert_allclose(by_tape[0].astype("f8"), np.diag([2.0, 4.0, 6.0, -2.0]))
    np.testing.assert_allclose(by_differences[0].astype("f8"), np.diag([2.0, 4.0, 6.0, -2.0]))


def test_complex_results_of_real_arguments():
    by_tape, by_differences = tf.test.compute_gradient(
        lambda x: tf.complex(x * x, 3.0 * x), [tf.constant([2.0], tf.float64)])
    np.testing.assert_allclose(by_tape[0], [[4.0], [3.0]])
    np.testing.assert_allclose(by_differences[0], [[4.0], [3.0]])


def test_sparse_gradients_are_made_dense():
    by_tape, by_differences = tf.test.compute_gradient(
        lambda v: tf.gather(v, [1, 1, 0]), [tf.constant([[1.0], [2.0]])])
    np.testing.assert_allclose(by_tape[0], [[0, 1], [0, 1], [1, 0]])
    np.testing.assert_allclose(by_differences[0], by_tape[0], rtol=1e-4)


def test_empty_results():
    by_tape, by_differences = tf.test.compute_gradient(lambda x: x[:0], [tf.constant([1.0, 2.0])])
    assert by_tape[0].shape == by_differences[0].shape == (0, 2)


def test_a_benchmark_measures_a_session():
    class Steps(tf.test.Benchmark):
        def benchmark_add(self):
            with tf.Graph().as_default(), tf.compat.v1.Session() as session:
                return self.run_op_benchmark(session, tf.constant(1.0) + 2.0, min_iters=3)

    found = Steps().benchmark_add()
    assert found["iters"] == 3 and found["wall_time"] > 0
    assert Steps().evaluate({"a": tf.constant(2.0)}) == {"a": 2.0}


def test_sequences_of_several_lengths_compare():
    tf.test.TestCase().assertAllEqual((tf.TensorShape([2]), tf.TensorShape([2, 3])), ([2], [2, 3]))


def test_ragged_tensors_compare_by_their_rows():
    rows = tf.ragged.constant([[["a"], []], [["b", "c"]]])
    case = tf.test.TestCase()
    case.assertAllEqual(rows, [[[b"a"], []], [[b"b", b"c"]]])
    with pytest.raises(AssertionError):
        case.assertAllEqual(rows, tf.ragged.constant([[["a"]], [["b", "c"]]]))


def test_a_callable_is_evaluated():
    assert tf.test.TestCase().evaluate(lambda: tf.constant(2.0)) == 2.0


def test_combinations_of_tests_that_have_their_parameters_already():
    from absl.testing import parameterized

    combinations = tf.__internal__.test.combinations
    found = []

    @combinations.generate(combinations.combine(mode=["eager"]))
    class Case(tf.test.TestCase, parameterized.TestCase):
        @parameterized.parameters(0.5, 0.25)
        def testRate(self, rate):
            found.append((rate, tf.executing_eagerly()))

    for name in sorted(one for one in dir(Case) if one.startswith("testRate")):
        getattr(Case(name), name)()
    assert found == [(0.5, True), (0.25, True)]


def test_a_predicate_disables_a_test():
    ran = []

    class Case(tf.test.TestCase):
        @tf.test.disable_with_predicate(tf.test.is_built_with_rocm, "no ROCm")
        def test_here(self):
            ran.append("here")

        @tf.test.disable_with_predicate(lambda: True, "never")
        def test_never(self):
            ran.append("never")

    for name in ("test_here", "test_never"):
        Case(name).run()
    assert ran == ["here"]


def test_attributes_stand_in_while_a_test_runs():
    import os

    class Held:
        @staticmethod
        def size():
            return 1

        def own(self):
            return self

    before, stubs = os.path.exists, tf.compat.v1.test.StubOutForTesting()
    stubs.Set(os.path, "exists", lambda path: True)
    stubs.SmartSet(Held(), "size", staticmethod(lambda: 2))
    assert os.path.exists("/no/such/file") and Held().size() == Held.size() == 2
    stubs.CleanUp()
    assert os.path.exists is before and Held().size() == Held.size() == 1
    held = Held()
    stubs.Set(held, "own", lambda: 3)
    assert held.own() == 3
    stubs.UnsetAll()
    assert held.own() is held
    with pytest.raises(AttributeError):
        stubs.SmartSet(Held(), "absent", 1)
    with tf.compat.v1.test.mock.patch.object(os.path, "exists", return_value=3):
        assert os.path.exists("/") == 3


def test_messages_compare_with_their_text():
    message = tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))
    case = tf.test.TestCase()
    case.assertProtoEquals("int64_list { value: 1 value: 2 }", message)
    with pytest.raises(AssertionError):
        case.assertProtoEquals(tf.train.Feature(), message)


def test_ragged_tensors_are_close():
    case, rows = tf.test.TestCase(), tf.ragged.constant([[1.0, 2.0], [3.0]])
    case.assertAllClose(rows, [[1.0, 2.0000001], [3.0]])
    case.assertAllClose(rows, rows)
    for other in ([[1.0, 2.0], [3.1]], [[1.0], [2.0, 3.0]]):
        with pytest.raises(AssertionError):
            case.assertAllClose(rows, other)


class _InGraph(tf.test.TestCase):
    def test_variables_keep_their_values(self):
        with tf.Graph().as_default():
            v = tf.Variable(1.0)
            self.evaluate(tf.compat.v1.global_variables_initializer())
            self.evaluate(v.assign_add(1.0))
            self.assertEqual(self.evaluate(v), 2.0)
            with self.cached_session() as session:
                self.assertEqual(session.run(v), 2.0)
            with self.session() as other, self.assertRaises(tf.errors.FailedPreconditionError):
                other.run(v)

    def test_strings_are_compared_as_bytes(self):
        self.assertAllEqual([["a", "b"]], tf.constant([["a", "b"]]))
        with self.assertRaises(AssertionError):
            self.assertAllEqual(["a"], tf.constant(["b"]))


@pytest.mark.parametrize("name", ["test_variables_keep_their_values",
                                  "test_strings_are_compared_as_bytes"])
def test_a_test_case(name):
    found = _InGraph(name).run()
    assert found.wasSuccessful(), found.failures + found.errors


def test_a_test_for_each_strategy():
    pytest.importorskip("absl")
    from absl.testing import parameterized
    named = tf.__internal__.distribute.combinations
    seen = []

    @named.generate(tf.__internal__.test.combinations.combine(mode=["eager"], strategy=[
        named.default_strategy, named.mirrored_strategy_with_two_cpus,
        named.one_device_strategy_gpu, named.multi_worker_mirrored_2x1_cpu]))
    class Each(parameterized.TestCase):
        def test(self, strategy):
            seen.append(strategy.num_replicas_in_sync)

    results = {name: Each(name).run() for name in dir(Each) if name.startswith("test_")}
    assert sorted(seen) == [1, 2] and len(results) == 4
    assert sum(len(one.skipped) for one in results.values()) == 1
    wrong = [text for one in results.values() for _, text in one.errors]
    assert len(wrong) == 1 and "several processes" in wrong[0]
    assert named.in_main_process() and named.env().tf_data_service_dispatcher is None


def test_writes_to_a_stream_are_captured(capfd):
    class Case(tf.test.TestCase):
        def runTest(self):
            with self.captureWritesToStream(sys.__stdout__) as captured:
                print("by Python", file=sys.__stdout__, flush=True)
                os.system("echo by another")
                assert "by Python" in captured.contents()
            self.text = captured.contents()

    case = Case()
    case.runTest()
    assert case.text == "by Python\nby another\n" and capfd.readouterr().out == ""


def test_dtypes_are_equal_to_their_names():
    case = tf.test.TestCase()
    case.assertAllEqual(tf.float32, "float32")
    case.assertAllEqual("int8", tf.int8)
    with pytest.raises(AssertionError):
        case.assertAllEqual(tf.float32, "float64")


def test_variables_of_a_graph_in_lists_are_evaluated():
    class Case(tf.test.TestCase):
        def runTest(self):
            with tf.Graph().as_default(), self.session() as session:
                v = tf.Variable([1.0, 2.0])
                session.run(v.initializer)
                self.assertAllClose([v, v], [[1.0, 2.0], [1.0, 2.0]])
                with self.assertRaises(AssertionError):
                    self.assertAllClose([v], [[1.0, 3.0]])

    Case().debug()


def test_dicts_of_tensors_are_compared():
    class Case(tf.test.TestCase):
        def runTest(self):
            """Nothing."""

    case, one = Case(), {"a": tf.constant([1.0, 2.0]), "b": tf.constant([1, 2])}
    case.assertEqual(one, {"a": np.float32([1.0, 2.0]), "b": [1, 2]})
    with pytest.raises(AssertionError):
        case.assertEqual(one, {"a": tf.constant([1.0, 2.0]), "b": tf.constant([1, 3])})
    with pytest.raises(AssertionError):
        case.assertEqual(one, {"a": tf.constant([1.0, 2.0])})


def test_assertions_of_absl():
    pytest.importorskip("absl")

    class Case(tf.test.TestCase):
        def runTest(self):
            self.assertBetween(1, 0, 2)
            self.assertItemsEqual([1, 2], [2, 1])
            self.assertContainsSubset([1], [1, 2])
            self.assertSequenceAlmostEqual([1.0], [1.0])
            with self.assertRaisesWithLiteralMatch(ValueError, "it"):
                raise ValueError("it")
            with pytest.raises(AssertionError):
                self.assertNoCommonElements([1], [1])

    result = Case().run()
    assert result.wasSuccessful(), result.failures + result.errors
