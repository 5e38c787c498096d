"""Objects that the tests make, as YAML."""

ARTICLE = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: {name}.example.com}}
spec:
  selectors:
  - cel: {{expression: "device.driver == '{name}.example.com'"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: {name}}}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {{deviceClassName: {name}.example.com}}
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:
  containers:
  - name: ctr0
    image: ubuntu:24.04
    command: [sh, -c, sleep 9999]
    resources: {{claims: [{{name: gpu}}]}}
  resourceClaims:
  - {{name: gpu, resourceClaimTemplateName: {name}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}, labels: {{made-for: {name}}}}}
spec:
  driver: {name}.example.com
  nodeName: elsewhere
  pool: {{name: pool, generation: 1, resourceSliceCount: 1}}
  devices:
  - name: gpu-0
    attributes: {{index: {{int: 0}}, model: {{string: m}}}}
    capacity: {{memory: {{value: 80Gi}}}}
"""
"""Class, template, a pod that stays pending, and a slice of a node that is not there."""

SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}, labels: {{made-for: {name}}}}}
spec:
  driver: {name}.example.com
  nodeName: elsewhere
  pool: {{name: pool, generation: 1, resourceSliceCount: 1}}
  devices: [{{name: gpu-0}}]
"""

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, finalizers: [example.com/held]}}
spec: {{devices: {{requests: [{{name: a, exactly: {{deviceClassName: none}}}}]}}}}
"""

TAINT_RULE = """
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: rule}
spec: {deviceSelector: {driver: taint.example.com}, taint: {key: k, value: v, effect: NoExecute}}
"""

EVENT = """
apiVersion: v1
kind: Event
metadata: {name: event, namespace: default}
involvedObject: {kind: Pod, name: p, namespace: default}
reason: Reason
message: what happened
type: Normal
source: {component: test}
"""

LEASE = """
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lease}
spec: {holderIdentity: me, leaseDurationSeconds: 5}
"""
