"""Writes a CDI spec where the runtime looks for it, which may so find half of it."""

import json
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S25"
CAUGHT_BY = ("injection.whole_specs",)
BREAKS = ("CDI-03",)


class Cdi(plugin.CdiFolder):
    def write(self, uid: str, spec: dict[str, Any]) -> None:
        self.path(uid).write_text(json.dumps(spec) + "\n", encoding="utf-8")


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
