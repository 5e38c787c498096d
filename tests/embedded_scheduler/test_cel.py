import pytest

from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.cel import CelError, DeviceView

VIEW = DeviceView.of(
    "d",
    {
        "attributes": {
            "index": {"int": 1},
            "model": {"string": "A100"},
            "healthy": {"bool": True},
            "version": {"version": "1.2.3"},
            "other.example.com/x": {"int": 5},
            "lanes": {"ints": [1, 2]},
        },
        "capacity": {"memory": {"value": "40Gi"}},
    },
)
NO_BOOL = "CEL runtime error: CEL result of type"
HINT = (
    "consider using CEL optional chaining (.? followed by orValue()) "
    "or guarding the check with has() for optional fields"
)


@pytest.mark.parametrize(
    "expression",
    [
        "device.driver == 'd'",
        "!device.allowMultipleAllocations",
        "device.attributes['d'].index == 1",
        "device.attributes.d.index == 1",
        "device.attributes['d'].healthy",
        "device.attributes['other.example.com'].x == 5",
        "device.attributes['d'].lanes.exists(lane, lane == 2)",
        "has(device.attributes['d'].model) && !has(device.attributes['d'].absent)",
        "'d' in device.attributes && !('absent' in device.attributes)",
        # An unknown domain is an empty map.
        "device.attributes['absent'].?x.orValue(1) == 1",
        "!has(device.attributes['absent'].x)",
        "device.attributes[device.driver + '.absent'].?x.orValue(1) == 1",
        "!has(device.capacity['absent'].x)",
        "cel.bind(dra, device.attributes['d'], dra.index == 1 && dra.model == 'A100')",
        "device.attributes['d'].model.lowerAscii() == 'a100'",
        "device.attributes['d'].?model.orValue('') == 'A100'",
    ],
)
def test_a_device_is_selected(expression: str) -> None:
    assert cel.compile(expression).matches(VIEW)


@pytest.mark.parametrize(
    "expression",
    [
        "device.capacity['d'].memory.compareTo(quantity('40Gi')) == 0",
        "device.capacity['d'].memory.isGreaterThan(quantity('39Gi'))",
        "device.capacity['d'].memory.isLessThan(quantity('1Ti'))",
        "device.capacity['d'].memory == quantity('40960Mi')",
        "device.capacity['d'].memory.add(quantity('1Gi')) == quantity('41Gi')",
        "device.capacity['d'].memory.sub(1).isLessThan(quantity('40Gi'))",
        "quantity('1').add(2) == quantity('3') && quantity('3').sub(quantity('1')) == quantity('2')",
        "quantity('1k').asInteger() == 1000 && quantity('1k').isInteger() && !quantity('1500m').isInteger()",
        "quantity('1500m').asApproximateFloat() == 1.5",
        "sign(quantity('-3')) == -1 && sign(quantity('0')) == 0",
        "isQuantity('1e3') && isQuantity('Gi') && !isQuantity('1 Gi') && !isQuantity('1e') && !isQuantity('')",
    ],
)
def test_quantities(expression: str) -> None:
    assert cel.compile(expression).matches(VIEW)


@pytest.mark.parametrize(
    "expression",
    [
        "device.attributes['d'].version.isGreaterThan(semver('1.2.0'))",
        "device.attributes['d'].version.isLessThan(semver('1.10.0'))",
        "device.attributes['d'].version.compareTo(semver('1.2.3+build')) == 0",
        "device.attributes['d'].version == semver('1.2.3')",
        "semver('1.0.0-rc.1').isLessThan(semver('1.0.0')) && semver('1.0.0-rc.2').isLessThan(semver('1.0.0-rc.10'))",
        "device.attributes['d'].version.major() == 1 && semver('0.2.3').minor() == 2 && semver('0.2.3').patch() == 3",
        "semver('v01.2', true) == semver('1.2.0')",
        "isSemver('1.0.0') && !isSemver('v1.0') && isSemver('v1.0', true) && !isSemver('1.0-rc', true)",
    ],
)
def test_versions(expression: str) -> None:
    assert cel.compile(expression).matches(VIEW)


