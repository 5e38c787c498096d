"""How long ago something was, as tables say it (k8s.io/apimachinery/pkg/util/duration, HumanDuration)."""

from datetime import UTC, datetime

_DAY, _YEAR = 24, 24 * 365


def since(timestamp: str | None) -> str:
    """The time since a metav1.Time or MicroTime until now."""
    if not timestamp:
        return "<unknown>"
    passed = datetime.now(UTC) - datetime.fromisoformat(timestamp)
    return human(int(passed.total_seconds()))


def human(seconds: int) -> str:
    """A number of seconds, to the precision that people want; clocks may differ by a second."""
    if seconds < 0:
        return "<invalid>" if seconds < -1 else "0s"
    minutes, hours = seconds // 60, seconds // 3600
    if seconds < 120:
        return f"{seconds}s"
    if minutes < 10:
        return _two(minutes, "m", seconds % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 2 * _DAY:
        return f"{hours}h"
    if hours < 8 * _DAY:
        return _two(hours // _DAY, "d", hours % _DAY, "h")
    if hours < 2 * _YEAR:
        return f"{hours // _DAY}d"
    if hours < 8 * _YEAR:
        return _two(hours // _YEAR, "y", hours // _DAY % 365, "d")
    return f"{hours // _YEAR}y"


def _two(great: int, unit: str, small: int, below: str) -> str:
    return f"{great}{unit}{small}{below}" if small else f"{great}{unit}"
