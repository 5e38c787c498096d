"""`expect` turns what was seen into findings: a broken MUST ends the check, a broken SHOULD does not."""

import pytest

from conformance.expect import Expect, Finding
from conformance.requirement import Level
from conformance.verdict import Broken

MUST, SHOULD, MAY = "PREP-05", "PREP-06", "PREP-22"


def test_a_must_that_holds_is_recorded() -> None:
    expect = Expect((MUST,))
    assert expect(MUST).equal("", "", "a repeated Prepare succeeds")
    assert [finding.holds for finding in expect.findings] == [True]
    assert expect.unjudged() == []


def test_a_broken_must_raises_and_says_what_was_seen() -> None:
    expect = Expect((MUST,))
    with pytest.raises(Broken, match=r"PREP-05 \(MUST\): expected that it works; observed 'no', wanted 'yes'"):
        expect(MUST).equal("no", "yes", "it works")


def test_a_broken_should_is_recorded_and_the_check_goes_on() -> None:
    expect = Expect((SHOULD,))
    assert not expect(SHOULD).equal(1, 2, "same devices")
    assert [finding.requirement for finding in expect.broken(Level.SHOULD)] == [SHOULD]


def test_an_id_that_the_header_does_not_cover_is_refused() -> None:
    with pytest.raises(LookupError, match="does not list it in `covers`"):
        Expect((MUST,))(SHOULD)


def test_what_was_never_judged_is_known() -> None:
    assert Expect((MUST, SHOULD)).unjudged() == [MUST, SHOULD]


def test_a_listener_hears_of_each_finding() -> None:
    heard: list[Finding] = []
    expect = Expect((MAY,), listener=heard.append)
    expect(MAY).empty([], "nothing is wrong")
    assert [finding.requirement for finding in heard] == [MAY]


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (("true", [1], "x"), True),
        (("true", [], "x"), False),
        (("empty", ["left"], "x"), False),
        (("contains", ["a", "b"], "b", "x"), True),
        (("contains", "text", "no", "x"), False),
        (("one_of", "a", ("a", "b"), "x"), True),
        (("at_most", 2, 1, "x"), False),
        (("at_least", 2, 1, "x"), True),
    ],
)
def test_words(words: tuple[str, object], holds: bool) -> None:
    word, *arguments = words
    assert getattr(Expect((SHOULD,))(SHOULD), word)(*arguments) is holds