@pytest.mark.parametrize(
    "expression",
    [
        "sets.contains([1, 2], [2]) && !sets.contains([1], [2])",
        "sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 3])",
        "[1, 2, 3].sum() == 6 && [3, 1].min() == 1 && [3, 1].max() == 3 && [1, 2].isSorted()",
        "[3, 1].sort() == [1, 3] && [1, 2].reverse() == [2, 1] && [1, 1].distinct() == [1]",
        "[[1], [2]].flatten() == [1, 2] && [1, 2, 3].slice(1, 2) == [2] && lists.range(2) == [0, 1]",
        "['b', 'a'].max() == 'b' && [2.5, 1.5].sum() == 4.0 && [true, false].min() == false",
        "[1, 2].includes(2) && device.attributes['d'].index.includes(1) && !'abc'.includes('a')",
        "'a1b22'.find('[0-9]+') == '1' && 'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'ab'.findAll('.', 1) == ['a']",
        "'%s-%d'.format(['a', 1]) == 'a-1' && 'a,b'.split(',') == ['a', 'b']",
    ],
)
def test_sets_lists_and_texts(expression: str) -> None:
    assert cel.compile(expression).matches(VIEW)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("device.attributes['d'].absent == 1", f"CEL runtime error: no such key: absent. {HINT}"),
        ("device.attributes['absent'].x == 1", f"CEL runtime error: no such key: x. {HINT}"),
        ("device.capacity['d'].absent == quantity('1')", f"CEL runtime error: no such key: absent. {HINT}"),
        ("device.attributes['d'].index.major() == 1", "CEL runtime error: no such overload: major(int)"),
        ("device.attributes['d'].model + 1 == 1", "CEL runtime error: no such overload"),
        ("semver('v1').major() == 1", "CEL runtime error: No Major.Minor.Patch elements found"),
        ("sign(quantity('1e')) == 1", "CEL runtime error: unable to parse quantity's suffix"),
        ("device.attributes['d'].index / 0 == 1", "CEL runtime error: division by zero"),
        ("quantity('1.5').asInteger() == 1", "CEL runtime error: cannot convert value to integer"),
        ("[].max() == 1", "CEL runtime error: max called on empty list"),
        (
            "device.attributes['d'].model",
            f"{NO_BOOL} string could not be converted to bool: unsupported native conversion from string to 'bool'",
        ),
        (
            "device.attributes['d'].index",
            f"{NO_BOOL} int could not be converted to bool: unsupported type conversion from 'int' to bool",
        ),
    ],
)
def test_runtime_errors(expression: str, text: str) -> None:
    with pytest.raises(CelError) as error:
        cel.compile(expression).matches(VIEW)
    assert str(error.value) == text


def test_an_error_that_does_not_decide_is_none() -> None:
    assert cel.compile("device.attributes['d'].absent == 1 || device.driver == 'd'").matches(VIEW)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("device.foo == 1", "compilation failed: ERROR: <input>:1:7: undefined field 'foo'"),
        ("device.driver == 1", "compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_'"),
        ("device.capacity['d'].memory >= quantity('1')", "compilation failed: ERROR: <input>:1:29: found no matching"),
        ("math.greatest(1, 2) == 2", "compilation failed: ERROR: <input>:1:1: undeclared reference to 'math'"),
        ("device.driver", "must evaluate to bool or the unknown type, not string"),
        ("1 +", "compilation failed: ERROR: <input>:1:4: Syntax error"),
        ("true" + " " * 10240, "may not be more than 10240 bytes"),
    ],
)
def test_compile_errors(expression: str, text: str) -> None:
    with pytest.raises(CelError) as error:
        cel.compile(expression)
    assert str(error.value).startswith(text)


def test_an_expression_is_compiled_once() -> None:
    assert cel.compile("device.driver == 'x'") is cel.compile("device.driver == 'x'")


def test_a_version_that_is_none_is_an_error_of_the_device() -> None:
    with pytest.raises(CelError, match="attribute version: parse semantic version: "):
        DeviceView.of("d", {"attributes": {"version": {"version": "1.2"}}})
