"""Where GPUs are, and what joins them."""

from .conftest import Machine, of


def levels(machine: Machine) -> list[list[int]]:
    nvml, count = machine.nvml, machine.nvml.nvmlDeviceGetCount()
    gpus = [machine.gpu(index) for index in range(count)]
    return [[nvml.nvmlDeviceGetTopologyCommonAncestor(one, other) for other in gpus] for one in gpus]


def indices(machine: Machine, handles: list[object]) -> list[int]:
    return [machine.nvml.nvmlDeviceGetIndex(handle) for handle in handles]


@of("a100-pcie-4")
def test_gpus_below_a_switch_are_nearer_than_those_of_another_socket(fleet: Machine) -> None:
    nvml = fleet.nvml
    near, far = nvml.NVML_TOPOLOGY_SINGLE, nvml.NVML_TOPOLOGY_SYSTEM
    assert levels(fleet) == [[0, near, far, far], [near, 0, far, far], [far, far, 0, near], [far, far, near, 0]]
    assert indices(fleet, nvml.nvmlDeviceGetTopologyNearestGpus(fleet.gpu(0), near)) == [1]
    assert indices(fleet, nvml.nvmlDeviceGetTopologyNearestGpus(fleet.gpu(0), far)) == [2, 3]
    assert nvml.nvmlDeviceGetTopologyNearestGpus(fleet.gpu(0), nvml.NVML_TOPOLOGY_HOSTBRIDGE) == []


@of("a100-pcie-4")
def test_memory_and_processors_are_those_of_the_numa_node(fleet: Machine) -> None:
    nvml = fleet.nvml
    for index in range(4):
        gpu, node = fleet.gpu(index), index // 2
        assert list(nvml.nvmlDeviceGetMemoryAffinity(gpu, 1, nvml.NVML_AFFINITY_SCOPE_NODE)) == [1 << node]
        half = 0xFFFFFFFF << 32 * node
        assert list(nvml.nvmlDeviceGetCpuAffinity(gpu, 2)) == [half, half]
        assert list(nvml.nvmlDeviceGetCpuAffinityWithinScope(gpu, 1, nvml.NVML_AFFINITY_SCOPE_SOCKET)) == [half]
    assert indices(fleet, nvml.nvmlSystemGetTopologyGpuSet(40)) == [2, 3]


@of("a100-pcie-4")
def test_only_memory_that_the_machine_sees_has_a_numa_node(fleet: Machine) -> None:
    assert fleet.error("nvmlDeviceGetNumaNodeId", fleet.gpu(0)) == "Not Supported"
    assert fleet.error("nvmlDeviceGetC2cModeInfoV", fleet.gpu(0)) == "Not Supported"


@of("gb200-nvl-4")
def test_coherent_memory_has_a_numa_node(fleet: Machine) -> None:
    nvml = fleet.nvml
    assert [nvml.nvmlDeviceGetNumaNodeId(fleet.gpu(index)) for index in range(4)] == [2, 10, 18, 26]
    assert nvml.nvmlDeviceGetC2cModeInfoV(fleet.gpu(0)).isC2cEnabled == 1
    assert nvml.nvmlDeviceGetAddressingMode(fleet.gpu(0)) == nvml.NVML_DEVICE_ADDRESSING_MODE_ATS


