"""A driver of which only the names are known: `--driver-name` and `--device-class`, without a driver file."""

import argparse
from typing import TYPE_CHECKING

import pytest

from conformance import kep5970
from conformance.check import Tier

if TYPE_CHECKING:
    from conformance.session.options import Settings

_LONG = "--conformance-"


def check_options(option: argparse.Namespace) -> None:
    """What is given must go together, and be enough for what is asked for. Raises pytest.UsageError."""
    name, device_class = option.conformance_driver_name, option.conformance_device_class
    if device_class and not name:
        raise pytest.UsageError(f"--device-class={device_class} goes with --driver-name; a driver file has its classes")
    if not name:
        return
    if option.conformance_driver:
        raise pytest.UsageError(
            f"--driver={option.conformance_driver} and --driver-name={name} both say which driver; keep one of them"
        )
    if not device_class:
        raise pytest.UsageError(
            f"--driver-name={name} needs --device-class=NAME: the DeviceClass that claims for its devices ask for"
        )
    _check_asked(option, name)


def _check_asked(option: argparse.Namespace, name: str) -> None:
    """Raises pytest.UsageError for what a driver file would be needed for."""
    what = f"is more than can be judged of --driver-name={name} without a driver file: give one with --driver=FILE"
    for profile in option.conformance_profile or ():
        if profile != kep5970.PROFILE:
            raise pytest.UsageError(f"{_LONG}profile={profile} {what}, or ask for {kep5970.PROFILE}")
    for id in option.conformance_check or ():
        if id not in kep5970.CHECKS:
            raise pytest.UsageError(f"--check={id} {what}, or ask for one of {', '.join(kep5970.CHECKS)}")
    if option.conformance_tier not in (None, Tier.OBSERVE.value):
        raise pytest.UsageError(f"{_LONG}tier={option.conformance_tier} {what}")


def cluster(option: argparse.Namespace) -> str:
    """The kind of cluster that is meant where none is asked for, "" where no driver is named."""
    return "existing" if option.conformance_driver_name else ""


def profiles(option: argparse.Namespace) -> tuple[str, ...]:
    """The profiles that are meant where none is asked for."""
    return (kep5970.PROFILE,) if option.conformance_driver_name else ()


def same_driver(settings: "Settings") -> list[str]:
    """Options that name the driver of a run."""
    if settings.driver_name:
        return [f"--driver-name={settings.driver_name}", f"--device-class={settings.device_class}"]
    return [f"--driver={settings.driver}"]
