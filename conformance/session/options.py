"""Command line options, and what they say once they are checked.

Every option has a long name of our own, `--conformance-…`. Most have a short name too, which is added only when no
other plugin and no conftest.py of the project has taken it: so it is added after all of them were loaded.
"""

import argparse
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conformance import images
from conformance.check import VENDOR, Tier
from conformance.session import journal, named, values
from conformance.session.nearest import nearest
from conformance.session.profiles import ON_DEMAND as ON_DEMAND
from conformance.session.profiles import PROFILES as PROFILES

CLUSTERS = ("embedded", "control-plane", "kind", "existing")
PREFIX = "--conformance-"
_SEEDS = 1_000_000  # short enough to copy by hand
SHORT = (
    "driver",
    "driver-name",
    "device-class",
    "profile",
    "cluster",
    "kubeconfig",
    "kubernetes-version",
    "kubernetes-binaries",
    "keep-cluster",
    "kind-image",
    "real-timers",
    "report-dir",
    "waivers",
    "check",
    "no-hooks",
    "node",
    "node-image",
    "resume",
    "registry-prefix",
)

# Options that only some kinds of clusters know. Taken without a word elsewhere, they would hide which one was judged.
_ONLY_FOR = {
    "kubeconfig": ("existing",),
    "driver-name": ("existing",),
    "node": ("existing",),
    "node-image": ("existing",),
    "kubernetes-version": ("control-plane", "kind"),
    "kubernetes-binaries": ("control-plane", "kind"),
    "keep-cluster": ("kind",),
    "real-timers": ("kind",),
    "no-tap": ("kind",),
    "kind-image": ("kind",),
}

_OPTIONS: dict[str, dict[str, Any]] = {
    "driver": {"metavar": "NAME|FILE", "help": "Driver under test: a driver file, or the name of one that ships."},
    "driver-name": {
        "metavar": "NAME",
        "help": "Instead of --driver, without a driver file: a driver that is on the existing cluster, to be judged "
        "by profile kep-5970.",
    },
    "device-class": {"metavar": "NAME", "help": "With --driver-name: the DeviceClass that its claims ask for."},
    "cluster": {
        "metavar": "KIND",
        "help": f"Cluster to run on: {', '.join(CLUSTERS)} (default: {CLUSTERS[0]}, with --driver-name existing).",
    },
    "kubeconfig": {
        "metavar": "FILE",
        "help": "Kubeconfig for --cluster=existing; its current context is used. The driver must be installed there.",
    },
    "node": {
        "action": "append",
        "metavar": "NAME",
        "help": "Node of --cluster=existing to look at, and to disturb as far as --conformance-tier says; may be given "
        "several times (default: the first one with the driver on it).",
    },
    "node-image": {
        "metavar": "IMAGE",
        "default": "",
        "help": "Image with python3, 3.10 or newer, for the privileged pod on nodes of --cluster=existing (default: "
        "python:3.12-slim).",
    },
    "kubernetes-version": {
        "metavar": "VERSION",
        "default": "",
        "help": "Kubernetes of --cluster=control-plane or kind, such as 1.36.3 (default: 1.37.2, or for control-plane "
        "what is found).",
    },
    "kubernetes-binaries": {
        "metavar": "FOLDER",
        "help": "Folder with etcd, kube-apiserver, kube-scheduler and kube-controller-manager for "
        "--cluster=control-plane (default: KUBEBUILDER_ASSETS, PATH, else built with Go once and kept); for "
        "--cluster=kind with the programs of nodes in it, too, when a node image has to be made.",
    },
    "kind-image": {
        "metavar": "IMAGE",
        "help": "Image of the nodes of --cluster=kind, pulled if it is not there (default: made here once, or that of "
        "kind where a registry answers).",
    },
    "registry-prefix": {
        "metavar": "PREFIX",
        "default": "",
        "help": "Registry, with a path if it has one, that images are pulled from instead of where they are published: "
        "registry.example.com/mirror. `dra-conformance images` lists them.",
    },
    "keep-cluster": {
        "action": "store_true",
        "help": "Leave the cluster of --cluster=kind for the next run with this option, which then uses it; runs at "
        "the same time have one each.",
    },
    "real-timers": {
        "action": "store_true",
        "help": "Leave the kubelets of --cluster=kind their own periods: pods that hang are tried again after minutes.",
    },
    "no-tap": {
        "action": "store_true",
        "help": "Put nothing between kubelet and driver on --cluster=kind; what needs to see their calls is NOT_RUN.",
    },
    "profile": {
        "action": "append",
        "metavar": "PROFILE",
        "help": f"Profile to check, may be given several times (default: all but {' and '.join(ON_DEMAND)}).",
    },
    "tier": {
        "metavar": "TIER",
        "help": f"What checks may disturb: {', '.join(Tier)} (default: {Tier.DISRUPT_NODE}, on existing clusters "
        f"{Tier.OBSERVE}; more there needs --node).",
    },
    "check": {"action": "append", "metavar": "ID", "help": "Run the check with this id, may be given several times."},
    "report-dir": {
        "metavar": "FOLDER",
        "default": "conformance-report",
        "help": "Folder for report and evidence (default: conformance-report).",
    },
    "waivers": {"metavar": "FILE", "help": "Findings that somebody answers for, as docs/waivers.md shows."},
    "no-hooks": {"action": "store_true", "help": "Run no hooks of the driver file."},
    "timeout": {
        "metavar": "SECONDS",
        "type": float,
        "default": 300.0,
        "help": "Time limit for one check, 0 for none (default: 300).",
    },
    "resume": {
        "action": "store_true",
        "help": "Go on with the run that was interrupted in --report-dir: what has a verdict there is not run again.",
    },
    "seed": {
        "metavar": "NUMBER",
        "type": int,
        "help": "What chance is drawn from: instants at which the driver is killed, claims that are made up (default: "
        "a number that the run draws and prints).",
    },
}


