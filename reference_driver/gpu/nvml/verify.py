"""Checks the backend on this machine: what it would publish and give to containers, beside what is found otherwise.

It only reads, unless --allow-reconfigure is given, and never resets a GPU, changes MIG mode, or makes or ends MIG
instances. Exit status: 0 all agrees, 1 something differs or is missing, 2 the command is wrong, 3 nothing could be
checked.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence

from reference_driver.plugin import ClaimError, PluginError

from . import library, options
from .ailments import look
from .cdi import Injection
from .comparisons import Finding, compare, readable, reconfigured
from .devices import parts
from .facts import GpuFacts
from .gpus import Found
from .library import Library, NvmlFailure
from .options import NvmlOptions
from .session import session

_AGREES, _DIFFERS, _NOTHING = 0, 1, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m reference_driver.gpu.nvml.verify", description=__doc__)
    options.add_arguments(parser)
    words = "also set the compute mode of GPUs that nobody uses, and set it back at once"
    parser.add_argument("--allow-reconfigure", action="store_true", help=words)
    parsed = parser.parse_args(arguments)
    asked = options.from_arguments(parsed)
    try:
        nvml = library.load(asked.library, asked.mounted_root)
        with session(nvml, asked.system_root) as opened:
            problems = list(_report(nvml, opened.found, asked, parsed.allow_reconfigure))
            heard = opened.listening
    except (PluginError, NvmlFailure) as error:
        sys.stderr.write(f"verify: {error}\n")
        return _NOTHING
    if opened.found.gpus and not heard:
        problems.append("no GPU tells of events: health follows from looks only")
    for problem in problems:
        _say(f"DIFFERS  {problem}")
    count = len(opened.found.gpus)
    _say(f"{count} GPUs: " + (f"{len(problems)} problems" if problems else "all agrees"))
    return _DIFFERS if problems else _AGREES


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _report(nvml: Library, found: Found, asked: NvmlOptions, reconfigure: bool) -> Iterator[str]:
    """Say what is well; what is not is given back."""
    yield from (f"a GPU does not answer: {failure}" for failure in found.failures)
    for gpu in found.gpus:
        names = [name for name, _, _ in parts([gpu])]
        ailment = look(nvml, found.handles[gpu.bus_id]).ailment
        _say(f"{gpu.device}: {gpu.name}, {gpu.bus_id}, published as {', '.join(names) or 'nothing'}")
        if ailment:
            _say(f"{gpu.device} would be tainted: {ailment}")
    yield from _differing(compare(nvml, found, asked.system_root))
    if reconfigure:
        yield from _differing(reconfigured(nvml, found, _say))
    injection = Injection(asked)
    for name, gpu, mig in parts(found.gpus):
        try:
            injection.device(gpu, mig)
        except ClaimError as error:
            yield f"{name} cannot be given to containers: {error}"
    if found.gpus:
        yield from _files(injection, found.gpus[0])


def _differing(findings: Iterable[Finding]) -> Iterator[str]:
    compared, other = 0, set()
    for finding in findings:
        compared += finding.found is not None
        if finding.found is None:
            other.add(finding.what)
        if finding.differs:
            yield readable(finding)
    _say(f"{compared} values compared" + (f"; no other way to find {', '.join(sorted(other))}" if other else ""))


def _files(injection: Injection, gpu: GpuFacts) -> Iterator[str]:
    there = injection.installation(gpu.driver_version)
    _say(f"containers get {len(there.libraries)} libraries, {len(there.programs)} programs, hooks by {there.hook}")
    if not there.libraries:
        yield f"no libraries of driver {gpu.driver_version} in the driver root"
    if not there.hook:
        yield "no nvidia-cdi-hook or nvidia-ctk in the driver root; name it with --cdi-hook"
    try:
        injection.common(gpu.driver_version)
    except ClaimError as error:
        yield str(error)


if __name__ == "__main__":
    raise SystemExit(main())
