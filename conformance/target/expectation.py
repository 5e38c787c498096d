"""What a container must see of its devices, and what of it is missing."""

import re
from collections.abc import Iterable, Mapping, Sequence

from conformance.target.model import ContainerSection, DriverFile
from conformance.target.problems import TargetError

Facts = Mapping[str, str]
"""What is known of one allocated device: driver, pool, device, request, claim_uid; of a share of it also amount."""

_FACT = re.compile(r"\{(driver|pool|device|request|claim_uid|amount)\}")


class ContainerExpectation:
    """The section `container` of a driver file."""

    def __init__(self, section: ContainerSection) -> None:
        self.section = section

    def __bool__(self) -> bool:
        wanted = self.section
        return bool(wanted.env or wanted.devices or wanted.mounts or wanted.net_devices)

    def unmet(
        self,
        allocated: Sequence[Facts],
        *,
        env: Mapping[str, str],
        devices: Iterable[str] = (),
        mounts: Iterable[str] = (),
        net_devices: Iterable[str] | None = None,
    ) -> list[str]:
        """What a container with these devices does not see, one text for each; [] when it sees everything.

        env: its environment; devices: paths of its device nodes; mounts: paths that something is mounted at;
        net_devices: network interfaces of the node that it was given, None where these cannot be seen.
        """
        paths, points = list(devices), list(mounts)
        interfaces = None if net_devices is None else list(net_devices)
        missing = [text for facts in allocated for text in env_unmet(self.section.env, env, facts)]
        for facts in allocated:
            missing += [f"device node {p}" for p in _patterns(self.section.devices, facts) if not _any(p, paths)]
            missing += [f"mount {p}" for p in _patterns(self.section.mounts, facts) if not _any(p, points)]
            if interfaces is not None:
                wanted = _patterns(self.section.net_devices, facts)
                missing += [f"network interface {p}" for p in wanted if not _any(p, interfaces)]
        return list(dict.fromkeys(missing))


def env_unmet(patterns: Mapping[str, str], env: Mapping[str, str], facts: Facts) -> list[str]:
    """Pairs of name and value patterns that no variable of the environment matches, as NAME=VALUE."""
    wanted = [(_fill(name, facts), _fill(value, facts)) for name, value in patterns.items()]
    return [f"{name}={value}" for name, value in wanted if not _pair(name, value, env)]


def check_patterns(file: DriverFile, where: object) -> None:
    """Raises TargetError for the first pattern that is no regular expression."""
    container = file.container
    texts = {"container.env": [*container.env, *container.env.values()]}
    texts |= {"container.devices": container.devices, "container.mounts": container.mounts}
    texts |= {"container.netDevices": container.net_devices}
    for name, pairs in container.capacity.items():
        texts[f"container.capacity.{name}"] = [*pairs, *pairs.values()]
    for index, config in enumerate(file.claim.configs.valid):
        texts[f"claim.configs.valid[{index}].env"] = [*config.env, *config.env.values()]
    for key, patterns in texts.items():
        for pattern in patterns:
            if "{amount}" in pattern and not key.startswith("container.capacity"):
                raise TargetError(f"{where}: {key}: {{amount}} is known of shares only; use it in container.capacity")
            try:
                re.compile(_FACT.sub("x", pattern))
            except re.error as error:
                raise TargetError(f"{where}: {key}: {pattern!r} is no regular expression: {error}") from None


def _pair(name: str, value: str, env: Mapping[str, str]) -> bool:
    return any(re.fullmatch(name, key) and re.fullmatch(value, text) for key, text in env.items())


def _any(pattern: str, texts: Iterable[str]) -> bool:
    return any(re.fullmatch(pattern, text) for text in texts)


def _patterns(patterns: Iterable[str], facts: Facts) -> list[str]:
    return [_fill(pattern, facts) for pattern in patterns]


def _fill(pattern: str, facts: Facts) -> str:
    return _FACT.sub(lambda match: re.escape(facts[match[1]]), pattern)
