"""AutoGraph's tools on syntax trees, as a library uses them that transforms functions."""

import ast

import pytest

from tapeflow import alias

gast = pytest.importorskip("gast")


@pytest.fixture(autouse=True)
def served():
    alias.install()
    yield
    alias.uninstall()


def context():
    from tensorflow.python.autograph.core import converter
    from tensorflow.python.autograph.pyct import naming, transformer

    return transformer.Context(
        info=transformer.EntityInfo("f", "", None, (), {}), namer=naming.Namer({}),
        user_context=converter.ProgramContext(converter.ConversionOptions(recursive=True), None))


def text_of(node):
    from tensorflow.python.autograph.pyct import parser

    return parser.unparse(node, include_encoding_marker=False)


def run(node, *args):
    from tensorflow.python.autograph.pyct import loader

    module, _, _ = loader.load_ast(node)
    return getattr(module, node.name)(*args)


def returning(x):
    if x > 3:
        return x * 2
    for i in range(5):
        if i == x:
            return "found"
    return -x


def looping(n):
    total = 0
    for i in range(n):
        if i == 2:
            continue
        if i == 5:
            break
        total += i
    else:
        total += 100
    while total < 1000:
        total *= 2
        if total > 60:
            break
    return total


def test_functions_that_return_once():
    from tensorflow.python.autograph.converters import return_statements
    from tensorflow.python.autograph.pyct import parser

    node, source = parser.parse_entity(returning, future_features=())
    assert source.startswith("def returning(x):")
    made = return_statements.transform(node, context(), default_to_null_return=False)
    jumps = [one for one in gast.walk(made) if isinstance(one, gast.Return)]
    assert jumps == [made.body[-1]]
    for x in (5, 2, 3, -1):
        assert run(made, x) == returning(x)


def test_loops_without_jumps():
    from tensorflow.python.autograph.converters import break_statements, continue_statements
    from tensorflow.python.autograph.pyct import parser

    node, _ = parser.parse_entity(looping, future_features=())
    made = continue_statements.transform(break_statements.transform(node, context()), context())
    assert not [one for one in gast.walk(made) if isinstance(one, (gast.Break, gast.Continue))]
    for n in (0, 2, 4, 9):
        assert run(made, n) == looping(n)


def test_templates():
    from tensorflow.python.autograph.pyct import parser, qual_names, templates

    made = templates.replace(
        "def f(args):\n  target = ctx.name(lambda args: value, key=target)\n  body\n"
        "  return target",
        f="g", target=parser.parse_expression("(a, b.c)"), name="call", args=["x", "y"],
        value=parser.parse_expression("x + y"), key="word", ctx=qual_names.from_str("one.two"),
        body=[parser.parse("p = 1"), parser.parse("q = 2")])
    assert text_of(made) == (
        "def g(x, y):\n    a, b.c = one.two.call(lambda x, y: x + y, word=(a, b.c))\n    p = 1\n"
        "    q = 2\n    return (a, b.c)")
    ast.parse(text_of(made))
    assert text_of(templates.replace_as_expression("not v", v="w")) == "not w"
    with pytest.raises(ValueError, match="single expression expected"):
        templates.replace_as_expression("v = 1")
    with pytest.raises(ValueError, match="only a name can"):
        templates.replace("a.b", b=parser.parse_expression("1 + 2"))


def test_qualified_names():
    from tensorflow.python.autograph.pyct import anno, parser, qual_names

    node = qual_names.resolve(parser.parse_expression("a.b[c].d"))
    name = anno.getanno(node, anno.Basic.QN)
    assert str(name) == "a.b[c].d" and name.is_composite() and name.has_attr()
    assert {str(one) for one in name.support_set} == {"a", "c"}
    assert name == qual_names.from_str("a.b[c].d") != qual_names.from_str("a.b[0].d")
    assert text_of(name.ast()) == "a.b[c].d"
    assert not anno.hasanno(parser.parse_expression("f().x"), anno.Basic.QN)
    with pytest.raises(KeyError):
        anno.getanno(node, anno.Static.SCOPE)


def test_names_that_a_statement_uses():
    from tensorflow.python.autograph.pyct import anno, parser, qual_names
    from tensorflow.python.autograph.pyct.static_analysis import activity

    def scope(text):
        node = activity.resolve(qual_names.resolve(parser.parse(text)), context())
        return anno.getanno(node, anno.Static.SCOPE)

    found = scope("a, b.c = f(x.y, lambda u, v=w: u + z, [k * m for k in r])")
    assert {str(one) for one in found.read} == {"f", "x", "x.y", "w", "z", "m", "r", "b"}
    assert {str(one) for one in found.modified} == {"a", "b.c"}
    assert {str(one) for one in scope("t += s").read} == {"t", "s"}


def test_normal_form():
    from tensorflow.python.autograph.pyct import parser
    from tensorflow.python.autograph.pyct.common_transformers import anf

    def form(text, config=None):
        return text_of(anf.transform(parser.parse(text), context(), config))

    assert form("def f(x):\n  return g(x + 1, h(x) * 2)") == (
        "def f(x):\n    tmp_1001 = h(x)\n    tmp_1002 = x + 1\n    tmp_1003 = tmp_1001 * 2\n"
        "    tmp_1004 = g(tmp_1002, tmp_1003)\n    return tmp_1004")
    calls = [(anf.ASTEdgePattern(gast.If, "test", anf.ANY), anf.REPLACE),
             (anf.ASTEdgePattern(anf.ANY, anf.ANY, gast.Call), anf.REPLACE)]
    assert form("if a > g(b):\n  c = 1 + h(b)\nelse:\n  c = b", calls) == (
        "tmp_1001 = g(b)\ntmp_1002 = a > tmp_1001\nif tmp_1002:\n    tmp_1003 = h(b)\n"
        "    c = 1 + tmp_1003\nelse:\n    c = b")
    with pytest.raises(ValueError, match="short-circuiting"):
        form("x = a and g(b)", calls)
    with pytest.raises(ValueError, match="ListComp nodes not supported"):
        form("x = [a for a in b]", calls)
    assert form("x = a and b", calls) == "x = a and b"


def test_names_that_nothing_has():
    from tensorflow.python.autograph.pyct import naming

    namer = naming.Namer({"taken": 1})
    assert [namer.new_symbol("taken", ()), namer.new_symbol("a", ["a"]),
            namer.new_symbol("b", ())] == ["taken_1", "a_1", "b"]
