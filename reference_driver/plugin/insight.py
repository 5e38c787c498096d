"""What a plugin shows of itself to whoever runs it: probes and metrics, by HTTP where that is asked for."""

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from . import metrics
from .errors import PluginError

if TYPE_CHECKING:
    from .app import Plugin
    from .http import HttpServer, Page
    from .prometheus import Reading

_HEALTH = {True: "healthy", False: "unhealthy", None: "unknown"}


def server(plugin: "Plugin") -> "HttpServer | None":
    """The HTTP server that the options ask for; what it needs is imported only then. Raises PluginError."""
    if not plugin.options.http_address:
        return None
    try:
        from .http import HttpServer
        from .prometheus import CONTENT_TYPE, PrometheusMetrics
    except ImportError as error:
        raise PluginError(f"--http-address needs the package prometheus-client: {error}") from error
    counted = PrometheusMetrics(
        {"driver": plugin.driver.name, "node": plugin.options.node_name}, lambda: readings(plugin)
    )
    metrics.use(counted)
    probes = plugin.probes
    pages: Mapping[str, Callable[[], Page]] = {
        "/healthz": lambda: _verdict(probes.alive()),
        "/readyz": lambda: _verdict(probes.ready()),
        "/metrics": lambda: (200, CONTENT_TYPE, counted.text()),
    }
    return HttpServer(plugin.options.http_address, pages)


def readings(plugin: "Plugin") -> Iterator["Reading"]:
    """What can be looked up at any time."""
    yield "dra_claims_prepared", "Claims with a state file on this node.", "", {"": plugin.handler.checkpoint.count()}
    health = plugin.driver.health()
    if health is not None:
        rows = Tally(_HEALTH[device.healthy] for device in health)
        yield "dra_devices", "Devices by their health.", "health", {name: rows[name] for name in _HEALTH.values()}
    slices = plugin.slices
    yield "dra_resourceslices", "ResourceSlices of this driver on this node.", "", {"": slices.count}
    in_sync = "Whether the ResourceSlices say what the driver has."
    yield "dra_resourceslices_in_sync", in_sync, "", {"": not slices.trouble}
    registered = "Whether the kubelet has registered this instance."
    yield "dra_registered", registered, "", {"": plugin.registration.registered}


def _verdict(wrong: list[str]) -> "Page":
    text = "".join(f"{line}\n" for line in wrong) or "ok\n"
    return 503 if wrong else 200, "text/plain; charset=utf-8", text.encode()
