"""The badge: a picture of its own, whose words and colour are those of the report."""

from xml.etree import ElementTree as ET

import pytest

from conformance.report import Outcome, Report
from conformance.report.badge import GREEN, GREY, RED, badge
from conformance.report.verify import Verified
from tests.report import samples

SVG = "{http://www.w3.org/2000/svg}"


def drawn(verified: Verified) -> tuple[str, str]:
    """What a badge says in its right half, and that half's colour."""
    root = ET.fromstring(badge(verified))
    label, said = (text.text for text in root.iter(f"{SVG}text"))
    assert label == "DRA conformance"
    assert root.get("role") == "img"
    assert root.get("aria-label") == f"{label}: {said}"
    return str(said), str(root.find(f"{SVG}path[@fill]").get("fill"))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("report", "said", "colour"),
    [
        (samples.good(), "core · Kubernetes 1.37, embedded", GREEN),
        (samples.report(profiles=["health", "core", "taints"]), "core + 2 · Kubernetes 1.37, embedded", GREEN),
        (samples.bad(), "not conformant · Kubernetes 1.37, embedded", RED),
        (samples.report(Outcome.SELECTION), "selection · Kubernetes 1.37, embedded", GREY),
        (samples.report(exit_status=6), "conformant with reservations · Kubernetes 1.37, embedded", GREY),
        (samples.interrupted(), "interrupted · Kubernetes 1.37, embedded", GREY),
        (samples.empty(), "nothing collected · Kubernetes 1.37, embedded", GREY),
    ],
)
def test_it_says_profile_and_version_of_kubernetes(report: Report, said: str, colour: str) -> None:
    assert drawn(Verified([], report)) == (said, colour)


def test_what_is_not_sound_is_grey() -> None:
    assert drawn(Verified(["it was changed"], samples.good())) == ("not verified", GREY)
    assert drawn(Verified(["it is no report"])) == ("not verified", GREY)


def test_text_of_a_driver_stays_text() -> None:
    hostile = samples.hostile()
    hostile.cluster = {"kind": samples.HOSTILE, "kubernetes": "v1.37.2"}
    picture = badge(Verified([], hostile))
    ET.fromstring(picture)
    assert "<script>" not in picture
    assert "\x1b" not in picture
