"""Quantity and Semver as CEL sees them: messages of a descriptor pool of our own.

Messages compare field by field, so each value has one form only: `quantity('1') == quantity('1000m')`.
"""

from decimal import Decimal
from typing import Any

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    duration_pb2,
    empty_pb2,
    message_factory,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)

from conformance.cluster.embedded.scheduler import quantity, semver

_STRING = descriptor_pb2.FieldDescriptorProto.TYPE_STRING
_OPTIONAL = descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
_WELL_KNOWN = (any_pb2, duration_pb2, empty_pb2, struct_pb2, timestamp_pb2, wrappers_pb2)


def _pool() -> descriptor_pool.DescriptorPool:
    file = descriptor_pb2.FileDescriptorProto(name="kubernetes_cel.proto", package="kubernetes", syntax="proto3")
    for name in ("Quantity", "Semver"):
        file.message_type.add(name=name).field.add(name="text", number=1, type=_STRING, label=_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    for module in _WELL_KNOWN:
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    pool.Add(file)
    return pool


POOL = _pool()
QUANTITY = "kubernetes.Quantity"
SEMVER = "kubernetes.Semver"
_Quantity = message_factory.GetMessageClass(POOL.FindMessageTypeByName(QUANTITY))
_Semver = message_factory.GetMessageClass(POOL.FindMessageTypeByName(SEMVER))


def quantity_message(value: Decimal) -> Any:
    """The message of a quantity."""
    return _Quantity(text=quantity.plain(value))


def semver_message(value: semver.Semver) -> Any:
    """The message of a version."""
    return _Semver(text=str(value))


def native(message: Any) -> Decimal | semver.Semver:
    """The number or the version that a message holds."""
    if message.DESCRIPTOR.full_name == QUANTITY:
        return quantity.parse(message.text)
    return semver.parse(message.text)
