"""Calls that a check asks for, outside the work on pods: on registered plugins, and on bare sockets."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.dra_api import pluginregistration_pb2 as messages
from conformance.cluster.dra_api import pluginregistration_pb2_grpc as stubs
from conformance.cluster.kubelet.plugin import PluginError
from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed, as_dict, ended_by_kubelet
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.sockets import Dialled, registration_authority
from conformance.verdict import Inconclusive

SOURCE = "check"
REGISTRATION = "pluginregistration.Registration"


class DirectCalls:
    """Recorded in the history like the kubelet's own calls, with source `check`.

    `under_test`: the driver to call where several are registered and none is named.
    """

    def __init__(self, caller: Caller, settings: KubeletSettings) -> None:
        self._caller = caller
        self._settings = settings
        self.under_test = ""

    def dial(self, endpoint: str | Path) -> Dialled:
        """A channel of one's own to a socket: a context manager, or close it."""
        return Dialled(Path(str(endpoint).removeprefix("unix:")))

    def get_info(self, socket: Path, timeout: float | None = None, authority: str = "") -> dict[str, Any]:
        """GetInfo on a registration socket; the PluginInfo as JSON. Raises RpcFailed; the default limit is 1 s.

        `authority`: the :authority of the call, by default that of the kubelet.
        """
        limit = self._settings.get_info_timeout if timeout is None else timeout
        return self._register_call("GetInfo", socket, messages.InfoRequest(), limit, authority)

    def notify(self, socket: Path, registered: bool, error: str = "") -> None:
        """NotifyRegistrationStatus on a registration socket. Raises RpcFailed after at most 5 s."""
        status = messages.RegistrationStatus(plugin_registered=registered, error=error)
        self._register_call("NotifyRegistrationStatus", socket, status, self._settings.notify_timeout)

    def call(
        self,
        plugins: Plugins,
        method: str,
        claims: Sequence[ClaimRef],
        driver: str | None,
        timeout: float,
        service: str = "",
    ) -> Answer:
        """Prepare or Unprepare on the newest connected instance of a driver; any outcome is an Answer.

        Raises Inconclusive when the kubelet closed the connection meanwhile.
        """
        name = driver or self._one_of(plugins.drivers())
        began = time.monotonic()
        try:
            response = plugins.get(name).call(method, claims, timeout, SOURCE, service)
        except RpcFailed as error:
            if ended_by_kubelet(error.code, error.details):
                raise Inconclusive(f"the kubelet closed its connection to {name} during {method}: {error}") from None
            return _answer(method, claims, error.code, error.details, {}, began)
        except PluginError as error:
            return _answer(method, claims, "UNAVAILABLE", str(error), {}, began)
        return _answer(method, claims, "OK", "", as_dict(response), began)

    def _one_of(self, drivers: list[str]) -> str:
        if self.under_test in drivers:
            return self.under_test
        if len(drivers) != 1:
            found = ", ".join(drivers) or "none"
            raise Inconclusive(
                f"which driver is to be called must be said unless exactly one is registered; found: {found}"
            )
        return drivers[0]

    def _register_call(
        self, method: str, socket: Path, request: Any, timeout: float, authority: str = ""
    ) -> dict[str, Any]:
        call = Call(method, "", str(socket), REGISTRATION, request, timeout, SOURCE)
        options = [("grpc.default_authority", authority or registration_authority(socket))]
        with Dialled(socket, options) as channel:
            return as_dict(self._caller.call(call, getattr(stubs.RegistrationStub(channel), method)))


def _answer(
    method: str, claims: Sequence[ClaimRef], code: str, details: str, response: dict[str, Any], began: float
) -> Answer:
    asked = [{"namespace": claim.namespace, "name": claim.name, "uid": claim.uid} for claim in claims]
    return Answer.from_event(
        {
            "method": method,
            "request": {"claims": asked},
            "code": code,
            "details": details,
            "response": response,
            "seconds": time.monotonic() - began,
        }
    )
