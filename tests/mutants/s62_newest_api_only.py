"""Talks to the API server in resource.k8s.io/v1 only, whatever is served."""

from reference_driver import gpu, plugin

FAULT = "S62"
BREAKS = ("RS-29",)
CAUGHT_BY = ("publishing.older_api",)


def main() -> int:
    plugin.KubeClient._served_version = lambda self: "v1"  # type: ignore[method-assign]
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
