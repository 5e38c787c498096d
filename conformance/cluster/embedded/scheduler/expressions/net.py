"""IP addresses and networks (apiserver/pkg/cel/library/ip.go and cidr.go)."""

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import Any

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError, quote

Address = IPv4Address | IPv6Address
Network = IPv4Interface | IPv6Interface

_BITS = re.compile("0|[1-9][0-9]{0,2}")


def _address(text: str) -> Address:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        quoted = quote(text)
        why = f"IP Address {quoted} parse error during conversion from string: ParseAddr({quoted})"
        raise EvaluationError(f"{why}: {_wrong(text)}") from None
    if "%" in text:
        raise EvaluationError(f'IP address "{text}" with zone value is not allowed')
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        raise EvaluationError(f'IPv4-mapped IPv6 address "{text}" is not allowed')
    return found


def _wrong(text: str) -> str:
    """What is wrong with an address, as Go's netip says it of IPv4."""
    first = re.search("[.:%]", text)
    if first is not None and first[0] == ":" and not re.match("[0-9a-fA-F:]", text):
        return f"each colon-separated field must have at least one digit (at {quote(text)})"
    if first is None or first[0] != ".":
        return "unable to parse IP"
    for number, part in enumerate(text.split(".")):
        strange = re.search("[^0-9]", part)
        rest = quote(text[text.index(part) + (strange.start() if strange else 0) :])
        if strange:
            return f"unexpected character (at {rest})"
        if not part:
            return f"IPv4 field must have at least one digit (at {rest})"
        if number > 3:
            return "IPv4 address too long"
        if part != "0" and part.startswith("0"):
            return "IPv4 field has octet with leading zero"
        if int(part) > 255:
            return "IPv4 field has value >255"
    return "IPv4 address too short"


def _wrong_prefix(text: str) -> str:
    """What is wrong with a network."""
    host, slash, bits = text.rpartition("/")
    if not slash:
        return "no '/'"
    try:
        address = ip_address(host)
    except ValueError:
        return f"ParseAddr({quote(host)}): {_wrong(host)}"
    if "%" in host:
        return "IPv6 zones cannot be present in a prefix"
    known = _BITS.fullmatch(bits) and int(bits) > address.max_prefixlen
    return "prefix length out of range" if known else f"bad bits after slash: {quote(bits)}"


def _network(text: str) -> Network:
    what = "network address parse error during conversion from string"
    host, _, bits = text.rpartition("/")
    try:
        if not _BITS.fullmatch(bits) or "%" in host:
            raise ValueError
        found = ip_interface(text)
    except ValueError:
        raise EvaluationError(f"{what}: {what}: netip.ParsePrefix({quote(text)}): {_wrong_prefix(text)}") from None
    if isinstance(found, IPv6Interface) and found.ip.ipv4_mapped:
        raise EvaluationError(f'{what}: IPv4-mapped IPv6 address "{text}" is not allowed')
    return found


def _parses(read: Callable[[str], Any]) -> Callable[[str], bool]:
    def test(text: str) -> bool:
        try:
            read(text)
        except EvaluationError:
            return False
        return True

    return test


def _read(read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except EvaluationError:
        raise EvaluationError("no such overload") from None


def _contains(network: Network, address: Address) -> bool:
    return address.version == network.version and address in network.network


def _covers(network: Network, other: Network) -> bool:
    same = network.version == other.version
    return same and other.network.network_address in network.network and _bits(network) <= _bits(other)


def _bits(network: Network) -> int:
    return network.network.prefixlen


def _masked(network: Network) -> Network:
    return ip_interface(str(network.network))


def _global(address: Address) -> bool:
    broadcast = isinstance(address, IPv4Address) and int(address) == 2**32 - 1
    special = address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
    return not special and not broadcast


def _link_local_multicast(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.packed[:3] == bytes((224, 0, 0))
    return address.packed[0] == 0xFF and address.packed[1] & 0x0F == 0x02


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "string_to_ip": _address,
    "is_ip": _parses(_address),
    "ip_is_canonical": lambda text: str(_address(text)) == text,
    "ip_family": lambda address: address.version,
    "ip_is_unspecified": lambda address: address.is_unspecified,
    "ip_is_loopback": lambda address: address.is_loopback,
    "ip_is_link_local_multicast": _link_local_multicast,
    "ip_is_link_local_unicast": lambda address: address.is_link_local,
    "ip_is_global_unicast": _global,
    "ip_to_string": str,
    "string_to_cidr": _network,
    "is_cidr": _parses(_network),
    "cidr_contains_ip_string": lambda network, text: _contains(network, _read(_address, text)),
    "cidr_contains_ip_ip": _contains,
    "cidr_contains_cidr_string": lambda network, text: _covers(network, _network(text)),
    "cidr_contains_cidr": _covers,
    "cidr_ip": lambda network: network.ip,
    "cidr_prefix_length": _bits,
    "cidr_masked": _masked,
    "cidr_to_string": str,
}
