"""YAML and JSON."""

import contextlib
import json
from typing import Any


def parse(written: bytes) -> Any:
    """What a file holds. Raises ValueError."""
    if written.startswith(b"{"):  # mostly JSON, as `python -m fakegpu` writes it
        with contextlib.suppress(ValueError):
            return json.loads(written)
    import yaml  # not needed for the default inventory, and it costs 20 ms

    try:
        return yaml.load(written, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "the file"
        raise ValueError(f"{where} is no YAML, {error.problem}") from error
    except yaml.YAMLError as error:
        raise ValueError(f"it is no YAML, {error}") from error
