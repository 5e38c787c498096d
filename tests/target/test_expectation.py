"""What a container must see of each of its devices."""

from conformance.target import ContainerExpectation, env_unmet
from conformance.target.model import ContainerSection

GPU = ContainerExpectation(
    ContainerSection(
        env={r"GPU_\d+": "{device}", r"GPU_\d{1,2}_CLAIM": "{claim_uid}"},
        devices=[r"/dev/gpu\d", "/dev/gpuctl"],
        mounts=["/usr/lib/{device}"],
    )
)
ONE = {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-1", "request": "r", "claim_uid": "u-1"}
TWO = {**ONE, "device": "gpu.2"}
SEEN = {"GPU_1": "gpu-1", "GPU_1_CLAIM": "u-1", "PATH": "/bin"}


def test_nothing_is_unmet_when_everything_is_seen() -> None:
    assert GPU.unmet([ONE], env=SEEN, devices=["/dev/gpu1", "/dev/gpuctl"], mounts=["/usr/lib/gpu-1"]) == []


def test_what_is_missing_is_named_for_the_device_that_misses_it() -> None:
    unmet = GPU.unmet([ONE, TWO], env=SEEN, devices=["/dev/gpuctl"], mounts=["/usr/lib/gpu-1"])
    assert unmet == [r"GPU_\d+=gpu\.2", r"device node /dev/gpu\d", r"mount /usr/lib/gpu\.2"]


def test_names_are_taken_literally_and_patterns_match_the_whole_text() -> None:
    assert env_unmet({"A": "{device}"}, {"A": "gpux2"}, TWO) == [r"A=gpu\.2"]
    assert env_unmet({"A": "{device}"}, {"A": "gpu.22"}, TWO) == [r"A=gpu\.2"]
    assert env_unmet({"A": "{device}"}, {"A": "gpu.2"}, TWO) == []


def test_an_empty_section_expects_nothing() -> None:
    nothing = ContainerExpectation(ContainerSection())
    assert not nothing
    assert nothing.unmet([ONE], env={}) == []
    assert GPU
