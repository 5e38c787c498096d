"""The webhook as a process, asked over HTTPS as the API server does."""

import json
import re
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import urllib3

from conformance.cluster.local.tls import ServerFiles, make_server_files

from .process import eventually


class WebhookProcess:
    """One webhook on a free port of 127.0.0.1, with a certificate of its own in `folder`."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.log = folder / "webhook.log"
        self.files: ServerFiles = make_server_files(folder / "tls")
        command = [sys.executable, "-m", "reference_driver.gpu.webhook", "--host=127.0.0.1", "--port=0"]
        command += [f"--tls-cert={self.files.cert}", f"--tls-key={self.files.key}", *arguments]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, stderr=log)
        eventually(lambda: self.port > 0, timeout=15)

    @property
    def port(self) -> int:
        """Where it listens, as its log tells; 0 while it does not."""
        found = re.search(r'"serving".*"port": (\d+)', self.log.read_text())
        assert found or self.process.poll() is None, self.log.read_text()
        return int(found[1]) if found else 0

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def request(self, method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
        """The status and the JSON of the answer, on a connection of its own."""
        context = ssl.create_default_context(cafile=str(self.files.ca))
        with urllib3.PoolManager(ssl_context=context, retries=False, timeout=10) as pool:
            response = pool.request(method, self.url + path, body=body)
        return response.status, json.loads(response.data)

    def review(self, obj: dict[str, Any], old: dict[str, Any] | None = None) -> dict[str, Any]:
        """The response about an object that is created, or updated from another."""
        request = {"uid": "42", "kind": {"kind": obj["kind"]}, "object": obj, "oldObject": old}
        body = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
        status, answer = self.request("POST", "/validate?timeout=5s", json.dumps(body).encode())
        assert status == 200
        assert (answer["apiVersion"], answer["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
        response: dict[str, Any] = answer["response"]
        assert response["uid"] == "42"
        return response

    def end(self) -> int:
        """Tell it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(10)
