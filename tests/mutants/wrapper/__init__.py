"""A wrapper that makes any driver wrong, whatever language it is in.

`python -m tests.mutants.wrapper … -- command` starts the real driver, and stands on both of its sides:

    kubelet    the driver makes its registration socket in a shadow folder; the wrapper registers in its place and
               passes on every call (conformance.cluster.tap)
    API server the driver's kubeconfig leads through a proxy (conformance.cluster.local.apiproxy)

A Fault says what goes wrong on the way: replace one of its methods. Without one nothing goes wrong, and every check has
the verdict that it has without the wrapper.
"""

from tests.mutants.wrapper.driver_file import write_wrapped
from tests.mutants.wrapper.fault import Fault, Place
from tests.mutants.wrapper.process import run

__all__ = ["Fault", "Place", "run", "write_wrapped"]
