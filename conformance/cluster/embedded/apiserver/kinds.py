"""The kinds of objects that the embedded API server keeps: one row a kind, the one place to add another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.cluster.embedded.apiserver import defaults, dra_schema, prepare
from conformance.cluster.embedded.apiserver import validation_claim as claims
from conformance.cluster.embedded.apiserver import validation_class as classes
from conformance.cluster.embedded.apiserver import validation_core as core
from conformance.cluster.embedded.apiserver import validation_slice as slices
from conformance.cluster.embedded.apiserver.conversion import SAME, Conversion
from conformance.cluster.embedded.apiserver.field_errors import FieldError
from conformance.cluster.embedded.apiserver.objects import Object, without_empty
from conformance.cluster.embedded.apiserver.schema import Reading, Schema
from conformance.cluster.embedded.apiserver.status import bad_request
from conformance.cluster.embedded.apiserver.write import Write
from conformance.cluster.resources import RESOURCES, Resource

_META_FIELDS = ("metadata.name", "metadata.namespace")


def _nothing(obj: Object) -> None:
    """A kind without defaults."""


@dataclass(frozen=True)
class Kind:
    """How objects of one kind are read, defaulted, checked and served.

    versions: served versions of the group, each with its conversion; objects are stored in the resource's own version.
    status: it has a status subresource. generation: it counts changes of its spec. selectable: fields for selectors.
    schema: None for kinds whose fields are kept as they come.
    """

    resource: Resource
    validate: Callable[[Write], Sequence[FieldError]] = core.validate
    schema: Schema | None = None
    default: Callable[[Object], None] = _nothing
    status: bool = False
    generation: bool = False
    fields: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    versions: Mapping[str, Conversion] = field(default_factory=lambda: {"v1": SAME})

    @property
    def selectable(self) -> tuple[str, ...]:
        """All fields that field selectors may name."""
        return _META_FIELDS + self.fields

    def read(self, obj: Object, strict: bool) -> Object:
        """A copy of what a writer sent: fields that nobody knows left out (refused if `strict`), defaults filled in.

        Raises BadRequest for values of a wrong type.
        """
        reading = Reading(f'{self.resource.kind} in version "{self.resource.version}"')
        if self.schema is None:
            new = dict(without_empty(obj))
            new["metadata"] = dra_schema.METADATA.read(new.get("metadata", {}), "metadata", reading)
        else:
            new = dict(self.schema.read(obj, "", reading))
            if strict and reading.unknown:
                rows = ", ".join(f'unknown field "{path}"' for path in reading.unknown)
                raise bad_request(f"strict decoding error: {rows}")
        new.setdefault("metadata", {})
        self.default(new)
        return new

    def prepare_create(self, new: Object) -> None:
        """Set what a creator has no say in."""
        prepare.for_create(new, status=self.status, generation=self.generation)

    def prepare_update(self, new: Object, old: Object, subresource: str) -> None:
        """Keep the half that this write does not reach: the status, or with "status" everything else."""
        prepare.for_update(new, old, subresource, status=self.status)


_BOTH = {"v1": SAME, "v1beta2": SAME}

_ROWS = (
    Kind(RESOURCES["nodes"], status=True, fields=("spec.unschedulable",), short_names=("no",)),
    Kind(
        RESOURCES["namespaces"], default=defaults.namespace, status=True, fields=("status.phase",), short_names=("ns",)
    ),
    Kind(
        RESOURCES["pods"],
        core.validate_pod,
        default=defaults.pod,
        status=True,
        generation=True,
        fields=("spec.nodeName", "spec.schedulerName", "spec.serviceAccountName", "status.phase"),
        short_names=("po",),
    ),
    Kind(
        RESOURCES["events"],
        fields=(
            *(f"involvedObject.{key}" for key in ("kind", "namespace", "name", "uid", "apiVersion", "fieldPath")),
            *("reason", "reportingComponent", "source", "type"),
        ),
        short_names=("ev",),
    ),
    Kind(RESOURCES["serviceaccounts"], short_names=("sa",)),
    Kind(RESOURCES["secrets"], fields=("type",)),
    Kind(RESOURCES["configmaps"], short_names=("cm",)),
    Kind(RESOURCES["leases"]),
    Kind(
        RESOURCES["deviceclasses"],
        classes.validate,
        dra_schema.DEVICE_CLASS,
        defaults.device_class,
        generation=True,
        versions=_BOTH,
    ),
    Kind(
        RESOURCES["resourceclaims"],
        claims.validate,
        dra_schema.RESOURCE_CLAIM,
        defaults.resource_claim,
        status=True,
        versions=_BOTH,
    ),
    Kind(
        RESOURCES["resourceclaimtemplates"],
        claims.validate_template,
        dra_schema.RESOURCE_CLAIM_TEMPLATE,
        defaults.resource_claim_template,
        versions=_BOTH,
    ),
    Kind(
        RESOURCES["resourceslices"],
        slices.validate,
        dra_schema.RESOURCE_SLICE,
        defaults.resource_slice,
        generation=True,
        fields=("spec.nodeName", "spec.driver", "spec.pool.name"),
        versions=_BOTH,
    ),
    Kind(
        RESOURCES["devicetaintrules"],
        classes.validate_taint_rule,
        dra_schema.DEVICE_TAINT_RULE,
        defaults.device_taint_rule,
        status=True,
        generation=True,
        versions=_BOTH,
    ),
)

KINDS = {row.resource.plural: row for row in _ROWS}
