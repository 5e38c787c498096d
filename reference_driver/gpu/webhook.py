"""`python -m reference_driver.gpu.webhook`: refuses wrong GpuConfigs when they are made, not when a pod starts."""

import argparse
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reference_driver.plugin import PluginError, admission, log
from reference_driver.plugin.webhook import Certificate, WebhookServer

from .config import GpuConfig
from .driver import DRIVER_NAME

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Reviewer:
    """Answers reviews by the check that Prepare makes, too."""

    def __init__(self, driver: str) -> None:
        self._driver = driver

    def __call__(self, review: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer. Raises ValueError when that is no review."""
        answered = admission.answer(review, self._driver, GpuConfig.decode)
        request, response = review["request"], answered["response"]
        about = {
            "kind": (request.get("kind") or {}).get("kind"),
            "namespace": request.get("namespace"),
            "name": request.get("name"),
            "request": response["uid"],
        }
        if response["allowed"]:
            log.info("admitted", **about)
        else:
            log.info("refused", **about, reason=response["status"]["message"])
        return answered


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; the exit status, 1 when it cannot start."""
    parser = argparse.ArgumentParser(prog="reference_driver.gpu.webhook", description="A validating webhook.")
    parser.add_argument("--driver-name", default=DRIVER_NAME, help="configs of this driver are checked (%(default)s)")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8443, help="0 takes one that is free (%(default)s)")
    parser.add_argument("--tls-cert", type=Path, required=True, help="file with the certificate and its chain, in PEM")
    parser.add_argument("--tls-key", type=Path, required=True, help="file with its key, in PEM")
    parsed = parser.parse_args(arguments)
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # before threads start: it is waited for below
    log.configure()
    try:
        certificate = Certificate(parsed.tls_cert, parsed.tls_key)
        server = WebhookServer(parsed.host, parsed.port, certificate, Reviewer(parsed.driver_name))
    except PluginError as error:
        log.warning("the webhook cannot run", error=str(error))
        return 1
    server.start()
    log.info("serving", host=parsed.host, port=server.port, driver=parsed.driver_name)
    log.info("told to end", signal=signal.Signals(signal.sigwait(_SIGNALS)).name)
    server.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
