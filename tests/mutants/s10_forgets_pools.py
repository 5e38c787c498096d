"""Knows the devices of the cluster's claims by their names only, so that one of another node keeps its own busy."""

from reference_driver import gpu, plugin

FAULT = "S10"
CAUGHT_BY = ("preparation.each_node",)
ALSO = {
    "admin.beside_owner": "it asks for all devices of the node, of which one counts as busy",
}
BREAKS = ("RS-13",)


class Reader(plugin.ClaimReader):
    def taken(self, claim: plugin.Claim) -> set[str]:
        """Names of devices that other claims have."""
        items = self._client.list(self._client.resource_path("resourceclaims"))["items"]
        others = [
            item for item in items if item["metadata"]["uid"] != claim.uid and item.get("status", {}).get("allocation")
        ]
        results = [result for item in others for result in item["status"]["allocation"]["devices"]["results"]]
        return {result["device"] for result in results if result["driver"] == self._driver}


class Handler(plugin.ClaimHandler):
    reader: Reader

    def check_free(self, claim: plugin.Claim) -> None:
        for device in claim.devices:
            if device.device in self.reader.taken(claim):
                raise plugin.ClaimError(f"device {device.device} is in use")


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader, handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
