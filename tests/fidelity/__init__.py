"""The embedded cluster held against a real control plane: both are asked the same, and the answers are compared.

    python -m tests.fidelity --seed 7 --requests 2000            # score and differences
    python -m tests.fidelity --seed 7 --family claims            # one family only
    python -m tests.fidelity --seed 7 --case 311                 # one case again, with all that was said

A **case** (`model.Case`) is a few requests, asked one after the other; the answers to all of them are compared. A
**family** is a function that makes one case after another, decorated with `@family(name, weight)` in a module of
the folder `requests/` (every module there is imported):

    @family("claims", weight=6)
    def claim(draw: Draw) -> Case:
        spec, said = mutated(draw, EXAMPLE, FIELDS)              # one to three fields changed, by a table
        obj = {"metadata": {"name": draw.name}, "spec": spec}
        return Case(said, [create("resourceclaims", obj, "default"), get("resourceclaims", draw.name, "default")])

- `Draw` has the case's `random` (the only source of chance), a `name` that no other case uses, and `chance(p)`.
- `model.py` makes requests: `create`, `update`, `patch`, `delete`, `get`, `list_of`, each with `version`,
  `subresource` and query parameters. A `Ref(step, "metadata.resourceVersion")` in a body or query stands for a value
  from the answer to an earlier request of the case.
- `mutate.py` changes an example object: a table names fields (`spec.devices.*.name`) and values for each: valid ones,
  at the limit, past it. Wrong types, null, empty, missing and unknown fields come by themselves for every field.
- `compare.py` says what is compared: code, reason, the causes' reasons and fields, and the object of an accepted
  request in full, after times, UIDs and resourceVersions were made equal. Texts are compared with `--texts` only.
- `accepted.py` lists the differences that are known, each with its reason.
- `sides.py` starts both: `ApiServers` is an API server with etcd, without controllers, and the embedded API server
  without any; for allocation and controllers there is `Clusters`, the control plane and the embedded cluster as a
  whole. The fixtures `api_servers` and `clusters` in conftest.py share one start among the tests of this folder.

Scheduler and controllers are held against the real ones by **scenes**: functions in the modules of the folder
`scenes/` that drive an API server (`scenes/scene.py` has short ways to) and return a picture, which must be the same
on both sides. All scenes go on at the same time, each in a namespace, with a driver and nodes of its own.

    python -m tests.fidelity.scenes                              # all of them
    python -m tests.fidelity.scenes rule_                        # those with the word in their names

Allocation problems are in the folder `allocation/`: `python -m tests.fidelity.allocation --seed 7 [--rounds 3]`. Each
has nodes, drivers, classes and a namespace of its own, so that both clusters are given all of them at once, a step at a
time.
"""
