"""A badge for a README: what a report says in a few words. Green is only what `verify` finds sound and conformant."""

import re
from html import escape

from conformance.report.model import Outcome, Report
from conformance.report.obligations import headline
from conformance.report.text import visible
from conformance.report.verify import Verified

LABEL = "DRA conformance"
GREEN, RED, GREY = "#1a7f37", "#b3202b", "#59636e"
"""White text has a contrast of at least 4.5 on each."""

_GAP, _HEIGHT = 8, 20

_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" aria-label="{label}: {said}">
<title>{title}</title>
<rect width="{width}" height="{height}" rx="4" fill="#24292f"/>
<path d="M{left} 0h{inner}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-{inner}z" fill="{colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{left_middle}" y="14" textLength="{left_text}" lengthAdjust="spacingAndGlyphs">{label}</text>
<text x="{right_middle}" y="14" textLength="{right_text}" lengthAdjust="spacingAndGlyphs">{said}</text>
</g>
</svg>
"""


def badge(verified: Verified) -> str:
    """The badge as SVG, with text for screen readers, and the report's headline as its title."""
    said, colour = _said(verified)
    report = verified.report
    unsound = "the report is not sound, dra-conformance verify says why"
    title = headline(report) if report and verified.sound else unsound
    left_text, right_text = _width(LABEL), _width(said)
    left, right = left_text + 2 * _GAP, right_text + 2 * _GAP
    return _SVG.format(
        width=left + right,
        height=_HEIGHT,
        left=left,
        inner=right - 4,
        left_text=left_text,
        right_text=right_text,
        left_middle=left / 2,
        right_middle=left + right / 2,
        colour=colour,
        label=LABEL,
        said=escape(visible(said)),
        title=escape(visible(f"{report.driver.name if report else 'Unknown driver'}: {title}")),
    )


def _width(text: str) -> int:
    """Pixels that a text of 11 px takes; the picture says so, too, so that other fonts are made to fit."""
    narrow, wide = sum(c in " .,:·iljftr1I" for c in text), sum(c in "mwMWCDGOQ" for c in text)
    return round(len(text) * 6.9 - narrow * 2.6 + wide * 1.8)


def _said(verified: Verified) -> tuple[str, str]:
    report = verified.report
    if report is None or not verified.sound:
        return "not verified", GREY
    where = _where(report)
    if verified.conformant:
        return f"{_profiles(report)} · {where}", GREEN
    if report.outcome is Outcome.NOT_CONFORMANT:
        return f"not conformant · {where}", RED
    if report.outcome is Outcome.CONFORMANT:
        return f"conformant with reservations · {where}", GREY
    return f"{report.outcome.replace('-', ' ')} · {where}", GREY


def _profiles(report: Report) -> str:
    """The first profile, core where it was judged, and how many others: `core + 8`."""
    profiles = sorted(report.profiles, key=lambda name: name != "core") or ["no profile"]
    return profiles[0] + (f" + {len(profiles) - 1}" if len(profiles) > 1 else "")


def _where(report: Report) -> str:
    """The minor version of Kubernetes, and the kind of cluster."""
    version = re.match(r"v?(\d+\.\d+)", str(report.cluster.get("kubernetes", "")))
    return f"Kubernetes {version[1] if version else '?'}, {report.cluster.get('kind', 'no cluster')}"
