"""The bench: one process's cluster and driver, brought up once, when a check first asks for them."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.check import Check, Tier
from conformance.history import History
from conformance.published import offers_device
from conformance.session.rundir import RunDir
from conformance.session.state import BENCH, FOLDER, KEPT, SETTINGS, TARGET, WORKER
from conformance.verdict import Inconclusive, Unjudged, WaitTimeout

if TYPE_CHECKING:
    from conformance.cluster import Backend, Installation, Instance
    from conformance.target import Target

_TRIES = 2  # times that a driver which was ready once is waited for in vain


def bench_of(config: pytest.Config) -> "Bench":
    """This process's bench, made when its first check begins: only then is the report's folder ready."""
    if BENCH not in config.stash:
        settings, folder = config.stash[SETTINGS], config.stash[FOLDER]
        config.stash[BENCH] = Bench(config, settings.cluster, config.stash[TARGET], folder, config.stash[WORKER])
    return config.stash[BENCH]


class Bench:
    """Cluster and driver of one process. What failed once is not tried, and not waited for, again."""

    def __init__(self, config: pytest.Config, kind: str, target: "Target", folder: Path, worker: str) -> None:
        self.config = config
        self.kind = kind
        self.target = target
        self.was_ready = False
        self.disturbed = False
        self._disruptive = False
        suffix = f"-{worker}" if worker else ""
        self.log_dir = folder / f"logs{suffix}"
        kept = config.stash.get(KEPT, None)
        self.history = History(folder / f"history{suffix}.jsonl", first=kept.events if kept and not worker else 0)
        self._run_dir: RunDir | None = None
        self._backend: Backend | None = None
        self._installation: Installation | None = None
        self._instance: Instance | None = None
        self._given_time = False
        self._failures = 0
        self._trouble: Unjudged | None = None
        self._facts: dict[str, Any] = {}
        self._cluster: dict[str, Any] = {}
        self._showed: set[str] = set(kept.features) if kept else set()  # features, in what was written up to here
        self._looked = 0

    @property
    def running(self) -> "Backend | None":
        """The cluster if it is up."""
        return self._backend

    @property
    def installed(self) -> "Installation | None":
        """The driver if it was installed."""
        return self._installation

    def backend(self) -> "Backend":
        """The cluster. Raises Inconclusive when it does not come up."""
        self._raise_trouble()
        if self._backend is None:
            self._backend = self._start_backend()
        return self._backend

    def installation(self) -> "Installation":
        """The driver, started once; it may not be ready, and it may not live. Raises Inconclusive."""
        backend = self.backend()
        if self._installation is None:
            try:
                self._installation = backend.install(self.target)
                self._turn()
                self._instance = self._installation.start()
            except Exception as error:
                self._trouble = Inconclusive(f"the driver could not be started: {error or type(error).__name__}")
                raise self._trouble from error
        return self._installation

    def ready(self) -> "Installation":
        """The driver, registered and published, as before any check. Raises WaitTimeout or Inconclusive."""
        installation = self.installation()
        try:
            if self.disturbed or (self.was_ready and not self._is_ready(installation)):
                installation.restore()
            elif not self.was_ready:
                installation.wait_ready(timeout=self.target.ready_within)
        except Unjudged as reason:
            raise self._not_ready(reason) from None
        self.was_ready, self.disturbed = True, False
        self._note_facts()
        return installation

    def turn(self, check: Check) -> None:
        """From now on, look at the node for checks of this tier; those at the end stay with what was looked at."""
        if not check.at_end:
            self._disruptive = check.tier is not Tier.OBSERVE
        self._turn()

    def given_time(self) -> "Installation":
        """The driver, with time to get ready, once; as it is when it does not. Raises Inconclusive."""
        installation = self.installation()
        if not self._given_time:
            self._given_time = True
            with suppress(Unjudged):
                installation.wait_ready(timeout=self.target.ready_within)
                return self.ready()
        return installation

    def _turn(self) -> None:
        from conformance.cluster import Spared

        if self._installation is not None and isinstance(self._backend, Spared):
            self._installation = self._backend.turn(disruptive=self._disruptive)

    def _not_ready(self, reason: Unjudged) -> Unjudged:
        self._failures += 1
        trouble = WaitTimeout(f"the driver is not ready: {reason}")
        if not self.was_ready or self._failures >= _TRIES:
            self._trouble = trouble
        self.disturbed = True
        return trouble

    def stop(self) -> None:
        """Take everything down; nothing is left behind. May be called twice."""
        try:
            if self._backend:
                self._backend.stop()
        finally:
            self.history.close()
            if self._run_dir:
                self._run_dir.close()

    def instances(self) -> "Sequence[Instance]":
        """Living instances, or else the first one, which tells by its log why it ended."""
        living = self._installation.instances if self._installation else ()
        return living or ([self._instance] if self._instance else [])

    def features_seen(self) -> Sequence[str]:
        """Features that slices and registration show. Raises WaitTimeout when the driver does not become ready."""
        self.ready()
        return self._shown(self._facts)

    def features_so_far(self) -> Sequence[str]:
        """The same of a driver that may not be ready, or not even be there."""
        facts = self._facts or (self._look() if self._backend else {})
        return self._shown(facts)

    def await_device(self) -> None:
        """Give a living driver its time to publish a device: what has not been waited for may still come."""
        if self._installation and self._installation.instances:
            name = self.target.driver_name
            self.history.wait("api", lambda e: offers_device(e.data, name), timeout=self.target.ready_within)

    def claims_free(self) -> int:
        """How many valid claims there is room for beside those of others. Raises Inconclusive."""
        from conformance.cluster import Shared

        backend = self.backend()
        return backend.claims_free(self.target) if isinstance(backend, Shared) else self.target.claims_per_node

    def facts(self) -> dict[str, Any]:
        """What the report says about cluster and driver, as far as it is known."""
        if not self._backend:
            return {}
        shown = {"features_seen": self._shown(self._facts)} if self._facts else {}
        return {"cluster": self._described(self._backend), **self._facts, **shown}

    def _described(self, backend: "Backend") -> dict[str, Any]:
        """The cluster as it says itself, or as it last did: one that has gone away is no failure of the harness."""
        from conformance.cluster.api_errors import ApiError

        with suppress(ApiError):
            self._cluster = backend.describe()
        return self._cluster

    def _shown(self, facts: dict[str, Any]) -> list[str]:
        """Features that were seen when it was looked at, and those that the driver has shown since then."""
        from conformance.target import features_in_claims, features_seen

        name, end = self.target.driver_name, len(self.history)
        objects = [(e["resource"], e["object"]) for e in self.history.events("api", since=self._looked)]
        claims = [obj for resource, obj in objects if resource == "resourceclaims"]
        slices = [obj for resource, obj in objects if resource == "resourceslices" and obj["spec"]["driver"] == name]
        self._showed |= features_seen(slices, ()) | features_in_claims(claims, name)
        self._looked = end
        return sorted({*facts.get("features_seen", ()), *self._showed})

    def _note_facts(self) -> None:
        """Look at what the driver shows, again for as long as its file claims more: pools come one after another."""
        seen = set(self._facts.get("features_seen", ()))
        if not self._facts or self.target.features_claimed - seen:
            found = self._look()
            self._facts = {**found, "features_seen": sorted(seen.union(found["features_seen"]))}

    def _look(self) -> dict[str, Any]:
        from conformance.cluster.facts import images
        from conformance.target import features_seen

        name, backend = self.target.driver_name, self.backend()
        registered = backend.nodes[0].registrations(name)
        versions = list(registered[-1].supported_versions) if registered else []
        slices = backend.api.list("resourceslices", field_selector=f"spec.driver={name}")["items"]
        classes = [
            item
            for item in backend.api.list("deviceclasses")["items"]
            if item["metadata"]["name"] in self.target.device_classes
        ]
        return {
            "supported_versions": versions,
            "features_seen": sorted(features_seen(slices, versions, classes)),
            "sees_calls": backend.nodes[0].sees_calls,
            "images": images(backend.api, backend.nodes[0].name, [instance.uid for instance in self.instances()]),
        }

    def _start_backend(self) -> "Backend":
        self._run_dir = RunDir.create()
        self.log_dir.mkdir(parents=True, exist_ok=True)
        backend: Backend | None = self.config.hook.pytest_dra_backend(
            config=self.config,
            kind=self.kind,
            run_dir=self._run_dir.path,
            history=self.history,
            log_dir=self.log_dir,
        )
        if backend is None:
            raise Inconclusive(f"no plugin makes clusters of the kind {self.kind}")
        try:
            backend.start()
        except BaseException as error:
            with suppress(Exception):
                backend.stop()
            if not isinstance(error, Exception):
                raise
            self._trouble = Inconclusive(f"the cluster did not come up: {error or type(error).__name__}")
            raise self._trouble from error
        return backend

    def _is_ready(self, installation: "Installation") -> bool:
        try:
            installation.wait_ready(timeout=0)
        except Unjudged:
            return False
        return len(installation.instances) == 1

    def _raise_trouble(self) -> None:
        if self._trouble:
            raise type(self._trouble)(str(self._trouble))
