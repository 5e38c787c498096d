"""The published JSON schema of driver files."""

import json

import jsonschema
import pytest
import yaml

from conformance.target.load import drivers_folder, shipped
from conformance.target.schema import SCHEMA_FILE, schema_text


def test_it_is_current() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
        "write it anew with SCHEMA_FILE.write_text(schema_text())"
    )


@pytest.mark.parametrize("name", shipped())
def test_shipped_driver_files_keep_to_it_and_name_it(name: str) -> None:
    path = drivers_folder() / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    jsonschema.validate(yaml.safe_load(text), json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
    where = text.splitlines()[0].removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / where).resolve() == SCHEMA_FILE


def test_it_refuses_an_unknown_key() -> None:
    wrong = {"drivers": [{"name": "gpu.example.com", "deviceClass": "gpu"}]}
    with pytest.raises(jsonschema.ValidationError, match="deviceClass"):
        jsonschema.validate(wrong, json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
