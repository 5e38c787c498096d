"""The kinds of objects that the embedded API server keeps: one row a kind, the one place to add another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.cluster.embedded.apiserver import defaults, gates, pod_admission, pod_defaults, prepare, writing
from conformance.cluster.embedded.apiserver import validation_claim as claims
from conformance.cluster.embedded.apiserver import validation_class as classes
from conformance.cluster.embedded.apiserver import validation_core as core
from conformance.cluster.embedded.apiserver import validation_data as data
from conformance.cluster.embedded.apiserver import validation_event as events
from conformance.cluster.embedded.apiserver import validation_node as nodes
from conformance.cluster.embedded.apiserver import validation_pod as pods
from conformance.cluster.embedded.apiserver import validation_slice as slices
from conformance.cluster.embedded.apiserver.conversion import (
    CLAIM_V1BETA1,
    EVENT,
    SAME,
    SLICE_V1BETA1,
    TEMPLATE_V1BETA1,
    Conversion,
)
from conformance.cluster.embedded.apiserver.decoding import Decoding, decode
from conformance.cluster.embedded.apiserver.field_errors import FieldError
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.selectors import UNKNOWN_FIELD
from conformance.cluster.embedded.apiserver.status import bad_request
from conformance.cluster.embedded.apiserver.types import struct_of
from conformance.cluster.embedded.apiserver.write import Write
from conformance.cluster.resources import RESOURCES, Resource

_META_FIELDS = ("metadata.name", "metadata.namespace")


def _nothing(obj: Object) -> None:
    """A kind without defaults."""


@dataclass(frozen=True)
class Kind:
    """How objects of one kind are read, defaulted, checked and served.

    versions: served versions, each with its conversion; one of another group is named with it (events.k8s.io/v1).
    Objects are stored in the resource's own version.
    status: it has a status subresource; status_metadata: who writes to that writes metadata, too.
    generation: it counts changes of its spec.
    conditional: versions in which an update needs the resourceVersion. upsert: an update makes one that is not there.
    fields: those that field selectors may name, beside metadata's.
    drop: takes fields of disabled features away. review: refuses new objects before their rules are looked at.
    admit: adds to a new object what belongs to nobody.
    """

    resource: Resource
    validate: Callable[[Write], Sequence[FieldError]] = core.validate
    default: Callable[[Object], None] = _nothing
    drop: Callable[[Object], None] = gates.keep_all
    review: Callable[[Object], None] = _nothing
    admit: Callable[[Object], None] = _nothing
    status: bool = False
    status_metadata: bool = False
    generation: bool = False
    conditional: tuple[str, ...] = ()
    upsert: bool = False
    fields: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    versions: Mapping[str, Conversion] = field(default_factory=lambda: {"v1": SAME})

    def served(self) -> Iterator[tuple[str, str, str]]:
        """Group, version, and the name that the version has here, of all that is served."""
        for name in self.versions:
            group, _, version = name.rpartition("/")
            yield group or self.resource.group, version, name

    def conversion(self, api_version: str) -> Conversion | None:
        """Of an apiVersion; None for one that is not served."""
        return next(
            (self.versions[name] for name in self.versions if self.resource.group_version(name) == api_version), None
        )

    @property
    def selectable(self) -> tuple[str, ...]:
        """All fields that field selectors may name."""
        # Kinds with fields of their own name all that there are, and those without a namespace do not name it.
        return (_META_FIELDS[:1] if self.fields and not self.resource.namespaced else _META_FIELDS) + self.fields

    @property
    def unknown_field(self) -> str:
        """What is said of a field that selectors cannot name; kinds without fields of their own know the usual two."""
        if not self.fields:
            return '"{}" is not a known field selector: only "metadata.name", "metadata.namespace"'
        if self.resource.group:
            return f"field label not supported for {self.resource.api_version}, Kind={self.resource.kind}: {{}}"
        return UNKNOWN_FIELD

    @property
    def struct(self) -> str:
        """The type of stored objects in the table of types."""
        return f"{self.resource.api_version}.{self.resource.kind}"

    def read(self, obj: Object, strict: bool) -> Object:
        """A copy of what a writer sent: fields that nobody knows left out (refused if `strict`), defaults filled in.

        Raises BadRequest for values of a wrong type.
        """
        decoding = Decoding(f'{self.resource.kind} in version "{self.resource.version}"')
        new = decode(struct_of(self.struct), obj, decoding)
        if strict and decoding.notes:
            raise bad_request(f"strict decoding error: {', '.join(decoding.notes)}")
        new.setdefault("metadata", {})
        self.default(new)
        return new

    def written(self, obj: Object, *, given: bool = False) -> Object:
        """The stored form of an object; `given`: with what a writer gave as empty."""
        return writing.write(self.struct, obj, given=given)

    def prepare_create(self, new: Object) -> None:
        """Set what a creator has no say in."""
        prepare.for_create(new, status=self.status, generation=self.generation)

    def prepare_update(self, new: Object, old: Object, subresource: str) -> None:
        """Keep the half that this write does not reach: the status, or with "status" everything else."""
        prepare.for_update(new, old, subresource, status=self.status)


_LIKE_V1 = {"v1": SAME, "v1beta2": SAME}

_ROWS = (
    Kind(
        RESOURCES["nodes"],
        nodes.validate,
        defaults.node,
        gates.node_fields,
        status=True,
        status_metadata=True,
        fields=("spec.unschedulable",),
        short_names=("no",),
    ),
    Kind(
        RESOURCES["namespaces"],
        core.validate_namespace,
        default=defaults.namespace,
        status=True,
        status_metadata=True,
        fields=("status.phase",),
        short_names=("ns",),
    ),
    Kind(
        RESOURCES["pods"],
        pods.validate,
        default=pod_defaults.pod,
        review=pod_admission.review,
        admit=pod_defaults.admit,
        status=True,
        status_metadata=True,
        generation=True,
        fields=("spec.nodeName", "spec.schedulerName", "spec.serviceAccountName", "status.phase"),
        short_names=("po",),
    ),
    Kind(
        RESOURCES["events"],
        events.validate,
        upsert=True,
        fields=(
            *(f"involvedObject.{key}" for key in ("kind", "namespace", "name", "uid", "apiVersion", "fieldPath")),
            *("reason", "reportingComponent", "source", "type"),
        ),
        short_names=("ev",),
        versions={"v1": SAME, "events.k8s.io/v1": EVENT},
    ),
    Kind(RESOURCES["serviceaccounts"], short_names=("sa",)),
    Kind(RESOURCES["secrets"], data.validate_secret, defaults.secret, fields=("type",)),
    Kind(RESOURCES["configmaps"], data.validate_config_map, short_names=("cm",)),
    Kind(RESOURCES["leases"], core.validate_lease, drop=core.lease_fields, conditional=("v1",), upsert=True),
    Kind(
        RESOURCES["deviceclasses"],
        classes.validate,
        defaults.device_class,
        generation=True,
        versions={**_LIKE_V1, "v1beta1": SAME},
    ),
    Kind(
        RESOURCES["resourceclaims"],
        claims.validate,
        defaults.resource_claim,
        gates.claim_fields,
        status=True,
        versions={**_LIKE_V1, "v1beta1": CLAIM_V1BETA1},
    ),
    Kind(
        RESOURCES["resourceclaimtemplates"],
        claims.validate_template,
        defaults.resource_claim_template,
        gates.template_fields,
        versions={**_LIKE_V1, "v1beta1": TEMPLATE_V1BETA1},
    ),
    Kind(
        RESOURCES["resourceslices"],
        slices.validate,
        defaults.resource_slice,
        gates.slice_fields,
        generation=True,
        fields=("spec.nodeName", "spec.driver", "spec.pool.name"),
        versions={**_LIKE_V1, "v1beta1": SLICE_V1BETA1},
    ),
    Kind(
        RESOURCES["devicetaintrules"],
        classes.validate_taint_rule,
        defaults.device_taint_rule,
        status=True,
        conditional=("v1",),
        generation=True,
        versions=_LIKE_V1,
    ),
)

KINDS = {row.resource.plural: row for row in _ROWS}

_AUTHORIZATION = "authorization.k8s.io"

REVIEWS = {
    row.plural: row
    for row in (
        Resource("selfsubjectaccessreviews", "SelfSubjectAccessReview", _AUTHORIZATION, "v1", False),
        Resource("selfsubjectrulesreviews", "SelfSubjectRulesReview", _AUTHORIZATION, "v1", False),
        Resource("selfsubjectreviews", "SelfSubjectReview", "authentication.k8s.io", "v1", False),
    )
}
"""Questions that are answered and not kept, by their plural."""
