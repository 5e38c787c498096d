"""Ends when the connection to the API server breaks."""

from reference_driver import gpu, plugin

FAULT = "S74"
CAUGHT_BY = ("restart.api_server_away",)
BREAKS = ("OPS-03",)


class Slices(plugin.SliceController):
    def _watch_once(self, backoff: object) -> None:
        try:
            super()._watch_once(backoff)  # type: ignore[arg-type]
        except plugin.KubeError as error:
            raise SystemError("the watch of the slices ended") from error


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
