"""Before anything is done on somebody's cluster: what it is, what is needed, and what will be made."""

from collections.abc import Callable

from conformance.cluster.api import Api, ApiError, NotFound, Unreachable
from conformance.cluster.diagnosis import doubts
from conformance.cluster.existing.access import read_context, server_version
from conformance.cluster.existing.choice import choose
from conformance.cluster.existing.classes import check_class
from conformance.cluster.existing.rights import NEEDED, NEEDED_BY_API, check_rights
from conformance.cluster.existing.settings import ExistingSettings, Unusable
from conformance.target import Target
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

_SERVERS_OWN = 500  # HTTP statuses from here on are the server's fault


def preflight(settings: ExistingSettings, target: Target, say: Say) -> None:
    """Say all of it, and check what can be checked without changing anything. Raises Unusable.

    That the server does not answer, or that the driver is not there, is said; the run itself will find out again.
    """
    context = read_context(settings.kubeconfig)
    api = context.api()
    where = f"context {context.name} of {context.kubeconfig}, {context.access.server}"
    try:
        say(f"existing cluster: {where}, Kubernetes {server_version(api)}")
        need_dra(api)
        needed = NEEDED_BY_API if settings.by_api else NEEDED
        say(f"  rights needed in all namespaces: {'; '.join(map(str, needed))}")
        check_rights(api, needed)
        nodes = choose(api, target, settings.nodes)
        if settings.by_api:
            check_class(api, target)
        names = [node["metadata"]["name"] for node in nodes]
        for node, name in zip(nodes, names, strict=True):
            for doubt in doubts(node):
                say(f"  node {name}: {doubt}")
        also = f"and there a privileged pod with the host's processes and file system, image {settings.node_image}"
        if settings.by_api:
            also = f"nothing looks at the node itself; image of one pod: {settings.node_image}"
        say(f"  will be made: a namespace for each check, with pods and claims on {', '.join(names)}; {also}")
        say("  everything is removed at the end; what others have on the cluster is left alone")
    except Inconclusive as reason:
        say(f"existing cluster: {where}: {reason}")
    except ApiError as error:
        if isinstance(error, Unreachable) or error.status >= _SERVERS_OWN:
            say(f"existing cluster: {where}: the API server failed to answer: {error}")
            return
        raise Unusable(f"existing cluster: {where}: {error}") from None
    finally:
        api.close()


def need_dra(api: Api) -> None:
    """Raises Unusable where the cluster has no DRA, ApiError when it cannot be found out."""
    try:
        api.request("GET", "/apis/resource.k8s.io/v1")
    except NotFound:
        raise Unusable(
            f"{api.server} serves no resource.k8s.io/v1: Kubernetes 1.34 or newer is needed, with DRA switched on"
        ) from None
