"""get, describe, explain, and what the server says of itself."""

import pytest

from tests.kubectl.manifests import ARTICLE, EVENT, LEASE, TAINT_RULE
from tests.kubectl.pair import Pair, fields_only

DRA = "deviceclass,resourceclaimtemplate,resourceslice,devicetaintrule"


@pytest.fixture(scope="module", autouse=True)
def objects(pair: Pair) -> None:
    made = "\n---\n".join((ARTICLE.format(name="read"), TAINT_RULE, EVENT, LEASE))
    pair.same("create -f -", made)


@pytest.mark.parametrize(
    "command",
    [
        f"get {DRA} -o wide",
        f"get {DRA} -o yaml",
        "get pod read --show-labels",
        "get pods -A -o wide",
        "get pod read -o jsonpath={.spec}",
        "get nodes -o wide",
        "get node node-a --show-labels -L kubernetes.io/hostname",
        "get ns default kube-system",
        "get event event -o wide",
        "get event event -o yaml",
        "get lease",
        "get resourceslice -l made-for=read,!x -o name",
        "get resourceslice -l 'made-for in (other)'",
        "get resourceslice --field-selector spec.driver=read.example.com",
        "get resourceslice --field-selector spec.colour=red",
        "get pods --field-selector spec.nodeName=elsewhere",
        "get resourceslices.v1beta1.resource.k8s.io read -o yaml",
        "get resourceclaimtemplates.v1beta2.resource.k8s.io read -o yaml",
        "get resourceslice -o custom-columns=N:.metadata.name,D:.spec.driver --chunk-size=1",
        "get resourceslice read missing",
        "get colour",
        f"describe {DRA} -l made-for!=x",
        "describe pod read --show-events=false",
        "auth can-i create resourceslices.resource.k8s.io",
        "auth whoami",
        "version",
    ],
)
def test_as_with_a_real_cluster(pair: Pair, command: str) -> None:
    pair.same(command)


@pytest.mark.parametrize(
    "command",
    [
        "explain resourceslice.spec.devices --recursive",
        "explain pod.spec.containers",
        "explain resourceclaim.spec.devices.requests --api-version=resource.k8s.io/v1beta1",
    ],
)
def test_explain_knows_the_fields(pair: Pair, command: str) -> None:
    assert pair.same(command, view=fields_only).out


def test_explain_knows_no_other_fields(pair: Pair) -> None:
    assert pair.same("explain resourceslice.spec.colour").code == 1


@pytest.mark.parametrize("group", ["resource.k8s.io", "coordination.k8s.io"])
def test_the_resources_of_a_group(pair: Pair, group: str) -> None:
    assert pair.same(f"api-resources --api-group={group} -o wide").code == 0
