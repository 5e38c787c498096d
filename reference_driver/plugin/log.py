"""Structured log lines: one JSON object a line on stderr, so that a claim's UID can be searched for.

No line holds a credential or what a claim's opaque configuration says.
"""

import json
import logging
import sys
import threading
import time
import traceback
from functools import lru_cache
from typing import Any

LOGGER = logging.getLogger("dra")
LEVELS = ("debug", "info", "warning", "error")


_encoder = json.JSONEncoder(default=str)


@lru_cache(maxsize=1)
def _date(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object: time (RFC 3339), level, message, and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, without a line break in it."""
        line = {"time": f"{_date(int(record.created))}.{int(record.msecs):03d}Z", "level": record.levelname.lower()}
        line["message"] = record.getMessage()
        if record.name != LOGGER.name:
            line["logger"] = record.name
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return _encoder.encode(line)


def configure() -> None:
    """Send the plugin's log to stderr as JSON lines, those of libraries and of threads that end by an exception too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.root.handlers[:] = LOGGER.handlers[:] = [handler]
    LOGGER.propagate = False
    # What no line says is not looked up, as the logging HOWTO has it: that takes half of the time of a line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    setattr(logging, "_srcfile", None)  # noqa: B010
    set_level("info")
    threading.excepthook = _thread_ended


def set_level(level: str) -> None:
    """Log this level (one of LEVELS) and what is worse; of libraries warnings, and all of it at level debug."""
    LOGGER.setLevel(level.upper())
    logging.root.setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    # Its warnings are of attempts that are repeated; what comes of them is told with the cause.
    logging.getLogger("urllib3").setLevel(logging.DEBUG if level == "debug" else logging.ERROR)


def info(message: str, **fields: Any) -> None:
    """Something that an operator wants to be able to look up."""
    LOGGER.info(message, extra={"fields": fields})


def warning(message: str, **fields: Any) -> None:
    """Something went wrong, and the plugin goes on by itself."""
    LOGGER.warning(message, extra={"fields": fields})


def error(message: str, **fields: Any) -> None:
    """Something went wrong that the plugin does not get over; `error` says what."""
    LOGGER.error(message, extra={"fields": fields})


def failure(message: str, **fields: Any) -> None:
    """An exception that nobody expected, with its traceback; call it from an except block."""
    LOGGER.error(message, exc_info=True, extra={"fields": fields})


def crash(message: str, **fields: Any) -> None:
    """The same, of an exception whose text may hold what nobody is to read: only its kind and place are told."""
    _crash(message, sys.exc_info()[1], fields)


def _thread_ended(arguments: threading.ExceptHookArgs) -> None:
    _crash("a thread ended by an exception", arguments.exc_value, {"thread": getattr(arguments.thread, "name", "")})


def _crash(message: str, error: BaseException | None, fields: dict[str, Any]) -> None:
    LOGGER.error(message, extra={"fields": {**fields, "exception": _places(error)}})


def _places(error: BaseException | None) -> list[str]:
    """From the exception back to what caused it: its kind, and where it was raised, innermost call last."""
    found = []
    while error:
        frames = traceback.extract_tb(error.__traceback__)
        calls = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        found += [type(error).__name__, *calls]
        error = error.__cause__ or error.__context__
    return found
