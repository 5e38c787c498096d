"""Fields of the objects of resource.k8s.io/v1 (k8s.io/api/resource/v1/types.go) with the default feature gates."""

from conformance.cluster.embedded.apiserver.schema import (
    ANY,
    BOOLEAN,
    INTEGER,
    OFF,
    QUANTITY,
    STRING,
    STRINGS,
    ListOf,
    MapOf,
    Schema,
    Struct,
)

METADATA = Struct(
    {
        **dict.fromkeys(("name", "generateName", "namespace", "uid", "resourceVersion", "selfLink"), STRING),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), STRING),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), INTEGER),
        **dict.fromkeys(("labels", "annotations"), MapOf(STRING)),
        "finalizers": STRINGS,
        "ownerReferences": ListOf(
            Struct(
                {
                    **dict.fromkeys(("apiVersion", "kind", "name", "uid"), STRING),
                    **dict.fromkeys(("controller", "blockOwnerDeletion"), BOOLEAN),
                }
            )
        ),
        "managedFields": ANY,
    }
)
_REQUIREMENTS = ListOf(Struct({"key": STRING, "operator": STRING, "values": STRINGS}))
_NODE_SELECTOR = Struct(
    {"nodeSelectorTerms": ListOf(Struct({"matchExpressions": _REQUIREMENTS, "matchFields": _REQUIREMENTS}))}
)
_CONDITIONS = ListOf(
    Struct(
        {
            **dict.fromkeys(("type", "status", "reason", "message", "lastTransitionTime"), STRING),
            "observedGeneration": INTEGER,
        }
    )
)
_TAINT = Struct(dict.fromkeys(("key", "value", "effect", "timeAdded"), STRING))
_TOLERATIONS = ListOf(
    Struct({**dict.fromkeys(("key", "operator", "value", "effect"), STRING), "tolerationSeconds": INTEGER})
)
_COUNTERS = MapOf(Struct({"value": QUANTITY}))
_POLICY = Struct(
    {
        "default": QUANTITY,
        "validValues": ListOf(QUANTITY),
        "validRange": Struct(dict.fromkeys(("min", "max", "step"), QUANTITY)),
    }
)
_ATTRIBUTE = Struct(
    {
        "int": INTEGER,
        "bool": BOOLEAN,
        "string": STRING,
        "version": STRING,
        **dict.fromkeys(("ints", "bools", "strings", "versions"), OFF),
    }
)
_DEVICE = Struct(
    {
        "name": STRING,
        "attributes": MapOf(_ATTRIBUTE),
        "capacity": MapOf(Struct({"value": QUANTITY, "requestPolicy": _POLICY})),
        "consumesCounters": ListOf(Struct({"counterSet": STRING, "counters": _COUNTERS, "compatibilityGroups": OFF})),
        "nodeName": STRING,
        "nodeSelector": _NODE_SELECTOR,
        **dict.fromkeys(("allNodes", "bindsToNode", "allowMultipleAllocations"), BOOLEAN),
        "taints": ListOf(_TAINT),
        **dict.fromkeys(("bindingConditions", "bindingFailureConditions"), STRINGS),
        "nodeAllocatableResources": OFF,
    }
)
_SLICE_SPEC = Struct(
    {
        "driver": STRING,
        "pool": Struct({"name": STRING, "generation": INTEGER, "resourceSliceCount": INTEGER}),
        "nodeName": STRING,
        "nodeSelector": _NODE_SELECTOR,
        **dict.fromkeys(("allNodes", "perDeviceNodeSelection"), BOOLEAN),
        "devices": ListOf(_DEVICE),
        "sharedCounters": ListOf(Struct({"name": STRING, "counters": _COUNTERS})),
        **dict.fromkeys(("partitionTypeAttribute", "skipNodeOperations"), OFF),
    }
)
_SELECTORS = ListOf(Struct({"cel": Struct({"expression": STRING})}))
_OPAQUE = Struct({"driver": STRING, "parameters": ANY})
_SUB_REQUEST: dict[str, Schema] = {
    **dict.fromkeys(("deviceClassName", "allocationMode"), STRING),
    "selectors": _SELECTORS,
    "count": INTEGER,
    "tolerations": _TOLERATIONS,
    "capacity": Struct({"requests": MapOf(QUANTITY)}),
    "derivedAttributes": OFF,
}
_REQUEST = Struct(
    {
        "name": STRING,
        "exactly": Struct({**_SUB_REQUEST, "adminAccess": BOOLEAN}),
        "firstAvailable": ListOf(Struct({**_SUB_REQUEST, "name": STRING})),
    }
)
_CLAIM_SPEC = Struct(
    {
        "devices": Struct(
            {
                "requests": ListOf(_REQUEST),
                "constraints": ListOf(
                    Struct({"requests": STRINGS, "matchAttribute": STRING, "distinctAttribute": STRING})
                ),
                "config": ListOf(Struct({"requests": STRINGS, "opaque": _OPAQUE})),
            }
        )
    }
)
_RESULT = Struct(
    {
        **dict.fromkeys(("request", "driver", "pool", "device", "shareID"), STRING),
        "adminAccess": BOOLEAN,
        "tolerations": _TOLERATIONS,
        **dict.fromkeys(("bindingConditions", "bindingFailureConditions"), STRINGS),
        "consumedCapacity": MapOf(QUANTITY),
        "skipNodeOperations": OFF,
    }
)
_ALLOCATION = Struct(
    {
        "devices": Struct(
            {
                "results": ListOf(_RESULT),
                "config": ListOf(Struct({"source": STRING, "requests": STRINGS, "opaque": _OPAQUE})),
            }
        ),
        "nodeSelector": _NODE_SELECTOR,
        "allocationTimestamp": STRING,
    }
)
_DEVICE_STATUS = Struct(
    {
        **dict.fromkeys(("driver", "pool", "device", "shareID"), STRING),
        "conditions": _CONDITIONS,
        "data": ANY,
        "networkData": Struct({"interfaceName": STRING, "hardwareAddress": STRING, "ips": STRINGS}),
    }
)
_CLAIM_STATUS = Struct(
    {
        "allocation": _ALLOCATION,
        "reservedFor": ListOf(Struct(dict.fromkeys(("apiGroup", "resource", "name", "uid"), STRING))),
        "devices": ListOf(_DEVICE_STATUS),
    }
)


def _object(**fields: Schema) -> Struct:
    return Struct({"apiVersion": STRING, "kind": STRING, "metadata": METADATA, **fields})


RESOURCE_SLICE = _object(spec=_SLICE_SPEC)
RESOURCE_CLAIM = _object(spec=_CLAIM_SPEC, status=_CLAIM_STATUS)
RESOURCE_CLAIM_TEMPLATE = _object(spec=Struct({"metadata": METADATA, "spec": _CLAIM_SPEC}))
DEVICE_CLASS = _object(
    spec=Struct(
        {"selectors": _SELECTORS, "config": ListOf(Struct({"opaque": _OPAQUE})), "extendedResourceName": STRING}
    )
)
DEVICE_TAINT_RULE = _object(
    spec=Struct({"deviceSelector": Struct(dict.fromkeys(("driver", "pool", "device"), STRING)), "taint": _TAINT}),
    status=Struct({"conditions": _CONDITIONS}),
)
