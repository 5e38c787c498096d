"""versions.json: exactly what was run, on what, with what."""

import json
from typing import Any

from conformance.report.model import Report

UNKNOWN = "not known"


def versions_of(report: Report) -> dict[str, Any]:
    """The versions, by what they are of."""
    cluster = report.cluster
    used = report.settings.get("versions") or {}
    return {
        "suite": {
            "version": report.suite.version,
            "commit": report.suite.commit or UNKNOWN,
            "sha256": report.suite.digest or UNKNOWN,
            "catalogue_sha256": report.suite.catalogue,
        },
        "driver": {
            "name": report.driver.name,
            "version": report.driver.version or UNKNOWN,
            "images": dict(sorted(report.driver.images.items())),
        },
        "kubernetes": cluster.get("kubernetes") or UNKNOWN,
        "cluster": cluster.get("kind") or UNKNOWN,
        "kernel": cluster.get("kernel") or UNKNOWN,
        "runtime": cluster.get("runtime") or UNKNOWN,
        "feature_gates": cluster.get("gates") or UNKNOWN,
        "python": used.get("python") or UNKNOWN,
        "packages": {name: version for name, version in sorted(used.items()) if name != "python"},
    }


def versions_json(report: Report) -> str:
    """The file."""
    return json.dumps(versions_of(report), indent=2) + "\n"
