"""Is installed without a policy, so that its account may write slices of any node."""

from reference_driver import gpu
from tests.variants import ROOT

FAULT = "M74"
BREAKS = ("SEC-02",)
CAUGHT_BY = ("security.other_nodes",)
EXTRA = {"install": {"manifests": [str(ROOT / "reference_driver" / "deploy" / "manifests" / "10-rights.yaml")]}}


def main() -> int:
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
