"""Replaces its slices by new ones all the time, as what it says about its devices changes."""

import threading
from contextlib import suppress

from reference_driver import gpu, plugin

WARNED = ("taints.kept",)  # with each new slice the API server says anew when a taint was added
EVERY = 0.5  # seconds


class Slices(plugin.SliceController):
    def start(self) -> None:
        super().start()
        threading.Thread(target=self._renew, daemon=True).start()

    def _renew(self) -> None:
        path = self._client.resource_path("resourceslices")
        while True:
            self._pause(EVERY)
            with suppress(plugin.KubeError):
                for item in self._client.list(path, **self._selector)["items"]:
                    self._client.delete(f"{path}/{item['metadata']['name']}")


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
