"""Files about the devices of a claim, for the programs in its containers (KEP-5304).

A request has one file. It is kept by the claim's UID, so that claims that follow each other under one name do not share
any, and mounted where the contract says: by the name that a pod's spec has for the claim. All are in one folder: making
and removing one for each claim would take longer than all else that is written for it.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from . import log
from .claims import AllocatedDevice, Claim
from .files import remove, write
from .pools import attribute

API_VERSION, KIND = "metadata.resource.k8s.io/v1beta1", "DeviceMetadata"
CONTAINER_FOLDER = "/var/run/kubernetes.io/dra-device-attributes"
Describe = Callable[[AllocatedDevice], Mapping[str, Any]]
_BETWEEN = "+"  # of UID and request in a file's name; neither can hold it


class MetadataFolder:
    """The files of one driver. With `enabled` false none are made; those that are there are still removed."""

    def __init__(self, folder: Path, driver: str, enabled: bool = True) -> None:
        self.driver = driver
        self.enabled = enabled
        self._folder = folder

    def texts(self, claim: Claim, describe: Describe) -> dict[str, str]:
        """The files of a claim: name of each request to content. `describe`: attributes of a device."""
        if not self.enabled:
            return {}
        devices: dict[str, list[AllocatedDevice]] = {}
        for device in claim.devices:
            devices.setdefault(device.base_request, []).append(device)
        return {request: self.text(claim, rows, describe) for request, rows in devices.items()}

    def text(self, claim: Claim, devices: list[AllocatedDevice], describe: Describe) -> str:
        """The content of one file: the object in each version, one a line."""
        rows = [self._device(device, describe) for device in devices]
        meta = {"name": claim.ref.name, "namespace": claim.ref.namespace, "uid": claim.uid, "generation": 1}
        obj: dict[str, Any] = {"kind": KIND, "apiVersion": API_VERSION, "metadata": meta}
        if claim.pod_claim:
            obj["podClaimName"] = claim.pod_claim
        obj["requests"] = [{"name": devices[0].request, "devices": rows}]
        return json.dumps(obj) + "\n"

    def mount(self, claim: Claim, request: str) -> dict[str, Any]:
        """How a container gets a request's file, as CDI writes it."""
        kind, name = (
            ("resourceclaimtemplates", claim.pod_claim) if claim.pod_claim else ("resourceclaims", claim.ref.name)
        )
        inside = f"{CONTAINER_FOLDER}/{kind}/{name}/{request}/{self.driver}-metadata.json"
        return {"hostPath": str(self.path(claim.uid, request)), "containerPath": inside, "options": ["ro", "bind"]}

    def path(self, uid: str, request: str) -> Path:
        """The file of a request."""
        return self._folder / f"{uid}{_BETWEEN}{request}.json"

    def write(self, uid: str, texts: Mapping[str, str]) -> None:
        """Write the files of a claim where they are not there as they should be. Raises OSError.

        Half a file, of a process that was killed, does no harm: it is written again before any container gets it.
        """
        for request, text in texts.items():
            path, data = self.path(uid, request), text.encode()
            try:
                _write(path, data, new=True)
            except FileExistsError:
                if path.read_bytes() != data:
                    _write(path, data)

    def try_to_write(self, claim: Claim, describe: Describe) -> dict[str, str]:
        """Write a claim's files and return them; none when that fails: no claim hangs on them."""
        texts = self.texts(claim, describe)
        try:
            self.write(claim.uid, texts)
        except OSError as error:
            log.warning("device metadata not written", claim=claim.uid, error=str(error))
            return {}
        return texts

    def remove(self, uid: str, requests: Iterable[str] | None = None) -> None:
        """Remove the files of a claim, if there are any: of these requests, or of all. Raises OSError."""
        if requests is None:
            paths = list(self._folder.glob(f"{uid}{_BETWEEN}*"))
        else:
            paths = [self.path(uid, request) for request in requests]
        for path in paths:
            remove(path)

    def leftovers(self, known: Iterable[str]) -> list[str]:
        """UIDs of claims that have files and are not among the known."""
        there = {path.name.partition(_BETWEEN)[0] for path in self._folder.glob(f"*{_BETWEEN}*")}
        return sorted(there - set(known))

    def _device(self, device: AllocatedDevice, describe: Describe) -> dict[str, Any]:
        attributes = {name: attribute(value) for name, value in describe(device).items()}
        row: dict[str, Any] = {"driver": self.driver, "pool": device.pool, "name": device.device}
        return row | ({"attributes": attributes} if attributes else {})


def _write(path: Path, data: bytes, *, new: bool = False) -> None:
    try:
        write(path, data, new=new)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, data, new=new)
