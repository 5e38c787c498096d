"""The one exception of this package."""


class CdiError(Exception):
    """A spec is invalid or devices cannot be injected; the text is the one that containerd gives."""


def quoted(text: object) -> str:
    """A text in double quotes, escaped as Go's %q does for plain texts."""
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
