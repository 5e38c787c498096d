"""index.html: complete, self-contained, harmless whatever a driver says, and readable."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from conformance.advice import advice
from conformance.report import Outcome, Report
from conformance.report.html import evidence_link, html
from conformance.verdict import Verdict
from tests.report import samples

VOID = {"meta", "input", "link", "br", "hr", "img", "use", "path", "circle"}


class Page(HTMLParser):
    """What a browser would make of the page, as far as the tests ask. Fails on tags that do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] for _, attrs in self.tags if attribute in attrs]


ALL = [samples.good, samples.bad, samples.blocked, samples.interrupted, samples.empty, samples.hostile, samples.long]


@pytest.fixture(params=ALL, ids=lambda sample: sample.__name__)
def report(request: pytest.FixtureRequest) -> Report:
    made: Report = request.param()
    return made


def test_the_page_nests_and_every_link_leads_somewhere(report: Report) -> None:
    page = Page(html(report))
    ids = page.values("id")
    assert [name for name, number in Counter(ids).items() if number > 1] == []
    assert {link[1:] for link in page.values("href") if link.startswith("#")} <= set(ids)


def test_nothing_is_fetched_from_anywhere(report: Report) -> None:
    page = Page(html(report))
    assert {tag for tag, _ in page.tags} & {"img", "link", "iframe", "object", "embed", "base"} == set()
    assert page.values("src") == []
    assert [link for link in page.values("href") if re.match(r"(?i)[a-z]+:|//", link)] == []
    assert not re.search(r"url\(|@import", html(report))


def test_the_policy_lets_only_the_page_s_own_script_run(report: Report) -> None:
    page = Page(html(report))
    assert [tag for tag, _ in page.tags].count("script") == 1
    policy = next(attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy


def test_headings_go_down_one_level_at_a_time(report: Report) -> None:
    levels = [int(tag[1]) for tag, _ in Page(html(report)).tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_hostile_text_is_shown_and_never_obeyed() -> None:
    text = html(samples.hostile())
    page = Page(text)
    assert 'Title </script><script>alert("x")</script>\\x1b[2J\\x00\\u202egnp.exe' in page.text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    assert [link for link in page.values("href") if "passwd" in link or "secret" in link] == []


def test_a_hostile_history_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    failed, hostile = samples.broken_check(), samples.HOSTILE
    metadata = {"name": hostile, "namespace": hostile, "uid": hostile}
    rows: list[dict[str, Any]] = [
        {"kind": "check", "id": failed.id, "phase": "start"},
        {"kind": "api", "type": "ADDED", "resource": "pods", "object": {"kind": hostile, "metadata": metadata}},
        {"kind": "api", "type": "ADDED", "resource": "resourceclaims", "object": {"metadata": metadata}},
        {"kind": "process", "phase": "started", "name": hostile, "node": hostile, "pid": hostile},
        {"kind": "kubelet", "node": hostile, "action": hostile, "details": hostile, "pod": hostile},
        {"kind": "request", "user": hostile, "verb": hostile, "resource": hostile, "code": 500, "message": hostile},
        {"kind": "rpc", "phase": "start", "id": 1, "method": hostile},
        {"kind": "rpc", "phase": "end", "id": 1, "method": hostile, "code": hostile, "response": {hostile: hostile}},
        {"kind": "check", "id": failed.id, "phase": "end", "verdict": hostile},
    ]
    lines = [json.dumps({"seq": seq, "time": 1.0 + seq, **row}) for seq, row in enumerate(rows)]
    (tmp_path / "history.jsonl").write_text("\n".join(lines))
    (tmp_path / "evidence" / failed.id).mkdir(parents=True)
    (tmp_path / failed.evidence[1]).write_text(hostile)
    text = html(samples.report(Outcome.NOT_CONFORMANT, [failed]), tmp_path)
    page = Page(text)
    assert page.text.count("Timeline of the check") == 1
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    assert [tag for tag, _ in page.tags].count("script") == 1


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("evidence/a.log", "evidence/a.log"),
        ("evidence/a b?.log", "evidence/a%20b%3F.log"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("/etc/passwd", ""),
        ("a/../../b", ""),
        ("a\nb", ""),
    ],
)
def test_evidence_links_stay_in_the_folder(path: str, link: str) -> None:
    assert evidence_link(path) == link


def test_a_failure_says_what_was_expected_observed_why_and_how_to_see_it_again() -> None:
    text = Page(html(samples.bad())).text
    start = text.index("What needs action")
    findings = text[start : text.index("All checks", start)]
    order = [
        "A second NodePrepareResources for a prepared claim gives the first answer again.",
        "Expected that a repeated Prepare succeeds PREP-05 · MUST",
        "Observed",
        "prepare devices for claim 6f1c0a52",
        "Why it matters Prepare is idempotent",
        "Source: KEP-4381",
        "Reproduce pytest conformance/ --driver=gpu.yaml --check=preparation.repeat_same_devices",
        "Evidence evidence/preparation.repeat_same_devices/calls.jsonl",
    ]
    places = [findings.index(part) for part in order]
    assert places == sorted(places)


def test_a_failure_comes_with_usual_causes_and_how_to_mend_it() -> None:
    text = Page(html(samples.bad())).text
    for word in (*advice()["PREP-05"].causes, advice()["PREP-05"].fix):
        assert word in text


def test_the_matrix_has_core_and_features_in_columns_of_their_own() -> None:
    text = html(samples.bad())
    rows = dict(re.findall(r'<th scope="row"><a href="#area-(\w+)">(.*?)</tr>', text, re.DOTALL))
    core, features = re.findall(r"<td>(.*?)</td>", rows["health"], re.DOTALL)
    assert (core.strip(), "<span>health</span>" in features) == ("", True)
    assert "preparation.one_claim: PASS" in re.findall(r"<td>(.*?)</td>", rows["preparation"], re.DOTALL)[0]


def test_blocked_checks_share_a_card_for_each_root() -> None:
    page = Page(html(samples.blocked()))
    assert [attrs.get("class") for tag, attrs in page.tags if tag == "article"] == [
        "card v-fail",
        *["card v-blocked"] * 2,
    ]
    assert "2 checks need registration.registers , which is FAIL preparation.one_claim preparation.repeat" in page.text
    assert "1 check needs restart.reboot restart.recovers" in page.text


def test_the_page_defines_every_verdict_and_says_what_a_pass_proves() -> None:
    text = Page(html(samples.good())).text
    assert [verdict for verdict in Verdict if verdict.meaning not in text] == []
    assert "What a pass proves" in text
    assert "What it does not prove" in text


def test_every_check_can_be_linked_to() -> None:
    report = samples.long()
    assert {result.id for result in report.checks} <= set(Page(html(report)).values("id"))


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        (samples.good, "Nothing: no check found anything to mend."),
        (samples.empty, "No check was collected, so nothing was judged."),
        (samples.interrupted, "The run itself proves nothing"),
        (samples.killed, "The run did not come to its end, or still goes on, and nothing is settled."),
    ],
)
def test_a_page_without_findings_says_why(sample: Callable[[], Report], words: str) -> None:
    assert words in Page(html(sample())).text