def add_options(parser: pytest.Parser) -> None:
    """Add the options; short names that are taken stay with their owners."""
    group = parser.getgroup("conformance", "DRA conformance")
    for name, attributes in _OPTIONS.items():
        long = PREFIX + name
        group.addoption(long, **attributes)
        if name in SHORT:
            # argparse and pytest each have an exception of their own for a name that is taken.
            try:
                group.addoption(f"--{name}", **{**attributes, "dest": _dest(name), "default": argparse.SUPPRESS})
            except (ValueError, argparse.ArgumentError):
                continue


def described() -> list[tuple[str, str]]:
    """Each option by its shortest name, and what it does: what `dra-conformance run --help` lists."""
    return [
        (
            (f"--{name}" if name in SHORT else PREFIX + name) + (f"={given['metavar']}" if "metavar" in given else ""),
            given["help"],
        )
        for name, given in _OPTIONS.items()
    ]


def _dest(name: str) -> str:
    return "conformance_" + name.replace("-", "_")


@dataclass(frozen=True)
class Settings:
    """What the options say. `asked_profiles` is empty when none was asked for."""

    driver: str
    cluster: str
    asked_profiles: tuple[str, ...]
    tier: Tier
    checks: tuple[str, ...]
    report_dir: Path
    hooks: bool
    timeout: float
    seed: int = 0
    kubernetes_version: str = ""
    kubernetes_binaries: Path | None = None
    keep_cluster: bool = False
    real_timers: bool = False
    tap: bool = True
    kind_image: str = ""
    kubeconfig: Path | None = None
    nodes: tuple[str, ...] = ()
    node_image: str = ""
    waivers: str | None = None
    driver_name: str = ""
    device_class: str = ""
    resume: bool = False
    registry_prefix: str = ""

    @property
    def same_cluster(self) -> list[str]:
        """Options that make another run one on the same cluster, with the same rights to disturb it."""
        existing = self.cluster == "existing"
        default = (Tier.OBSERVE if existing else Tier.DISRUPT_NODE).value
        return [
            *([f"--cluster={self.cluster}"] if self.cluster != CLUSTERS[0] else []),
            *([f"--kubeconfig={self.kubeconfig}"] if self.kubeconfig and existing else []),
            *(f"--node={name}" for name in self.nodes),
            *([f"--node-image={self.node_image}"] if self.node_image != _OPTIONS["node-image"]["default"] else []),
            *([f"{PREFIX}tier={self.tier}"] if self.tier.value != default else []),
            *([f"--kubernetes-version={self.kubernetes_version}"] if self.kubernetes_version else []),
            *([f"--kubernetes-binaries={self.kubernetes_binaries}"] if self.kubernetes_binaries else []),
            *([f"--kind-image={self.kind_image}"] if self.kind_image else []),
            *([f"--registry-prefix={self.registry_prefix}"] if self.registry_prefix else []),
            *(["--real-timers"] if self.real_timers else []),
            *([] if self.tap else [f"{PREFIX}no-tap"]),
            *([] if self.hooks else ["--no-hooks"]),
        ]

    @property
    def profiles(self) -> tuple[str, ...]:
        """Profiles to check: by default core and every optional feature, of which a driver may offer none."""
        return self.asked_profiles or tuple(profile for profile in PROFILES if profile not in ON_DEMAND)

    def facts(self) -> dict[str, Any]:
        """The settings as a report shows them."""
        return {
            "cluster": self.cluster,
            "profiles": list(self.profiles),
            "tier": self.tier.value,
            "checks": list(self.checks),
            "hooks": self.hooks,
            "timeout": self.timeout,
            "seed": self.seed,
            **{name: getattr(self, name) for name in ("kubernetes_version", "kind_image", "real_timers", "tap")},
            "nodes": list(self.nodes),
            "node_image": self.node_image,
            "registry_prefix": self.registry_prefix,
        }


