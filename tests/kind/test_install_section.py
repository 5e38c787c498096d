"""What a driver file's section `install` brings: charts, manifests as files, folders and URLs. No cluster is needed."""

import http.server
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.cluster.kind import charts, manifests, sources
from conformance.cluster.local.tls import make_server_files
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive
from tests.kind.fake_programs import FakePrograms

EXAMPLE = Path(__file__).parents[2] / "examples" / "helm-chart.yaml"
OBJECT = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}\n"


def driver_file(folder: Path, install: str) -> Target:
    path = folder / "driver.yaml"
    path.write_text(f"drivers: [{{name: gpu.example.com}}]\ninstall: {install}\n")
    return Target.load(str(path), process=False)


def names(target: Target) -> list[str]:
    return [obj["metadata"]["name"] for obj in manifests.objects_of(target)]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    folder = tmp_path / "bin"
    folder.mkdir()
    return FakePrograms(folder, monkeypatch)


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a web server that serves the files of a folder, `web`."""
    (tmp_path / "web").mkdir()
    files = make_server_files(tmp_path / "tls")
    monkeypatch.setenv("SSL_CERT_FILE", str(files.ca))

    class Files(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(tmp_path / "web"))  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.cert, files.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"https://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_files_folders_and_urls_come_in_order(tmp_path: Path, web: str) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("folder/2.yaml", "folder/1.yaml", "one.yaml", "web/far.yaml", "folder/notes.txt"):
        (tmp_path / name).write_text(OBJECT % name.replace("/", "-"))
    target = driver_file(tmp_path, f"{{manifests: [one.yaml, '{web}/far.yaml', folder]}}")
    assert names(target) == ["one.yaml", "web-far.yaml", "folder-1.yaml", "folder-2.yaml"]
    manifests.check(target)


def test_lists_are_taken_apart(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("kind: List\nitems:\n- " + OBJECT % "a" + "- " + OBJECT % "b")
    assert names(driver_file(tmp_path, "{manifests: [list.yaml]}")) == ["a", "b"]


def test_what_cannot_be_fetched_is_nobodys_fault(tmp_path: Path, web: str) -> None:
    target = driver_file(tmp_path, f"{{manifests: ['{web}/nowhere.yaml']}}")
    manifests.check(target)
    with pytest.raises(Inconclusive, match=r"install\.manifests: https://\S+/nowhere\.yaml cannot be fetched: .*404"):
        names(target)
    with pytest.raises(TargetError, match=r"http://x/y\.yaml is not fetched, as it is neither a path nor an https://"):
        manifests.check(driver_file(tmp_path, "{manifests: ['http://x/y.yaml']}"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "is not YAML"),
        ("just a text", "has something else than Kubernetes objects"),
        ("{apiVersion: v1, kind: Pod}", "has something else than Kubernetes objects"),
    ],
)
def test_a_bad_manifest_is_told_before_there_is_a_cluster(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(TargetError, match=rf"driver\.yaml: install\.manifests: \S+bad\.yaml {said}"):
        manifests.check(driver_file(tmp_path, "{manifests: [bad.yaml]}"))


def test_prerequisites_are_manifests_too(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(OBJECT % "crd")
    (tmp_path / "driver-manifest.yaml").write_text(OBJECT % "driver")
    target = driver_file(tmp_path, "{prerequisites: [crd.yaml], manifests: [driver-manifest.yaml]}")
    assert [obj["metadata"]["name"] for obj in manifests.prerequisites_of(target)] == ["crd"]
    assert names(target) == ["driver"]
    with pytest.raises(TargetError, match=r"install\.prerequisites: \S+crd\.yaml does not exist"):
        (tmp_path / "crd.yaml").unlink()
        manifests.check(target)


def test_a_chart_is_rendered_by_helm(tmp_path: Path, programs: FakePrograms) -> None:
    (tmp_path / "chart").mkdir()
    hook = "{apiVersion: v1, kind: Job, metadata: {name: %s, annotations: {helm.sh/hook: %s}}}"
    crd = "{apiVersion: v1, kind: CustomResourceDefinition, metadata: {name: crd}}"
    documents = [OBJECT % "settings", hook % ("after", "post-install"), hook % ("delete", "pre-delete"), crd]
    rendered = "\n---\n".join([*documents, hook % ("before", '"pre-install,pre-upgrade"')])
    programs.on("helm template *", prints=rendered)
    target = driver_file(tmp_path, "{charts: [{chart: chart, release: r, namespace: ns, values: {a: {b: 1}}}]}")
    render = charts.Renderer(tmp_path / "bin" / "helm", "v1.37.2", ("resource.k8s.io/v1",))
    found = manifests.objects_of(target, lambda: render)
    assert [obj["metadata"]["name"] for obj in found] == ["ns", "crd", "before", "settings", "after"]
    assert found[3]["metadata"]["namespace"] == "ns"
    (call,) = programs.calls
    assert f"template r {tmp_path}/chart --namespace ns" in call
    assert "--api-versions=resource.k8s.io/v1 --kube-version v1.37.2" in call


def test_a_chart_that_helm_refuses(tmp_path: Path, programs: FakePrograms) -> None:
    (tmp_path / "chart").mkdir()
    programs.on("helm template *", complains="Error: execution error: values.image is required\n", status=1)
    with pytest.raises(TargetError, match=r"driver\.yaml: cannot render install\.charts\[0\]: .*values\.image is"):
        names(driver_file(tmp_path, "{charts: [{chart: chart}]}"))
    with pytest.raises(Inconclusive, match=r"cannot render install\.charts\[0\]"):
        names(driver_file(tmp_path, "{charts: [{chart: 'oci://registry.example.com/chart'}]}"))
    assert programs.calls[-1].startswith("helm template driver oci://registry.example.com/chart ")


def test_a_chart_that_is_nowhere(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"install\.charts\[0\]: \S+/nowhere does not exist; give the path"):
        manifests.check(driver_file(tmp_path, "{charts: [{chart: nowhere}]}"))


def test_without_helm_and_go_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(Inconclusive, match="needs helm, but it is not on PATH, nor is Go to build it with"):
        charts.provide_helm(str)


def test_the_example_installs_what_the_manifests_do(helm: Path) -> None:
    found = charts.Renderer(helm, "v1.37.2")
    by_chart = manifests.objects_of(Target.load(str(EXAMPLE), process=False), lambda: found)
    by_manifests = manifests.objects_of(Target.load("reference"))
    assert sorted((obj["kind"], obj["metadata"]["name"]) for obj in by_chart) == sorted(
        (obj["kind"], obj["metadata"]["name"]) for obj in by_manifests
    )


def test_nothing_to_install(tmp_path: Path) -> None:
    for install in ("{images: [x]}", "{prerequisites: []}"):
        with pytest.raises(TargetError, match="install has neither manifests nor charts"):
            manifests.check(driver_file(tmp_path, install))


def test_one_sentence_for_text_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe4\n")
    with pytest.raises(TargetError, match="is not UTF-8 text"):
        sources.read(["latin.yaml"], "install.manifests", tmp_path / "driver.yaml")


def test_the_values_of_a_chart_reach_helm(tmp_path: Path, programs: FakePrograms) -> None:
    (tmp_path / "chart").mkdir()
    programs.on("helm template *", script=f"while [ $1 != --values ]; do shift; done; cat $2 >{tmp_path}/values")
    assert names(driver_file(tmp_path, "{charts: [{chart: chart, values: {a: {b: [1]}}}]}")) == []
    assert yaml.safe_load((tmp_path / "values").read_text()) == {"a": {"b": [1]}}
