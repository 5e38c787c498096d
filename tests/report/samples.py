"""Reports as runs leave them: a good driver, a bad one, a run cut short, an empty one, a hostile driver, a long run."""

from datetime import date
from typing import Any

from conformance.report import CheckResult, DriverInfo, FindingRecord, Outcome, Report, SuiteInfo
from conformance.requirement import Level, Requirement
from conformance.verdict import Verdict
from conformance.waivers.model import Waived

STARTED = 1_780_000_000.0
HOSTILE = '</script><script>alert("x")</script>\x1b[2J\x00\u202egnp.exe "><img src=x onerror=alert(1)>'


def _requirement(id: str, level: Level, statement: str, source: str, area: str) -> tuple[str, Requirement]:
    return id, Requirement(id=id, level=level, statement=statement, source=source, area=area)


MUST, SHOULD, MAY = Level.MUST, Level.SHOULD, Level.MAY

REQUIREMENTS = dict(
    [
        _requirement(
            "REG-03",
            MUST,
            "The driver answers GetInfo within one second, also while it is busy with other calls.",
            "kubernetes pkg/kubelet/pluginmanager/operationexecutor/operation_generator.go:95",
            "registration",
        ),
        _requirement(
            "REG-09",
            SHOULD,
            "The newest version of the DRA service comes first, as the kubelet uses the first that it knows.",
            "kubernetes pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go:575-581",
            "registration",
        ),
        _requirement(
            "PUB-04",
            MUST,
            "Every slice of a pool carries the same generation and the number of slices that the pool has.",
            "k8s.io/api resource/v1 types.go, ResourcePool",
            "publishing",
        ),
        _requirement(
            "PREP-01",
            MUST,
            "The response holds exactly one entry for each claim UID of the request.",
            "kubelet/pkg/apis/dra/v1/api.proto:48-56",
            "preparation",
        ),
        _requirement(
            "PREP-05",
            MUST,
            "Prepare is idempotent: repeated for a prepared claim, it succeeds. The kubelet repeats it whenever "
            "another driver of the pod failed or the pod's sandbox was made anew, and the pod cannot start until it "
            "does.",
            "KEP-4381, NodePrepareResources",
            "preparation",
        ),
        _requirement(
            "PREP-06",
            SHOULD,
            "A repeated Prepare gives the same devices in the same order.",
            "KEP-4381, NodePrepareResources",
            "preparation",
        ),
        _requirement(
            "PREP-08",
            MUST,
            "When Prepare succeeds, the CDI specs that it names are on disk.",
            "KEP-4381; kubernetes issue 141433",
            "preparation",
        ),
        _requirement(
            "UNP-02",
            MUST,
            "Unprepare of a claim that the driver does not know succeeds.",
            "KEP-4381, NodeUnprepareResources",
            "unpreparing",
        ),
        _requirement(
            "HLTH-01",
            MUST,
            "Each device is reported again before its health time-out ends.",
            "kubernetes pkg/kubelet/cm/dra/healthinfo.go:169",
            "health",
        ),
        _requirement(
            "UPG-02",
            MUST,
            "Two instances of a driver can be registered at once, each on sockets of its own.",
            "KEP-4381, rolling updates",
            "upgrade",
        ),
        _requirement(
            "SEC-03",
            MAY,
            "Sockets are readable by root only.",
            "PluginManager README",
            "security",
        ),
    ]
)


def finding(requirement: str, sentence: str, *, holds: bool = True, got: Any = True, want: Any = True) -> FindingRecord:
    level = REQUIREMENTS[requirement].level
    return FindingRecord(requirement=requirement, level=level, sentence=sentence, holds=holds, got=got, want=want)


def waived(owner: str) -> Waived:
    return Waived(owner=owner, reason="Firmware reports two numbers only.", issue="HW-7", expires=date(2030, 1, 31))


def check(id: str, verdict: Verdict, title: str, covers: list[str], **more: Any) -> CheckResult:
    area, _, name = id.partition(".")
    node_id = f"conformance/checks/{area}/test_{name}.py::test_{name}"
    values: dict[str, Any] = {
        "profile": "core",
        "tier": "observe",
        "started": STARTED + 1,
        "seconds": 0.42,
        "reproduce": f"pytest conformance/ --driver=gpu.yaml --check={id}",
    }
    return CheckResult(
        id=id, title=title, area=area, covers=covers, node_id=node_id, verdict=verdict, **{**values, **more}
    )


