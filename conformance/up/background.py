"""A kept cluster in a process of its own, which outlives the command that started it.

The process tells that command what goes on through a pipe, a JSON object a line: `say` with a text, at last `ready`
with the record, or `failed` with exit status and text. After that it writes to up.log in the folder of logs.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from conformance.up.failing import INTERNAL_ERROR, Ended, failure
from conformance.up.order import Order
from conformance.up.place import Place
from conformance.up.record import Record
from conformance.up.signals import interruptible

_PACKAGES = Path(__file__).parents[2]


def start(order: Order, say: Callable[[str], object]) -> Record:
    """Start the process and wait until the cluster is ready. Raises Ended; a KeyboardInterrupt ends it, too."""
    reading, writing = os.pipe()
    path = os.pathsep.join(filter(None, [str(_PACKAGES), os.environ.get("PYTHONPATH")]))
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, order.to_json(), str(writing)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        pass_fds=[writing],
        start_new_session=True,
    )
    os.close(writing)
    try:
        with open(reading, encoding="utf-8") as told:
            for line in told:
                message: dict[str, Any] = json.loads(line)
                if "say" in message:
                    say(message["say"])
                elif "ready" in message:
                    return Record.of(message["ready"])
                else:
                    child.wait()
                    raise Ended(message["failed"], message["reason"])
    except KeyboardInterrupt:
        child.send_signal(signal.SIGTERM)
        child.wait()
        raise
    raise Ended(INTERNAL_ERROR, f"the process of the cluster ended with status {child.wait()} and said nothing")


class _Pipe:
    """The way to the command, until there is no more to tell it."""

    def __init__(self, descriptor: int) -> None:
        self._pipe = open(descriptor, "w", buffering=1, encoding="utf-8")  # noqa: SIM115

    def tell(self, **message: object) -> None:
        """Write a line. Raises KeyboardInterrupt when the command is gone: nobody would know of the cluster."""
        try:
            self._pipe.write(json.dumps(message) + "\n")
        except BrokenPipeError:
            raise KeyboardInterrupt from None

    def close(self) -> None:
        with suppress(OSError):
            self._pipe.close()


def main(order: Order, pipe: _Pipe) -> None:
    """The process: keep the cluster up until it is told to end."""
    log = sys.stderr
    ready = False

    def say(line: str) -> None:
        if ready:
            log.write(f"{line}\n")
            log.flush()
        else:
            pipe.tell(say=line)

    def tell(record: Record) -> None:
        nonlocal ready, log
        log = open(Path(record.logs) / "up.log", "a", encoding="utf-8")  # noqa: SIM115
        pipe.tell(ready=record.facts())
        pipe.close()
        ready = True

    from conformance.up import local  # here, as the command need not wait for all that it takes

    os.chdir("/")  # a process that stays is not to hold the folder that it was started in
    try:
        with interruptible():
            local.serve(order, Place.take(order.name), say, tell)
    except BaseException as error:
        if not ready:
            status, reason = failure(error)
            with suppress(KeyboardInterrupt):
                pipe.tell(failed=status, reason=reason)
        elif not isinstance(error, KeyboardInterrupt):
            raise


if __name__ == "__main__":
    main(Order.from_json(sys.argv[1]), _Pipe(int(sys.argv[2])))
