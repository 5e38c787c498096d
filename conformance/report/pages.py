"""What all pages have in common: their templates, and that no text gets into them as it came."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

from conformance.report.text import visible


@cache
def asset(name: str) -> str:
    """The text of a file of templates/."""
    return files("conformance.report").joinpath("templates", name).read_text(encoding="utf-8")


def template(name: str, **filters: Callable[..., Any]) -> jinja2.Template:
    """A template, with filters of its own; what it prints is escaped, and without control characters."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update(filters)
    return environment.get_template(name)


def _finalize(value: Any) -> Any:
    # Every text that the templates print passes here, so that no control character reaches the page.
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
