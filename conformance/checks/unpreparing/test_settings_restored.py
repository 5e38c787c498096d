"""What a configuration has set on a device is set back, so that the next claim finds the device as it was."""

from collections.abc import Sequence
from typing import Any

from conformance.check import check
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.target.expectation import env_unmet
from conformance.target.model import ValidConfig
from conformance.verdict import Inconclusive, NotApplicable


@check(
    id="unpreparing.settings_restored",
    covers=("UNP-07",),
    needs=("injection.config_applied", "unpreparing.device_free"),
    claims=1,
)
def test_settings_restored(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A claim without a configuration sees nothing of those that claims before it had for its devices."""
    configs = [config for config in driver.target.file.claim.configs.valid if config.env]
    if not configs:
        raise NotApplicable("the driver file names no valid configuration with something to see in a container")
    before = seen(cluster, "before", driver.target.claim_spec(), configs)
    for number, config in enumerate(configs):
        claim = driver.target.claim_spec(parameters=config.parameters)
        devices, _ = seen(cluster, f"configured-{number}", claim, configs)
        if devices != before[0]:
            raise Inconclusive(f"the scheduler gave {devices} to the configured claim, and not {before[0]}")
    after = seen(cluster, "after", driver.target.claim_spec(), configs)
    expect("UNP-07").equal(after, before, "nothing is left of configurations of earlier claims")


def seen(
    cluster: Cluster, name: str, claim: dict[str, Any], configs: Sequence[ValidConfig]
) -> tuple[list[str], list[str]]:
    """The devices of such a claim, and what its container sees of the effects of these configurations."""
    pod = cluster.apply("one_pod.yaml", name=name, claim=claim).pod(name).wait_running()
    devices = sorted(row.device for row in pod.claim("devices").devices(cluster.target.driver_name))
    env = pod.container().env
    pod.delete()
    effects = [(pattern, value) for config in configs for pattern, value in config.env.items()]
    return devices, [f"{pattern}={value}" for pattern, value in effects if not env_unmet({pattern: value}, env, {})]
