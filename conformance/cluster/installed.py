"""What a driver's installation brings, as far as the driver file has it in files."""

from conformance.cluster.api import Object
from conformance.target import Target
from conformance.verdict import NotApplicable, NotRun


def objects_in_files(target: Target) -> list[Object]:
    """The objects of the manifests that the driver file names; nothing is fetched, and no chart is rendered.

    Raises NotApplicable where it names none, NotRun where they are elsewhere, TargetError for a file that is wrong.
    """
    from conformance.cluster.kind.sources import read

    install = target.file.install
    if install is None or not (install.manifests or install.charts):
        raise NotApplicable("the driver file names no manifests")
    files = [entry for entry in install.manifests if "://" not in entry]
    if install.charts or len(files) < len(install.manifests):
        raise NotRun("the driver is installed by charts, or by manifests that would have to be fetched")
    return read(files, "install.manifests", target.path)
