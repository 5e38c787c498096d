"""`dra-conformance cluster`: a cluster with a driver on it, to try things by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

USAGE, INCONCLUSIVE = 4, 6

app = typer.Typer(no_args_is_help=True, help="A cluster with a driver on it, made by kind, to try things by hand.")


@app.command()
def up(
    driver: Annotated[str, typer.Option(metavar="NAME|FILE", help="Driver file, or the name of one that ships.")],
    kubernetes_version: Annotated[
        str, typer.Option(metavar="VERSION", help="Kubernetes, such as 1.36.1 (default: what there is, else 1.37.2).")
    ] = "",
    kubernetes_binaries: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder with programs of Kubernetes (default: built once).")
    ] = None,
) -> int:
    """Make the cluster and install the driver as its users do; on a cluster that is up, install one more driver.

    Prints what makes kubectl use it: eval "$(dra-conformance cluster up --driver=reference)"
    """
    from conformance.cluster.kind import tryout
    from conformance.target import Target

    def work() -> None:
        target = Target.load(driver, process=False)
        home = tryout.up(target, kubernetes_version.removeprefix("v"), kubernetes_binaries, _say)
        _say(f"{target.driver_name} is ready; `dra-conformance cluster down` deletes the cluster")
        typer.echo(f"export KUBECONFIG={home}/kubeconfig PATH={home}/bin:$PATH")

    return _told(work)


@app.command()
def down() -> int:
    """Delete the cluster."""
    from conformance.cluster.kind import tryout

    return _told(lambda: _say("the cluster is deleted" if tryout.down() else "there is no cluster to delete"))


def _told(work: Callable[[], Any]) -> int:
    """Exit status of what is to be done; what goes wrong is told in one sentence."""
    from conformance.cluster.api import ApiError
    from conformance.target import TargetError
    from conformance.verdict import Inconclusive

    try:
        work()
    except (TargetError, ApiError) as error:
        _say(f"dra-conformance: {error}")
        return USAGE
    except Inconclusive as error:
        _say(f"dra-conformance: {error}")
        return INCONCLUSIVE
    return 0


def _say(line: str) -> None:
    typer.echo(line, err=True)
