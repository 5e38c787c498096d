"""`dra-conformance up`, `down`, `status`: a cluster that is kept running, for kubectl or a driver under development."""

import json
import os
import shlex
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from conformance.up.order import Order
    from conformance.up.record import Record

_NAME = typer.Option(metavar="NAME", help="Which one: several can be kept.")


def up(
    driver: Annotated[
        list[str],
        typer.Option(metavar="NAME|FILE|none", help="Driver file, or the name of one that ships; may be repeated."),
    ] = ["reference"],  # noqa: B006 - typer reads it, and nobody changes it
    cluster: Annotated[str, typer.Option(metavar="KIND", help="embedded, control-plane or kind.")] = "embedded",
    name: Annotated[str, _NAME] = "default",
    kubeconfig: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write what kubectl needs (default: a private folder).")
    ] = None,
    background: Annotated[bool, typer.Option("--background", help="Return when it is ready.")] = False,
    kubernetes_version: Annotated[
        str, typer.Option(metavar="VERSION", help="Kubernetes of control-plane or kind, such as 1.36.3.")
    ] = "",
    kubernetes_binaries: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder with programs of Kubernetes (default: built once).")
    ] = None,
    registry_prefix: Annotated[
        str, typer.Option(metavar="PREFIX", help="Mirror that images are pulled from, as a run with this option does.")
    ] = "",
) -> int:
    """Bring up a cluster with a driver on it, and keep it until Ctrl-C, or until `down` with --background.

    With --driver=none there is no driver: what one under development needs to be started with is printed.
    With --cluster=kind the driver is installed as its users do; with --background on a cluster that is up, too.

    For kubectl in this shell: eval "$(dra-conformance up --background)"

    Exit status: 0, 2 interrupted before it was up, 3 internal error, 4 the command or the driver file is wrong,
    6 the cluster or the driver did not come up.
    """
    from conformance.up.order import Order

    order = Order(
        name=name,
        cluster=cluster,
        drivers=tuple(_absolute(each) for each in driver),
        kubeconfig=kubeconfig.expanduser().absolute() if kubeconfig else None,
        version=kubernetes_version.removeprefix("v"),
        binaries=kubernetes_binaries.expanduser().absolute() if kubernetes_binaries else None,
        registry=registry_prefix.rstrip("/"),
    )
    return _told(lambda: _up(order, background=background))


def down(
    context: typer.Context,
    name: Annotated[str, _NAME] = "default",
    all_: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
) -> int:
    """End a cluster that `up` keeps, and leave nothing behind.

    Exit status: 0, 3 internal error, 4 the command is wrong, such as a --name that no cluster has, 6 it did not end.
    """
    return _told(lambda: _down(name, context.args, everything=all_))


