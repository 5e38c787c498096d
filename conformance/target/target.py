"""The driver under test, in the terms in which checks are written."""

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from conformance.target import build, images, load, placeholders, pythonpackage
from conformance.target.command import CommandLine, command_line, container_line, find_program, hook_line
from conformance.target.expectation import ContainerExpectation, check_patterns
from conformance.target.model import ClassSection, DriverFile, DriverSection, Object, ProcessSection
from conformance.target.problems import TargetError

REQUEST = "device"
"""Name of the request in the claims of drivers that do not say what a valid claim looks like."""


class Target:
    """A driver file that was read and found good, and what follows from it."""

    def __init__(self, file: DriverFile, path: Path) -> None:
        self.file = file
        self.path = path
        self._image_made = False

    @classmethod
    def load(cls, name_or_path: str, *, process: bool = True) -> "Target":
        """Read a driver file, by path or by the name of one that ships.

        With `process` the driver must be one that can be started here. Raises TargetError.
        """
        path = load.find(name_or_path)
        target = cls(load.read(path), path)
        if target.file.build and target.file.python:
            raise TargetError(f"{path}: build and python both make {{binary}}; keep one of them")
        if target.file.process and target.file.image:
            raise TargetError(f"{path}: process and image both say how the driver starts; keep one of them")
        placeholders.check(target.file, path)
        target._check_names()
        target._check_requests()
        check_patterns(target.file, path)
        if process:
            target._check_process()
        return target

    @property
    def name(self) -> str:
        """Name of the driver file."""
        return self.path.stem

    @property
    def driver(self) -> DriverSection:
        """The first driver: the one that checks look at."""
        return self.file.drivers[0]

    @property
    def driver_name(self) -> str:
        """Name of the first driver."""
        return self.driver.name

    @property
    def device_classes(self) -> list[str]:
        """Names of the first driver's device classes."""
        return [section.name for section in _classes(self.driver)]

    @property
    def device_class(self) -> str:
        """Name of its first device class."""
        return self.device_classes[0]

    @property
    def features_claimed(self) -> frozenset[str]:
        """Features that the driver file claims."""
        return frozenset(str(feature) for feature in self.driver.features)

    @property
    def claims_per_node(self) -> int:
        """How many valid claims a node holds at once."""
        return self.file.claim.per_node

    @property
    def ready_within(self) -> float:
        """Seconds that the driver may take from its start until it is registered and its pools are published."""
        return self.file.limits.ready

    @property
    def container_expectation(self) -> ContainerExpectation:
        """What a container must see of its devices."""
        return ContainerExpectation(self.file.container)

    @property
    def process(self) -> ProcessSection:
        """How the driver starts as a process. Raises TargetError when the file does not say."""
        if self.file.process is None:
            raise TargetError(
                f"{self.path}: process is missing, so the driver cannot be started here; "
                "add process.command or image.reference, or run against a cluster that the driver is installed on"
            )
        return self.file.process

    @property
    def reads_boot_id(self) -> bool:
        """Whether the driver reads the boot id where the suite can change it."""
        return "boot_id_file" in placeholders.used(self.file)

    def claim_spec(
        self,
        *,
        selectors: Sequence[str] = (),
        parameters: Object | None = None,
        admin_access: bool = False,
        device_class: str | None = None,
    ) -> Object:
        """Spec of a valid ResourceClaim.

        selectors: CEL expressions added to every request; parameters: an opaque config for the first driver, for all
        requests, in the place of those of the same apiVersion and kind; admin_access: in every request; device_class:
        instead of that of the driver file.
        """
        spec = copy.deepcopy(self.file.claim.spec) or self._default_spec()
        for request in _requests(spec):
            if selectors:
                request["selectors"] = [*request.get("selectors", ()), *({"cel": {"expression": s}} for s in selectors)]
            if admin_access:
                request["adminAccess"] = True
            if device_class:
                request["deviceClassName"] = device_class
        if parameters is not None:
            opaque = {"opaque": {"driver": self.driver_name, "parameters": parameters}}
            others = [entry for entry in spec["devices"].get("config", ()) if not self._replaces(parameters, entry)]
            spec["devices"]["config"] = [*others, opaque]
        return spec

    def _replaces(self, parameters: Object, entry: Object) -> bool:
        """Whether an entry of the claim's config says what the parameters say: which of two wins is not asked here."""
        known = entry.get("opaque") or {}
        return known.get("driver") == self.driver_name and _kind(known.get("parameters")) == _kind(parameters)

    def objects(self) -> list[Object]:
        """Objects of the manifests, in order. Raises TargetError for a file that cannot be read."""
        found: list[Object] = []
        for entry in self.file.manifests:
            found += _read_objects(self.path.parent / entry) if isinstance(entry, str) else [entry]
        return found

    def class_objects(self) -> list[Object]:
        """DeviceClass objects of all drivers, for those that the installation did not bring."""
        return [_class_object(driver, section) for driver in self.file.drivers for section in _classes(driver)]

    def pod_spec(self, spec: Object) -> Object:
        """A pod's spec with the driver file's podOverlay merged in; lists are joined."""
        merged: Object = _merge(spec, self.file.pod_overlay)
        return merged

    def build(self, say: Callable[[str], object] = str) -> Path | None:
        """Build the program that the driver file asks for, once, and return where it is; None when it asks for none.

        `say` is told what goes on. Raises TargetError when it cannot be built, Inconclusive when it cannot be fetched.
        """
        if self.file.image and not self._image_made:
            images.make(self.file.image, self.static_values(), say)
            self._image_made = True
        if self.file.python:
            return pythonpackage.install(self.file.python, say)
        return build.build(self.file.build, say) if self.file.build else None

    def command_line(self, values: Mapping[str, str], *, next_version: bool = False) -> CommandLine:
        """What it takes to start the driver; `values` are those of the placeholders that depend on the node."""
        values = {**values, **self.static_values()}
        if self.file.image:
            return container_line(self.file.image, values, next_version=next_version)
        return command_line(self.process, values, next_version=next_version)

    def hook_line(self, name: str, values: Mapping[str, str]) -> CommandLine | None:
        """What runs a hook, such as `remove_device`; None where the driver file has none of that name.

        values: of the placeholders that depend on the node, and `device` and `pool`.
        """
        command = getattr(self.file.hooks, name)
        return hook_line(command, self.file.process, {**values, **self.static_values()}) if command else None

    @property
    def device_nodes(self) -> Sequence[str]:
        """Character devices that its node is taken to have, beside those that it has."""
        return self.file.process.device_nodes if self.file.process else ()

    def static_values(self) -> dict[str, str]:
        """Values of placeholders that do not depend on a node."""
        return {
            **build.static_values(),
            **self._binary(),
            "driver_name": self.driver_name,
            "file_dir": str(self.path.parent),
        }

    def _binary(self) -> dict[str, str]:
        """The value of {binary}, where the driver file has something built."""
        if self.file.python:
            return {"binary": str(pythonpackage.interpreter(self.file.python))}
        return {"binary": str(build.binary(self.file.build))} if self.file.build else {}

    def _default_spec(self) -> Object:
        return {"devices": {"requests": [{"name": REQUEST, "exactly": {"deviceClassName": self.device_class}}]}}

    def _check_names(self) -> None:
        names = [driver.name for driver in self.file.drivers]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise TargetError(f"{self.path}: drivers[{index}].name is {name!r}, like that of another driver here")
        process = self.file.process
        following = process.next_version.env if process and process.next_version else {}
        image = self.file.image
        later = image.next_version.env if image and image.next_version else {}
        given = {"process": [*(process.env if process else {}), *following]}
        given["image"] = [*(image.env if image else {}), *later]
        for section, names in given.items():
            for name in names:
                if not name or "=" in name:
                    raise TargetError(f"{self.path}: {section}.env: {name!r} is no name of an environment variable")

    def _check_requests(self) -> None:
        try:
            requests = _requests(self.claim_spec())
        except (KeyError, TypeError, AttributeError):
            requests = []
        if not all(isinstance(request, dict) and "deviceClassName" in request for request in requests) or not requests:
            raise TargetError(
                f"{self.path}: claim.spec is not the spec of a ResourceClaim; "
                "give devices.requests[] with name and exactly.deviceClassName"
            )

    def _check_process(self) -> None:
        if self.file.build:
            build.check(self.file.build, self.path)
        if "binary" in placeholders.used(self.file) and not self._binary():
            raise TargetError(f"{self.path}: {{binary}} is used, but there is no section `build` or `python`; add one")
        self.objects()
        if self.file.image:
            return
        find_program(self.process.command[0], self.static_values(), self.path, "process.command[0]")


