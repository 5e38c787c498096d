"""Features read off what a driver registers and publishes, and how they compare with what its file claims."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from conformance.target.model import Feature, Object


def features_seen(
    slices: Iterable[Object], supported_versions: Iterable[str], classes: Iterable[Object] = ()
) -> frozenset[str]:
    """Names of features that ResourceSlices (resource.k8s.io/v1), PluginInfo.supported_versions and classes show."""
    items = list(slices)
    seen = {feature for feature, shows in _IN_SLICES.items() if any(shows(item["spec"]) for item in items)}
    if any(version.endswith(".DRAResourceHealth") for version in supported_versions):
        seen.add(Feature.HEALTH)
    if any(item.get("spec", {}).get("extendedResourceName") for item in classes):
        seen.add(Feature.EXTENDED_RESOURCE)
    return frozenset(str(feature) for feature in seen)


def features_in_claims(claims: Iterable[Object], driver: str) -> frozenset[str]:
    """Names of features that a driver has shown by what it wrote into ResourceClaims."""
    devices = ((claim.get("status") or {}).get("devices") or () for claim in claims)
    wrote = any(row.get("driver") == driver for rows in devices for row in rows)
    return frozenset({str(Feature.DEVICE_STATUS)} if wrote else ())


def notes(claimed: Iterable[str], seen: Iterable[str]) -> list[str]:
    """One sentence for each feature that is claimed but cannot be seen, or seen but is not claimed."""
    claims, sights = set(claimed), set(seen)
    missing = [feature for feature in sorted(claims - sights) if feature in _VISIBLE]
    return [
        *(
            f"{feature} is claimed by the driver file, but nothing that the driver publishes shows it"
            for feature in missing
        ),
        *(f"{feature} is seen, but the driver file does not claim it" for feature in sorted(sights - claims)),
    ]


def _devices(spec: Object) -> Iterator[Object]:
    yield from spec.get("devices") or ()


def _device_has(field: str) -> Callable[[Object], bool]:
    return lambda spec: any(device.get(field) for device in _devices(spec))


_IN_SLICES: Mapping[Feature, Callable[[Object], bool]] = {
    Feature.PARTITIONABLE: lambda spec: bool(spec.get("sharedCounters")) or _device_has("consumesCounters")(spec),
    Feature.CONSUMABLE_CAPACITY: _device_has("allowMultipleAllocations"),
    Feature.TAINTS: _device_has("taints"),
    Feature.BINDING_CONDITIONS: _device_has("bindingConditions"),
    Feature.NETWORK: lambda spec: not spec.get("nodeName") and not spec.get("perDeviceNodeSelection"),
}
# Taints come and go with the devices' health, and network data with claims: that none is seen says nothing.
_VISIBLE = frozenset({*_IN_SLICES, Feature.HEALTH, Feature.EXTENDED_RESOURCE} - {Feature.TAINTS, Feature.NETWORK})
