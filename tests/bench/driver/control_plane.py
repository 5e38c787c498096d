"""etcd and kube-apiserver as processes, without what would take time from drivers: no audit, no controllers."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from conformance.cluster.api import Api
from conformance.cluster.binaries import Wanted, provide
from conformance.cluster.control_plane.apiserver import ApiServerAt, Identities, User, kube_apiserver
from conformance.cluster.control_plane.audit import AuditLog
from conformance.cluster.control_plane.driver import NAME, DriverIdentity
from conformance.cluster.control_plane.program import Place
from conformance.cluster.control_plane.programs import etcd
from conformance.cluster.kubeconfig import write_kubeconfig
from conformance.cluster.local.ports import HeldPorts
from conformance.cluster.local.tls import make_server_files
from conformance.history import History
from tests.bench.figure import say

_HARNESS = "bench"
_WRITES = ("POST", "PUT", "PATCH", "APPLY", "DELETE")


class ControlPlane:
    """A running one. `api` may do everything; `kubeconfigs` are those of drivers."""

    def __init__(self, folder: Path, at: ApiServerAt) -> None:
        access = at.access(_HARNESS)
        self.api = Api(access.server, access.ca_file, access.token)
        self.identity = DriverIdentity(self.api)
        self.kubeconfigs: list[Path] = []
        self._folder = folder
        self._at = at

    def add_node(self, name: str) -> Path:
        """Make a node; the kubeconfig of the driver on it."""
        self.api.create("nodes", {"metadata": {"name": name}})
        access = self._at.with_token(self.identity.token(name))
        path = write_kubeconfig(self._folder / f"{name}.kubeconfig", access, NAME)
        self.kubeconfigs.append(path)
        return path

    def writes(self) -> int:
        """How many requests have changed, or were meant to change, objects that drivers write, from its start on."""
        text = str(self.api.request("GET", "/metrics").get("message", ""))
        return sum(_writes(line) for line in text.splitlines() if line.startswith("apiserver_request_total{"))


def _writes(line: str) -> int:
    wanted = 'group="resource.k8s.io"' in line or 'resource="events"' in line
    return int(float(line.rpartition(" ")[2])) if wanted and any(f'verb="{verb}"' in line for verb in _WRITES) else 0


@contextmanager
def control_plane(folder: Path) -> Iterator[ControlPlane]:
    """Inside the block it runs. Raises BinariesError, Inconclusive."""
    binaries, history = provide(Wanted(), say), History()
    folder.mkdir(mode=0o700)
    place = Place(folder, folder, folder, history, binaries.programs)
    with ExitStack() as running:
        store = etcd(place)
        running.callback(store.stop)
        store.start()
        ports = HeldPorts(1)
        running.callback(ports.close)
        identities = Identities(folder / "tokens.csv", [User(_HARNESS, ["system:masters"])])
        at = ApiServerAt(ports.numbers[0], make_server_files(folder / "tls"), identities)
        audit = AuditLog(folder, history, service_accounts="none", trusted=[])
        running.callback(audit.stop)
        audit.policy.write_text("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]\n", encoding="utf-8")
        made = ControlPlane(folder, at)
        running.callback(made.api.close)
        server = kube_apiserver(place, at, identities, audit, made.api)
        store.wait_ready()
        running.callback(server.stop)
        server.start()
        server.wait_ready()
        made.identity.create()
        say(f"Kubernetes {binaries.version}, {binaries.origin}")
        yield made
