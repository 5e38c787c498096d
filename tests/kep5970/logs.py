"""The part of a kubelet that our own has not: logs of containers, of which there are none on its nodes.

Who asks gets what the container's command writes when it is run on this machine, with the environment that the runtime
would have given it.
"""

import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from conformance.cluster.local.tls import ServerFiles

Asked = Callable[[str, str, str], tuple[list[str], Mapping[str, str]]]


class LogServer:
    """Serves /containerLogs/<namespace>/<pod>/<container> over TLS; `asked`: command and environment of a container."""

    def __init__(self, files: ServerFiles, asked: Asked) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                _, _, *names = urlsplit(self.path).path.split("/")
                line = first_line(*asked(*names))
                self.send_response(200)
                self.send_header("Content-Length", str(len(line)))
                self.end_headers()
                self.wfile.write(line)

            def log_message(self, *_: Any) -> None:
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.cert, files.key)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def first_line(command: list[str], environment: Mapping[str, str]) -> bytes:
    with subprocess.Popen([sys.executable, *command[1:]], env=dict(environment), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.kill()
    return line
