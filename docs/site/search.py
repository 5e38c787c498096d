"""The search of a site that is opened from disk, where a browser starts no worker from a file.

The theme would load a script for that from the Web. Ours is made here: it starts the worker from its text.
"""

import json
from collections.abc import Iterable
from pathlib import Path

SHIM = "assets/iframe-worker.js"
"""Where it is in the site; the name keeps MkDocs' plugin `offline` from adding its own."""

_TEXT = """// On disk the worker that searches is started from its text, as browsers refuse to start one from a file.
if (location.protocol === "file:") {{
  const Native = window.Worker;
  window.Worker = class extends Native {{
    constructor() {{ super(URL.createObjectURL(new Blob([{code}], {{ type: "text/javascript" }}))); }}
  }};
}}
"""


def shim(theme: Iterable[str]) -> str:
    """The script; theme: the folders of the theme, one of which has the worker. Raises ValueError where none has."""
    found = [file for folder in theme for file in Path(folder).glob("assets/javascripts/workers/search.*.js")]
    if len(found) != 1:
        raise ValueError(
            f"{len(found)} workers for the search are in the theme, and one is wanted; look at docs/site/search.py"
        )
    return _TEXT.format(code=json.dumps(found[0].read_text(encoding="utf-8")))
