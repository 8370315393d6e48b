"""AutoGraph: Python's meaning is kept, tensors decide where they must, errors show users' lines.

What TensorFlow also does is in the conformance programs; here is what it refuses and tapeflow does,
and what cannot be seen from inside a program.
"""

import linecache
import traceback

import pytest

import tapeflow as tf
from tapeflow.graph.autograph import conversion, error_report, source


def numbers(function, *values):
    """What a tf.function of an integer scalar gives for each value."""
    made = tf.function(function)
    return [int(made(tf.constant(value))) for value in values]


def both(function, *values):
    """The same function as plain Python and as a graph."""
    assert numbers(function, *values) == [function(value) for value in values]


# -- beyond TensorFlow -----------------------------------------------------------------------------
def test_return_inside_a_while_loop():
    def first_square_above(n):
        i = 0
        while i < 100:
            if i * i > n:
                return i
            i += 1
        return -1

    both(first_square_above, 0, 20, 10**6)


def test_return_inside_a_for_loop_over_a_tensor():
    @tf.function
    def first_above(xs, limit):
        for x in xs:
            if x > limit:
                return x
        return tf.constant(-1)

    xs = tf.constant([1, 5, 3, 9])
    assert [int(first_above(xs, tf.constant(n))) for n in (0, 4, 8, 9)] == [1, 5, 9, -1]


def test_return_inside_nested_loops():
    def find(n):
        for i in range(10):
            for j in range(10):
                if i * j == n:
                    return i * 100 + j
        return -1

    @tf.function
    def traced(n):
        for i in tf.range(10):
            for j in tf.range(10):
                if i * j == n:
                    return i * 100 + j
        return -1

    for n in (0, 6, 49, 97):
        assert int(traced(tf.constant(n))) == find(n)


def test_return_of_a_loop_without_return_behind_it_is_refused():
    @tf.function  # noqa: RET503
    def f(xs):
        for x in xs:
            if x > 0:
                return x

    with pytest.raises(ValueError, match="return statement"):
        f(tf.constant([1, 2]))


def test_while_true_with_a_tensor_break():
    def double_beyond(n):
        x = n
        while True:
            x = x * 2
            if x > 100:
                break
        return x

    both(double_beyond, 3, 60, 200)


def test_python_loop_with_a_tensor_break_and_continue():
    def f(n):
        total = n
        for i in range(6):
            if total > 20:
                break
            if total % 2 == 0:
                total = total + 1
                continue
            total = total + i * 2
        return total

    both(f, 0, 1, 10, 19, 30)


def test_return_in_a_python_loop_that_a_tensor_decides():
    def f(n):
        for i in range(5):
            if n < i * 3:
                return i
        return 100

    both(f, -1, 0, 5, 50)


def test_nested_ternary():
    both(lambda x: 1 if x > 0 else (0 if x == 0 else -1), -5, 0, 5)


def test_assert_on_a_tensor_is_checked_in_each_run():
    @tf.function
    def f(x):
        assert x > 0, "must be positive"
        return x * 2

    assert int(f(tf.constant(2))) == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        f(tf.constant(-2))
    assert int(f(tf.constant(3))) == 6


def test_walrus():
    def f(x):
        if (y := x * 2) > 5:
            return y
        return x

    both(f, 1, 5)


def test_return_without_value_in_a_branch():
    v = tf.Variable(0)

    @tf.function
    def f(x):
        if x > 0:
            v.assign_add(1)
            return
        v.assign_add(100)

    assert f(tf.constant(1)) is None
    assert f(tf.constant(-1)) is None
    assert int(v) == 101


def test_and_does_not_run_what_it_does_not_need():
    @tf.function
    def leading_ones(xs):
        i = 0
        while i < tf.shape(xs)[0] and xs[i] == 1:
            i += 1
        return i

    assert int(leading_ones(tf.constant([1, 1, 0, 1]))) == 2
    assert int(leading_ones(tf.constant([1, 1]))) == 2  # xs[2] is never looked at


def test_chain_stops_at_the_first_that_fails():
    calls = []

    def noted(x):
        calls.append(x)
        return x

    @tf.function
    def f():
        return noted(1) < noted(0) < noted(5)

    assert not bool(f())
    assert calls == [1, 0]


def test_private_names_of_classes():
    class Secret:
        def __init__(self):
            self.__factor = 3

        @tf.function
        def times(self, x):
            if x > 0:
                return x * self.__factor
            return x

    assert int(Secret().times(tf.constant(2))) == 6


def test_super_without_arguments():
    class Base:
        def f(self, x):
            return x + 1

    class Derived(Base):
        @tf.function
        def f(self, x):
            if x > 0:
                y = super().f(x)
            else:
                y = x
            return y

    assert [int(Derived().f(tf.constant(n))) for n in (2, -2)] == [3, -2]


def test_several_lambdas_in_one_line():
    f, g = tf.function(lambda x: 1 if x > 0 else 2), tf.function(lambda x: 3 if x > 0 else 4)
    assert [int(h(tf.constant(n))) for h in (f, g) for n in (1, -1)] == [1, 2, 3, 4]


