"""The evidence of a run as one archive, in the shape in which conformance programmes ask for it."""

from conformance.report.bundle.archive import BundleError, bundle

__all__ = ["BundleError", "bundle"]
