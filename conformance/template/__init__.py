"""`dra-conformance driver-template`: the files that a driver's author begins with."""

from conformance.template.writing import Blanks, Refused, write

__all__ = ["Blanks", "Refused", "write"]