def refuse_misspelt(unknown: Iterable[str]) -> None:
    """Name the option of ours that an unknown one is meant to be. Raises pytest.UsageError."""
    ours = [*(f"--{name}" for name in SHORT), *(PREFIX + name for name in _OPTIONS)]
    for argument in unknown:
        name = argument.partition("=")[0]
        meant = nearest(name, ours)
        if name.startswith("--") and meant:
            raise pytest.UsageError(f"there is no option {name}{meant}? See dra-conformance run --help")


def refuse_bare_file(arguments: Iterable[str]) -> None:
    """Tell how a driver file is given, where one stands among the checks to run. Raises pytest.UsageError."""
    for argument in arguments:
        if _is_yaml(argument):
            raise pytest.UsageError(f"{argument} is no check: a driver file is given with --driver={argument}")


def _is_yaml(name: str) -> bool:
    return bool(re.search(r"\.ya?ml$", name))


def driver_given(config: pytest.Config) -> str | None:
    """The driver that the command line names, "" for one without a file, None when this is a run like any other.

    Where another plugin owns `--driver` (pytest-selenium does), its value counts when it can be a driver file.
    """
    own = config.getoption(_dest("driver"), None)
    if own:
        return str(own)
    if config.getoption(_dest("driver-name"), None):
        return ""
    other = config.getoption("--driver", None)
    return other if isinstance(other, str) and _is_yaml(other) else None


