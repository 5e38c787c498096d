"""wait, and get --watch."""

import subprocess
from collections.abc import Sequence

from tests.kubectl.manifests import ARTICLE, SLICE
from tests.kubectl.pair import Kubectl, Pair, normal


def test_wait(pair: Pair) -> None:
    pair.same("create -f -", ARTICLE.format(name="waiting"))
    assert pair.same("wait --for=condition=PodScheduled=False pod/waiting --timeout=20s").code == 0
    assert pair.same("wait --for=jsonpath={.status.phase}=Pending pod/waiting --timeout=20s").code == 0
    assert pair.same("wait --for=condition=Ready pod/waiting --timeout=100ms").code == 1
    pair.same("delete pod waiting --force --grace-period=0")
    assert pair.same("wait --for=delete pod/waiting --timeout=20s").code == 0


def test_get_watch_shows_each_change(pair: Pair) -> None:
    pair.same("create -f -", SLICE.format(name="watched"))
    assert watched(pair.ours) == watched(pair.theirs)


def watched(kubectl: Kubectl) -> Sequence[str]:
    """What `get --watch` prints while the slice is changed and deleted."""
    argv = kubectl.argv("get resourceslice watched --watch --show-labels")
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=kubectl.environment) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        for command in ("label resourceslice watched a=b", "delete resourceslice watched"):
            assert kubectl.run(command).code == 0
            lines.append(process.stdout.readline())
        process.terminate()
    return [normal(line) for line in lines]
