"""Write the table of Kubernetes' types that the embedded API server reads objects by; needs the modules k8s.io/api and
k8s.io/apimachinery of one release in Go's module cache.

Run as `python proto/kubernetes_types.py 0.37.2`. How the table reads is said in
conformance/cluster/embedded/apiserver/types/table.py.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "conformance/cluster/embedded/apiserver/types/kubernetes.txt"
META = "k8s.io/apimachinery/pkg/apis/meta/v1"
PACKAGES = {
    "k8s.io/api/core/v1": "v1",
    "k8s.io/api/resource/v1": "resource.k8s.io/v1",
    "k8s.io/api/resource/v1beta2": "resource.k8s.io/v1beta2",
    "k8s.io/api/resource/v1beta1": "resource.k8s.io/v1beta1",
    "k8s.io/api/coordination/v1": "coordination.k8s.io/v1",
    "k8s.io/api/events/v1": "events.k8s.io/v1",
    "k8s.io/api/authorization/v1": "authorization.k8s.io/v1",
    "k8s.io/api/authentication/v1": "authentication.k8s.io/v1",
    META: "meta/v1",
}
_DRA = ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"]
ROOTS = {
    "v1": ["Pod", "Node", "Namespace", "Event", "ServiceAccount", "Secret", "ConfigMap", "Binding"],
    "resource.k8s.io/v1": [*_DRA, "DeviceTaintRule"],
    "resource.k8s.io/v1beta2": [*_DRA, "DeviceTaintRule"],
    "resource.k8s.io/v1beta1": _DRA,
    "coordination.k8s.io/v1": ["Lease"],
    "events.k8s.io/v1": ["Event"],
    "authorization.k8s.io/v1": ["SelfSubjectAccessReview", "SelfSubjectRulesReview"],
    "authentication.k8s.io/v1": ["SelfSubjectReview"],
    "meta/v1": ["DeleteOptions"],
}
# Types that are one JSON value.
LEAVES = {
    "resource.Quantity": "quantity",
    "metav1.Time": "time",
    "metav1.MicroTime": "microtime",
    "runtime.RawExtension": "raw",
    "metav1.FieldsV1": "fields",
    "intstr.IntOrString": "intstr",
    "types.UID": "string",
    "types.NodeName": "string",
    "[]byte": "bytes",
    "byte": "int32",
}
PLAIN = ("string", "bool", "int32", "int64")

STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
ALIAS = re.compile(r"^type (\w+) (?!struct|interface|=)(.+)$", re.MULTILINE)
CONSTANT = re.compile(r'^\s*(?:const )?\w+\s+(\w+)\s*=\s*"([^"]*)"', re.MULTILINE)
MEMBER = re.compile(r"^\t(?:(\w+)\s+)?([\w.*\[\]]+)\s+`([^`]*)`")
TAG = re.compile(r'(\w+):"([^"]*)"')


@dataclass
class Package:
    """The declarations of one Go package: its structs with comments, and names for other types."""

    name: str
    text: str
    structs: dict[str, str] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    enums: dict[str, list[str]] = field(default_factory=dict)


def main(version: str) -> None:
    """Write the table for a release such as 0.37.2."""
    TARGET.write_text(table(version), encoding="utf-8")


def table(version: str) -> str:
    """The table for a release."""
    cache = Path(subprocess.run(["go", "env", "GOMODCACHE"], capture_output=True, text=True, check=True).stdout.strip())
    packages = {name: read(cache, version, path, name) for path, name in PACKAGES.items()}
    rows: dict[str, list[str]] = {}
    waiting = [(package, root) for package, roots in ROOTS.items() for root in roots]
    while waiting:
        package, struct = waiting.pop(0)
        key = f"{package}.{struct}"
        if key in rows:
            continue
        rows[key], needed = describe(packages, package, struct)
        waiting += needed
    return "\n".join(line for key in sorted(rows) for line in rows[key]) + "\n"


def read(cache: Path, version: str, path: str, name: str) -> Package:
    """The declarations of the package at an import path."""
    module, _, below = re.fullmatch(r"(k8s\.io/\w+)(/)(.*)", path).groups()  # type: ignore[union-attr]
    folder = cache / f"{module}@v{version}" / below
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.go")) if wanted(path.name))
    package = Package(name, text)
    for found in STRUCT.finditer(text):
        package.structs[found[1]] = found[2]
        package.comments[found[1]] = comment_above(text, found.start())
    for found in ALIAS.finditer(text):
        package.aliases[found[1]] = found[2].split("//")[0].strip()
        if "+enum" in comment_above(text, found.start()):
            package.enums[found[1]] = []
    for found in CONSTANT.finditer(text):
        if found[1] in package.enums:
            package.enums[found[1]].append(found[2])
    return package


def wanted(file: str) -> bool:
    """Whether a file of a package declares types."""
    return not file.endswith(("_test.go", ".pb.go")) and not file.startswith(("zz_", "types_swagger"))


def comment_above(text: str, at: int) -> str:
    """The comment lines right above a position."""
    lines: list[str] = []
    for line in reversed(text[:at].splitlines()):
        if not line.strip().startswith("//"):
            break
        lines.append(line)
    return "\n".join(lines)


def describe(packages: dict[str, Package], package: str, struct: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The lines about one struct, and the structs that it names."""
    here = packages[package]
    atomic = " atomic" if "+structType=atomic" in here.comments[struct] else ""
    lines, needed = [f"{package}.{struct}{atomic}"], []
    comment: list[str] = []
    for line in here.structs[struct].splitlines():
        if line.strip().startswith("//"):
            comment.append(line.strip())
            continue
        member = MEMBER.match(line)
        if member:
            row, found = describe_field(packages, here, member, "\n".join(comment))
            lines += row
            needed += found
        comment = []
    return lines, needed