def status(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> int:
    """List the clusters that `up` keeps; what is left of dead ones is removed."""
    return _told(lambda: _status(as_json=as_json))


def _up(order: "Order", *, background: bool) -> None:
    from conformance.up import ending, kubeconfig, record
    from conformance.up.order import Wrong
    from conformance.up.place import folder_of

    order.check()
    order.targets()
    _sweep()
    if order.kubeconfig:
        kubeconfig.check(order.kubeconfig, order.name, frozenset(known.name for known, _ in ending.clusters()))
    known = record.read(folder_of(order.name))
    beside = background and order.cluster == "kind"
    if known and not (beside and known.cluster == "kind"):
        raise Wrong(
            f"cluster {order.name} is {ending.state_of(known)} already, on {known.cluster}: end it with "
            f"dra-conformance down --name={order.name}, or give another --name"
        )
    if order.cluster == "kind":
        _up_kind(order, background=background)
    elif background:
        from conformance.up.background import start

        _ready(start(order, _say))
    else:
        _serve(order)


def _serve(order: "Order") -> None:
    from conformance.up import local
    from conformance.up.place import Place
    from conformance.up.signals import interruptible

    told: list[Record] = []

    def ready(known: "Record") -> None:
        told.append(known)
        _describe(known)

    def say(line: str) -> None:
        _print(f"{datetime.now():%H:%M:%S} {line}") if told else _say(line)

    try:
        with interruptible():
            local.serve(order, Place.take(order.name), say, ready)
    except KeyboardInterrupt:
        if not told:
            raise
        _say("ended")


def _up_kind(order: "Order", *, background: bool) -> None:
    from conformance.up import ending, kinds, record
    from conformance.up.place import Place
    from conformance.up.signals import interruptible

    with interruptible():
        place = Place.take(order.name)
        try:
            known = kinds.up(order, place, _say)
        except BaseException:
            if record.read(place.path):
                _say(f"cluster {order.name} stays up; dra-conformance down --name={order.name} deletes it")
            raise
        finally:
            if record.read(place.path):
                place.let_go()
            else:
                place.clear()
        if background:
            _ready(known)
            return
        _describe(known)
        with suppress(KeyboardInterrupt):
            while True:
                signal.pause()
        ending.end(order.name)
    _say("ended")


def _down(name: str, others: Sequence[str], *, everything: bool) -> None:
    from conformance.up import ending
    from conformance.up.order import Wrong
    from conformance.up.place import names

    if others:
        raise Wrong(f"down takes no {others[0]}; give the name as an option: dra-conformance down --name={others[0]}")
    before = names()
    _sweep()
    wanted = names() if everything else [name]
    ended = [each for each in wanted if ending.end(each)]
    if ended:
        _say(f"ended {', '.join(ended)}")
        return
    left = [known.name for known, _ in ending.clusters()]
    none = f"there is no cluster {'' if everything else name}".rstrip()
    none += f"; there are {', '.join(left)}" if left else ""
    if not everything and name not in ("default", *before):
        raise Wrong(none)
    _say(none)


def _status(*, as_json: bool) -> None:
    from conformance.up import ending, words

    rows = ending.clusters()
    if as_json:
        _print(json.dumps([{**known.facts(), "state": state} for known, state in rows], indent=2))
    elif rows:
        _print(words.listed(rows))
    else:
        _say("there is no cluster; `dra-conformance up` makes one")
    _sweep()


def _sweep() -> None:
    from conformance.up import ending

    for name in ending.sweep():
        _say(f"removed what was left of cluster {name}, whose process was killed")


def _ready(known: "Record") -> None:
    """Say so, and print what makes kubectl use it."""
    from conformance.up import kinds, words
    from conformance.up.place import folder_of

    _say(f"{words.described(known)}\n\nEnd it:\n  {words.end_it(known)}\n")
    tools = kinds.cluster_in(folder_of(known.name), known.name).tools if known.cluster == "kind" else None
    path = f" PATH={shlex.quote(str(tools))}:$PATH" if tools else ""
    typer.echo(f"export KUBECONFIG={shlex.quote(known.kubeconfig)}{path}")
    if known.placeholders and not known.drivers:
        typer.echo(words.exported(known.placeholders))


def _describe(known: "Record") -> None:
    from conformance.up import words

    _print(f"{words.described(known)}\n\nCtrl-C ends it.\n")


def _absolute(driver: str) -> str:
    """A driver file by its full path, as another process may read it; names as they are."""
    is_path = "/" in driver or driver.endswith((".yaml", ".yml", ".json"))
    return os.path.abspath(os.path.expanduser(driver)) if is_path else driver


def _told(work: Callable[[], None]) -> int:
    """Exit status of what is to be done; what goes wrong is told in one sentence."""
    try:
        work()
    except (Exception, KeyboardInterrupt) as error:
        from conformance.up.failing import failure

        status, reason = failure(error)
        _say(f"dra-conformance: {reason}")
        return status
    return 0


def _print(text: str) -> None:
    """To standard output at once, also where that is a pipe; that nobody reads it any more is no reason to end."""
    with suppress(OSError):
        typer.echo(text)


def _say(line: str) -> None:
    typer.echo(line, err=True)
