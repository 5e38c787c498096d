"""The driver on two nodes of ours, an instance on each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from conformance.cluster.api import Api
from conformance.cluster.kubelet import Kubelet
from conformance.cluster.protocol import Installation, Instance, Node


class LocalFleet:
    """Nodes that can be lost, as each has a kubelet of ours; an update starts a process on each of them."""

    one_machine = True

    def __init__(
        self,
        installations: Sequence[Installation],
        kubelets: Mapping[str, Kubelet],
        api: Api,
        let_in: Callable[[str], object],
    ) -> None:
        """`kubelets`: by the names of nodes; `let_in`: gives the driver of a node its credentials, tied to its Node."""
        self.installations = installations
        self._kubelets = kubelets
        self._api = api
        self._let_in = let_in

    @contextmanager
    def roll_out(self) -> Iterator[Sequence[tuple[Instance, Instance]]]:
        """(old, new) of each node: the new ones started inside the block, afterwards the old ones are ended."""
        with ExitStack() as ending:
            yield [ending.enter_context(installation.roll_out()) for installation in self.installations]

    @contextmanager
    def lose(self, node: Node) -> Iterator[None]:
        """The node off and its Node object deleted inside the block; afterwards both are back, the driver started."""
        installation = next(one for one in self.installations if one.node is node)
        kubelet = self._kubelets[node.name]
        uids = kubelet.switch_off(installation)
        self._api.delete("nodes", node.name)
        try:
            yield
        finally:
            kubelet.start()
            self._let_in(node.name)
            for uid in uids:
                installation.start(uid=uid)