def good_checks() -> list[CheckResult]:
    return [
        check(
            "registration.get_info_while_busy",
            Verdict.PASS,
            "GetInfo is answered within a second while Prepare calls are running.",
            ["REG-03"],
            findings=[finding("REG-03", "GetInfo is answered within 1 s", got=0.012, want=1.0)],
        ),
        check(
            "publishing.one_generation",
            Verdict.PASS,
            "All slices of a pool have one generation.",
            ["PUB-04"],
            findings=[finding("PUB-04", "one generation is seen", got=[1], want=[1])],
            seconds=1.31,
        ),
        check(
            "unpreparing.unknown_claim",
            Verdict.PASS,
            "Unprepare of a claim that was never prepared succeeds.",
            ["UNP-02"],
            findings=[finding("UNP-02", "the entry has no error", got="", want="")],
        ),
        check(
            "preparation.one_claim",
            Verdict.PASS,
            "A claim of one device is prepared and its pod starts.",
            ["PREP-01", "PREP-08"],
            findings=[
                finding("PREP-01", "the answer has one entry, keyed by the claim's UID"),
                finding("PREP-08", "every CDI id of the answer is in a spec on the node", got=[], want=[]),
            ],
            tier="disrupt-driver",
        ),
    ]


def broken_check() -> CheckResult:
    return check(
        "preparation.repeat_same_devices",
        Verdict.FAIL,
        "A second NodePrepareResources for a prepared claim gives the first answer again.",
        ["PREP-01", "PREP-05", "PREP-06", "PREP-08"],
        needs=["preparation.one_claim"],
        message="The second NodePrepareResources of claim user-devices failed: device gpu-3 is already in use",
        findings=[
            finding("PREP-01", "the answer has one entry, keyed by the claim's UID"),
            finding(
                "PREP-05",
                "a repeated Prepare succeeds",
                holds=False,
                got="prepare devices for claim 6f1c0a52-6a0e-4d0c-9d6e-2f9d3c6b4a11: device gpu-3 is already in use",
                want="",
            ),
        ],
        evidence=[
            "evidence/preparation.repeat_same_devices/calls.jsonl",
            "evidence/preparation.repeat_same_devices/driver.log",
        ],
        reproduce="pytest conformance/ --driver=gpu.yaml --check=preparation.repeat_same_devices",
    )


def every_verdict() -> list[CheckResult]:
    return [
        *good_checks(),
        broken_check(),
        check(
            "registration.newest_first",
            Verdict.WARN,
            "The newest version of the DRA service is offered first.",
            ["REG-09"],
            message="v1beta1.DRAPlugin comes before v1.DRAPlugin",
            findings=[
                finding(
                    "REG-09",
                    "v1.DRAPlugin comes before v1beta1.DRAPlugin",
                    holds=False,
                    got=["v1beta1.DRAPlugin", "v1.DRAPlugin"],
                    want=["v1.DRAPlugin", "v1beta1.DRAPlugin"],
                )
            ],
        ),
        check(
            "security.sockets_private",
            Verdict.INFO,
            "Sockets are readable by root only.",
            ["SEC-03"],
            findings=[finding("SEC-03", "the socket's mode is 0600", holds=False, got="0755", want="0600")],
        ),
        check(
            "health.refreshed_in_time",
            Verdict.NOT_APPLICABLE,
            "Each device's health is reported again within its time-out.",
            ["HLTH-01"],
            message="The driver neither claims nor serves the health service.",
            profile="health",
            seconds=0.0,
        ),
        check(
            "preparation.after_repeat",
            Verdict.BLOCKED,
            "A pod that shares a claim with another starts.",
            ["PREP-08"],
            needs=["preparation.repeat_same_devices"],
            message="preparation.repeat_same_devices did not pass (FAIL).",
            seconds=0.0,
        ),
        check(
            "upgrade.two_instances",
            Verdict.NOT_RUN,
            "Two instances of the driver serve side by side.",
            ["UPG-02"],
            message="The driver file has no hook `upgrade`.",
            profile="rolling-update",
            seconds=0.0,
        ),
        check(
            "unpreparing.after_reboot",
            Verdict.INCONCLUSIVE,
            "Unprepare of a claim that was prepared before a reboot succeeds.",
            ["UNP-02"],
            message="pod user was not Running within 20 s: the node's kubelet was still starting\nlast seen: Pending",
            tier="disrupt-node",
            seconds=20.4,
        ),
        check(
            "publishing.version_attributes",
            Verdict.WAIVED,
            "Version attributes are full semantic versions.",
            ["PUB-04"],
            message=str(waived("hw-team")),
            findings=[
                finding("PUB-04", "versions have three numbers", holds=False, got="1.2", want="1.2.0").model_copy(
                    update={"waived": waived("hw-team")}
                )
            ],
        ),
    ]


