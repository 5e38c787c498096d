"""Every container image that the suite itself names, in one place; and where a mirror has it.

`dra-conformance images` lists them by kind of cluster. A test sees to it that no other one is named in what ships.
"""

import re

NODES = "kindest/node"
"""Nodes of --cluster=kind, as kind publishes them; the tag is a version of Kubernetes."""
NODES_OF_KIND = f"{NODES}:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5"
"""What kind takes by itself in the version that is built here."""
ON_NODES = "python:3.12-slim"
"""Has python3, for the privileged pod on nodes of --cluster=existing."""
PAUSE = "registry.k8s.io/pause:3.10.1"
"""A container that just waits, for pods of checks on a cluster whose nodes do not tell what they use themselves."""
NOT_RUN = "example.com/pause"
"""What pods of checks name where no container is run: on the embedded cluster and on control-plane."""

_PREFIX = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*", re.IGNORECASE)
_REGISTRIES = (".", ":")  # one of these is in the name of every registry but localhost


def mirrored(reference: str, prefix: str) -> str:
    """Where a mirror has the image: `prefix` takes the place of its registry; without one it is where it always is.

    registry.k8s.io/pause:3.10.1 is registry.example.com/mirror/pause:3.10.1 there, a digest stays.
    """
    if not prefix:
        return reference
    first, slash, rest = reference.partition("/")
    has_registry = slash and (first == "localhost" or any(sign in first for sign in _REGISTRIES))
    return f"{prefix}/{rest if has_registry else reference}"


def prefix(value: str, error: type[Exception]) -> str:
    """A registry, with a path if it has one, as --registry-prefix names it: without a / at its end.

    Raises `error` with one sentence for what is none.
    """
    given = value.rstrip("/")
    if value and not _PREFIX.fullmatch(given):
        raise error(
            f"--registry-prefix={value} is no registry; give a host, with a path if it has one, and without https://, "
            "such as registry.example.com/mirror"
        )
    return given
