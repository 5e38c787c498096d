"""Pictures of objects: what stays when names, times and numbers that chance made are taken out."""

import re
from typing import Any

Picture = dict[str, Any]

_DROPPED = {"uid", "resourceVersion", "managedFields", "creationTimestamp", "selfLink", "shareID"}
_UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
# Generated names end in five of these.
_CUT = re.compile(r"(?<=-an-entry-with-a)[bcdfghjklmnpqrstvwxz2456789]{5}$")
_GENERATED = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|[\s\"':,;.])")
_NODES = re.compile(r"0/\d+ nodes")
_OTHERS = re.compile(r"(, )?\d+ node\(s\) didn't match Pod's node affinity/selector(?=[.,])(?(1)|(, )?)")
_HELPFUL = re.compile(r"\d+ (?=Preemption is not helpful|node\(s\) didn't satisfy plugin)")


def tidy(value: Any) -> Any:
    """The value without what chance has made."""
    match value:
        case dict():
            kept = {key: item for key, item in sorted(value.items()) if key not in _DROPPED and item is not None}
            return {key: tidy(item) for key, item in kept.items()}
        case list() | tuple():
            return [tidy(item) for item in value]
        case str():
            return _text(value)
        case _:
            return value


def _text(text: str) -> str:
    text = _UID.sub("<uid>", text)
    text = _TIME.sub("<time>", text)
    text = _CUT.sub("<random>", _GENERATED.sub("-<random>", text))
    # Other scenes have nodes, too: how many, is different each time.
    text = _NODES.sub("0/N nodes", text)
    text = _OTHERS.sub("", text)
    return _HELPFUL.sub("N ", text)
