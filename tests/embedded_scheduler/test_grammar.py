"""Expressions are read by the grammar of cel-go, with its limits; what is expected was asked of Kubernetes."""

from collections.abc import Callable

import pytest

from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.cel import CelError, DeviceView

VIEW = DeviceView.of("d", {"attributes": {"model": {"string": "A100"}}})


def nested(opened: str, closed: str = "", inner: str = "true") -> Callable[[int], str]:
    return lambda count: opened * count + inner + closed * count


@pytest.mark.parametrize(
    "expression",
    [
        r"r'a\' == 'a\\' && R'\d' == '\\d' && br'\' == b'\\'",
        r"""'\x41\101\u0041\U00000041' == 'AAAA' && '\`\?\"\'' == '`?"' + "'" """,
        r"b'\x41\101\377' == b'AA\xff' && b'ä' == b'\303\244' && '\377' == 'ÿ'",
        '"""a"b\n""" == "a\\"b\\n" && \'\'\'\r\'\'\' == "\\n"',
        "0x1F == 31 && 0x1Fu == 31u && 1e3 == 1000.0 && .5 == 0.5 && 5e-324 > 0.0",
        "-9223372036854775808 < 0 && --1 == 1 && - 1 == -1 && !!true && 1 -1 == 0",
        "1 + 2 * 3 - 4 == 3 && 7 - 2 - 1 == 4 && 8 / 2 / 2 == 2",
        "1 < 2 == true && (false ? false : true ? true : false)",
        "[1,] == [1] && [,] == [] && {'a': 1,} == {'a': 1} && {,} == {}",
        "device.attributes.`d`.model == 'A100' && has(device.attributes.`d`.model)",
        "device.attributes[?'d'].?model.orValue('') == 'A100' && .device.driver == 'd'",
        "has(has(device.attributes.d))",
        "[1, 2].map(x, x > 1, x * 2) == [4] && [1, 2].filter(x, x > 1) == [2]",
        "[1, 2].exists_one(x, x == 1) && [1, 2].existsOne(i, x, i == 1)",
        "optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().optFlatMap(x, optional.of(x)).hasValue()",
        "cel.bind(x, 1, cel.bind(y, x + 1, y == 2))",
        "true // the rest is a comment",
    ],
)
def test_what_the_grammar_has(expression: str) -> None:
    cel.check(expression)
    assert cel.compile(expression).matches(VIEW)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("9223372036854775808 == 1", "1:1: invalid int literal"),
        ("0xFFFFFFFFFFFFFFFFFu == 1u", "1:1: invalid uint literal"),
        ("-1e400 == 1.0", "1:1: invalid double literal"),
        (r"'\ud800' == 'a'", "1:1: invalid unicode code point"),
        (r"b'\u0041' == b'A'", "1:1: unable to unescape string"),
        ("for.a == 1", "1:1: reserved identifier: for"),
        ("let(1e999)", "1:1: reserved identifier: let"),
        ("has(device)", "1:5: invalid argument to has() macro"),
        ("[1].all(a.b, true)", "1:10: argument must be a simple name"),
        ("[1].map(a.b, true) == []", "1:10: argument is not an identifier"),
        ("[1].all(__result__, true)", "1:9: iteration variable overwrites accumulator variable"),
        ("[1].all(x, x, true)", "1:12: duplicate variable name: x"),
        ("[1].existsOne(x, true)", "1:14: undeclared reference to 'existsOne' (in container '')"),
        ("[1,,] == []", "1:4: Syntax error: extraneous input ','"),
        ("true)", "1:5: Syntax error: extraneous input ')' expecting <EOF>"),
        ("device.in == 1", "1:8: Syntax error: no viable alternative at input '.in'"),
        ("'a", "1:1: Syntax error: token recognition error at: ''a'"),
    ],
)
def test_what_it_has_not(expression: str, text: str) -> None:
    with pytest.raises(CelError) as error:
        cel.check(expression)
    assert str(error.value).startswith(f"compilation failed: ERROR: <input>:{text}")


@pytest.mark.parametrize(
    ("make", "deepest"),
    [
        (nested("(", ")"), 249),
        (nested("!(", ")"), 249),
        (nested("true == (", ")"), 124),
        (nested("(", " ? true : true)"), 248),
        (nested("true ? true : "), 249),
        (nested("[1].all(x, ", ")"), 249),
        (nested("true == "), 250),
        (nested("1 + ", inner="1 == 1"), 249),
    ],
)
def test_how_deep_it_goes(make: Callable[[int], str], deepest: int) -> None:
    cel.check(make(deepest))
    with pytest.raises(CelError, match=r"recursion limit exceeded: 250|max recursion depth exceeded"):
        cel.check(make(deepest + 1))


def test_any_number_of_terms_is_no_depth() -> None:
    cel.check(nested("true && ")(1200))


def test_what_is_deep_is_evaluated_from_deep_within_other_code() -> None:
    selector = cel.compile(nested("[1].all(x, ", ")")(200))

    def call(depth: int) -> bool:
        return call(depth - 1) if depth else selector.matches(VIEW)

    assert call(400)
