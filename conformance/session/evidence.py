"""Evidence of a check: what was there, what was said, what the driver logged; kept before anything is cleaned up."""

import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.redact import redact, redact_text
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from conformance.cluster.api import Api
    from conformance.history import Event
    from conformance.session.bench import Bench
    from conformance.session.trial import Trial

FOLDER = "evidence"
_LOG_LINES = 200
_TRANSCRIPT = ("rpc", "process", "kubelet", "disturb", "leak", "expect", "request", "check", "error")
_OBJECTS = ("pods", "resourceclaims", "resourceclaimtemplates", "events")


def keep(trial: "Trial", bench: "Bench", report_dir: Path) -> None:
    """Write the evidence of a check so far: all of it, or for a PASS only who said what when."""
    folder = report_dir / FOLDER / _folder_name(trial)
    events = list(bench.history.events(since=trial.since))
    files: dict[str, Callable[[], str]] = {"calls.txt": lambda: _calls(events)}
    if trial.verdict is not Verdict.PASS:
        files["transcript.jsonl"] = lambda: "".join(_row(event) for event in events if event.kind in _TRANSCRIPT)
        files |= _of_the_cluster(trial, bench)
        if trial.traceback:
            files["traceback.txt"] = lambda: trial.traceback
    for name, make in files.items():
        try:
            text = make()
        except Exception as error:
            # Evidence that cannot be had must not change the verdict, but its place says why.
            text = f"could not be collected: {type(error).__name__}: {error}\n"
        if text:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(redact_text(text), encoding="utf-8", errors="backslashreplace")
            trial.evidence.append(f"{FOLDER}/{folder.name}/{name}")


def _folder_name(trial: "Trial") -> str:
    return trial.check.id.replace("/", "_")


def _of_the_cluster(trial: "Trial", bench: "Bench") -> Mapping[str, Callable[[], str]]:
    files: dict[str, Callable[[], str]] = {}
    backend, installation, cluster = bench.running, bench.installed, trial.cluster
    if backend:
        selector = f"spec.driver={bench.target.driver_name}"
        files["slices.json"] = lambda: _json(backend.api.list("resourceslices", field_selector=selector)["items"])
        files["cdi.txt"] = lambda: _cdi(backend.nodes[0].cdi.snapshot())
    if backend and cluster:
        namespace = cluster.namespace
        for resource in _OBJECTS:
            files[f"{resource}.json"] = partial(_objects, backend.api, resource, namespace)
        files["changes.jsonl"] = lambda: "".join(
            _row(event) for event in bench.history.events("api", lambda e: _within(e, namespace), trial.since)
        )
    if installation:
        files["driver.log"] = lambda: "\n".join(i.log_tail(_LOG_LINES) for i in bench.instances())
    return files


def _within(event: "Event", namespace: str) -> bool:
    metadata = event.data["object"]["metadata"]
    return bool(metadata.get("namespace") == namespace or event["resource"] == "resourceslices")


def _objects(api: "Api", resource: str, namespace: str) -> str:
    return _json(api.list(resource, namespace)["items"])


def _json(items: list[dict[str, Any]]) -> str:
    return json.dumps(redact(items), indent=2) + "\n" if items else ""


def _cdi(files: Mapping[Path, str]) -> str:
    return "".join(f"--- {path}\n{content.rstrip()}\n" for path, content in files.items())


def _row(event: "Event") -> str:
    return json.dumps({"seq": event.seq, "time": event.time, "kind": event.kind, **event.data}, default=str) + "\n"


def _calls(events: "list[Event]") -> str:
    return "".join(_call(event) for event in events if event.kind == "rpc" and event["phase"] == "end")


def _call(event: "Event") -> str:
    at = time.strftime("%H:%M:%S", time.localtime(event.time)) + f".{int(event.time % 1 * 1000):03d}"
    claims = " ".join(f"{c['namespace']}/{c['name']}" for c in (event["request"] or {}).get("claims", ()))
    took = f"{(event['seconds'] or 0) * 1000:.1f} ms"
    words = [at, event["method"], event["code"], took, claims, event["details"] or ""]
    return " ".join(words).rstrip() + "\n"