def read_settings(config: pytest.Config, driver: str) -> Settings:
    """The settings of a run. Raises pytest.UsageError with one sentence for a value that is not known."""
    option = config.option
    named.check_options(option)
    option.conformance_cluster = option.conformance_cluster or named.cluster(option) or CLUSTERS[0]
    profiles = tuple(option.conformance_profile or named.profiles(option))
    for profile in profiles:
        if not profile.startswith(VENDOR):
            values.one_of(PREFIX + "profile", profile, PROFILES)
    values.one_of("--cluster", option.conformance_cluster, CLUSTERS)
    _for_this_cluster(option)
    if not option.conformance_report_dir:
        raise pytest.UsageError("--report-dir= is empty; give a folder")
    report_dir = config.invocation_params.dir / option.conformance_report_dir
    return Settings(
        driver=driver,
        cluster=option.conformance_cluster,
        asked_profiles=profiles,
        tier=_tier(option),
        checks=tuple(option.conformance_check or ()),
        report_dir=report_dir,
        hooks=not option.conformance_no_hooks,
        timeout=values.seconds(f"{PREFIX}timeout", option.conformance_timeout),
        seed=_seed(option, report_dir),
        kubernetes_version=values.kubernetes_version(option.conformance_kubernetes_version),
        kubernetes_binaries=values.path(config, option.conformance_kubernetes_binaries),
        keep_cluster=option.conformance_keep_cluster or config.getoption("--keep-cluster", None) is True,
        real_timers=option.conformance_real_timers,
        tap=not option.conformance_no_tap,
        kind_image=values.kind_image(option.conformance_kind_image or config.getoption("--kind-image", None)),
        kubeconfig=_kubeconfig(config),
        nodes=tuple(dict.fromkeys(option.conformance_node or ())),
        node_image=option.conformance_node_image,
        waivers=option.conformance_waivers,
        driver_name=option.conformance_driver_name or "",
        device_class=option.conformance_device_class or "",
        resume=option.conformance_resume,
        registry_prefix=images.prefix(option.conformance_registry_prefix, pytest.UsageError),
    )


def _for_this_cluster(option: argparse.Namespace) -> None:
    """Refuse our options that mean nothing on this kind of cluster; those of other plugins are theirs."""
    for name, kinds in _ONLY_FOR.items():
        if getattr(option, _dest(name)) and option.conformance_cluster not in kinds:
            shown = f"--{name}" if name in SHORT else PREFIX + name
            wanted = " or ".join(f"--cluster={kind}" for kind in kinds)
            raise pytest.UsageError(
                f"{shown} is for {wanted}, and this is --cluster={option.conformance_cluster}: "
                "give that kind of cluster, or leave the option out"
            )


def _tier(option: argparse.Namespace) -> Tier:
    """On a cluster of others nothing is disturbed unless that is asked for, and the nodes are named."""
    existing = option.conformance_cluster == "existing"
    asked = option.conformance_tier or (Tier.OBSERVE if existing else Tier.DISRUPT_NODE).value
    values.one_of(PREFIX + "tier", asked, [tier.value for tier in Tier])
    if existing and Tier(asked) is not Tier.OBSERVE and not option.conformance_node:
        raise pytest.UsageError(
            f"{PREFIX}tier={asked} disturbs nodes of somebody's cluster: name them with --node=NAME"
        )
    return Tier(asked)


def _kubeconfig(config: pytest.Config) -> Path | None:
    if config.option.conformance_cluster == "existing" and not config.option.conformance_kubeconfig:
        raise pytest.UsageError("--cluster=existing needs --kubeconfig=FILE, so that it is clear which cluster it is")
    return values.path(config, config.option.conformance_kubeconfig)


def _seed(option: argparse.Namespace, report_dir: Path) -> int:
    """The number given, that of the run that is gone on with, or one that is drawn here.

    Workers of pytest-xdist then find it among their options.
    """
    if option.conformance_seed is None and option.conformance_resume:
        try:
            option.conformance_seed = (journal.begun(report_dir) or {}).get("seed")
        except journal.JournalError as error:
            raise pytest.UsageError(journal.refusal(error)) from None
    if option.conformance_seed is None:
        option.conformance_seed = random.randrange(_SEEDS)
    return int(option.conformance_seed)
