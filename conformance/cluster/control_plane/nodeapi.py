"""The kubelet's client: an API server lets a node read a claim only once it has seen the pod that uses it."""

from typing import Any

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_exponential

from conformance.cluster.api import Api, Forbidden

_SECONDS = 2.0


class NodeApi(Api):
    """Asks again for a while where a read is forbidden.

    The node authorizer learns of pods by a watch of its own. Ours is a very fast kubelet, and asks before that more
    often than a real one does; its next try would be so late that checks would measure the delay.
    """

    def get(self, resource: str, name: str, namespace: str | None = None) -> dict[str, Any]:
        """One object. Raises NotFound, and Forbidden when it stays so."""
        retrying = Retrying(
            retry=retry_if_exception_type(Forbidden),
            stop=stop_after_delay(_SECONDS),
            wait=wait_exponential(multiplier=0.005, max=0.1),
            reraise=True,
        )
        return retrying(super().get, resource, name, namespace)
