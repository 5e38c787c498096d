"""What is kept of a check, what is cleaned up after it, and what is found left behind."""

import re

from conformance.session.namespace import namespace_name
from tests.session.project import Project

POD = '{"kind": "Pod", "metadata": {"name": "user"}, "spec": {}}'
CLAIM = '{"kind": "ResourceClaim", "metadata": {"name": "devices"}, "spec": {}}'


def test_everything_is_kept_of_a_check_that_fails_and_little_of_one_that_passes(project: Project) -> None:
    project.suite(f"""
        from conformance.cluster import ClaimRef

        @check(id="preparation.bad", covers=["PREP-05"])
        def test_bad(expect, cluster, node):
            "It does not hold."
            cluster.create({POD})
            cluster.create({CLAIM})
            node.cdi.files["gpu.json"] = "a spec"
            node.prepare(ClaimRef(cluster.namespace, "devices", "uid-devices"))
            expect("PREP-05").equal(1, 2, "it holds")

        @check(id="preparation.good", covers=["PREP-05"])
        def test_good(expect, cluster, node):
            "It holds."
            node.prepare(ClaimRef(cluster.namespace, "devices", "uid-other"))
            expect("PREP-05").equal(1, 1, "it holds")
    """)
    project.run()
    folder = project.report_dir / "evidence" / "preparation.bad"
    names = {path.name for path in folder.iterdir()}
    wanted = {"calls.txt", "transcript.jsonl", "changes.jsonl", "pods.json", "resourceclaims.json", "cdi.txt"}
    assert names == wanted | {"driver.log"}
    assert '"name": "user"' in (folder / "pods.json").read_text()
    calls = (folder / "calls.txt").read_text()
    assert re.search(r"NodePrepareResources OK 1\.0 ms dra-preparation-bad-\d+/devices", calls), (
        "numbered by the process"
    )
    assert "a spec" in (folder / "cdi.txt").read_text()
    result = project.result("preparation.bad")
    assert result.evidence == [f"evidence/preparation.bad/{name}" for name in _names(result.evidence)]
    seed = f"--conformance-seed={project.report().settings['seed']}"
    assert result.reproduce == f"dra-conformance run --driver=fake.yaml {seed} --check=preparation.bad"
    assert project.result("preparation.good").evidence == ["evidence/preparation.good/calls.txt"]


def _names(paths: list[str]) -> list[str]:
    return [path.rpartition("/")[2] for path in paths]


def test_what_a_check_created_is_gone_afterwards(project: Project) -> None:
    project.suite(f"""
        @check(id="preparation.first", covers=["PREP-05"])
        def test_first(expect, cluster):
            "It leaves a pod, a claim and a device class."
            cluster.create({POD})
            cluster.create({CLAIM})
            cluster.create({{"kind": "DeviceClass", "metadata": {{"name": "extra"}}, "spec": {{}}}})
            expect("PREP-05").equal(1, 1, "it holds")

        @check(id="preparation.second", covers=["PREP-05"], needs=["preparation.first"])
        def test_second(expect, cluster):
            "Nothing is left."
            left = [key for key in cluster.api.objects if key != ("namespaces", "", cluster.namespace)]
            expect("PREP-05").empty(left, "nothing is left")
    """)
    run = project.run()
    assert run.returncode == 0, run.stdout


def test_leaks_are_found_by_the_uid_of_the_claim(project: Project) -> None:
    project.suite(f"""
        from conformance.cluster import ClaimRef

        @check(id="preparation.leaks", covers=["PREP-05"])
        def test_leaks(expect, cluster, node):
            "The driver leaves a CDI spec of a claim."
            claim = cluster.create({CLAIM})
            node.cdi.files["gpu.json"] = "for uid-devices"
            node.prepare(ClaimRef(cluster.namespace, "devices", "uid-devices"))
            expect("PREP-05").equal(1, 1, "it holds")

        @check(id="preparation.never_prepared", covers=["PREP-05"])
        def test_never_prepared(expect, cluster, node):
            "The driver was never asked about this claim."
            cluster.create({{"kind": "ResourceClaim", "metadata": {{"name": "idle"}}, "spec": {{}}}})
            node.cdi.files["idle.json"] = "for uid-idle"
            expect("PREP-05").equal(1, 1, "it holds")

        @check(id="unpreparing.end", covers=["UNP-07"], at_end=True)
        def test_end(expect, history):
            "It is seen at the end."
            leaks = [(e["check"], e["claim"], e["what"], e["where"]) for e in history.events("leak")]
            expect("UNP-07").equal(leaks, [("preparation.leaks", "uid-devices", "cdi", "gpu.json")], "it is known")
    """)
    run = project.run()
    assert run.returncode == 0, run.stdout
    calls = [row["method"] for row in project.history("rpc")]
    assert calls == ["NodePrepareResources", "NodeUnprepareResources"], "what the check prepared is unprepared"


def test_a_namespace_has_a_name_that_the_api_takes() -> None:
    assert namespace_name("preparation.repeat_same", 3) == "dra-preparation-repeat-same-3"
    long = namespace_name("upgrade." + "x" * 80, 12)
    assert len(long) == 63
    assert long.endswith("-12")
