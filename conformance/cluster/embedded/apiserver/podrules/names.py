"""Names that a pod has and looks up: host names, DNS, accounts."""

import re

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import invalid, required
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, address

_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_MOST_SERVERS, _MOST_SEARCHES, _MOST_CHARACTERS = 3, 32, 2048
_SEGMENT = "[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?"
_SEARCH = re.compile(rf"{_SEGMENT}(\.{_SEGMENT})*")
_SEARCH_BYTES = 253
_SEARCH_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', "
    "and must start and end with an alphanumeric character or an underscore"
)


def names(spec: Row) -> Errors:
    """All of them."""
    for key in ("hostname", "subdomain"):
        if spec.get(key):
            yield from rules.device_name(spec[key], f"spec.{key}")
    if spec.get("serviceAccountName"):
        yield from rules.node_name(spec["serviceAccountName"], "spec.serviceAccountName")
    yield from rules.one_of(spec["dnsPolicy"], _POLICIES, "spec.dnsPolicy")
    yield from _dns(spec, "spec.dnsConfig")
    for index, row in enumerate(spec.get("hostAliases", [])):
        field = f"spec.hostAliases[{index}]"
        yield from address(row.get("ip", ""), f"{field}.ip")
        for number, name in enumerate(row.get("hostnames", [])):
            yield from formats.each(formats.dns_subdomain(name), f"{field}.hostnames[{number}]", name)


def _dns(spec: Row, field: str) -> Errors:
    config = spec.get("dnsConfig")
    if spec["dnsPolicy"] == "None" and not (config or {}).get("nameservers"):
        if config is None:
            yield required(field, "must provide `dnsConfig` when `dnsPolicy` is None")
        else:
            why = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield required(f"{field}.nameservers", why)
        return
    servers, searches = (config or {}).get("nameservers", []), (config or {}).get("searches", [])
    if len(servers) > _MOST_SERVERS:
        yield invalid(f"{field}.nameservers", servers, f"must not have more than {_MOST_SERVERS} nameservers")
    for index, server in enumerate(servers):
        yield from address(server, f"{field}.nameservers[{index}]")
    if len(searches) > _MOST_SEARCHES:
        yield invalid(f"{field}.searches", searches, f"must not have more than {_MOST_SEARCHES} search paths")
    if len(" ".join(searches)) > _MOST_CHARACTERS:
        why = f"must not have more than {_MOST_CHARACTERS} characters (including spaces) in the search list"
        yield invalid(f"{field}.searches", searches, why)
    for index, search in enumerate(searches):
        name = search.removesuffix(".")
        if search != "." and (not _SEARCH.fullmatch(name) or len(name.encode()) > _SEARCH_BYTES):
            yield invalid(f"{field}.searches[{index}]", name, _SEARCH_TEXT)
    for index, option in enumerate((config or {}).get("options", [])):
        if not option.get("name"):
            yield required(f"{field}.options[{index}]", "must not be empty")
