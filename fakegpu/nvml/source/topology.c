/* Where GPUs are in the node: NUMA nodes, processors, and what lies between two of them on PCIe. */
#include "api.h"
#include "state.h"

#include <string.h>

enum { INTERNAL = 0, SINGLE = 10, HOSTBRIDGE = 30, NODE = 40, SYSTEM = 50, LEVELS = SYSTEM + 1 };
enum { READ, WRITE, NVLINK, ATOMICS, PCI, CAPABILITIES };
enum { P2P_OK = 0, CHIPSET_NOT_SUPPORTED = 1, P2P_NOT_SUPPORTED = 5 };

nvmlReturn_t nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned int *node)
{
    ON_GPU(device, node, call.gpu->has_memory_numa ? put(node, call.gpu->memory_numa) : NVML_ERROR_NOT_SUPPORTED);
}

static nvmlReturn_t put_bit(unsigned long *words, unsigned int size, number bit)
{
    memset(words, 0, size * sizeof *words);
    if (bit / 64 >= size)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    words[bit / 64] |= 1UL << bit % 64;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned int size, unsigned long *nodes,
                                         unsigned int scope)
{
    ON_GPU(device, nodes && size && scope <= 1,
           call.gpu->has_numa ? put_bit(nodes, size, call.gpu->numa) : NVML_ERROR_NOT_SUPPORTED);
}

static nvmlReturn_t put_cpus(const struct gpu *gpu, unsigned long *words, unsigned int size)
{
    if (!gpu->has_numa || gpu->numa >= node_now()->cpu_count)
        return NVML_ERROR_NOT_SUPPORTED;
    const number *cpus = node_now()->cpus[gpu->numa];
    for (unsigned int i = 0; i < size; i++)
        words[i] = i < CPU_WORDS ? (unsigned long)cpus[i] : 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int size, unsigned long *cpus)
{
    ON_GPU(device, cpus && size, put_cpus(call.gpu, cpus, size));
}

nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned int size, unsigned long *cpus,
                                                 unsigned int scope)
{
    ON_GPU(device, cpus && size && scope <= 1, put_cpus(call.gpu, cpus, size));
}

static unsigned int ancestor(const struct gpu *one, const struct gpu *other)
{
    if (one == other)
        return INTERNAL;
    if (*one->pcie_switch && !strcmp(one->pcie_switch, other->pcie_switch))
        return SINGLE;
    if (*one->root && !strcmp(one->root, other->root))
        return HOSTBRIDGE;
    if (!one->has_numa || !other->has_numa || one->numa == other->numa)
        return NODE;
    return SYSTEM;
}

/* The GPU of a second handle, or NULL when it is none or lost. */
static struct gpu *second(nvmlDevice_t device)
{
    struct target target;
    struct gpu *gpu = target_of(device, &target) && target.kind == GPU ? gpu_in(target.slot) : NULL;
    return gpu && !gpu->lost ? gpu : NULL;
}

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t one, nvmlDevice_t other, unsigned int *level)
{
    ON_GPU(one, level && second(other), put(level, ancestor(call.gpu, second(other))));
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t one, nvmlDevice_t other, int *same)
{
    ON_GPU(one, same && second(other), put_int(same, call.gpu == second(other)));
}

/* Writes the handle, if there is a place for it, and counts it. */
static void add(unsigned int slot, nvmlDevice_t *devices, unsigned int room, unsigned int *found)
{
    if (devices && *found < room)
        devices[*found] = handle_of(GPU, slot, 0, 0);
    ++*found;
}

static nvmlReturn_t nearest(const struct gpu *gpu, unsigned int level, unsigned int *count, nvmlDevice_t *devices)
{
    unsigned int found = 0;
    for (unsigned int slot = 0; slot < slots(); slot++) {
        struct gpu *other = gpu_in(slot);
        if (other && other != gpu && !other->lost && ancestor(gpu, other) == level)
            add(slot, devices, *count, &found);
    }
    bool fits = !devices || found <= *count;
    *count = found;
    return fits ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, unsigned int level, unsigned int *count,
                                              nvmlDevice_t *devices)
{
    ON_GPU(device, count && level < LEVELS, nearest(call.gpu, level, count, devices));
}

static nvmlReturn_t near_cpu(unsigned int cpu, unsigned int *count, nvmlDevice_t *devices)
{
    unsigned int found = 0;
    for (unsigned int slot = 0; slot < slots(); slot++) {
        struct gpu *gpu = gpu_in(slot);
        bool known = gpu && !gpu->lost && gpu->has_numa && gpu->numa < node_now()->cpu_count;
        if (known && cpu / 64 < CPU_WORDS && node_now()->cpus[gpu->numa][cpu / 64] >> cpu % 64 & 1)
            add(slot, devices, *count, &found);
    }
    bool fits = !devices || found <= *count;
    *count = found;
    return fits ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned int cpu, unsigned int *count, nvmlDevice_t *devices)
{
    ON_NODE(count, near_cpu(cpu, count, devices));
}

static unsigned int p2p(const struct gpu *one, const struct gpu *other, unsigned int index)
{
    bool near = ancestor(one, other) <= NODE;
    if (one->mig || other->mig)
        return P2P_NOT_SUPPORTED;
    if (index == NVLINK || index == ATOMICS)
        return linked(one, other) ? P2P_OK : P2P_NOT_SUPPORTED;
    if (index == PCI)
        return near ? P2P_OK : CHIPSET_NOT_SUPPORTED;
    return linked(one, other) || near ? P2P_OK : CHIPSET_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t one, nvmlDevice_t other, unsigned int index, unsigned int *status)
{
    ON_GPU(one, status && second(other) && second(other) != call.gpu && index < CAPABILITIES,
           put(status, p2p(call.gpu, second(other), index)));
}