@of("h100-sxm-8")
def test_links_lead_to_switches(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(0)
    assert [nvml.nvmlDeviceGetNvLinkState(gpu, link) for link in range(18)] == [1] * 18
    ends = [nvml.nvmlDeviceGetNvLinkRemotePciInfo(gpu, link).busId for link in range(18)]
    assert ends == [f"00000000:{bus}:00.0" for bus in ["07"] * 5 + ["08"] * 4 + ["09"] * 4 + ["0A"] * 5]
    assert nvml.nvmlDeviceGetNvLinkRemoteDeviceType(gpu, 0) == nvml.NVML_NVLINK_DEVICE_TYPE_SWITCH
    assert nvml.nvmlDeviceGetNvLinkVersion(gpu, 0) == nvml.NVML_NVLINK_VERSION_4_0
    assert nvml.nvmlDeviceGetNvLinkCapability(gpu, 0, nvml.NVML_NVLINK_CAP_P2P_SUPPORTED) == 1
    assert nvml.nvmlDeviceGetNvLinkErrorCounter(gpu, 0, nvml.NVML_NVLINK_ERROR_DL_REPLAY) == 0
    assert fleet.error("nvmlDeviceGetNvLinkState", gpu, 18) == "Invalid Argument"
    for other in range(1, 8):
        status = nvml.nvmlDeviceGetP2PStatus(gpu, fleet.gpu(other), nvml.NVML_P2P_CAPS_INDEX_NVLINK)
        assert status == nvml.NVML_P2P_STATUS_OK


@of("h100-sxm-8")
def test_how_fast_links_are_is_a_field(fleet: Machine) -> None:
    nvml = fleet.nvml
    fields = [nvml.NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON, nvml.NVML_FI_DEV_NVLINK_LINK_COUNT]
    speed, count = nvml.nvmlDeviceGetFieldValues(fleet.gpu(0), fields)
    assert (speed.value.uiVal, count.value.uiVal) == (26562, 18)
    (of_one, unknown) = nvml.nvmlDeviceGetFieldValues(fleet.gpu(0), [(nvml.NVML_FI_DEV_NVLINK_GET_SPEED, 17), 9999])
    assert (of_one.nvmlReturn, of_one.value.uiVal) == (0, 26562)
    assert unknown.nvmlReturn == nvml.NVML_ERROR_NOT_SUPPORTED


@of("a100-pcie-4")
def test_a_link_ends_where_its_other_gpu_is_gone(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(0)
    assert nvml.nvmlDeviceGetNvLinkRemoteDeviceType(gpu, 0) == nvml.NVML_NVLINK_DEVICE_TYPE_GPU
    assert nvml.nvmlDeviceGetNvLinkRemotePciInfo(gpu, 0).busId == "00000000:31:00.0"
    pair, apart = (
        nvml.nvmlDeviceGetP2PStatus(gpu, fleet.gpu(other), nvml.NVML_P2P_CAPS_INDEX_NVLINK) for other in (1, 2)
    )
    assert (pair, apart) == (nvml.NVML_P2P_STATUS_OK, nvml.NVML_P2P_STATUS_NOT_SUPPORTED)
    fleet.happens("remove", "gpu-1")
    assert nvml.nvmlDeviceGetNvLinkState(gpu, 0) == 0
    assert fleet.error("nvmlDeviceGetNvLinkRemotePciInfo", gpu, 0) == "Not Supported"


@of("l40s-4")
def test_a_model_without_links_says_so(fleet: Machine) -> None:
    assert fleet.error("nvmlDeviceGetNvLinkState", fleet.gpu(0), 0) == "Not Supported"


@of("gb200-nvl-4")
def test_a_fabric_is_told_by_its_cluster_and_clique(fleet: Machine) -> None:
    nvml = fleet.nvml
    for made in (nvml.c_nvmlGpuFabricInfo_v2_t(), nvml.c_nvmlGpuFabricInfo_v3_t()):
        nvml.nvmlDeviceGetGpuFabricInfoV(fleet.gpu(1), nvml.byref(made))
        assert bytes(made.clusterUuid).hex() == "8f4d2c1e6b7a4e3f9d520c1b2a394857"
        assert (made.cliqueId, made.state) == (32766, nvml.NVML_GPU_FABRIC_STATE_COMPLETED)


@of("mixed")
def test_a_gpu_without_a_fabric_says_so(fleet: Machine) -> None:
    nvml, info = fleet.nvml, fleet.nvml.c_nvmlGpuFabricInfo_t()
    nvml.nvmlDeviceGetGpuFabricInfo(fleet.gpu(2), nvml.byref(info))
    assert info.state == nvml.NVML_GPU_FABRIC_STATE_NOT_SUPPORTED
