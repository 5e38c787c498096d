"""Field numbers of protobuf messages (generated.proto of k8s.io/api and k8s.io/apimachinery v0.37.2).

One message a line: `field number type`, the type `string` when none is given. `*` marks a pointer, whose presence
says something even when it is empty; `[]` a list, `{}` a map from strings; the field `-` is inline.
"""

from dataclasses import dataclass

_TABLE = """
ObjectMeta: name 1, generateName 2, namespace 3, selfLink 4, uid 5, resourceVersion 6, generation 7 int, \
creationTimestamp 8 time, deletionTimestamp 9 *time, deletionGracePeriodSeconds 10 *int, labels 11 {}string, \
annotations 12 {}string, ownerReferences 13 []OwnerReference, finalizers 14 []string
OwnerReference: kind 1, name 3, uid 4, apiVersion 5, controller 6 *bool, blockOwnerDeletion 7 *bool
Condition: type 1, status 2, observedGeneration 3 int, lastTransitionTime 4 time, reason 5, message 6
DeleteOptions: gracePeriodSeconds 1 *int, preconditions 2 *Preconditions, orphanDependents 3 *bool, \
propagationPolicy 4 *string, dryRun 5 []string
Preconditions: uid 1 *string, resourceVersion 2 *string
NodeSelector: nodeSelectorTerms 1 []NodeSelectorTerm
NodeSelectorTerm: matchExpressions 1 []NodeSelectorRequirement, matchFields 2 []NodeSelectorRequirement
NodeSelectorRequirement: key 1, operator 2, values 3 []string

ResourceSlice: metadata 1 *ObjectMeta, spec 2 *ResourceSliceSpec
ResourceSliceSpec: driver 1, pool 2 *ResourcePool, nodeName 3 *string, nodeSelector 4 *NodeSelector, allNodes 5 *bool, \
devices 6 []Device, perDeviceNodeSelection 7 *bool, sharedCounters 8 []CounterSet, partitionTypeAttribute 9 *string, \
skipNodeOperations 10 []string
ResourcePool: name 1, generation 2 *int, resourceSliceCount 3 *int
CounterSet: name 1, counters 2 {}Counter
Counter: value 1 *quantity
Device: name 1, attributes 2 {}DeviceAttribute, capacity 3 {}DeviceCapacity, \
consumesCounters 4 []DeviceCounterConsumption, nodeName 5 *string, nodeSelector 6 *NodeSelector, allNodes 7 *bool, \
taints 8 []DeviceTaint, bindsToNode 9 *bool, bindingConditions 10 []string, bindingFailureConditions 11 []string, \
allowMultipleAllocations 12 *bool, nodeAllocatableResources 14 {}NodeAllocatableResource
NodeAllocatableResource: mapping 3 *NodeAllocatableMapping, overhead 4 *NodeAllocatableOverhead
NodeAllocatableMapping: capacityKey 1 *string, capacityMultiplier 2 *quantity, deviceMultiplier 3 *quantity
NodeAllocatableOverhead: perPod 1 *quantity, perContainer 2 *quantity
DeviceAttribute: int 2 *int, bool 3 *bool, string 4 *string, version 5 *string, ints 6 []int, bools 7 []bool, \
strings 8 []string, versions 9 []string
DeviceCapacity: value 1 *quantity, requestPolicy 2 *CapacityRequestPolicy
CapacityRequestPolicy: default 1 *quantity, validValues 3 []quantity, validRange 4 *CapacityRequestPolicyRange
CapacityRequestPolicyRange: min 1 *quantity, max 2 *quantity, step 3 *quantity
DeviceCounterConsumption: counterSet 1, counters 2 {}Counter, compatibilityGroups 3 []string
DeviceTaint: key 1, value 2, effect 3, timeAdded 4 *time
DeviceToleration: key 1, operator 2, value 3, effect 4, tolerationSeconds 5 *int

DeviceClass: metadata 1 *ObjectMeta, spec 2 *DeviceClassSpec
DeviceClassSpec: selectors 1 []DeviceSelector, config 2 []DeviceClassConfiguration, extendedResourceName 4 *string
DeviceClassConfiguration: - 1 DeviceConfiguration
DeviceConfiguration: opaque 1 *OpaqueDeviceConfiguration
OpaqueDeviceConfiguration: driver 1, parameters 2 raw
DeviceSelector: cel 1 *CELDeviceSelector
CELDeviceSelector: expression 1

ResourceClaimTemplate: metadata 1 *ObjectMeta, spec 2 *ResourceClaimTemplateSpec
ResourceClaimTemplateSpec: metadata 1 *ObjectMeta, spec 2 *ResourceClaimSpec
ResourceClaim: metadata 1 *ObjectMeta, spec 2 *ResourceClaimSpec, status 3 *ResourceClaimStatus
ResourceClaimSpec: devices 1 *DeviceClaim
DeviceClaim: requests 1 []DeviceRequest, constraints 2 []DeviceConstraint, config 3 []DeviceClaimConfiguration
DeviceRequest: name 1, exactly 2 *ExactDeviceRequest, firstAvailable 3 []DeviceSubRequest
ExactDeviceRequest: deviceClassName 1, selectors 2 []DeviceSelector, allocationMode 3, count 4 int, \
adminAccess 5 *bool, tolerations 6 []DeviceToleration, capacity 7 *CapacityRequirements, \
derivedAttributes 8 []DeviceDerivedAttribute
DeviceSubRequest: name 1, deviceClassName 2, selectors 3 []DeviceSelector, allocationMode 4, count 5 int, \
tolerations 6 []DeviceToleration, capacity 7 *CapacityRequirements, derivedAttributes 8 []DeviceDerivedAttribute
CapacityRequirements: requests 1 {}quantity
DeviceDerivedAttribute: name 1, expression 2
DeviceConstraint: requests 1 []string, matchAttribute 2 *string, distinctAttribute 3 *string
DeviceClaimConfiguration: requests 1 []string, - 2 DeviceConfiguration
ResourceClaimStatus: allocation 1 *AllocationResult, reservedFor 2 []ResourceClaimConsumerReference, \
devices 4 []AllocatedDeviceStatus
ResourceClaimConsumerReference: apiGroup 1, resource 3, name 4, uid 5
AllocationResult: devices 1 *DeviceAllocationResult, nodeSelector 3 *NodeSelector, allocationTimestamp 5 *time
DeviceAllocationResult: results 1 []DeviceRequestAllocationResult, config 2 []DeviceAllocationConfiguration
DeviceRequestAllocationResult: request 1, driver 2, pool 3, device 4, adminAccess 5 *bool, \
tolerations 6 []DeviceToleration, bindingConditions 7 []string, bindingFailureConditions 8 []string, \
shareID 9 *string, consumedCapacity 10 {}quantity, skipNodeOperations 11 []string
DeviceAllocationConfiguration: source 1, requests 2 []string, - 3 DeviceConfiguration
AllocatedDeviceStatus: driver 1, pool 2, device 3, conditions 4 []Condition, data 5 *raw, \
networkData 6 *NetworkDeviceData, shareID 7 *string
NetworkDeviceData: interfaceName 1, ips 2 []string, hardwareAddress 3

Event: metadata 1 *ObjectMeta, involvedObject 2 *ObjectReference, reason 3, message 4, source 5 *EventSource, \
firstTimestamp 6 time, lastTimestamp 7 time, count 8 int, type 9, eventTime 10 microtime, series 11 *EventSeries, \
action 12, related 13 *ObjectReference, reportingComponent 14, reportingInstance 15
EventSeries: count 1 int, lastObservedTime 2 microtime
EventSource: component 1, host 2
ObjectReference: kind 1, namespace 2, name 3, uid 4, apiVersion 5, resourceVersion 6, fieldPath 7
Binding: metadata 1 *ObjectMeta, target 2 *ObjectReference
Namespace: metadata 1 *ObjectMeta, spec 2 *NamespaceSpec
NamespaceSpec: finalizers 1 []string
ServiceAccount: metadata 1 *ObjectMeta, automountServiceAccountToken 4 *bool
Secret: metadata 1 *ObjectMeta, data 2 {}bytes, type 3, stringData 4 {}string, immutable 5 *bool
ConfigMap: metadata 1 *ObjectMeta, data 2 {}string, immutable 4 *bool
Lease: metadata 1 *ObjectMeta, spec 2 *LeaseSpec
LeaseSpec: holderIdentity 1 *string, leaseDurationSeconds 2 *int, acquireTime 3 *microtime, renewTime 4 *microtime, \
leaseTransitions 5 *int, strategy 6 *string, preferredHolder 7 *string
"""

