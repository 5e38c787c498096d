"""An agent as a process of this machine, with a folder in the place of a node's file system."""

import subprocess
import sys

from conformance.cluster.existing.link import BOOTSTRAP, Link


class ProcessTransport:
    """Standard input and output of a Python that runs the agent."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", BOOTSTRAP, *(arguments or ("", ""))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        while data:
            data = data[self.process.stdin.write(data) :]

    def receive(self) -> bytes:
        assert self.process.stdout is not None
        if self.process.stdout.closed:
            return b""
        data = self.process.stdout.read(65536)
        if not data:
            # Only here: whoever closes it elsewhere takes it away from under a reader.
            self.process.stdout.close()
        return data

    def close(self) -> None:
        assert self.process.stdin is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait(10)

    def last_words(self) -> str:
        return f"status {self.process.poll()}"


def local_agent(*arguments: str) -> tuple[Link, ProcessTransport]:
    """A link to an agent on this machine."""
    transport = ProcessTransport(*arguments)
    link = Link(transport)
    link.start(within=10)
    return link, transport
