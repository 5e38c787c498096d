"""The gRPC calls of a check as people read them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from conformance.history import Event
from conformance.report.text import duration, laid_out


@dataclass(frozen=True)
class Call:
    """One call, seconds after the check's start: its line, what was sent, and what came back or was said."""

    after: float
    line: str
    bad: bool
    request: str
    response: str


def calls(events: Iterable[Event]) -> Iterator[Call]:
    """The calls that ended or never did, in the order in which they ended; messages of a stream one by one."""
    events = list(events)
    begun = events[0].time if events else 0.0
    ended = {event["id"] for event in events if event.kind == "rpc" and event["phase"] == "end"}
    for event in events:
        if event.kind != "rpc" or (event["phase"] == "start" and event["id"] in ended):
            continue
        code = str(event["code"] or {"start": "not answered", "message": "message"}.get(str(event["phase"]), ""))
        by = " by the check" if event["source"] == "check" else ""
        took = "" if event["seconds"] is None else f" after {duration(float(event['seconds']))}"
        line = f"{event['method']}{by}: {code}{took} {event['details'] or ''}".rstrip()
        response = "" if event["response"] is None else laid_out(event["response"])
        bad = code not in ("OK", "message") or bool(claim_errors(event))
        yield Call(event.time - begun, line, bad, laid_out(event["request"]), response)


def claim_errors(call: Event) -> list[str]:
    """The errors that the answer to Prepare or Unprepare holds for single claims."""
    response = call["response"]
    claims = response.get("claims") if isinstance(response, dict) else None
    entries = claims.values() if isinstance(claims, dict) else ()
    return [str(entry["error"]) for entry in entries if isinstance(entry, dict) and entry.get("error")]