def test_functions_that_are_handed_over_are_converted():
    def sign(v):
        if v > 0:
            return tf.constant(1.0)
        return tf.constant(-1.0)

    @tf.function
    def f(xs):
        def half(v):
            if v > 1:
                return v / 2
            return v
        return tf.map_fn(sign, xs), tf.map_fn(half, xs)

    signs, halves = f(tf.constant([-1.0, 4.0]))
    assert signs.numpy().tolist() == [-1, 1]
    assert halves.numpy().tolist() == [-1, 2]


def test_a_name_that_only_the_loop_gives_a_value():
    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * i
        return last

    assert int(f(tf.constant(4))) == 9
    with pytest.raises(tf.errors.InvalidArgumentError, match="'last'"):
        f(tf.constant(0))


def test_what_a_loop_uses_for_itself_costs_nothing_outside():
    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            square = i * i
            total += square
        return total

    assert int(f(tf.constant(0))) == 0
    concrete = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    (loop,) = [node for node in concrete.function.graph.nodes if node.op.name == "while"]
    assert loop.attrs["n_carry"] == 2  # the index and the total


def test_augmented_assignment_keeps_lists_the_same_object():
    @tf.function
    def f(x):
        parts = [x]
        alias = parts
        for i in range(2):
            parts += [x * i]
            if x > 0:
                x = x + 1
        return tf.stack(alias)

    assert f(tf.constant(1)).numpy().tolist() == [1, 0, 2]


def test_state_in_attributes_and_items():
    class Box:
        value = None

    @tf.function
    def f(n):
        box, items = Box(), {"k": tf.constant(1), 2: [tf.constant(0)]}
        box.value = tf.constant(0)
        for i in tf.range(n):
            box.value = box.value + i
            if i % 2 == 0:
                items["k"] = items["k"] * 2
            items[2][0] = i
        return box.value, items["k"], items[2][0]

    assert [int(x) for x in f(tf.constant(5))] == [10, 8, 4]


def test_decisions_by_python_values_are_pythons_own():
    taken = []

    @tf.function
    def f(x, mode):
        if mode == "a":
            taken.append("a")
            return x
        if mode in ("b", "c"):
            taken.append("bc")
            return x + 1
        while taken:
            taken.pop()
        return x + 2

    assert [int(f(tf.constant(1), mode)) for mode in "abd"] == [1, 2, 3]
    assert taken == []


# -- errors ----------------------------------------------------------------------------------------
def test_tracebacks_show_the_users_line():
    def inner(x):
        y = x
        if x > 0:
            y = undefined_thing  # noqa: F821
        return y

    @tf.function
    def outer(x):
        return inner(x)

    with pytest.raises(NameError) as caught:
        outer(tf.constant(1))
    text = "".join(traceback.format_exception(caught.value))
    assert "y = undefined_thing" in text
    assert "return inner(x)" in text
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.filename == __file__ and frame.line.startswith("y = undefined_thing")


def test_messages_begin_with_the_users_lines():
    @tf.function
    def f(x):
        return tf.reshape(x, [7])

    with pytest.raises(ValueError) as caught:
        f(tf.constant([1, 2]))
    lines = str(caught.value).splitlines()
    assert lines[0] == "in user code:"
    assert __file__ in lines[2] and lines[2].endswith("in f  *")
    assert lines[3].strip() == "return tf.reshape(x, [7])"


@pytest.mark.parametrize("error", [KeyError("k"), IndexError("i"), ZeroDivisionError("z"),
                                   UnicodeDecodeError("utf-8", b"", 0, 1, "bad")])
def test_errors_are_caught_by_their_type(error):
    @tf.function
    def f(x):
        raise error

    with pytest.raises(type(error)) as caught:
        f(tf.constant(1))
    assert "in user code" in str(caught.value)


def test_an_error_is_reported_once():
    @tf.function
    def inner(x):
        raise RuntimeError("inside")

    @tf.function
    def outer(x):
        return inner(x)

    with pytest.raises(RuntimeError) as caught:
        outer(tf.constant(1))
    assert str(caught.value).count("in user code") == 1
    assert not error_report.active()


def run(text, name=None):
    """Execute text; with a name, as a REPL does: the text can be found under it."""
    space = {"tf": tf, "__name__": "__main__"}
    if name is not None:
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name or "<string>", "exec"), space)
    return space


BRANCH = """
@tf.function
def f(x):
    if x > 0:
        return x
    return -x
"""


def test_text_that_a_repl_keeps_is_converted():
    f = run(BRANCH, "<python-input-7>")["f"]
    assert int(f(tf.constant(-3))) == 3


def test_without_source_it_says_so(caplog):
    f = run(BRANCH)["f"]
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        f(tf.constant(-3))
    assert "source code of f" in caplog.text
    assert "do_not_convert" in caplog.text


def test_without_source_what_needs_no_conversion_runs(caplog):
    f = run("@tf.function\ndef f(x):\n    return x * 2\n")["f"]
    assert int(f(tf.constant(3))) == 6


