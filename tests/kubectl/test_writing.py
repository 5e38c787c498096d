"""create, patch, edit, label, annotate, replace and delete."""

from pathlib import Path

import pytest

from tests.kubectl.manifests import CLAIM, SLICE
from tests.kubectl.pair import Pair


def script(folder: Path, line: str) -> str:
    """An editor that does one thing to the file."""
    path = folder / "editor.sh"
    path.write_text(f'#!/bin/sh\n{line} "$1"\n', encoding="utf-8")
    path.chmod(0o700)
    return str(path)


def test_create(pair: Pair) -> None:
    made = SLICE.format(name="made")
    pair.same("create -f - --dry-run=server -o yaml", made)
    for _ in range(2):
        pair.same("create -f -", made)
    pair.same("get resourceslice made -o yaml --show-managed-fields")


@pytest.mark.parametrize("how", ["strict", "warn", "ignore"])
def test_a_field_that_is_not_known(pair: Pair, how: str) -> None:
    pair.same(f"create --dry-run=server --validate={how} -f -", SLICE.format(name="odd") + "  colour: red\n")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("generation: 1", "generation: one"), ("SliceCount: 1", "SliceCount: 0"), ("[{name: gpu-0}]", "[1]")],
)
def test_an_object_that_is_refused(pair: Pair, right: str, wrong: str) -> None:
    assert pair.same("create -f -", SLICE.format(name="wrong").replace(right, wrong)).code == 1


def test_a_namespace_with_what_is_in_it(pair: Pair) -> None:
    for _ in range(2):
        pair.same("create namespace space")
    pair.same("create serviceaccount account -n space")
    pair.same("create configmap map --from-literal=a=b -n space")
    pair.same("create secret generic secret --from-literal=a=b -n space")
    pair.same("get sa,cm,secret -n space")
    assert pair.same("delete namespace space --timeout=20s").code == 0


def test_patch(pair: Pair) -> None:
    pair.same("create -f -", SLICE.format(name="patched"))
    for kind, patch in (
        ("json", '[{"op":"add","path":"/spec/devices/-","value":{"name":"gpu-1"}}]'),
        ("json", '[{"op":"test","path":"/spec/driver","value":"other"}]'),
        ("merge", '{"spec":{"driver":"other.example.com"}}'),
        ("merge", '{"spec":{"colour":"red"}}'),
        ("merge", '{"metadata":{"name":"other"}}'),
        ("strategic", '{"metadata":{"finalizers":["example.com/a"]}}'),
        ("strategic", '{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/a"]}}'),
    ):
        pair.same(f"patch resourceslice patched --type={kind} -p '{patch}'")
    pair.same("get resourceslice patched -o yaml --show-managed-fields")


def test_label_and_annotate(pair: Pair) -> None:
    pair.same("create -f -", SLICE.format(name="labelled"))
    for command in ("label {} a=b", "label {} a=c", "label {} a=c --overwrite", "annotate {} x=y", "label {} a-"):
        pair.same(command.format("resourceslice labelled"))
    pair.same("get resourceslice labelled -o yaml")


def test_edit(pair: Pair, tmp_path: Path) -> None:
    pair.same("create -f -", SLICE.format(name="edited"))
    pair.same("edit resourceslice edited", EDITOR=script(tmp_path, "sed -i s/generation:.1$/generation:\\ 7/"))
    pair.same("edit resourceslice edited", EDITOR=script(tmp_path, "true"))
    pair.same("edit resourceslice edited", EDITOR=script(tmp_path, "sed -i s/driver:.*/driver:\\ other.example.com/"))
    pair.same("get resourceslice edited -o yaml")


def test_replace(pair: Pair) -> None:
    pair.same("create -f -", SLICE.format(name="replaced"))
    pair.same("replace -f -", SLICE.format(name="replaced").replace("gpu-0", "gpu-9"))
    pair.same("replace -f -", SLICE.format(name="missing"))
    pair.same("get resourceslice replaced -o yaml")


def test_nodes(pair: Pair) -> None:
    for command in ("taint nodes node-a k=v:NoSchedule", "cordon node-a", "get nodes", "uncordon node-a"):
        pair.same(command)
    pair.same("taint nodes node-a k-")


def test_delete(pair: Pair) -> None:
    pair.same("create -f -", SLICE.format(name="first") + "---" + SLICE.format(name="second"))
    pair.same("delete resourceslice first --dry-run=server")
    pair.same("delete resourceslice first missing")
    pair.same("delete resourceslice -l made-for=second --cascade=foreground --timeout=10s")
    assert pair.same("get resourceslice first second").code == 1


def test_a_finalizer_holds_what_is_deleted(pair: Pair) -> None:
    pair.same("create -f -", CLAIM.format(name="held"))
    pair.same("delete resourceclaim held --wait=false")
    pair.same("get resourceclaim held")
    pair.same("""patch resourceclaim held --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'""")
    assert pair.same("wait --for=delete resourceclaim/held --timeout=10s").code == 0
