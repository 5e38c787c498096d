"""The way to an existing cluster: its kubeconfig, with one sentence for each thing that can be wrong with it."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import yaml

from conformance.cluster.api import Api, ApiError, Forbidden, Unauthorized, Unreachable
from conformance.cluster.existing.settings import Unusable
from conformance.cluster.kubeconfig import Access, read_kubeconfig
from conformance.verdict import Inconclusive


@dataclass(frozen=True)
class Context:
    """A kubeconfig's current context."""

    kubeconfig: Path
    name: str
    access: Access

    def api(self) -> Api:
        """A client. Raises Unusable when a certificate or a key cannot be used."""
        try:
            return Api(self.access.server, self.access.ca_file, access=self.access)
        except (ssl.SSLError, OSError) as error:
            raise Unusable(
                f"--kubeconfig={self.kubeconfig}: a certificate or key in it cannot be used: {error}"
            ) from None


def read_context(kubeconfig: Path) -> Context:
    """Read a kubeconfig. Raises Unusable."""
    try:
        config = yaml.safe_load(kubeconfig.read_text(encoding="utf-8")) or {}
        access = read_kubeconfig(kubeconfig)
        return Context(kubeconfig, str(config.get("current-context", "")), access)
    except OSError as error:
        name = error.filename or kubeconfig
        raise Unusable(f"--kubeconfig={kubeconfig}: {name} cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise Unusable(f"--kubeconfig={kubeconfig} is not YAML: {' '.join(str(error).split())}") from None
    except (AttributeError, KeyError, TypeError, UnicodeDecodeError):
        raise Unusable(f"--kubeconfig={kubeconfig} is no kubeconfig; give a file as kubectl uses it") from None
    except ValueError as error:
        raise Unusable(f"--kubeconfig: {error}") from None


def server_version(api: Api) -> str:
    """The version of Kubernetes. Raises Unusable for credentials that are not accepted, Inconclusive without answer."""
    try:
        return str(api.request("GET", "/version")["gitVersion"])
    except Unreachable as error:
        raise Inconclusive(f"the API server {api.server} cannot be reached: {error}") from None
    except (Unauthorized, Forbidden) as error:
        raise Unusable(f"the API server {api.server} does not accept the credentials: {error}") from None
    except (ApiError, KeyError) as error:
        raise Inconclusive(f"{api.server} does not answer as an API server does: {error}") from None