def describe_field(
    packages: dict[str, Package], here: Package, member: re.Match[str], comment: str
) -> tuple[list[str], list[tuple[str, str]]]:
    """The line about one field, and the structs that it names."""
    go_type, tags = member[2], dict(TAG.findall(member[3]))
    json_name, *options = tags.get("json", "").split(",")
    if go_type.endswith("TypeMeta") or json_name == "-":
        return [], []
    number = re.match(r"\w+,(\d+)", tags.get("protobuf", ""))
    kind, words, struct = resolve(packages, here, go_type)
    words += [] if "omitempty" in options else ["always"]
    words += ["omitzero"] if "omitzero" in options else []
    words += attributes(comment, tags)
    required = "+required" in comment or ("+optional" not in comment and "omitempty" not in options)
    words += ["required"] if required and json_name else []
    row = f"  {json_name or '-'} {number[1] if number else 0} {kind} {' '.join(words)}".rstrip()
    return [row], [struct] if struct else []


def attributes(comment: str, tags: dict[str, str]) -> Iterator[str]:
    """How lists, maps and structs are merged, and the default that keys of lists have."""
    keys = "+".join(re.findall(r"\+listMapKey=(\w+)", comment))
    if keys:
        yield f"map={keys}"
    elif "+listType=set" in comment:
        yield "set"
    if re.search(r"\+(structType|mapType|listType)=atomic", comment):
        yield "atomic"
    if "merge" in tags.get("patchStrategy", ""):
        yield f"merge={tags.get('patchMergeKey', '')}"
    if "retainKeys" in tags.get("patchStrategy", ""):
        yield "retainKeys"
    found = re.search(r'\+default="([^"]*)"', comment)
    if found:
        yield f"default={found[1]}"


def resolve(packages: dict[str, Package], here: Package, go_type: str) -> tuple[str, list[str], tuple[str, str] | None]:
    """The table's type of a Go type, words about it (an enumeration, its name in Go), and the struct it is about."""
    prefix = ""
    while True:
        if go_type in LEAVES:
            return prefix + LEAVES[go_type], [], None
        if go_type.startswith("*"):
            prefix, go_type = f"{prefix}*", go_type[1:]
        elif go_type.startswith("[]"):
            prefix, go_type = f"{prefix}[]", go_type[2:]
        elif found := re.match(r"map\[[\w.]+\](.*)", go_type):
            prefix, go_type = f"{prefix}{{}}", found[1]
        else:
            break
    if go_type in PLAIN:
        return prefix + go_type, [], None
    alias, _, name = go_type.rpartition(".")
    package = {"metav1": packages["meta/v1"], "v1": packages["v1"], "corev1": packages["v1"]}.get(alias, here)
    qualified = f"metav1.{name}" if package.name == "meta/v1" else go_type
    if qualified in LEAVES:
        return prefix + LEAVES[qualified], [], None
    if name in package.structs:
        return f"{prefix}{package.name}.{name}", [], (package.name, name)
    kind, words, struct = resolve(packages, package, package.aliases[name])
    values = package.enums.get(name, [])
    words += [f"enum={'|'.join(sorted(values))}"] if values else []
    if kind == "string":
        words.append(f"go=v1.{name}" if package.name.endswith("v1") else f"go={package.name.rpartition('/')[2]}.{name}")
    return prefix + kind, words, struct


if __name__ == "__main__":
    main(sys.argv[1])
