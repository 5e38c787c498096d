"""What a check did, as a script of kubectl commands with plain YAML: to see a failure without this suite.

It is read off the history, so it has what is recorded there: objects, calls, processes, hooks and judgements. What the
check did besides, such as refusing the driver's requests or filling a disk, is not in it, and the script says so.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from conformance.history import Event
from conformance.images import PAUSE, mirrored
from conformance.report.manifests import changed, created, deleted, heredoc, inside, is_ours, quoted
from conformance.report.text import amount

_PLUGINS = "/var/lib/kubelet/plugins"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CALLED = ("NodePrepareResources", "NodeUnprepareResources")
_LEFT_OUT = ("events", "nodes")

_HEAD = """\
# For a cluster that has the driver. kubectl does the most; what the check called past the kubelet needs grpcurl on the
# node, and api.proto of k8s.io/kubelet/pkg/apis/dra. Lines with # are for you to do or to look at.
# Not in here: what the check did to files, disks or the driver's own requests{where}.
"""


def by_hand(events: Sequence[Event], earlier: Sequence[Event] = (), check_file: str = "", registry: str = "") -> str:
    """The script for the events of one check up to its last judgement; "" when it made no object and no call.

    `earlier`: events before the check, for device classes that its claims refer to; `check_file`: where it stands;
    `registry`: the mirror that the run had its images from.
    """
    last = max((event.seq for event in events if event.kind == "expect"), default=-1)
    told = [event for event in events if event.seq <= last] or list(events)
    steps = list(_once(_Script(told).steps(_classes(told, earlier))))
    if all(line.startswith("#") for step in steps for line in step.splitlines()):
        return ""
    where = f"; the check is in {_line(check_file)}" if check_file else ""
    script = "\n".join([_HEAD.format(where=where), *steps]) + "\n"
    return script.replace(f"image: {PAUSE}", f"image: {mirrored(PAUSE, registry)}")


def _once(steps: Iterator[str]) -> Iterator[str]:
    """Steps that come several times in a row, as checks try again, only once."""
    for step, same in groupby(steps):
        yield step
        more = len(list(same)) - 1
        if more:
            yield f"# The same again, {amount(more, 'time')}."


def _classes(events: Sequence[Event], earlier: Sequence[Event]) -> list[str]:
    """Device classes of the run that the check's objects name; a driver that is installed brings its own."""
    text = " ".join(str(event["object"]) for event in events if event.kind == "api")
    made = [
        e["object"] for e in earlier if e.kind == "api" and e["resource"] == "deviceclasses" and e["type"] == "ADDED"
    ]
    named = [obj for obj in made if f"'deviceClassName': '{obj['metadata'].get('name')}'" in text]
    return [created(obj, "deviceclasses") for obj in named]


