"""The JSON schema of driver files, for editors: `# yaml-language-server: $schema=…` in the first line of a file."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from conformance.target.model import DriverFile

SCHEMA_FILE = Path(str(files("conformance").joinpath("target", "driver-file.schema.json")))
"""The published schema."""


def schema() -> dict[str, Any]:
    """The JSON schema of a driver file."""
    made = DriverFile.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": "Driver file of dra-conformance",
    }


def schema_text() -> str:
    """The published form of the schema."""
    return json.dumps(schema(), indent=2) + "\n"
