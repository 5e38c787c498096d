"""The driver under test: its driver file, and what follows from it."""

from conformance.target.command import CommandLine
from conformance.target.expectation import ContainerExpectation, env_unmet
from conformance.target.features import features_in_claims, features_seen, notes
from conformance.target.load import shipped
from conformance.target.model import DriverFile, Feature
from conformance.target.named import named_target
from conformance.target.problems import TargetError
from conformance.target.target import Target

__all__ = [
    "CommandLine",
    "ContainerExpectation",
    "DriverFile",
    "Feature",
    "Target",
    "TargetError",
    "env_unmet",
    "features_in_claims",
    "features_seen",
    "named_target",
    "notes",
    "shipped",
]