def report(outcome: Outcome = Outcome.CONFORMANT, checks: list[CheckResult] | None = None, **more: Any) -> Report:
    values: dict[str, Any] = {
        "suite": SuiteInfo(version="0.1.0", catalogue="9f2c" * 16),
        "driver": DriverInfo(
            file="gpu.yaml",
            name="gpu.example.com",
            device_classes=["gpu.example.com"],
            supported_versions=["v1.DRAPlugin", "v1beta1.DRAPlugin"],
            features_claimed=["health"],
            features_seen=["partitionable"],
        ),
        "cluster": {"kind": "embedded", "kubernetes": "v1.37.2", "nodes": ["node-a"]},
        "settings": {"timeout": 20, "workers": 1},
        "started": STARTED,
        "finished": STARTED + 12.4,
        "exit_status": 0,
        "profiles": ["core"],
        "tier": "disrupt-node",
    }
    return Report.build(
        requirements=REQUIREMENTS,
        outcome=outcome,
        checks=good_checks() if checks is None else checks,
        **{**values, **more},
    )


def good() -> Report:
    return report()


def bad() -> Report:
    notes = [
        "The driver claims health, and nothing of it was seen.",
        "The driver publishes partitions and does not claim them.",
    ]
    return report(Outcome.NOT_CONFORMANT, every_verdict(), exit_status=1, notes=notes)


def blocked() -> Report:
    names = {
        "preparation.one_claim": ["registration.registers"],
        "preparation.repeat": ["registration.advertised_services", "preparation.one_claim"],
        "restart.recovers": ["restart.reboot"],
    }
    checks = [
        check("registration.registers", Verdict.FAIL, "The driver registers.", ["REG-03"]),
        check("registration.advertised_services", Verdict.INFO, "What is advertised.", ["REG-03"]),
        *(check(id, Verdict.BLOCKED, f"Title of {id}.", ["PREP-01"], needs=needs) for id, needs in names.items()),
    ]
    return report(Outcome.NOT_CONFORMANT, checks, exit_status=1)


def interrupted() -> Report:
    left = check(
        "unpreparing.twice", Verdict.NOT_RUN, "Unprepare can be repeated.", ["UNP-02"], message="The run ended first."
    )
    return report(Outcome.INTERRUPTED, [*good_checks(), left], exit_status=2, reason="SIGTERM", finished=None)


def empty() -> Report:
    return report(Outcome.NOTHING, [], exit_status=5, reason="no check matches -k nosuch", profiles=[], tier="")


def killed() -> Report:
    """As a run leaves it that got SIGKILL."""
    return report(Outcome.INTERRUPTED, [], exit_status=None, reason="the run did not finish", finished=None)


def hostile() -> Report:
    bad_check = check(
        "preparation.hostile",
        Verdict.FAIL,
        f"Title {HOSTILE}",
        ["PREP-05"],
        message=f"Message {HOSTILE}",
        findings=[finding("PREP-05", f"sentence {HOSTILE}", holds=False, got={HOSTILE: [HOSTILE]}, want="\udc80")],
        evidence=[f"evidence/{HOSTILE}", "javascript:alert(1)", "/etc/passwd", "../../secret"],
        reproduce=f"echo '{HOSTILE}'",
    )
    driver = DriverInfo(file=HOSTILE, name=HOSTILE, device_classes=[HOSTILE], mocks=HOSTILE)
    return report(
        Outcome.NOT_CONFORMANT,
        [bad_check],
        driver=driver,
        cluster={HOSTILE: HOSTILE},
        notes=[HOSTILE],
        reason=HOSTILE,
        exit_status=1,
    )


def long() -> Report:
    areas = ["registration", "publishing", "allocation", "preparation", "injection", "unpreparing", "restart", "health"]
    rare = {
        7: Verdict.WARN,
        50: Verdict.FAIL,
        90: Verdict.INCONCLUSIVE,
        120: Verdict.NOT_RUN,
        121: Verdict.NOT_APPLICABLE,
    }
    checks = [
        check(
            f"{areas[i * 8 // 200]}.behaviour_{i:03}",
            rare.get(i, Verdict.PASS),
            f"Behaviour {i} is as it should be.",
            ["PREP-05"],
        )
        for i in range(200)
    ]
    return report(Outcome.NOT_CONFORMANT, checks, exit_status=1)


def seven() -> Report:
    """A run of profile kep-5970 that was not able to look at all."""
    hostile_text = "<script>alert(1)</script> the log cannot be read"
    checks = [
        check("registration.known", Verdict.PASS, "T.", []),
        check("preparation.lets_pod_start", Verdict.WARN, "T.", []),
        check("injection.container_differs", Verdict.INCONCLUSIVE, "T.", [], message=hostile_text),
    ]
    return report(Outcome.INCONCLUSIVE, checks, profiles=["kep-5970"])
