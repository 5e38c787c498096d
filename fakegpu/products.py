"""Models of GPUs: products.yaml has those that are sold, with figures of their data sheets and of nvidia-smi."""

from collections.abc import Mapping
from dataclasses import fields as fields_of
from functools import cache
from pathlib import Path
from typing import Any

from .fields import amount, flag, matching, one_of, quantity, record, rows, table, text, whole
from .gpu import MODEL, MigProfile, Product
from .parse import parse

ARCHITECTURES = ("Kepler", "Maxwell", "Pascal", "Volta", "Turing", "Ampere", "Ada", "Hopper", "Blackwell", "unknown")

_PROFILE = {
    "name": text,
    "memory": quantity,
    "starts": rows(whole),
    **dict.fromkeys(("id", "number", "slices", "instances", "size", "multiprocessors"), whole),
    **dict.fromkeys(("copyEngines", "decoders", "encoders", "jpegs", "ofas"), whole),
}
_NEEDED = ("name", "id", "number", "slices", "instances", "starts", "size", "memory", "multiprocessors")
_NUMBERS = ("pciDevice", "pciSubsystem", "multiprocessors", "cores", "memoryBus", "pcieGeneration", "pcieWidth")
PRODUCT = {
    "architecture": one_of(*ARCHITECTURES),
    "computeCapability": matching(r"\d+\.\d+", '"9.0"'),
    "memory": quantity,
    "reserved": quantity,
    "brand": one_of("NVIDIA", "Tesla", "GeForce", "RTX", "unknown"),
    **dict.fromkeys((*_NUMBERS, "power", "smClock", "memoryClock"), whole),
    **dict.fromkeys(("nvlinkVersion", "nvlinks", "nvlinkSpeed"), whole),
    "coherent": flag,
    "mig": rows(record(_PROFILE, *_NEEDED)),
}
PRODUCTS = table(text, record(PRODUCT))
"""Checks a map of products by the name of their model."""


def product(model: str, own: Mapping[str, Any]) -> Product:
    """The facts of a model: those in `own`, a checked map of products, those that ship, or those of no model at all."""
    if model not in own and model == MODEL:
        return Product()  # products.yaml is read for those that need it only
    return _product(own.get(model) or _shipped().get(model) or {})


@cache
def _shipped() -> Mapping[str, Any]:
    path = Path(__file__).with_name("products.yaml")
    found: Mapping[str, Any] = parse(path.read_bytes())
    PRODUCTS(found, str(path), "")
    return found


def _product(row: Mapping[str, Any]) -> Product:
    values = {each.name: row[_spelled(each.name)] for each in fields_of(Product) if _spelled(each.name) in row}
    return Product(**{**values, "mig": tuple(_profile(each) for each in row.get("mig", ()))})


def _profile(row: Mapping[str, Any]) -> MigProfile:
    values = {each.name: row[_spelled(each.name)] for each in fields_of(MigProfile) if _spelled(each.name) in row}
    return MigProfile(**{**values, "starts": tuple(row["starts"]), "memory": amount(row["memory"]) // 2**20})


def _spelled(name: str) -> str:
    """The name of a field as it is written in a file."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
