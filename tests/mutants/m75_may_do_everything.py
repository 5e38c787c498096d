"""Is installed with a role that may do everything with everything."""

from reference_driver import gpu
from tests.variants import ROOT

FAULT = "M75"
BREAKS = ("SEC-01",)
CAUGHT_BY = ("security.roles",)
MANIFESTS = ("tests/mutants/m75_role.yaml", "reference_driver/deploy/manifests/20-policy.yaml")
EXTRA = {"install": {"manifests": [str(ROOT / name) for name in MANIFESTS]}}


def main() -> int:
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
