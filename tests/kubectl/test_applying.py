"""apply on the client's side and on the server's, and diff."""

from tests.kubectl.manifests import ARTICLE, SLICE
from tests.kubectl.pair import Pair


def test_apply_twice(pair: Pair) -> None:
    objects = ARTICLE.format(name="twice")
    for _ in range(2):
        assert pair.same("apply -f -", objects).code == 0
    changed = objects.replace("80Gi", "40Gi").replace("ubuntu:24.04", "ubuntu:26.04")
    assert pair.same("diff -f -", changed).code == 1
    assert pair.same("apply -f -", changed).code == 0
    pair.same("get resourceslice twice -o yaml")
    pair.same("get pod twice -o jsonpath={.spec}")
    assert pair.same("delete -f - --force --grace-period=0", objects).code == 0


def test_fields_have_owners(pair: Pair) -> None:
    ours, other = SLICE.format(name="owned"), SLICE.format(name="owned").replace("gpu-0", "gpu-1")
    apply = "apply --server-side -f - --field-manager="
    pair.same(f"{apply}me", ours)
    assert pair.same(f"{apply}you", other).code == 1
    assert pair.same("diff --server-side -f - --field-manager=you --force-conflicts", other).code == 1
    assert pair.same(f"{apply}you --force-conflicts", other).code == 0
    pair.same(f"{apply}me", other.replace("labels: {made-for: owned}", "labels: {}"))
    pair.same("get resourceslice owned -o yaml --show-managed-fields")


def test_from_the_client_to_the_server(pair: Pair) -> None:
    objects = ARTICLE.format(name="moved")
    pair.same("apply -f -", objects)
    pair.same("label resourceslice moved made-for=others --overwrite")
    assert pair.same("apply --server-side -f -", objects).code == 1
    assert pair.same("apply --server-side --force-conflicts -f -", objects).code == 0
    pair.same("get resourceslice moved -o yaml")
    pair.same("delete -f - --force --grace-period=0", objects)
