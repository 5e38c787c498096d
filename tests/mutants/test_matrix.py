"""The page of the kill matrix, which is read again when some wrong drivers are tried anew."""

from conformance.verdict import Verdict
from tests.mutants.matrix import Row, page, read_rows, row_of
from tests.mutants.mutant import Mutant
from tests.variants import Judged


def test_what_a_page_says_is_read_again() -> None:
    rows = [
        Row("M01", "Answers `a | b`, which is wrong.", ("REG-01", "REG-02"), ("registration.registers", "restart.a")),
        Row("M02", "Does nothing wrong.", (), ()),
    ]
    assert read_rows(page(rows)) == {row.name: row for row in rows}
    assert read_rows("") == {}


def test_a_row_is_what_the_run_found() -> None:
    mutant = Mutant("m", "M00", "Wrong.", ("a.one",), ("REG-01",), "reference", {})
    judged = {"a.one": Judged(Verdict.FAIL, "", frozenset({"REG-01"})), "a.two": Judged(Verdict.PASS, "", frozenset())}
    assert row_of(mutant, judged) == Row("M00", "Wrong.", ("REG-01",), ("a.one",))
