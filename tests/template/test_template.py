"""The template of a driver file: good as soon as its blanks are filled in, and its examples are good ones."""

import re
from pathlib import Path

import pytest
import yaml

from conformance import cli
from conformance.target import DriverFile, Target, TargetError
from conformance.target.load import read
from conformance.target.placeholders import check as check_placeholders
from conformance.template import Blanks, Refused, write

FILLED = ("--name=gpu.example.com", "--command=python3 -m my_driver --kubeconfig={kubeconfig}")


def test_filled_in_it_is_a_driver_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["driver-template", str(tmp_path / "new"), *FILLED]) == 0
    target = Target.load(str(tmp_path / "new" / "driver.yaml"))
    assert target.driver_name == "gpu.example.com"
    assert target.process.command == ["python3", "-m", "my_driver", "--kubeconfig={kubeconfig}"]
    assert f"dra-conformance run --driver={tmp_path}/new/driver.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("image", ["", "my-company.com/driver:dev"])
def test_its_examples_are_good_ones(tmp_path: Path, image: str) -> None:
    path, *_ = write(tmp_path, Blanks("gpu.example.com", ["python3"], image))
    path.write_text(re.sub(r"^#(?=\w|  )", "", path.read_text(), flags=re.M))
    file = read(path)
    check_placeholders(file, path)
    left_out = {name for name, field in DriverFile.model_fields.items() if not getattr(file, name)}
    assert left_out <= {
        "build",
        "python",
        "manifests",
        "hooks",
        "pod_overlay",
        "requires",
        "process" if image else "image",
    }


def test_a_blank_is_an_error_that_shows_it(tmp_path: Path) -> None:
    path, *_ = write(tmp_path, Blanks())
    with pytest.raises(TargetError, match=r":\d+: drivers\[0\].name is the text .<your driver's name"):
        Target.load(str(path))
    path.write_text(path.read_text().replace("<your driver's name, as in its ResourceSlices>", "gpu.example.com"))
    with pytest.raises(TargetError, match=r"process.command\[0\]: '<your program>'"):
        Target.load(str(path))


def test_a_program_alone_gets_the_usual_flags(tmp_path: Path) -> None:
    path, *_ = write(tmp_path, Blanks("gpu.example.com", ["python3"]))
    command = Target.load(str(path)).process.command
    assert command[0] == "python3"
    assert "--registry-dir={registry_dir}" in command


def test_a_program_is_found_from_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-driver").touch(0o755)
    monkeypatch.chdir(tmp_path)
    for folder in (Path("conformance"), Path()):
        path, *_ = write(folder, Blanks("gpu.example.com", ["./my-driver"]))
        Target.load(f"./{path}")


def test_an_image_takes_the_place_of_a_process(tmp_path: Path) -> None:
    path, *_ = write(tmp_path, Blanks("gpu.example.com", image="my-company.com/driver:dev"))
    file = Target.load(str(path)).file
    assert file.process is None
    assert file.image
    assert file.image.reference == "my-company.com/driver:dev"
    assert file.image.command == ["--kubeconfig={kubeconfig}", "--node-name={node_name}"]


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "conformance-ci.yaml").write_text("mine")
    with pytest.raises(Refused, match=r"conformance-ci.yaml is there already"):
        write(tmp_path, Blanks())
    assert cli.main(["driver-template", str(tmp_path)]) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["conformance-ci.yaml"]
    assert (tmp_path / "conformance-ci.yaml").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Refused, match="give another folder"):
        write(tmp_path / "file" / "new", Blanks())


def test_a_command_that_is_no_command_line_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["driver-template", str(tmp_path), "--command=it's"]) == 4
    assert "cannot be split into words" in capsys.readouterr().err


def test_the_job_is_yaml_and_the_check_is_python(tmp_path: Path) -> None:
    _, check, job = write(tmp_path / "conformance", Blanks())
    compile(check.read_text(), check.name, "exec")
    steps = yaml.safe_load(job.read_text())["jobs"]["conformance"]["steps"]
    (run,) = [step["run"] for step in steps if "dra-conformance run" in step.get("run", "")]
    assert f"--driver={tmp_path}/conformance/driver.yaml" in run


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--name=GPU my", "--name=GPU my is no driver name; give a DNS name"),
        ("--command=./x {foo}", "--command has the unknown placeholder {foo}; known are {kubeconfig}, "),
        ("--command=./x --kc={kubconfig}", "unknown placeholder {kubconfig}; did you mean {kubeconfig}?"),
    ],
)
def test_what_no_driver_has_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, says: str
) -> None:
    assert cli.main(["driver-template", str(tmp_path), option]) == 4
    assert says in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "blanks",
    [
        Blanks(),
        Blanks("gpu.example.com"),
        Blanks(command=["x"]),
        Blanks("a.example.com", ["x"]),
        Blanks("a", image="b"),
    ],
)
def test_it_asks_for_blanks_to_be_filled_in_only_where_some_are_left(tmp_path: Path, blanks: Blanks) -> None:
    path, *_ = write(tmp_path, blanks)
    text = path.read_text()
    asks = "# Fill in what is in <angle brackets>. Lines whose" in text
    values = [line for line in text.splitlines() if "<your" in line and not line.startswith("#")]
    assert asks == blanks.left == bool(values)


def test_where_the_suite_comes_from_is_a_blank_of_the_job(tmp_path: Path) -> None:
    *_, job = write(tmp_path, Blanks("gpu.example.com", ["python3"]))
    steps = yaml.safe_load(job.read_text())["jobs"]["conformance"]["steps"]
    (install,) = [step["run"] for step in steps if "pip install" in step.get("run", "")]
    assert install == 'pip install "<where dra-conformance comes from, a git URL or a path>"'
