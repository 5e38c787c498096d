"""A runtime that looks at any moment finds whole specs, which it can read even when it is not the newest."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.check import check
from conformance.cluster import Cluster, Node, Shared
from conformance.cluster.cdi.version import minimum_version
from conformance.cluster.kubelet.inotify import Inotify
from conformance.expect import Expect
from conformance.verdict import NotApplicable, Unseen


@check(
    id="injection.whole_specs",
    covers=("CDI-03", "CDI-08"),
    needs=("injection.specs_resolve",),
    claims=1,
)
def test_whole_specs(cluster: Cluster, node: Node, expect: Expect) -> None:
    """CDI specs appear at one stroke, by a rename, and state the lowest CDI version that has what they use."""
    if isinstance(cluster.backend, Shared):
        raise Unseen("how files of nodes are written cannot be seen on this cluster")
    with written_in_place(node) as names:
        answer = cluster.apply("one_pod.yaml").pod("user").wait_prepared("devices")
    devices = node.cdi.devices()
    specs = {device.spec.path.name: device.spec for cdi_id in answer.cdi_ids if (device := devices.get(cdi_id))}
    if not specs:
        raise NotApplicable("the driver gives no CDI device for a valid claim")
    expect("CDI-03").equal(sorted(names), [], "no file that a runtime may be reading is written to")
    stated = {name: spec.cdi_version.removeprefix("v") for name, spec in specs.items()}
    needed = {name: minimum_version(dict(spec.raw)) for name, spec in specs.items()}
    expect("CDI-08").equal(stated, needed, "each spec states the lowest version of CDI that has what it uses")


@contextmanager
def written_in_place(node: Node) -> Iterator[set[str]]:
    """After the block, the set has the names of spec files that were written to where runtimes look for them."""
    names: set[str] = set()
    watch = Inotify()
    try:
        for folder in node.cdi.dirs:
            if folder.is_dir():
                watch.add(folder, writes=True)
        yield names
        names.update(change.path.name for change in watch.so_far() if change.written and _is_spec(change.path))
    finally:
        watch.close()


def _is_spec(path: Path) -> bool:
    return path.suffix in (".json", ".yaml")
