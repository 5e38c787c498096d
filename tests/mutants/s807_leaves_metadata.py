"""Leaves the files about a claim's devices in place after Unprepare."""

from collections.abc import Iterable

from reference_driver import gpu, plugin

FAULT = "S807"
BREAKS = ("UNP-07",)
CAUGHT_BY = ("metadata.files",)


class Metadata(plugin.MetadataFolder):
    def remove(self, uid: str, requests: Iterable[str] | None = None) -> None:
        pass


def main() -> int:
    return gpu.main(parts=plugin.Parts(metadata=Metadata))


if __name__ == "__main__":
    raise SystemExit(main())