def _luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_is_readable_in_both_schemes(scheme: int) -> None:
    style = files("conformance.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
    grounds = ("page", "surface", "sunken")
    pairs = [(ink, ground) for ink in ("text", "soft", "link") for ground in grounds]
    inks = [name.removesuffix("-tint") for name in colours if name.endswith("-tint")]
    pairs += [(ink, ground) for ink in inks for ground in (f"{ink}-tint", "surface", "on-solid")]
    poor = {f"{a} on {b}": round(c, 2) for a, b in pairs if (c := _contrast(colours[a], colours[b])) < 4.5}
    assert json.dumps(poor) == "{}"


@pytest.mark.parametrize(
    ("said", "message"),
    [([f"device-{n}" for n in range(1_000)], ""), ("x" * 20_000, ""), (None, "the driver said\n" + "y" * 20_000)],
    ids=["lists", "texts", "messages"],
)
def test_what_a_driver_says_at_length_two_hundred_times_is_cut_and_the_page_says_so(said: Any, message: str) -> None:
    found = samples.finding("PREP-05", "it is short", holds=False, got=said, want=said)
    verdict = Verdict.INCONCLUSIVE if message else Verdict.FAIL
    checks = [
        samples.check(f"a.b{n}", verdict, "T.", ["PREP-05"], findings=[] if message else [found], message=message)
        for n in range(200)
    ]
    text = html(samples.report(Outcome.NOT_CONFORMANT, checks))
    assert len(text.encode()) < 3_000_000
    assert text.count("… cut here; report.json has all of it") >= 200


def test_what_a_driver_says_at_length_once_is_on_the_page_as_a_whole() -> None:
    found = samples.finding("PREP-05", "it is short", holds=False, got="x" * 15_000, want=True)
    checks = [samples.check("a.b", Verdict.FAIL, "T.", ["PREP-05"], findings=[found])]
    text = html(samples.report(Outcome.NOT_CONFORMANT, checks))
    assert "x" * 15_000 in text
    assert "cut here" not in text
