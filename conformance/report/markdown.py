"""Text of drivers in markdown, where it must stay text."""

from conformance.report.text import visible

_MARKUP = str.maketrans({character: f"&#{ord(character)};" for character in "&\\`*_{}[]<>|#@~"})


def escaped(text: str) -> str:
    """One line of text: no markup, no mention of anybody, no link, no new row of a table."""
    line = " ".join(visible(text).split()).translate(_MARKUP)
    return line.replace("://", "&#58;//").replace("www.", "www&#46;")


def block(text: str) -> list[str]:
    """Text of several lines, as it is: a fence of more backticks than it has anywhere in a row."""
    shown = visible(text)
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in shown).split()), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", shown, fence]
