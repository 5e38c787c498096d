"""The embedded API server: Kubernetes' API as drivers, kubelets and checks see it, over HTTPS and in the process."""

from conformance.cluster.embedded.apiserver.changes import Subscription
from conformance.cluster.embedded.apiserver.faults import Fault, Faults
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.server import ApiServer
from conformance.cluster.embedded.apiserver.store import Store

__all__ = ["ApiServer", "Fault", "Faults", "RequestInfo", "Store", "Subscription"]
