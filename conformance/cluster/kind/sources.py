"""Manifests that a driver file names: files, folders, URLs."""

import ssl
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.error import HTTPError, URLError

import yaml

from conformance.cluster.api import Object
from conformance.target import TargetError
from conformance.verdict import Inconclusive

_FETCH_WITHIN = 30.0
_MOST_BYTES = 16 << 20


def read(entries: Sequence[str], key: str, driver_file: Path) -> list[Object]:
    """Objects of manifests, in order; `key` is where the driver file names them.

    Raises TargetError for what is wrong with a file, Inconclusive for a URL that cannot be fetched.
    """
    found: list[Object] = []
    for entry in entries:
        for name, text in _texts(entry, key, driver_file):
            found += parse(text, f"{driver_file}: {key}: {name}")
    return found


def parse(text: str, where: str) -> list[Object]:
    """Objects in YAML; those of lists one by one. Raises TargetError that begins with `where`."""
    try:
        documents = [obj for obj in yaml.safe_load_all(text) if obj]
    except yaml.YAMLError as error:
        raise TargetError(f"{where} is not YAML: {' '.join(str(error).split())}") from None
    found: list[Object] = []
    for document in documents:
        is_list = isinstance(document, dict) and document.get("kind") == "List"
        found += document.get("items") or () if is_list else [document]
    if not all(_is_object(obj) for obj in found):
        raise TargetError(f"{where} has something else than Kubernetes objects in it")
    return found


def check(entries: Sequence[str], key: str, driver_file: Path) -> None:
    """Raises TargetError when a file or folder cannot be read; URLs are not fetched."""
    for url in filter(_is_url, entries):
        _require_https(url, f"{driver_file}: {key}")
    read([entry for entry in entries if not _is_url(entry)], key, driver_file)


def _is_object(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("metadata"), dict):
        return False
    return all(isinstance(value.get(key), str) for key in ("apiVersion", "kind")) and "name" in value["metadata"]


def _is_url(entry: str) -> bool:
    return "://" in entry


def _texts(entry: str, key: str, driver_file: Path) -> Iterator[tuple[str, str]]:
    """Names and texts of the files that an entry stands for."""
    if _is_url(entry):
        yield entry, _fetch(entry, f"{driver_file}: {key}")
        return
    path = driver_file.parent / entry
    for file in _files(path):
        try:
            yield str(file), file.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise TargetError(f"{driver_file}: {key}: {file} does not exist") from None
        except OSError as error:
            raise TargetError(f"{driver_file}: {key}: {file} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise TargetError(f"{driver_file}: {key}: {file} is not UTF-8 text") from None


def _files(path: Path) -> Sequence[Path]:
    """The file, or the YAML files of a folder in the order of their names."""
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix in (".yaml", ".yml", ".json"))
    return [path]


def _require_https(url: str, where: str) -> None:
    if not url.startswith("https://"):
        raise TargetError(f"{where}: {url} is not fetched, as it is neither a path nor an https:// URL")


def _fetch(url: str, where: str) -> str:
    _require_https(url, where)
    try:
        with urllib.request.urlopen(url, timeout=_FETCH_WITHIN, context=ssl.create_default_context()) as answer:
            content: bytes = answer.read(_MOST_BYTES + 1)
    except HTTPError as error:
        with error:
            raise Inconclusive(f"{where}: {url} cannot be fetched: {error}") from None
    except (OSError, ValueError) as error:
        reason = error.reason if isinstance(error, URLError) else error
        raise Inconclusive(f"{where}: {url} cannot be fetched: {reason}") from None
    if len(content) > _MOST_BYTES:
        raise TargetError(f"{where}: {url} is longer than {_MOST_BYTES >> 20} MiB; give manifests")
    return content.decode(errors="replace")
