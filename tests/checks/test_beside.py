"""A claim with a device of a second driver beside those that it has had."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.checks.preparation.beside import beside
from conformance.cluster import Cluster
from conformance.cluster.companion import companion
from conformance.cluster.embedded import EmbeddedBackend
from conformance.history import History
from conformance.target import Target

CLAIM = """
drivers:
- name: gpu.example.com
  deviceClasses: [{name: big, selectors: ["device.attributes['x.y'].big"]}, {name: small}]
claim:
  spec:
    devices:
      requests:
      - {name: one, exactly: {deviceClassName: big, count: 2}}
      - {name: two, firstAvailable: [{name: a, deviceClassName: big}, {name: b, deviceClassName: small}]}
      constraints:
      - {matchAttribute: gpu.example.com/numa}
      - {matchAttribute: gpu.example.com/model, requests: [one]}
"""

SLICE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "theirs"},
    "spec": {
        "driver": companion().driver_name,
        "nodeName": "node-a",
        "pool": {"name": "theirs", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "one", "attributes": {"x.y/small": {"bool": True}}}],
    },
}


@pytest.fixture
def cluster(run_dir: Path, tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "driver.yaml").write_text(CLAIM)
    target = Target.load(str(tmp_path / "driver.yaml"), process=False)
    backend = EmbeddedBackend(run_dir, History(), log_dir=tmp_path)
    backend.start()
    for obj in [*target.class_objects(), *companion().class_objects()]:
        backend.api.create("deviceclasses", obj)
    backend.api.create("resourceslices", SLICE)
    yield Cluster(backend, target, "default", tmp_path)
    backend.stop()


def test_what_was_asked_for_before_is_not_taken_from_the_other_driver(cluster: Cluster) -> None:
    spec = beside(cluster, companion())
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "both"}, "spec": spec}
    devices = cluster.create(claim)["spec"]["devices"]
    one, two, more = devices["requests"]
    assert (one["exactly"]["deviceClassName"], one["exactly"]["count"]) == ("default.big", 2)
    assert [each["deviceClassName"] for each in two["firstAvailable"]] == ["default.big", "small"]
    assert more["exactly"]["deviceClassName"] == companion().device_class
    assert [constraint["requests"] for constraint in devices["constraints"]] == [["one", "two"], ["one"]]
    selectors = cluster.api.get("deviceclasses", "default.big")["spec"]["selectors"]
    assert yaml.safe_dump(selectors).index("companion.example.com") < yaml.safe_dump(selectors).index("big")
    assert cluster.cluster_scoped == [("deviceclasses", "default.big")]


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("device.attributes['x.y'].small", False),
        ("device.attributes['x.y'].size > 1", False),
        ("has(device.attributes['x.y'].size)", True),
        ("device.driver.startsWith('gpu.')", True),
    ],
)
def test_a_class_is_replaced_only_where_it_takes_or_fails_on_devices_of_the_other(
    cluster: Cluster, expression: str, kept: bool
) -> None:
    spec = {"selectors": [{"cel": {"expression": expression}}]}
    cluster.api.patch("deviceclasses", "big", {"spec": spec})
    (one, *_) = beside(cluster, companion())["devices"]["requests"]
    assert one["exactly"]["deviceClassName"] == ("big" if kept else "default.big")
