/* MIG devices: what a compute instance is for programs, a device with a handle and a UUID of its own. */
#include "api.h"
#include "state.h"

#include <stdio.h>

#define DEVICES (1U << GPU | 1U << MIG_DEVICE)
#define ON_MIG(handle, valid, answer)                                                                                  \
    ON(handle, DEVICES, valid, call.target.kind == MIG_DEVICE ? (answer) : NVML_ERROR_INVALID_ARGUMENT)

/* A number that follows from a text. */
static number digest(number from, const char *text)
{
    for (; *text; text++)
        from = (from ^ (unsigned char)*text) * 1099511628211ULL;
    return from;
}

void mig_uuid(const struct gpu *gpu, const struct instance *instance, const struct compute *compute, char *to,
              size_t size)
{
    char place[640];
    snprintf(place, sizeof place, "%s/%llu/%llu/%llu/%llu", gpu->uuid, instance->profile.id, instance->start,
             compute->profile, compute->start);
    number high = digest(14695981039346656037ULL, place), low = digest(high, place);
    snprintf(to, size, "MIG-%08llx-%04llx-5%03llx-8%03llx-%012llx", high >> 32, high >> 16 & 0xffff, high & 0xfff,
             low >> 48 & 0xfff, low & 0xffffffffffffULL);
}

nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *is_mig)
{
    ON(device, DEVICES, is_mig, put(is_mig, call.target.kind == MIG_DEVICE));
}

nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned int *id)
{
    ON_MIG(device, id, put(id, call.target.instance));
}

nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned int *id)
{
    ON_MIG(device, id, put(id, call.target.compute));
}

static number most_devices(const struct gpu *gpu)
{
    number most = 0;
    for (number i = 0; i < gpu->profile_count; i++)
        most = gpu->profiles[i].instances > most ? gpu->profiles[i].instances : most;
    return gpu->mig ? most : 0;
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count)
{
    ON_GPU(device, count, put(count, most_devices(call.gpu)));
}

static nvmlReturn_t give(const struct call *call, unsigned int index, nvmlDevice_t *to)
{
    for (number i = 0; call->gpu->mig && i < call->gpu->instance_count; i++) {
        const struct instance *instance = &call->gpu->instances[i];
        for (number j = 0; j < instance->compute_count; j++)
            if (index-- == 0) {
                *to = handle_of(MIG_DEVICE, call->target.slot, (unsigned int)instance->id,
                                (unsigned int)instance->compute[j].id);
                return NVML_SUCCESS;
            }
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index, nvmlDevice_t *mig)
{
    ON_GPU(device, mig, give(&call, index, mig));
}

static nvmlReturn_t parent(const struct call *call, nvmlDevice_t *to)
{
    *to = handle_of(GPU, call->target.slot, 0, 0);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t mig, nvmlDevice_t *device)
{
    ON_MIG(mig, device, parent(&call, device));
}

static nvmlReturn_t put_attributes(const struct call *call, nvmlDeviceAttributes_t *to)
{
    const struct profile *of = &call->instance->profile;
    *to = (nvmlDeviceAttributes_t){
        .multiprocessorCount = (unsigned int)(of->multiprocessors * call->compute->slices / of->slices),
        .sharedCopyEngineCount = (unsigned int)of->copy_engines,
        .sharedDecoderCount = (unsigned int)of->decoders,
        .sharedEncoderCount = (unsigned int)of->encoders,
        .sharedJpegCount = (unsigned int)of->jpegs,
        .sharedOfaCount = (unsigned int)of->ofas,
        .gpuInstanceSliceCount = (unsigned int)of->slices,
        .computeInstanceSliceCount = (unsigned int)call->compute->slices,
        .memorySizeMB = of->memory,
    };
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetAttributes_v2(nvmlDevice_t device, nvmlDeviceAttributes_t *attributes)
{
    ON_MIG(device, attributes, put_attributes(&call, attributes));
}
