/* Which GPUs there are, how they are found, and by which names and numbers they go. */
#include "api.h"
#include "state.h"

#include <stdio.h>
#include <string.h>

enum { UUID_IS_TEXT = 1, UUID_IS_BINARY = 2, PCI_EXT_V1 = 0x1000040, UUID_V1 = 0x1000034, DISPLAY_CLASS = 3, CLASS_3D = 2 };
#define DEVICES (1U << GPU | 1U << MIG_DEVICE)

static nvmlReturn_t give(unsigned int slot, nvmlDevice_t *device)
{
    struct gpu *gpu = gpu_in(slot);
    if (!gpu || gpu->lost)
        return NVML_ERROR_GPU_IS_LOST;
    *device = handle_of(GPU, slot, 0, 0);
    return NVML_SUCCESS;
}

/* The first GPU whose text at `offset` is this one. */
static nvmlReturn_t give_named(size_t offset, const char *text, nvmlDevice_t *device)
{
    for (unsigned int slot = 0; slot < slots(); slot++) {
        const char *gpu = (const char *)gpu_in(slot);
        if (gpu && *text && !strcmp(gpu + offset, text))
            return give(slot, device);
    }
    return NVML_ERROR_NOT_FOUND;
}

static nvmlReturn_t give_mig(const char *uuid, nvmlDevice_t *device)
{
    char other[96];
    for (unsigned int slot = 0; slot < slots(); slot++) {
        struct gpu *gpu = gpu_in(slot);
        for (number i = 0; gpu && !gpu->lost && i < gpu->instance_count; i++)
            for (number j = 0; j < gpu->instances[i].compute_count; j++) {
                struct instance *instance = &gpu->instances[i];
                mig_uuid(gpu, instance, &instance->compute[j], other, sizeof other);
                if (!strcmp(uuid, other)) {
                    *device = handle_of(MIG_DEVICE, slot, (unsigned int)instance->id,
                                        (unsigned int)instance->compute[j].id);
                    return NVML_SUCCESS;
                }
            }
    }
    return NVML_ERROR_NOT_FOUND;
}

static nvmlReturn_t give_uuid(const char *uuid, nvmlDevice_t *device)
{
    if (!strncmp(uuid, "MIG-", 4))
        return give_mig(uuid, device);
    return give_named(offsetof(struct gpu, uuid), uuid, device);
}

static nvmlReturn_t give_at(const char *bus_id, nvmlDevice_t *device)
{
    unsigned int domain = 0, bus, slot_number, function = 0;
    if (sscanf(bus_id, "%x:%x:%x.%x", &domain, &bus, &slot_number, &function) != 4)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (unsigned int slot = 0; slot < slots(); slot++) {
        struct gpu *gpu = gpu_in(slot);
        if (gpu && gpu->pci.domain == domain && gpu->pci.bus == bus && gpu->pci.device == slot_number && function == 0)
            return give(slot, device);
    }
    return NVML_ERROR_NOT_FOUND;
}

static nvmlReturn_t give_uuid_of(const nvmlUUID_t *uuid, nvmlDevice_t *device)
{
    char text[64] = "GPU-", *to = text + 4;
    if (uuid->version != UUID_V1)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (uuid->type == UUID_IS_TEXT)
        return give_uuid(uuid->value.str, device);
    if (uuid->type != UUID_IS_BINARY)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < 16; i++)
        to += sprintf(to, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid->value.bytes[i]);
    return give_uuid(text, device);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count)
{
    ON_NODE(count, put(count, slots()));
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    ON_NODE(device && index < slots(), give(index, device));
}

nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *device)
{
    ON_NODE(serial && device, give_named(offsetof(struct gpu, serial), serial, device));
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    ON_NODE(uuid && device, give_uuid(uuid, device));
}

nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t *uuid, nvmlDevice_t *device)
{
    ON_NODE(uuid && device, give_uuid_of(uuid, device));
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, nvmlDevice_t *device)
{
    ON_NODE(bus_id && device, give_at(bus_id, device));
}

static nvmlReturn_t name_of(const struct call *call, char *name, unsigned int length)
{
    char text[1024];
    if (!call->compute)
        return put_text(name, length, call->gpu->name);
    const struct profile *profile = &call->instance->profile;
    char part[8] = "";
    if (call->compute->slices < profile->slices)
        snprintf(part, sizeof part, "%uc.", (unsigned int)call->compute->slices % 100);
    snprintf(text, sizeof text, "%s MIG %s%s", call->gpu->name, part, profile->name);
    return put_text(name, length, text);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    ON(device, DEVICES, name, name_of(&call, name, length));
}

static nvmlReturn_t uuid_of(const struct call *call, char *uuid, unsigned int length)
{
    char text[96];
    if (!call->compute)
        return put_text(uuid, length, call->gpu->uuid);
    mig_uuid(call->gpu, call->instance, call->compute, text, sizeof text);
    return put_text(uuid, length, text);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    ON(device, DEVICES, uuid, uuid_of(&call, uuid, length));
}

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char *serial, unsigned int length)
{
    ON_GPU(device, serial, *call.gpu->serial ? put_text(serial, length, call.gpu->serial) : NVML_ERROR_NOT_SUPPORTED);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    ON_GPU(device, index, put(index, call.target.slot));
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minor)
{
    ON_GPU(device, minor, put(minor, call.gpu->minor));
}

nvmlReturn_t nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned int *id)
{
    ON_GPU(device, id, put(id, call.gpu->pci.domain << 16 | call.gpu->pci.bus << 8 | call.gpu->pci.device));
}

nvmlReturn_t nvmlDeviceGetModuleId(nvmlDevice_t device, unsigned int *id)
{
    ON_GPU(device, id, put(id, call.gpu->minor + 1));
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int *multi)
{
    ON_GPU(device, multi, put(multi, 0));
}

nvmlReturn_t write_bus_id(struct pci pci, nvmlPciInfo_t *to)
{
    memset(to, 0, sizeof *to);
    to->domain = (unsigned int)pci.domain;
    to->bus = (unsigned int)pci.bus;
    to->device = (unsigned int)pci.device;
    snprintf(to->busIdLegacy, sizeof to->busIdLegacy, "%04X:%02X:%02X.0", to->domain & 0xffff, to->bus & 0xff,
             to->device & 0xff);
    snprintf(to->busId, sizeof to->busId, "%08X:%02X:%02X.0", to->domain, to->bus & 0xff, to->device & 0xff);
    return NVML_SUCCESS;
}

static nvmlReturn_t pci_of(const struct gpu *gpu, nvmlPciInfo_t *pci)
{
    write_bus_id(gpu->pci, pci);
    pci->pciDeviceId = (unsigned int)gpu->pci_id;
    pci->pciSubSystemId = (unsigned int)gpu->pci_subsystem;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    ON_GPU(device, pci, pci_of(call.gpu, pci));
}

static nvmlReturn_t pci_ext_of(const struct gpu *gpu, nvmlPciInfoExt_v1_t *to)
{
    nvmlPciInfo_t pci;
    if (to->version != PCI_EXT_V1)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    pci_of(gpu, &pci);
    *to = (nvmlPciInfoExt_v1_t){PCI_EXT_V1,      pci.domain,         pci.bus,       pci.device, pci.pciDeviceId,
                                pci.pciSubSystemId, DISPLAY_CLASS, CLASS_3D, ""};
    memcpy(to->busId, pci.busId, sizeof to->busId);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_v1_t *pci)
{
    ON_GPU(device, pci, pci_ext_of(call.gpu, pci));
}
