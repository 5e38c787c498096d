"""Values beyond what Python has: answered as Kubernetes does where that is known, and never more than a CEL error."""

from typing import Never

import pytest

from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.cel import CelError, DeviceView, InternalError, Selector

VIEW = DeviceView.of("d", {})
DIGITS = "9" * 5000
LAST = 'timestamp("9999-12-31T23:59:59Z")'


@pytest.mark.parametrize(
    "expression",
    [
        '!quantity("1e999999999").isInteger()',
        'quantity("1e999999999").isGreaterThan(quantity("1E"))',
        'timestamp("2024-01-01T00:00:00Z").getHours("99:99") == 4',
        f'{LAST}.getHours("+14:00") == 13',
        f'{LAST}.getFullYear("+14:00") == 10000',
        f'{LAST}.getFullYear("Asia/Tokyo") == 10000',
        f"{LAST}.getFullYear() == 9999",
        'timestamp("0001-01-01T00:00:00Z").getFullYear("-01:00") == 0',
        f'!isSemver("{DIGITS}.0.0")',
        'isSemver("18446744073709551615.0.0") && !isSemver("18446744073709551616.0.0")',
        f'int("{"0" * 5000}7") == 7',
    ],
)
def test_large_values_are_answered(expression: str) -> None:
    cel.check(expression)
    assert cel.compile(expression).matches(VIEW)


def test_a_long_name_is_no_time_zone() -> None:
    expression = f'timestamp("2024-01-01T00:00:00Z").getHours("{"a" * 3000}") == 1'
    with pytest.raises(CelError, match="CEL runtime error: unknown time zone aaa"):
        cel.compile(expression).matches(VIEW)


@pytest.mark.parametrize(
    ("expression", "kind"), [(f'int("{DIGITS}") == 1', "int"), (f'uint("{DIGITS}") == 1u', "uint")]
)
def test_no_program_can_be_made_of_a_text_that_is_too_large_a_number(expression: str, kind: str) -> None:
    with pytest.raises(InternalError, match=f"type conversion error from 'string' to '{kind}'"):
        cel.check(expression)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # Kubernetes counts the digits in eight bits, and takes more than a million for a mistake that it prints.
        ("%.300f", "0.10000000000000000555111512312578270211815"),
        ("%.999999999f", "%!(NOVERB)"),
        ("%.1f %e", "0.1 1.000000×10⁻⁰¹"),
        ("%.15e", " 1.000000×10⁻⁰¹"),
        ("%s", "0.1"),
    ],
)
def test_numbers_are_shown_as_kubernetes_does(text: str, shown: str) -> None:
    numbers = ", ".join(["0.1"] * text.count("%"))
    assert cel.compile(f'"{text}".format([{numbers}]).startsWith("{shown}")').matches(VIEW)


@pytest.mark.parametrize(
    ("number", "shown"),
    [("1e6", "1e+06"), ("123456.0", "123456"), ("1e-5", "1e-05"), ("-0.0", "-0"), ("2.5e300", "2.5e+300")],
)
def test_a_double_as_a_string(number: str, shown: str) -> None:
    assert cel.compile(f'string({number}) == "{shown}"').matches(VIEW)


@pytest.mark.parametrize("text", ["0x1p-2", "2_5e-2", "0x_4p-4", ".25"])
def test_a_string_as_a_double(text: str) -> None:
    assert cel.compile(f'double("{text}") == 0.25').matches(VIEW)


@pytest.mark.parametrize("text", ["1e400", "0x10", "1__0", "_1", "1_e5", "+nan", ""])
def test_no_string_of_a_double(text: str) -> None:
    with pytest.raises(InternalError, match="type conversion error from 'string' to 'double'"):
        cel.check(f'double("{text}") == 0.25')


@pytest.mark.parametrize("expression", [f'"%.{"9" * 30}f".format([1.0]) == ""', f"{DIGITS} == 1"])
def test_what_is_too_large_does_not_compile(expression: str) -> None:
    with pytest.raises(CelError, match="compilation failed: "):
        cel.check(expression)


def test_an_exception_that_nobody_thought_of_is_a_runtime_error() -> None:
    class Broken:
        cost = 1

        def evaluate(self, _device: object) -> Never:
            raise OverflowError("too much")

    with pytest.raises(CelError, match="CEL runtime error: internal error: too much"):
        Selector("true", Broken()).matches(VIEW)  # type: ignore[arg-type]


def test_an_exception_that_nobody_thought_of_is_a_compile_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Never:
        raise RecursionError

    monkeypatch.setattr(cel, "compile_expression", fail)
    with pytest.raises(CelError, match="compilation failed: internal error: RecursionError"):
        cel.check("1 == 2 - 1")