def _classes(driver: DriverSection) -> list[ClassSection]:
    return driver.device_classes or [ClassSection(name=driver.name.lower())]


def _class_object(driver: DriverSection, section: ClassSection) -> Object:
    selectors = section.selectors or [f"device.driver == '{driver.name}'"]
    spec: Object = {"selectors": [{"cel": {"expression": expression}} for expression in selectors]}
    if section.config:
        spec["config"] = section.config
    if section.extended_resource_name:
        spec["extendedResourceName"] = section.extended_resource_name
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": section.name},
        "spec": spec,
    }


def _kind(parameters: Any) -> tuple[object, object]:
    given = parameters if isinstance(parameters, dict) else {}
    return given.get("apiVersion"), given.get("kind")


def _requests(spec: Object) -> list[Object]:
    """Every request and sub-request that names a device class."""
    found: list[Object] = []
    for request in spec["devices"]["requests"]:
        found += request["firstAvailable"] if "firstAvailable" in request else [request["exactly"]]
    return found


def _read_objects(path: Path) -> list[Object]:
    try:
        found = [obj for obj in yaml.safe_load_all(path.read_text(encoding="utf-8")) if obj]
    except OSError as error:
        raise TargetError(f"{path}: the manifest cannot be read: {error.strerror}; mend manifests") from None
    except UnicodeDecodeError:
        raise TargetError(f"{path}: the manifest is not UTF-8 text") from None
    except yaml.YAMLError as error:
        raise TargetError(f"{path}: the manifest is not YAML: {' '.join(str(error).split())}") from None
    if not all(isinstance(obj, dict) for obj in found):
        raise TargetError(f"{path}: the manifest has something else than Kubernetes objects in it")
    return found


def _merge(base: Any, overlay: Any) -> Any:
    if isinstance(base, dict) and isinstance(overlay, dict):
        added = {key: value for key, value in overlay.items() if key not in base}
        return {
            **{key: _merge(value, overlay[key]) if key in overlay else value for key, value in base.items()},
            **added,
        }
    if isinstance(base, list) and isinstance(overlay, list):
        return [*base, *overlay]
    return overlay
