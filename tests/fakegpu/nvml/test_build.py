"""Building the library, once, and what is said when that cannot be."""

import re
import sys
from pathlib import Path

import pytest

from fakegpu.nvml import build


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for a compiler that writes a line for each time that it is called; its folder is the cache, too."""
    path = tmp_path / "cc"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nopen('{tmp_path}/calls', 'a').write('1\\n')\n"
        "open(sys.argv[sys.argv.index('-o') + 1], 'w').write('made')\n"
    )
    path.chmod(0o755)
    monkeypatch.setenv("CC", str(path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return path


def test_it_is_built_once_for_its_sources(compiler: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build.library()
    assert (first.name, first.read_text()) == ("libnvidia-ml.so.1", "made")
    assert build.library() == first
    assert (tmp_path / "calls").read_text() == "1\n"
    assert [path.name for path in first.parent.iterdir()] == [first.name]
    other = tmp_path / "source"
    other.mkdir()
    (other / "one.c").write_text("int one;\n")
    monkeypatch.setattr(build, "SOURCE", other)
    assert build.library() != first


def test_warnings_are_errors() -> None:
    assert {"-Wall", "-Wextra", "-Werror"} <= set(build.WARNINGS)


def test_the_folder_for_the_loader_is_printed(compiler: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main() == 0
    assert capsys.readouterr().out == f"{build.library().parent}\n"


def test_without_a_compiler_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    assert build.main() == 1
    assert "apt install gcc" in capsys.readouterr().err
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    with pytest.raises(build.BuildError, match="CC is 'no-such-compiler', which is no command on PATH"):
        build.library()


def test_what_the_compiler_says_is_passed_on(compiler: Path) -> None:
    compiler.write_text("#!/bin/sh\necho no room >&2\nexit 1\n")
    with pytest.raises(build.BuildError, match=re.escape(f"{compiler} cannot build libnvidia-ml.so.1: no room")):
        build.library()


def test_without_sources_it_is_said_where_they_are(
    compiler: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SOURCE", tmp_path / "none")
    with pytest.raises(build.BuildError, match="in a clone of the repository, not in its wheel"):
        build.library()
