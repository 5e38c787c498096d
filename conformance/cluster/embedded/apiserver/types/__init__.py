"""The types of Kubernetes' objects: names, numbers and types of their fields, and how lists of them are merged."""

from conformance.cluster.embedded.apiserver.types.table import Field, Struct, find_struct, struct_of

__all__ = ["Field", "Struct", "find_struct", "struct_of"]
