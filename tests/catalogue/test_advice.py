"""Advice is there for every obligation that can be broken, and says something of its own."""

import re
from collections import Counter

from conformance.advice import advice
from conformance.requirement import Level, catalogue


def test_every_entry_belongs_to_an_obligation() -> None:
    assert [id for id in advice() if id not in catalogue()] == []


def test_every_must_has_an_entry() -> None:
    assert [r.id for r in catalogue().values() if r.level is Level.MUST and r.id not in advice()] == []


def test_entries_stand_in_the_order_of_the_catalogue() -> None:
    assert list(advice()) == [id for id in catalogue() if id in advice()]


def test_causes_and_fixes_are_sentences() -> None:
    texts = [text for entry in advice().values() for text in (*entry.causes, entry.fix)]
    assert [text for text in texts if not re.fullmatch(r"[A-Za-z].{15,}\.", text)] == []


def test_no_sentence_stands_twice() -> None:
    counts = Counter(text for entry in advice().values() for text in (*entry.causes, entry.fix))
    assert [text for text, count in counts.items() if count > 1] == []
