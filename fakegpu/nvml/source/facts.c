/* What a GPU is: its model, its memory, its bus, and the few things that can be set. */
#include "api.h"
#include "state.h"

enum { MEMORY_V2 = 0x2000028, ADDRESSING_V1 = 0x1000008, PCIE = 2, ATS = 2, COMPUTE_MODES = 4, EXCLUSIVE_THREAD = 1 };
#define MIB (1ULL << 20)
#define DEVICES (1U << GPU | 1U << MIG_DEVICE)

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, unsigned int *brand)
{
    ON_GPU(device, brand, put(brand, call.gpu->brand));
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, unsigned int *architecture)
{
    ON_GPU(device, architecture, put(architecture, call.gpu->architecture));
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    ON(device, DEVICES, major && minor, (put_int(major, call.gpu->major), put_int(minor, call.gpu->minor_capability)));
}

/* Of a partition its own memory: nothing is set aside there. */
static nvmlMemory_v2_t memory_of(const struct call *call)
{
    nvmlMemory_v2_t memory = {MEMORY_V2, call->gpu->memory, call->gpu->reserved, 0, 0};
    if (call->instance) {
        memory.total = call->instance->profile.memory * MIB;
        memory.reserved = 0;
    }
    memory.free = memory.total - memory.reserved;
    return memory;
}

static nvmlReturn_t put_memory(nvmlMemory_t *to, nvmlMemory_v2_t memory)
{
    *to = (nvmlMemory_t){memory.total, memory.free, memory.reserved + memory.used};
    return NVML_SUCCESS;
}

static nvmlReturn_t put_memory_v2(nvmlMemory_v2_t *to, nvmlMemory_v2_t memory)
{
    if (to->version != MEMORY_V2)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    *to = memory;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    ON(device, DEVICES, memory, put_memory(memory, memory_of(&call)));
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    ON(device, DEVICES, memory, put_memory_v2(memory, memory_of(&call)));
}

/* As large as the power of two that holds all of the memory. */
static nvmlReturn_t put_bar1(nvmlBAR1Memory_t *to, number memory)
{
    number size = 256 * MIB;
    while (size < memory)
        size *= 2;
    *to = (nvmlBAR1Memory_t){size, size, 0};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *memory)
{
    ON_GPU(device, memory, put_bar1(memory, call.gpu->memory));
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *width)
{
    ON_GPU(device, width, put(width, call.gpu->memory_bus));
}

nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int *cores)
{
    ON_GPU(device, cores, put(cores, call.gpu->cores));
}

nvmlReturn_t nvmlDeviceGetBusType(nvmlDevice_t device, unsigned int *type)
{
    ON_GPU(device, type, put(type, PCIE));
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    ON_GPU(device, generation, put(generation, call.gpu->pcie_generation));
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int *width)
{
    ON_GPU(device, width, put(width, call.gpu->pcie_width));
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    ON_GPU(device, generation, put(generation, call.gpu->pcie_generation));
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int *width)
{
    ON_GPU(device, width, put(width, call.gpu->pcie_width));
}

static nvmlReturn_t put_addressing(nvmlDeviceAddressingMode_t *to, number coherent)
{
    if (to->version != ADDRESSING_V1)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    to->value = coherent ? ATS : 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetAddressingMode(nvmlDevice_t device, nvmlDeviceAddressingMode_t *mode)
{
    ON_GPU(device, mode, put_addressing(mode, call.gpu->coherent));
}

nvmlReturn_t nvmlDeviceGetC2cModeInfoV(nvmlDevice_t device, nvmlC2cModeInfo_v1_t *info)
{
    ON_GPU(device, info, call.gpu->coherent ? put(&info->isC2cEnabled, 1) : NVML_ERROR_NOT_SUPPORTED);
}

nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, unsigned int *mode)
{
    ON_GPU(device, mode, put(mode, 0));
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, unsigned int *mode)
{
    ON_GPU(device, mode, put(mode, 1));
}

nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, unsigned int *active)
{
    ON_GPU(device, active, put(active, 0));
}

nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, unsigned int *mode)
{
    ON_GPU(device, mode, put(mode, 0));
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, unsigned int *mode)
{
    ON_GPU(device, mode, put(mode, call.gpu->compute_mode));
}

nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, unsigned int mode)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, device, 1U << GPU, &call);
    if (result == NVML_SUCCESS && mode >= COMPUTE_MODES)
        result = NVML_ERROR_INVALID_ARGUMENT;
    if (result == NVML_SUCCESS && mode == EXCLUSIVE_THREAD)
        result = NVML_ERROR_NOT_SUPPORTED;
    if (result == NVML_SUCCESS)
        call.gpu->compute_mode = mode;
    return leave_change(&call, result);
}
