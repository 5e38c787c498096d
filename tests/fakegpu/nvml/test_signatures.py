"""The library is what nvidia-ml-py calls: the same functions with as many arguments, and structures of the same form.

Both are asked of the C compiler: it is given a file that holds nvidia-ml-py's view against the library's headers.
"""

import ast
import ctypes
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from fakegpu.nvml.build import SOURCE, find_compiler

STRUCTURES = {"nvmlDeviceAttributes_t": "c_nvmlDeviceAttributes"}
"""Those that nvidia-ml-py calls otherwise than c_… or the same."""
OF_OLD = {"nvmlInit", "nvmlInit_v2"}
"""Functions that others than nvidia-ml-py call."""


def calls(module: ModuleType) -> Iterator[tuple[str, int]]:
    """Every function that nvidia-ml-py looks up, and the number of arguments that it is called with afterwards."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        found = [n for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
        looked_up: list[str] = []
        called = True
        for node in sorted(found, key=lambda node: node.lineno):
            if ast.unparse(node.func) == "_nvmlGetFunctionPointer" and isinstance(node.args[0], ast.Constant):
                looked_up = [*([] if called else looked_up), str(node.args[0].value)]
                called = False
            elif ast.unparse(node.func) == "fn":
                called = True
                yield from ((name, len(node.args)) for name in looked_up)


def declared() -> set[str]:
    return set(re.findall(r"\b(nvml\w+)\(", (SOURCE / "api.h").read_text(encoding="utf-8")))


def exported(libnvml: Path) -> set[str]:
    lines = subprocess.run(["nm", "-D", "--defined-only", libnvml], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def compile_check(lines: list[str], folder: Path) -> str:
    """What the compiler has to say."""
    path = folder / "check.c"
    path.write_text("\n".join(['#include "api.h"', "#include <stddef.h>", *lines, ""]), encoding="utf-8")
    command = [*find_compiler(), "-std=gnu11", "-fsyntax-only", "-Wall", "-Werror", f"-I{SOURCE}", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_it_exports_what_it_declares_and_nothing_else(libnvml: Path) -> None:
    assert exported(libnvml) == declared()


def test_functions_have_the_names_and_numbers_of_arguments(pynvml: ModuleType, libnvml: Path, tmp_path: Path) -> None:
    called = dict(calls(pynvml))
    assert declared() - OF_OLD - set(called) == set()
    shared = sorted(declared() & set(called))
    # No number of arguments but the right one compiles; 0 may stand for every kind of them.
    lines = [f"    (void){name}({', '.join('0' * called[name])});" for name in shared]
    assert compile_check(["void check(void)", "{", *lines, "}"], tmp_path) == ""


def test_structures_have_the_same_form(pynvml: ModuleType, libnvml: Path, tmp_path: Path) -> None:
    names = re.findall(r"^} (nvml\w+_t)", (SOURCE / "types.h").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(names) > 20
    lines = []
    for name in names:
        theirs = getattr(pynvml, STRUCTURES.get(name, f"c_{name}"), None) or getattr(pynvml, name)
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(theirs)}, "size of {name}");')
        for field, kind, *_ in theirs._fields_:
            where = f"{name}.{field}"
            offset, size = getattr(theirs, field).offset, ctypes.sizeof(kind)
            lines.append(f'_Static_assert(offsetof({name}, {field}) == {offset}, "place of {where}");')
            lines.append(f'_Static_assert(sizeof((({name} *)0)->{field}) == {size}, "size of {where}");')
    assert compile_check(lines, tmp_path) == ""


def test_versions_of_structures_are_theirs(pynvml: ModuleType) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.glob("*.c"))
    known = {
        "MEMORY_V2": pynvml.nvmlMemory_v2,
        "PCI_EXT_V1": pynvml.nvmlPciInfoExt_v1,
        "UUID_V1": pynvml.nvmlUUID_v1,
        "ADDRESSING_V1": pynvml.nvmlDeviceAddressingMode_v1,
        "TEMPERATURE_V1": pynvml.nvmlTemperature_v1,
        "FABRIC_V2": pynvml.nvmlGpuFabricInfo_v2,
        "FABRIC_V3": pynvml.nvmlGpuFabricInfo_v3,
    }
    written = {name: int(value, 16) for name, value in re.findall(r"\b(\w+_V\d) = (0x\w+)", text)}
    assert {name: written[name] for name in known} == known


def test_errors_have_their_numbers(pynvml: ModuleType) -> None:
    from fakegpu.errors import ERRORS

    theirs = {name.replace("-", "_").upper(): number for name, number in ERRORS.items()}
    assert {name: getattr(pynvml, f"NVML_ERROR_{name}") for name in theirs} == theirs
    constants = re.findall(r"NVML_ERROR_(\w+) = (\d+)", (SOURCE / "types.h").read_text(encoding="utf-8"))
    assert {name: getattr(pynvml, f"NVML_ERROR_{name}") for name, _ in constants} == {n: int(v) for n, v in constants}
