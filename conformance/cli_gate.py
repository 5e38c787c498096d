"""`dra-conformance images`, `catalogue`: which images a gate needs, and by which obligations it judges."""

import json
from dataclasses import asdict
from typing import Annotated

import typer


def images(
    cluster: Annotated[str, typer.Option(metavar="KIND", help="Only those for this kind of cluster.")] = "",
    driver: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Driver under test; its images are listed, too.")
    ] = "",
    kubernetes_version: Annotated[
        str, typer.Option(metavar="VERSION", help="Kubernetes of --cluster=kind, such as 1.36.3.")
    ] = "",
    registry_prefix: Annotated[
        str, typer.Option(metavar="PREFIX", help="Say where each is on this mirror, as a run with this option asks.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List every container image that a run needs, by kind of cluster: those to pull, and those made here.

    For example: dra-conformance images --cluster=kind --driver=my-driver.yaml --registry-prefix=registry.example.com/m

    Exit status: 0, 4 when the kind of cluster, the driver file or the prefix is wrong.
    """
    from conformance.images import prefix
    from conformance.needed_images import PULLED, needed
    from conformance.session.options import CLUSTERS
    from conformance.target import Target, TargetError

    if cluster and cluster not in CLUSTERS:
        raise typer.BadParameter(f"there is no cluster {cluster!r} here; known are {', '.join(CLUSTERS)}.")
    mirror = prefix(registry_prefix, typer.BadParameter)
    try:
        target = Target.load(driver) if driver else None
    except TargetError as error:
        raise typer.BadParameter(str(error)) from None
    version = kubernetes_version.removeprefix("v")
    rows = [row for kind in CLUSTERS if cluster in ("", kind) for row in needed(kind, target, version, mirror)]
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows], indent=2))
        return
    for row in rows:
        typer.echo(f"{row.cluster}  {row.how}  {row.image}  ({row.purpose})")
        if row.mirrored:
            typer.echo(f"{' ' * len(row.cluster)}  {' ' * len(PULLED)}  {row.mirrored}")
    for kind in CLUSTERS:
        if cluster in ("", kind) and not any(row.cluster == kind for row in rows):
            typer.echo(f"{kind}  no image")


def catalogue(
    version: Annotated[
        str, typer.Argument(metavar="[VERSION]", help="Minor version of Kubernetes of a release, such as 1.37.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
) -> None:
    """Name the catalogue of obligations by its SHA-256, as reports do, and what has changed since it was released.

    With a version, the catalogue as it was released for that one.

    Exit status: 0, 4 when there was no such release.
    """
    from conformance.released import differences, names, now, read

    if version and version.removeprefix("v") not in names():
        raise typer.BadParameter(f"no catalogue was released for {version}; there are {', '.join(names())}.")
    chosen = read(version.removeprefix("v")) if version else now()
    if as_json:
        typer.echo(chosen.text(), nl=False)
        return
    counts = ", ".join(f"{count} {name}" for name, count in chosen.counts().items())
    typer.echo(f"Kubernetes {chosen.kubernetes}, suite {chosen.suite}: {counts}")
    typer.echo(f"SHA-256 {chosen.digest}")
    for released in () if version else names()[-1:]:
        changed = list(differences(read(released), chosen))
        typer.echo(f"since the release for {released}: {len(changed) or 'no'} change{'s' * (len(changed) != 1)}")
        for id, what in changed:
            typer.echo(f"  {id} {what}")


GATE = (images, catalogue)
