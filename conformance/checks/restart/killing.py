"""Killing the driver at instants that chance draws, while it prepares, unprepares or publishes."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

from conformance.chance import Chance
from conformance.checks.again import until_good
from conformance.checks.publishing.kept import devices_of, missing
from conformance.checks.publishing.test_republish import delete_slices_on
from conformance.checks.restart.comeback import trouble_after_restart, trouble_until_ready
from conformance.cluster import Answer, Cluster, Installation, Node, Pod, Shared
from conformance.expect import Expect
from conformance.verdict import NotRun

_DEEDS = ("Prepare", "Unprepare", "publishing")
_BEYOND = 1.2  # of the time that a deed takes, so that some are killed just after it


class Killing:
    """Rounds in which the driver is killed at what it does for a pod's claim."""

    def __init__(self, cluster: Cluster, node: Node, driver: Installation, pod: Pod, expect: Expect) -> None:
        self.cluster = cluster
        self.node = node
        self.driver = driver
        self.pod = pod
        self.claim = pod.claim("devices").ref
        self.expect = expect

    def rounds(self, number: int, chance: Chance) -> None:
        """Kill it so many times, each deed equally often; it must come back each time and finish what was begun.

        Raises NotRun on clusters of others.
        """
        if isinstance(self.cluster.backend, Shared):
            raise NotRun("a kubelet waits ever longer before it starts a container that ends again and again")
        self._unprepare()  # what the kubelet has prepared would be prepared again at once
        lasting = {"Prepare": self._prepare().seconds, "Unprepare": self._unprepare().seconds}
        lasting["publishing"] = self._seconds_to_start()
        deeds = list(islice(cycle(_DEEDS), number))
        chance.draws.shuffle(deeds)
        before = devices_of(self.cluster, self.node)
        for turn, deed in enumerate(deeds, 1):
            after = chance.draws.uniform(0, _BEYOND * lasting[deed])
            self._kill(deed, after)
            self._judge(before, f"killed {after * 1000:.1f} ms into {deed} (round {turn} of {number}, {chance})")
        self._prepare()

    def _kill(self, deed: str, seconds: float) -> None:
        victim = self.driver.instances[-1]
        if deed == "publishing":
            victim.kill()
            delete_slices_on(self.cluster, self.node)
            again = self.driver.start(uid=victim.uid)
            time.sleep(seconds)
            again.kill()
        else:
            begin: Callable[[], Answer] = self._ask_prepare
            if deed == "Unprepare":
                self._prepare()
                begin = self._ask_unprepare
            with ThreadPoolExecutor(1) as pool:
                pool.submit(begin)
                time.sleep(seconds)
                victim.kill()
        self.driver.start(uid=victim.uid)

    def _judge(self, before: set[str], when: str) -> None:
        trouble = trouble_until_ready(self.driver)
        self.expect("REG-16").equal(trouble, "", f"{when}, the driver starts again")
        answer = self._prepare()
        self.expect("PREP-07").equal(answer.error, "", f"{when}, it prepares the claim")
        named = {(device.pool_name, device.device_name) for device in answer.devices}
        allocated = {
            (row.pool, row.device) for row in self.pod.claim("devices").devices(self.driver.target.driver_name)
        }
        self.expect("PREP-10").equal(named - allocated, set(), f"{when}, it gives devices of the claim alone")
        lost = self.node.cdi.unresolved(answer.cdi_ids)
        self.expect("PREP-08").equal(lost, [], f"{when}, every CDI id of its answer is in a spec")
        undone = self._unprepare()
        self.expect("UNP-05").equal(undone.error, "", f"{when}, it unprepares the claim")
        left = self.node.cdi.devices_for(self.claim.uid)
        self.expect("UNP-07").equal(left, [], f"{when}, nothing is left of the claim after that")
        gone = missing(before, lambda: devices_of(self.cluster, self.node), self.driver.target.ready_within)
        self.expect("RS-09").equal(gone, [], f"{when}, it publishes the same devices")

    def _seconds_to_start(self) -> float:
        began = time.monotonic()
        self.expect("REG-16").equal(
            trouble_after_restart(self.driver), "", "killed while idle, the driver starts again"
        )
        return time.monotonic() - began

    def _prepare(self) -> Answer:
        return until_good(lambda: self.node.prepare(self.claim))

    def _unprepare(self) -> Answer:
        return until_good(lambda: self.node.unprepare(self.claim))

    def _ask_prepare(self) -> Answer:
        return self.node.prepare(self.claim)

    def _ask_unprepare(self) -> Answer:
        return self.node.unprepare(self.claim)
