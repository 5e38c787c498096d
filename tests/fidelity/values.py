"""Values for the formats that fields of Kubernetes have: good ones, at the limit, past it, malformed."""

from typing import Any

_LABEL63 = "a" * 63
_SUB253 = ".".join(["b" * 62] * 4) + "c"

DNS_LABELS: tuple[Any, ...] = (
    "good",
    "g-0",
    _LABEL63,
    _LABEL63 + "a",
    "Upper",
    "-a",
    "a-",
    "a.b",
    "a_b",
    "ä",
    "a/b",
    "9",
)
DNS_SUBDOMAINS: tuple[Any, ...] = (
    "good",
    "a.b.c",
    _SUB253,
    _SUB253 + "cc",
    "Upper.example.com",
    ".a",
    "a.",
    "a..b",
    "a_b",
    "a/b",
    "-a.b",
    "a b",
)
DRIVERS: tuple[Any, ...] = (
    "gpu.example.com",
    "UPPER.example.com",
    "c" * 63,
    "c" * 64,
    "Upper" + "c" * 60,
    "a_b",
    "a/b",
    "a..b",
    "-",
)
POOLS: tuple[Any, ...] = (
    "a",
    "a/b.c/d",
    "a//b",
    "/a",
    "a/",
    "A",
    "p" * 63 + "/" + "q" * 63,
    _SUB253,
    _SUB253 + "cc",
    "a b",
)
C_NAMES: tuple[Any, ...] = ("good", "_a9", "i" * 32, "i" * 33, "9a", "a-b", "ä")
QUALIFIED: tuple[Any, ...] = (
    "model",
    "example.com/model",
    "i" * 32,
    "i" * 33,
    "d" * 63 + "/" + "i" * 32,
    "d" * 64 + "/i",
    "d" * 64 + "/" + "i" * 33,
    "/x",
    "x/",
    "/",
    "a/b/c",
    "9a",
    "Up.example.com/x",
    "a_b/x",
    "example.com/a-b",
)
LABEL_KEYS: tuple[Any, ...] = (
    "key",
    "example.com/Key_1.a",
    "k" * 63,
    "k" * 64,
    "/k",
    "a/b/c",
    "Up.example.com/k",
    "k/",
    "-k",
    "a b",
    "d" * 253 + "/k",
    "d" * 254 + "/k",
)
LABEL_VALUES: tuple[Any, ...] = ("", "v", "V_1.a-b", "v" * 63, "v" * 64, "-v", "v-", "a b", "a/b")
QUANTITIES: tuple[Any, ...] = (
    "1",
    "0",
    "-1",
    "1Gi",
    "1.5",
    "100m",
    "1e3",
    "1E3",
    "12e",
    "1E",
    "0.5Gi",
    "1000k",
    "1024Ki",
    "2048Mi",
    ".5",
    "5.",
    "+5",
    "1n",
    "1u",
    "0.1n",
    "9223372036854775807",
    "9223372036854775808",
    "1e30",
    "999Ei",
    "x",
    "1 Gi",
    "Gi",
    "1.1.1",
    "1gi",
    "--1",
    1,
    2.5,
    1000,
    1048576,
    0.001,
)
INTEGERS: tuple[Any, ...] = (0, 1, -1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), "1", 1.0, 1.5)
BOOLEANS: tuple[Any, ...] = (True, False, "true", 1)
TIMES: tuple[Any, ...] = (
    "2024-01-02T03:04:05Z",
    "2024-01-02T03:04:05.678Z",
    "2024-01-02T03:04:05+02:00",
    "2024-01-02",
    "now",
    "2024-01-02T03:04:05",
    "0001-01-01T00:00:00Z",
    "2024-13-02T03:04:05Z",
)
SEMVERS: tuple[Any, ...] = (
    "1.2.3",
    "1.2",
    "v1.2.3",
    "1.2.3-a.1+b.2",
    "01.2.3",
    "1.2.3-",
    "1.2.3-01",
    "1.0.0+" + "b" * 58,
    "1.0.0+" + "b" * 59,
    "1.0.0-" + "a" * 60,
    "x" * 65,
)
SELECTOR_OPERATORS: tuple[Any, ...] = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "in", "")
UUIDS: tuple[Any, ...] = (
    "0e9c0a5b-4e6f-4d8a-9e1b-2f3a4b5c6d7e",
    "0E9C0A5B-4E6F-4D8A-9E1B-2F3A4B5C6D7E",
    "0e9c0a5b4e6f4d8a9e1b2f3a4b5c6d7e",
    "{0e9c0a5b-4e6f-4d8a-9e1b-2f3a4b5c6d7e}",
    "urn:uuid:0e9c0a5b-4e6f-4d8a-9e1b-2f3a4b5c6d7e",
    "0e9c0a5b-4e6f-4d8a-9e1b-2f3a4b5c6d7",
    "g" * 36,
)


def text(limit: int) -> tuple[Any, ...]:
    """Texts around a limit in bytes."""
    return ("x", "x" * limit, "x" * (limit + 1), "ä" * (limit // 2), "ä" * (limit // 2 + 1), "a b\n\"'<>&")
