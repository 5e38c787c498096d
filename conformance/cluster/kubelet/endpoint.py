"""The kubelet's own HTTP endpoint, on loopback and without TLS or authentication: /metrics and /healthz."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint:
    """Serves from `start` to `stop`. `metrics` gives the text of /metrics."""

    def __init__(self, name: str, metrics: Callable[[], str]) -> None:
        pages: dict[str, Callable[[], str]] = {"/metrics": metrics, "/healthz": lambda: "ok"}

        class Handler(BaseHTTPRequestHandler):
            """Answers GET for `pages`."""

            def do_GET(self) -> None:
                """One request."""
                page = pages.get(self.path.partition("?")[0])
                text = (page() if page else "404 page not found\n").encode()
                self.send_response(200 if page else 404)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: object) -> None:
                """Nothing: the history is the log here."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name=f"endpoint {name}", daemon=True
        )

    @property
    def port(self) -> int:
        """Its TCP port."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        """Serve in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End it, and free the port."""
        if self._thread.ident is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()
