"""What workers tell each other."""

import threading
from pathlib import Path

from conformance.session.board import Board, Reached, report_lost
from conformance.session.collected import FOLDER
from conformance.verdict import Verdict

ONE = Reached("a.py::one", "a.one", Verdict.PASS)
TWO = Reached("a.py::two", "a.two", Verdict.NOT_RUN, unseen=True)


def boards(folder: Path) -> tuple[Board, Board]:
    (folder / FOLDER).mkdir()
    return Board(folder, "gw0"), Board(folder, "gw1")


def test_a_worker_hears_what_others_say_and_each_thing_once(tmp_path: Path) -> None:
    here, there = boards(tmp_path)
    there.post(ONE)
    assert list(here.wait([])) == [ONE]
    there.post(TWO)
    assert list(here.wait([ONE.node_id, TWO.node_id])) == [TWO]


def test_its_own_verdicts_are_no_news(tmp_path: Path) -> None:
    here, _ = boards(tmp_path)
    here.post(ONE)
    assert list(here.wait([ONE.node_id])) == []


def test_it_waits_for_what_is_still_to_come(tmp_path: Path) -> None:
    here, there = boards(tmp_path)
    heard: list[Reached] = []
    waiting = threading.Thread(target=lambda: heard.extend(here.wait([ONE.node_id, TWO.node_id])))
    waiting.start()
    there.post(ONE)
    waiting.join(0.1)
    assert waiting.is_alive()
    there.post(TWO)
    waiting.join(10)
    assert heard == [ONE, TWO]


def test_it_waits_no_more_once_a_worker_was_lost(tmp_path: Path) -> None:
    here, there = boards(tmp_path)
    there.post(ONE)
    report_lost(tmp_path)
    assert list(here.wait([TWO.node_id])) == [ONE]


def test_half_a_line_is_read_when_it_is_whole(tmp_path: Path) -> None:
    here, there = boards(tmp_path)
    there.post(ONE)
    file = next((tmp_path / FOLDER).glob("*gw1*"))
    text = file.read_text()
    file.write_text(text[:10])
    assert list(here.wait([])) == []
    file.write_text(text)
    assert list(here.wait([])) == [ONE]
