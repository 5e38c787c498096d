"""Links to the sources of obligations, as the catalogue names them: files of Kubernetes and others, KEPs, issues."""

import re
from collections.abc import Iterator

_KUBERNETES = "https://github.com/kubernetes/kubernetes"
_VERSION = "v1.37.2"
"""The one that the catalogue's lines are counted in."""
_TREES = {
    "k8s.io/kubernetes/": f"{_KUBERNETES}/blob/{_VERSION}/",
    "k8s.io/": f"{_KUBERNETES}/blob/{_VERSION}/staging/src/k8s.io/",
    "tags.cncf.io/container-device-interface/": "https://github.com/cncf-tags/container-device-interface/blob/v1.1.1/",
    "github.com/containerd/containerd/v2/": "https://github.com/containerd/containerd/blob/v2.4.2/",
}
_FILE = re.compile(r"(?P<path>[\w.-]+(?:/[\w.-]+)+)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?(?:, [\d, -]+)?(?: \(.*\))?")
_KEP = re.compile(r"KEP-(\d+)\b.*")
_ISSUE = re.compile(r"(?:kubernetes/)?kubernetes issue (\d+)")


def links(source: str) -> Iterator[tuple[str, str]]:
    """Each part of a requirement's source and its URL; parts that none is known for are left out."""
    for part in (part.strip() for part in source.split(";")):
        url = _url(part)
        if url:
            yield part, url


def _url(part: str) -> str:
    if kep := _KEP.fullmatch(part):
        return f"https://github.com/kubernetes/enhancements/issues/{kep[1]}"
    if issue := _ISSUE.fullmatch(part):
        return f"{_KUBERNETES}/issues/{issue[1]}"
    file = _FILE.fullmatch(part)
    prefix = next((prefix for prefix in _TREES if part.startswith(prefix)), "")
    if not file or not prefix:
        return ""
    lines = "".join([f"#L{file['first']}" if file["first"] else "", f"-L{file['last']}" if file["last"] else ""])
    return f"{_TREES[prefix]}{file['path'].removeprefix(prefix)}{lines}"
