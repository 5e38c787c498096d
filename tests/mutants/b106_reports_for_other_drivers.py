"""In the status of a claim it also reports devices of other drivers."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B106"
BREAKS = ("STS-02",)
CAUGHT_BY = ("preparation.other_driver",)
DEVICE = ("driver", "pool", "device")


class Meddling(plugin.DeviceReporter):
    delay = 0.0

    def entries(self, claim: plugin.Claim) -> list[dict[str, Any]]:
        client = self.status._client
        found = client.get(client.resource_path("resourceclaims", claim.ref.name, claim.ref.namespace))
        own = super().entries(claim)
        said = {"conditions": own[0]["conditions"]} if own else {}
        results = found["status"]["allocation"]["devices"]["results"]
        others = [result for result in results if result["driver"] != self.driver.name]
        return [*own, *({key: result[key] for key in DEVICE} | said for result in others)]


def main() -> int:
    return gpu.main(parts=plugin.Parts(reporter=Meddling))


if __name__ == "__main__":
    raise SystemExit(main())
