/* NVLinks, and the fabric that they may be a part of. */
#include "api.h"
#include "state.h"

#include <stdio.h>
#include <string.h>

enum { TO_GPU = 0, TO_SWITCH = 2, ERROR_COUNTERS = 5 };
enum { P2P_SUPPORTED, SYSMEM_ACCESS, P2P_ATOMICS, SYSMEM_ATOMICS, SLI_BRIDGE, VALID, CAPABILITIES };
enum { FABRIC_V2 = 0x2000024, FABRIC_V3 = 0x3000028, FABRIC_NONE = 0, FABRIC_COMPLETED = 3, HEALTHY = 1 };

bool link_is_active(const struct gpu *gpu, number link)
{
    if (link >= gpu->link_count || gpu->mig)
        return false;
    if (gpu->links[link].to_switch)
        return true;
    const struct gpu *other = gpu_at(node_now(), gpu->links[link].to);
    return other && !other->lost && !other->mig;
}

static bool same(struct pci one, struct pci other)
{
    return one.domain == other.domain && one.bus == other.bus && one.device == other.device;
}

bool linked(const struct gpu *one, const struct gpu *other)
{
    for (number i = 0; i < one->link_count; i++) {
        if (!link_is_active(one, i))
            continue;
        if (!one->links[i].to_switch && same(one->links[i].to, other->pci))
            return true;
        for (number j = 0; one->links[i].to_switch && j < other->link_count; j++)
            if (other->links[j].to_switch && same(other->links[j].to, one->links[i].to) && link_is_active(other, j))
                return true;
    }
    return false;
}

/* The answer for a link that there is on this model; one that ends nowhere is not active. */
#define ON_LINK(device, link, valid, answer)                                                                           \
    ON_GPU(device, (valid) && (link < call.gpu->nvlinks || !call.gpu->nvlinks),                                        \
           call.gpu->nvlinks ? (answer) : NVML_ERROR_NOT_SUPPORTED)

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, unsigned int *active)
{
    ON_LINK(device, link, active, put(active, link_is_active(call.gpu, link)));
}

nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned int link, unsigned int *version)
{
    ON_LINK(device, link, version, put(version, call.gpu->nvlink_version));
}

static bool has_capability(const struct gpu *gpu, unsigned int link, unsigned int capability)
{
    if (capability == SLI_BRIDGE || !link_is_active(gpu, link))
        return false;
    return capability != SYSMEM_ACCESS && capability != SYSMEM_ATOMICS ? true : gpu->coherent != 0;
}

nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned int link, unsigned int capability,
                                           unsigned int *has)
{
    ON_LINK(device, link, has && capability < CAPABILITIES, put(has, has_capability(call.gpu, link, capability)));
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link, nvmlPciInfo_t *pci)
{
    ON_LINK(device, link, pci,
            link_is_active(call.gpu, link) ? write_bus_id(call.gpu->links[link].to, pci) : NVML_ERROR_NOT_SUPPORTED);
}

nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link, unsigned int *type)
{
    ON_LINK(device, link, type,
            link_is_active(call.gpu, link) ? put(type, call.gpu->links[link].to_switch ? TO_SWITCH : TO_GPU)
                                           : NVML_ERROR_NOT_SUPPORTED);
}

nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned int link, unsigned int counter,
                                             unsigned long long *value)
{
    ON_LINK(device, link, value && counter < ERROR_COUNTERS, put_long(value, 0));
}

/* GPUs at a switch are part of a fabric; one that does not reach beyond the node has no cluster. */
static nvmlGpuFabricInfo_v3_t fabric_of(const struct gpu *gpu)
{
    nvmlGpuFabricInfo_v3_t info = {.state = FABRIC_NONE};
    const char *from = gpu->cluster;
    for (int i = 0; i < 16 && *from; i++) {
        unsigned int byte = 0;
        from += *from == '-';
        if (sscanf(from, "%2x", &byte) == 1)
            from += 2;
        info.clusterUuid[i] = (unsigned char)byte;
    }
    info.cliqueId = (uint32_t)gpu->clique;
    if (gpu->has_fabric || (gpu->link_count && gpu->links[0].to_switch)) {
        info.state = FABRIC_COMPLETED;
        info.healthSummary = HEALTHY;
    }
    return info;
}

static nvmlReturn_t put_fabric(nvmlGpuFabricInfo_t *to, nvmlGpuFabricInfo_v3_t info)
{
    memcpy(to->clusterUuid, info.clusterUuid, sizeof to->clusterUuid);
    to->status = info.status;
    to->cliqueId = info.cliqueId;
    to->state = info.state;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *info)
{
    ON_GPU(device, info, put_fabric(info, fabric_of(call.gpu)));
}

/* Version 2 is the beginning of version 3. */
static nvmlReturn_t put_fabric_version(nvmlGpuFabricInfo_v3_t *to, nvmlGpuFabricInfo_v3_t info)
{
    info.version = to->version;
    if (to->version == FABRIC_V3)
        *to = info;
    else if (to->version == FABRIC_V2)
        memcpy(to, &info, sizeof(nvmlGpuFabricInfo_v2_t));
    else
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfo_v3_t *info)
{
    ON_GPU(device, info, put_fabric_version(info, fabric_of(call.gpu)));
}