class _Script:
    """Steps out of the events of a check, in their order."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.ours: dict[str, dict[str, Any]] = {}  # objects of the suite by UID, as last seen
        self.claims: dict[str, Mapping[str, Any]] = {}  # metadata of all claims by UID
        self.variables: dict[str, str] = {}  # number of the shell's variables for a claim, by UID
        self.going: set[str] = set()
        self.namespaces: dict[str, None] = {}
        asked = (claim for event in events if _by_check(event) for claim in _claims_of(event))
        self.asked = {str(claim.get("uid")) for claim in asked}

    def steps(self, first: Sequence[str]) -> Iterator[str]:
        yield from first
        tellers: Mapping[str, Callable[[Event], Iterator[str]]] = {
            "api": self._object,
            "kubelet": _kubelet,
            "process": _process,
            "disturb": _disturb,
            "rpc": self._call,
            "expect": _judgement,
        }
        for event in self.events:
            if event.kind in tellers:
                yield from tellers[event.kind](event)
        yield from (f"kubectl delete namespace {quoted(name)}" for name in self.namespaces if name)
        left = [obj for uid, obj in self.ours.items() if uid not in self.going and not obj["metadata"].get("namespace")]
        yield from (deleted(obj, f"{obj.get('kind')}".lower()) for obj in left if obj.get("kind") != "Namespace")

    def _object(self, event: Event) -> Iterator[str]:
        obj, resource = event["object"], str(event["resource"])
        metadata = obj["metadata"]
        uid = str(metadata.get("uid"))
        if resource == "resourceclaims":
            self.claims[uid] = metadata
        if not is_ours(obj, resource) or resource in _LEFT_OUT:
            return
        before, self.ours[uid] = self.ours.get(uid), obj
        if event["type"] == "ADDED":
            yield from self._namespace(obj, resource)
            yield created(obj, resource)
            if resource == "resourceclaims" and uid in self.asked:
                yield from self._look_up(uid)
        elif metadata.get("deletionTimestamp") or event["type"] == "DELETED":
            if uid not in self.going:
                yield deleted(obj, resource)
            self.going.add(uid)
        elif before is not None:
            yield from changed(before, obj, resource)
            if resource == "pods" and _phase(obj) == "Running" != _phase(before):
                until = "--for=jsonpath='{.status.phase}'=Running --timeout=60s"
                yield f"kubectl{inside(metadata)} wait pod {quoted(metadata.get('name'))} {until}"

    def _namespace(self, obj: Mapping[str, Any], resource: str) -> Iterator[str]:
        """The command that makes the object's namespace, where that is not in the history itself."""
        name = str(obj["metadata"].get("name" if resource == "namespaces" else "namespace") or "")
        if name and name not in self.namespaces and resource != "namespaces":
            yield f"kubectl create namespace {quoted(name)}"
        self.namespaces[name] = None

    def _look_up(self, uid: str) -> Iterator[str]:
        """Put a claim's name and UID into variables, as elsewhere they are others."""
        metadata, number = self.claims[uid], str(len(self.variables) + 1)
        self.variables[uid] = number
        within = f"kubectl -n {quoted(metadata.get('namespace'))} get"
        pod = next((o.get("name") for o in metadata.get("ownerReferences", ()) if o.get("kind") == "Pod"), None)
        if pod is None:
            yield f"claim{number}={quoted(metadata.get('name'))}"
        else:
            name = (metadata.get("annotations") or {}).get("resource.kubernetes.io/pod-claim-name", "")
            path = f'{{.status.resourceClaimStatuses[?(@.name=="{_word(name)}")].resourceClaimName}}'
            yield f"claim{number}=$({within} pod {quoted(pod)} -o jsonpath='{path}')"
        yield f"uid{number}=$({within} resourceclaim \"$claim{number}\" -o jsonpath='{{.metadata.uid}}')"

    def _call(self, event: Event) -> Iterator[str]:
        """Calls that the check made itself; those of the kubelet come by themselves."""
        if not _by_check(event) or event["phase"] != "end":
            return
        for claim in _claims_of(event):
            if str(claim.get("uid")) in self.claims and str(claim.get("uid")) not in self.variables:
                yield from self._look_up(str(claim["uid"]))
        body = '{"claims":[' + ",".join(self._entry(claim) for claim in _claims_of(event)) + "]}"
        version = _word(str(event["version"] or "v1").partition(".")[0])
        service = f"k8s.io.kubelet.pkg.apis.dra.{version}.DRAPlugin/{event['method']}"
        options = "-plaintext -unix -proto api.proto -d @"
        command = f"grpcurl {options} {_socket(str(event['instance']))} {service} {heredoc(body, literal=False)}"
        yield f"# Past the kubelet, on {_line(event['node'])}:\n{command}"

    def _entry(self, claim: Mapping[str, Any]) -> str:
        """A claim of a request as JSON in which the shell fills in the variables."""
        namespace, name, uid = (_word(claim.get(key)) for key in ("namespace", "name", "uid"))
        number = self.variables.get(str(claim.get("uid")))
        if number:
            uid = f"$uid{number}"
        if number and claim.get("name") == self.claims[str(claim["uid"])].get("name"):
            name = f"$claim{number}"
        return f'{{"namespace":"{namespace}","name":"{name}","uid":"{uid}"}}'


def _phase(pod: Mapping[str, Any]) -> str:
    return str((pod.get("status") or {}).get("phase"))


def _by_check(event: Event) -> bool:
    return event.kind == "rpc" and event["source"] == "check" and event["method"] in _CALLED


def _claims_of(event: Event) -> Sequence[Mapping[str, Any]]:
    return (event["request"] or {}).get("claims") or ()


def _kubelet(event: Event) -> Iterator[str]:
    action, node = event["action"], _line(event["node"])
    if action == "prepare_failed":
        yield f"# The kubelet cannot prepare pod {_line(event['pod'])}: {_line(event['details'])}"
    elif action in ("started", "stopped"):
        yield f"# On {node}: systemctl {'start' if action == 'started' else 'stop'} kubelet"
    elif action == "rebooted":
        yield f"# The node {node} is rebooted."


def _process(event: Event) -> Iterator[str]:
    node, name = _line(event["node"]), _line(event["name"])
    if event["phase"] == "signalled":
        yield f"# On {node}: kill -{_line(event['signal']).removeprefix('SIG')} the process of {name}."
    elif event["phase"] == "started":
        yield f"# On {node}: {name} starts."


def _disturb(event: Event) -> Iterator[str]:
    if event["phase"] == "start":
        command = shlex.join(map(str, event["argv"] or ()))
        yield f"# On {_line(event['node'])}: {_line(event['action'])}{_line(f': {command}') if command else ''}"


def _judgement(event: Event) -> Iterator[str]:
    holds = "holds" if event["holds"] else "does NOT hold"
    yield f"# Judged here, {_line(event['requirement'])}: that {_line(event['sentence'])} – {holds}."


def _socket(endpoint: str) -> str:
    """Where the socket is on a node that is set up as usual; instances have UUIDs of their own."""
    path = endpoint.rpartition("/plugins/")[2] if "/plugins/" in endpoint else endpoint.rpartition("/")[2]
    return f"{_PLUGINS}/{_UUID.sub('*', _word(path))}"


def _word(text: object) -> str:
    """What may stand in a shell's input without being more than a word or a path."""
    return re.sub(r"[^\w./-]", "", str(text or ""))


def _line(text: object) -> str:
    """Text of others in a comment: on one line, so that no part of it becomes a command."""
    return " ".join(str(text or "").split())
