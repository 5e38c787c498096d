"""Plugins that are not for DRA, as processes that serve more than DRA register them too: validated and taken in.

Nothing is asked of them afterwards: there are no volumes and no device manager here. Texts are the kubelet's
(pkg/volume/csi, pkg/kubelet/cm/devicemanager).
"""

import re
from collections.abc import Callable, Sequence

from conformance.cluster.kubelet.plugin import PluginError
from conformance.cluster.kubelet.podclaims import is_extended

_VERSION = re.compile(r"\s*v?(0|[1-9][0-9]*)\.[0-9]+")
_NUMBER = re.compile(r"\s*v?[0-9]")
_DEVICE_PLUGIN = "v1beta1"


def _csi(name: str, endpoint: str, versions: Sequence[str]) -> None:
    majors = {int(found[1]) for found in map(_VERSION.match, versions) if found}
    if 1 in majors:
        return
    failed = f'kubernetes.io/csi: ValidatePlugin for CSI driver "{name}" failed. '
    if not versions:
        reason = "Plugin returned an empty list for supported versions"
    else:
        listed = " ".join(f'"{version}"' for version in versions)
        reason = f"None of the versions specified [{listed}] are supported. err={_no_highest(versions)}"
    raise PluginError(f"validation failed for CSI Driver {name} at endpoint {endpoint}: {failed}{reason}")


def _no_highest(versions: Sequence[str]) -> str:
    wrong = next((version for version in versions if not _VERSION.match(version)), None)
    reason = "<nil>"
    if wrong is not None:
        number = _NUMBER.match(wrong)
        reason = f'illegal version string "{wrong}"' if number else f'could not parse "{wrong}" as version'
    return f"could not find a highest supported version from versions ([{' '.join(versions)}]) reported: {reason}"


def _device_plugin(name: str, endpoint: str, versions: Sequence[str]) -> None:
    del endpoint
    if _DEVICE_PLUGIN not in versions:
        plain = " ".join(versions)
        raise PluginError(f"manager version, {_DEVICE_PLUGIN}, is not among plugin supported versions [{plain}]")
    if not is_extended(name):
        raise PluginError(f'invalid name of device plugin socket: the ResourceName "{name}" is invalid')


VALIDATIONS: dict[str, Callable[[str, str, Sequence[str]], object]] = {
    "CSIPlugin": _csi,
    "DevicePlugin": _device_plugin,
}
"""By type: raises PluginError with the kubelet's text for a name, an endpoint and versions that it does not take."""
