"""What cannot be: inventories whose fields are each right, but not together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .fields import InventoryError
from .gpu import Gpu


def check(where: str, gpus: Sequence[Gpu], written: Mapping[str, Any]) -> None:
    """Raises InventoryError; `gpus` are all of the file, also absent ones.

    Equal UUIDs, empty texts and names that are too long are possible: real machines have had them.
    """
    by_name = {gpu.name: gpu for gpu in gpus}
    for gpu in gpus:
        place = f"{where}: GPU {gpu.index}"
        _links(place, gpu, by_name)
        _mig(place, gpu)
        if "cpus" in written and (gpu.numa_node or 0) >= len(written["cpus"]):
            raise InventoryError(f"{place}: numaNode {gpu.numa_node} has no line in `cpus`; add one, or correct it")
    for bus_id, count in Counter(gpu.pci_bus_id for gpu in gpus if gpu.pci_bus_id).items():
        if count > 1:
            raise InventoryError(f"{where}: {count} GPUs have pciBusId {bus_id}; give each one of its own")
    _happened(where, {gpu.index for gpu in gpus}, written.get("happened", ()))


def _links(where: str, gpu: Gpu, others: Mapping[str, Gpu]) -> None:
    total = sum(links.count for links in gpu.nvlinks)
    if total > gpu.product.nvlinks:
        raise InventoryError(
            f"{where} has {total} links in nvlinks, but its model {gpu.model!r} has {gpu.product.nvlinks}"
        )
    for links in gpu.nvlinks:
        if not links.to.startswith("gpu-"):
            continue
        if links.to == gpu.name or links.to not in others:
            raise InventoryError(f"{where}: nvlinks lead to {links.to}, which is no other GPU of this file")
        back = sum(each.count for each in others[links.to].nvlinks if each.to == gpu.name)
        if back != sum(each.count for each in gpu.nvlinks if each.to == links.to):
            raise InventoryError(f"{where}: nvlinks to {links.to} are not as many as those back; make both alike")


def _mig(where: str, gpu: Gpu) -> None:
    taken: dict[int, str] = {}
    for instance in gpu.mig or ():
        profile = gpu.product.profile(instance.profile)
        if profile is None:
            known = ", ".join(each.name for each in gpu.product.mig) or "none"
            raise InventoryError(f"{where}: its model has no MIG profile {instance.profile!r}; there are {known}")
        if instance.start not in profile.starts:
            starts = ", ".join(map(str, profile.starts))
            raise InventoryError(f"{where}: {profile.name} cannot start at {instance.start}; it can at {starts}")
        for slice_ in range(instance.start, instance.start + profile.size):
            if slice_ in taken:
                raise InventoryError(
                    f"{where}: {profile.name} at {instance.start} overlaps {taken[slice_]}; move or remove one"
                )
            taken[slice_] = f"{profile.name} at {instance.start}"
    for name, count in Counter(instance.profile for instance in gpu.mig or ()).items():
        profile = gpu.product.profile(name)
        if profile and count > profile.instances:
            raise InventoryError(f"{where}: {count} instances of {name}, but only {profile.instances} fit")


def _happened(where: str, known: set[int], rows: Sequence[Mapping[str, Any]]) -> None:
    last = 0
    for row in rows:
        if row["gpu"] not in known:
            raise InventoryError(f"{where}: happened has GPU {row['gpu']}, which is not in this file")
        if row["number"] <= last:
            raise InventoryError(f"{where}: numbers in happened must grow, but {row['number']} follows {last}")
        last = row["number"]
