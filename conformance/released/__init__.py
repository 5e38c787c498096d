"""Catalogues as they were released, one for each minor version of Kubernetes, and what has become of them since."""

from conformance.released.catalogues import Catalogue, differences, names, now, read

__all__ = ["Catalogue", "differences", "names", "now", "read"]
