"""PRODUCT.yaml: `metadata` and `spec`, as the CNCF's AI conformance programme asks for them.

What a run cannot know, such as the vendor, stands in brackets, to be filled in by who submits.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import yaml

from conformance.report.bundle.rows import Row, behaviour_rows, obligation_rows
from conformance.report.model import Report
from conformance.report.obligations import headline

_HEAD = """\
# Made by dra-conformance from report.json. It is a test result, and no certificate of the CNCF or of anybody else.
# Fill in what stands in brackets. The rest follows from report.json, which `dra-conformance verify` vouches for.
"""


def product_yaml(report: Report) -> str:
    """The file."""
    data = {"metadata": _metadata(report), "spec": _spec(report)}
    return _HEAD + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)


def _metadata(report: Report) -> dict[str, Any]:
    return {
        "kubernetesVersion": str(report.cluster.get("kubernetes", "")),
        "platformName": "[Platform Name]",
        "platformVersion": "[Platform Version]",
        "vendorName": "[Vendor Name]",
        "driverName": report.driver.name,
        "driverVersion": report.driver.version or "[Driver Version]",
        "driverImages": dict(sorted(report.driver.images.items())),
        "deviceClasses": list(report.driver.device_classes),
        "websiteUrl": "[Website URL]",
        "repoUrl": "[Repository URL]",
        "documentationUrl": "[Documentation URL]",
        "productLogoUrl": "[Logo URL]",
        "description": "[Description]",
        "contactEmailAddress": "[Contact Email Address]",
        "conformanceSuite": f"dra-conformance {report.suite.version}",
        "profiles": list(report.profiles),
        "outcome": report.outcome.value,
        "summary": headline(report),
    }


def _spec(report: Report) -> dict[str, Any]:
    behaviours = list(_plain(behaviour_rows(report)))
    return {
        **({"driverBehaviours": behaviours} if behaviours else {}),
        "driverContract": list(_plain(obligation_rows(report))),
    }


def _plain(rows: Iterable[Row]) -> Iterable[dict[str, Any]]:
    for row in rows:
        yield {**asdict(row), "evidence": list(row.evidence)}
