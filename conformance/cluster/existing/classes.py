"""Whether the DeviceClass that the user has named is one for the driver's devices."""

from conformance.cluster.api import Api, NotFound, Object
from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.celview import CelError, DeviceView
from conformance.cluster.existing.settings import Unusable
from conformance.target import Target


def check_class(api: Api, target: Target) -> None:
    """Raises Unusable where there is no such class, or it selects no device of the driver; ApiError.

    A selector that ends in an error is for the scheduler to tell, and for the checks to judge.
    """
    name = target.device_class
    try:
        found = api.get("deviceclasses", name)
    except NotFound:
        names = sorted(item["metadata"]["name"] for item in api.list("deviceclasses")["items"])
        there = f"it has {', '.join(names)}" if names else "it has none"
        raise Unusable(f"--device-class={name}: the cluster has no such DeviceClass; {there}") from None
    slices = api.list("resourceslices", field_selector=f"spec.driver={target.driver_name}")["items"]
    devices = [device for item in slices for device in item["spec"].get("devices") or ()]
    selectors = [row["cel"]["expression"] for row in found["spec"].get("selectors") or ()]
    if devices and not any(_selects(selectors, target.driver_name, device) for device in devices):
        raise Unusable(
            f"--device-class={name} selects none of the {len(devices)} devices that driver {target.driver_name} "
            f"publishes; its selectors are: {' and '.join(selectors)}"
        )


def _selects(selectors: list[str], driver: str, device: Object) -> bool:
    view = DeviceView.of(driver, device)
    try:
        return all(cel.compile(expression).matches(view) for expression in selectors)
    except CelError:
        return True