def test_do_not_convert_is_quiet(caplog):
    text = "@tf.function\n@tf.autograph.experimental.do_not_convert\ndef f(x):\n    return x\n"
    assert int(run(text)["f"](tf.constant(1))) == 1
    assert not caplog.text


# -- finding and converting ------------------------------------------------------------------------
def test_library_functions_are_left_alone():
    import json
    assert conversion.convert(json.dumps) is json.dumps
    assert conversion.convert(tf.reduce_sum) is tf.reduce_sum
    assert conversion.convert(len) is len


def test_generators_and_coroutines_are_left_alone():
    def gen():
        yield 1

    async def co():
        return 1

    assert conversion.convert(gen) is gen
    assert conversion.convert(co) is co


def test_a_twin_keeps_defaults_closure_and_name():
    k = 5

    def f(x, a=2, *, b=3):
        """Doc."""
        if x:
            return x * a + b + k
        return None

    twin = conversion.convert(f)
    assert twin is not f and twin is conversion.convert(f)
    assert twin(1) == 10 and twin(1, 1, b=1) == 7 and twin(0) is None
    assert (twin.__name__, twin.__doc__, twin.__defaults__) == ("f", "Doc.", (2,))
    assert twin.__code__.co_filename == __file__
    assert twin.__code__.co_firstlineno == f.__code__.co_firstlineno
    k = 100
    assert twin(1) == 105


def test_a_twin_sees_changes_of_globals_and_calls_itself():
    space = run("""
count = 1
def f(n):
    if n == 0:
        return count
    return f(n - 1) + count
""", "<recursive>")
    twin = conversion.convert(space["f"])
    assert twin(2) == 3
    space["count"] = 10
    assert twin(2) == 30


def test_trees_are_found_by_place_not_by_name():
    def make(flag):
        if flag:
            def g(x):
                return x + 1
        else:
            def g(x):
                return x - 1
        return g

    lines = [source.tree_of(make(flag)).body[0].value.op.__class__.__name__ for flag in (1, 0)]
    assert lines == ["Add", "Sub"]


def test_to_code_is_python():
    def f(x):
        while x > 0:
            x = x - 1
        return x

    text = tf.autograph.to_code(f)
    compile(text, "<converted>", "exec")
    assert "while_stmt" in text and "while x" not in text


def test_python_semantics_of_converted_code():
    def f(items):
        log, found = [], None
        for i, x in enumerate(items):
            if x is None:
                continue
            try:
                if x < 0:
                    raise ValueError("negative")
                log.append(i)
            except ValueError as error:
                log.append(str(error))
            else:
                log.append("fine")
            finally:
                log.append("end")
            if x > 10 and not found:
                found = x
                break
        else:
            log.append("whole")
        with_default = found or "none"
        return log, with_default, [y for y in items if y] + [0 < (found or 0) < 20]

    twin = conversion.convert(f)
    for items in ([1, None, -1], [5, 11, 3], [], [0, 0]):
        assert twin(items) == f(items)


def test_errors_of_a_run_tell_where_the_node_comes_from():
    @tf.function
    def f(x, i):
        y = x * 2
        for k in tf.range(3):
            if k > 1:
                y = y + tf.gather(x, i)
        return y

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant([1, 2]), tf.constant(7))
    notes = "\n".join(caught.value.__notes__)
    assert [line for line in ("y = y + tf.gather(x, i)", "if k > 1:", "for k in tf.range(3):")
            if line not in notes] == []
    assert notes.count("in f") == 3 and __file__ in notes


def test_lambdas_inside_lambdas_are_told_apart():
    outer = lambda: tf.function(lambda x: x if x > 2 else -x)
    assert int(outer()(tf.constant(1))) == -1
    deeper = lambda x: tf.function(lambda x: x if x > 2 else -x)
    assert int(deeper(None)(tf.constant(1))) == -1


@pytest.mark.parametrize("module", [
    "tensorflow_probability.python.math", "tf_keras.src", "pandas.core", "matplotlib.pyplot",
    "PIL.Image", "absl.logging", "tensorflow_datasets.core.features", "mock.mock"])
def test_libraries_that_are_called_as_they_are(module):
    def decides(x):
        try:
            if x > 0.0:
                return 1.0
        except tf.errors.OperatorNotAllowedInGraphError:
            return 2.0
        return 3.0

    decides.__module__ = module
    assert tf.function(lambda x: decides(x))(tf.constant(1.0)).numpy() == 2.0


def test_what_cannot_be_converted_runs_as_it_is(monkeypatch, caplog):
    from tapeflow.graph.autograph import conversion

    def fails(tree, name):
        raise NotImplementedError("a statement of the future")

    def double(x):
        return x * 2.0

    monkeypatch.setattr(conversion, "transform", fails)
    assert tf.function(double)(tf.constant(2.0)).numpy() == 4.0
    assert "will run it as-is. Cause: NotImplementedError: a statement" in caplog.text
