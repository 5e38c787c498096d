"""Exec over a websocket, with a small server in the place of the API server that runs the command here."""

import base64
import hashlib
import json
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import websocket

from conformance.cluster.existing.exec import ExecTransport
from conformance.cluster.existing.link import BOOTSTRAP, Link
from conformance.cluster.kubeconfig import Access
from conformance.cluster.local.tls import ServerFiles, make_server_files
from conformance.verdict import Inconclusive

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
BINARY, CLOSE = websocket.ABNF.OPCODE_BINARY, websocket.ABNF.OPCODE_CLOSE


class ExecServer:
    """Serves the exec subresource over TLS, one connection after the other, for one token."""

    def __init__(self, files: ServerFiles) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.cert, files.key)
        self.asked: list[str] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self._listening = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)
        self.access = Access(f"https://127.0.0.1:{self._listening.getsockname()[1]}", files.ca, "sesame")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End everything."""
        for process in self.processes:
            process.kill()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                self._serve(connection)

    def _serve(self, connection: Any) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        request, *rows = head.decode().split("\r\n")
        fields = dict(row.split(": ", 1) for row in rows if row)
        if fields.get("Authorization") != "Bearer sesame":
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 14\r\n\r\nmay not create")
            return
        key = base64.b64encode(hashlib.sha1((fields["Sec-WebSocket-Key"] + MAGIC).encode()).digest()).decode()
        answer = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {key}"
        protocol = f"Sec-WebSocket-Protocol: {fields['Sec-WebSocket-Protocol']}"
        connection.sendall(f"HTTP/1.1 101 Switching Protocols\r\n{answer}\r\n{protocol}\r\n\r\n".encode())
        self.asked.append(request.split(" ")[1])
        query = parse_qsl(urlsplit(self.asked[-1]).query, keep_blank_values=True)
        self._bridge(connection, [value for name, value in query if name == "command"])

    def _bridge(self, connection: Any, argv: list[str]) -> None:
        pipe = subprocess.PIPE
        with subprocess.Popen([sys.executable, *argv[1:]], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as process:
            self.processes.append(process)
            assert process.stdin is not None
            threads = [
                threading.Thread(target=_forward, args=(connection, source, channel), daemon=True)
                for channel, source in ((1, process.stdout), (2, process.stderr))
            ]
            for thread in threads:
                thread.start()
            threading.Thread(target=_end, args=(connection, process, threads), daemon=True).start()
            frames = websocket._abnf.frame_buffer(_receiver(connection), skip_utf8_validation=True)
            try:
                while (frame := frames.recv_frame()).opcode == BINARY:
                    assert isinstance(frame.data, bytes)
                    process.stdin.write(frame.data[1:])
            except (OSError, EOFError, websocket.WebSocketException):
                pass  # the client has gone
            process.kill()


def _receiver(connection: Any) -> Any:
    """Reads as a frame buffer wants it: the end is an error."""

    def receive(size: int) -> bytes:
        data: bytes = connection.recv(size)
        if not data:
            raise EOFError
        return data

    return receive


def _frame(data: bytes, opcode: int = BINARY) -> bytes:
    frame = websocket.ABNF.create_frame(data, opcode)
    frame.mask_value = 0
    made: bytes = frame.format()
    return made


def _forward(connection: Any, source: Any, channel: int) -> None:
    while data := source.read(65536):
        connection.sendall(_frame(bytes([channel]) + data))


def _end(connection: Any, process: "subprocess.Popen[bytes]", threads: list[threading.Thread]) -> None:
    status = process.wait()
    for thread in threads:
        thread.join()
    told = {"status": "Failure", "message": f"command terminated with exit code {status}"}
    try:
        connection.sendall(_frame(b"\3" + json.dumps(told).encode()) + _frame(b"", CLOSE))
    except OSError:
        return


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ExecServer]:
    server = ExecServer(make_server_files(tmp_path / "tls"))
    yield server
    server.stop()


def test_an_agent_works_through_it(server: ExecServer, tmp_path: Path) -> None:
    transport = ExecTransport(server.access, "ns", "pod", "main", ["python3", "-c", BOOTSTRAP, "", ""])
    link = Link(transport)
    link.start(within=20)
    (tmp_path / "0.log").write_bytes(b"x" * 60_000)
    assert link.call("tail", path=str(tmp_path)) == "x" * 60_000
    assert link.call("folder", path=str(tmp_path / "none"), known={"y" * 200_000: [1, 2, 3]}) is None
    link.close()
    assert server.processes[0].wait(10) is not None
    assert server.asked[0].startswith("/api/v1/namespaces/ns/pods/pod/exec?container=main&stdin=true&stdout=true")


def test_a_command_that_fails_is_told_of(server: ExecServer) -> None:
    script = "import sys; print('no such file', file=sys.stderr); sys.exit(3)"
    transport = ExecTransport(server.access, "ns", "pod", "main", ["python3", "-c", script])
    with pytest.raises(Inconclusive, match=r"(?s)does not answer: no such file.*exit code 3"):
        Link(transport).start(within=20)


def test_who_may_not_is_told(server: ExecServer) -> None:
    stranger = Access(server.access.server, server.access.ca_file, "wrong")
    with pytest.raises(Inconclusive, match=r"no command can be run in pod ns/pod: .*may not create"):
        ExecTransport(stranger, "ns", "pod", "main", ["python3"])


def test_nobody_there(server: ExecServer) -> None:
    away = Access("https://127.0.0.1:1", server.access.ca_file, "sesame")
    with pytest.raises(Inconclusive, match=r"no command can be run in pod ns/pod: .*refused"):
        ExecTransport(away, "ns", "pod", "main", ["python3"])
