"""Generate the gRPC modules from the .proto files here; needs grpcio-tools.

Run as `python proto/generate.py`. The suite and the reference driver get a copy each, as neither imports the other;
what only a kubelet serves is in the suite's alone.
"""

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
PACKAGES = {"conformance/cluster/dra_api": (), "reference_driver/plugin/dra_api": ("podresources_v1",)}
"""The packages to write, and which .proto files are left out of each."""
INIT = '"""gRPC modules generated from proto/*.proto by proto/generate.py; not edited by hand."""\n'
ABSOLUTE_IMPORT = re.compile(r"^import (\w+_pb2) as", re.MULTILINE)
SERVICE = re.compile(r"^class (\w+)Servicer:\n(.*?)^def add_", re.MULTILINE | re.DOTALL)
METHOD = re.compile(r"^    def (\w+)\(self, request, context\):", re.MULTILINE)
STUB_HEAD = "from typing import Any\n\nimport grpc\n"
# protoc's own .pyi files are not strict.
UNCHECKED = "# mypy: ignore-errors\n"


def main() -> None:
    """Write the modules into every package of PACKAGES."""
    with tempfile.TemporaryDirectory() as scratch:
        modules = generate(Path(scratch))
        for package, left_out in PACKAGES.items():
            write(modules, HERE.parent / package, left_out)


def generate(out: Path) -> list[Path]:
    """Run protoc into the folder `out`. Raises SystemExit when it fails."""
    sources = sorted(str(path) for path in HERE.glob("*.proto"))
    outputs = [f"--{kind}_out={out}" for kind in ("python", "pyi", "grpc_python")]
    status = protoc.main(["protoc", f"-I{HERE}", *outputs, *sources])
    if status:
        raise SystemExit(f"protoc ended with status {status}; its message is above")
    return sorted(path for path in out.iterdir() if path.suffix in (".py", ".pyi"))


def write(modules: list[Path], folder: Path, left_out: Sequence[str] = ()) -> None:
    """Replace the package `folder` by these modules, their imports of each other made relative."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(INIT, encoding="utf-8")
    for module in modules:
        if module.stem.partition("_pb2")[0] in left_out:
            continue
        text = ABSOLUTE_IMPORT.sub(r"from . import \1 as", module.read_text(encoding="utf-8"))
        head = UNCHECKED if module.suffix == ".pyi" else ""
        (folder / module.name).write_text(head + text, encoding="utf-8")
        if module.stem.endswith("_grpc"):
            (folder / f"{module.stem}.pyi").write_text(annotated(text), encoding="utf-8")


def annotated(grpc_module: str) -> str:
    """Annotations for a module of services, which protoc writes without any."""
    parts = [STUB_HEAD]
    for service in SERVICE.finditer(grpc_module):
        name, methods = service[1], METHOD.findall(service[2])
        calls = [f"    {method}: Any" for method in methods]
        serves = [f"    def {method}(self, request: Any, context: Any) -> Any: ..." for method in methods]
        parts += [
            f"class {name}Stub:\n    def __init__(self, channel: grpc.Channel) -> None: ...",
            "\n".join(calls) + "\n",
            f"class {name}Servicer:\n" + "\n".join(serves) + "\n",
            f"def add_{name}Servicer_to_server(servicer: Any, server: grpc.Server) -> None: ...\n",
        ]
    return "\n".join(parts)


if __name__ == "__main__":
    main()
