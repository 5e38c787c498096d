"""Structured log lines: one JSON object a line on stderr, so that a claim's UID can be searched for."""

import json
import logging
import sys
import time
from typing import Any

LOGGER = logging.getLogger("dra")


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object: time (RFC 3339), level, message, and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, without a line break in it."""
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {"time": f"{seconds}.{int(record.msecs):03d}Z", "level": record.levelname.lower()}
        line["message"] = record.getMessage()
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def configure(level: int = logging.INFO) -> None:
    """Send the plugin's log to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(level)
    LOGGER.propagate = False


def info(message: str, **fields: Any) -> None:
    """Something that an operator wants to be able to look up."""
    LOGGER.info(message, extra={"fields": fields})


def warning(message: str, **fields: Any) -> None:
    """Something went wrong, and the plugin goes on by itself."""
    LOGGER.warning(message, extra={"fields": fields})


def failure(message: str, **fields: Any) -> None:
    """An exception that nobody expected, with its traceback; call it from an except block."""
    LOGGER.error(message, exc_info=True, extra={"fields": fields})