_DRA = ("ResourceSlice", "DeviceClass", "ResourceClaim", "ResourceClaimTemplate")
_CORE = ("Event", "Binding", "ConfigMap", "Namespace", "ServiceAccount", "Secret")
_TOP = {
    **{(group, kind): kind for group in ("resource.k8s.io/v1", "resource.k8s.io/v1beta2") for kind in _DRA},
    **{("v1", kind): kind for kind in _CORE},
    ("coordination.k8s.io/v1", "Lease"): "Lease",
}


@dataclass(frozen=True)
class Field:
    """One field: its JSON name, type, shape ("", "list", "map"), and whether Go has a pointer there."""

    name: str
    type: str
    shape: str = ""
    pointer: bool = False

    @property
    def inline(self) -> bool:
        """Whether the message's fields belong to the one around it."""
        return self.name == "-"


def _field(text: str) -> tuple[int, Field]:
    name, number, *rest = text.split()
    kind = rest[0] if rest else "string"
    shape = "list" if kind.startswith("[]") else "map" if kind.startswith("{}") else ""
    return int(number), Field(name, kind.lstrip("*[]{}"), shape, kind.startswith("*"))


def _tables() -> dict[str, dict[int, Field]]:
    rows = (line.partition(": ") for line in _TABLE.splitlines() if line)
    return {name: dict(_field(text) for text in fields.split(", ")) for name, _, fields in rows}


MESSAGES = _tables()


def message_of(api_version: str, kind: str) -> str | None:
    """The message that holds an object of a kind; every group has DeleteOptions."""
    return "DeleteOptions" if kind == "DeleteOptions" else _TOP.get((api_version, kind))
