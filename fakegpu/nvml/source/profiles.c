/* Profiles of GPU instances: what they are, where they can be, and how many more of them fit. */
#include "api.h"
#include "state.h"

#include <stdio.h>

enum { PROFILE_INFO_V2 = 0x2000098, KINDS = 18 };

static const struct profile *profile_of_kind(const struct gpu *gpu, unsigned int kind)
{
    for (number i = 0; i < gpu->profile_count; i++)
        if (gpu->profiles[i].kind == kind)
            return &gpu->profiles[i];
    return NULL;
}

static nvmlReturn_t put_profile(nvmlGpuInstanceProfileInfo_t *to, const struct profile *from)
{
    if (!from)
        return NVML_ERROR_NOT_SUPPORTED;
    *to = (nvmlGpuInstanceProfileInfo_t){
        .id = (unsigned int)from->id,
        .sliceCount = (unsigned int)from->slices,
        .instanceCount = (unsigned int)from->instances,
        .multiprocessorCount = (unsigned int)from->multiprocessors,
        .copyEngineCount = (unsigned int)from->copy_engines,
        .decoderCount = (unsigned int)from->decoders,
        .encoderCount = (unsigned int)from->encoders,
        .jpegCount = (unsigned int)from->jpegs,
        .ofaCount = (unsigned int)from->ofas,
        .memorySizeMB = from->memory,
    };
    return NVML_SUCCESS;
}

static nvmlReturn_t put_profile_v2(nvmlGpuInstanceProfileInfo_v2_t *to, const struct profile *from)
{
    nvmlGpuInstanceProfileInfo_t info;
    if (to->version != PROFILE_INFO_V2)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (put_profile(&info, from) != NVML_SUCCESS)
        return NVML_ERROR_NOT_SUPPORTED;
    *to = (nvmlGpuInstanceProfileInfo_v2_t){PROFILE_INFO_V2,
                                            info.id,
                                            info.isP2pSupported,
                                            info.sliceCount,
                                            info.instanceCount,
                                            info.multiprocessorCount,
                                            info.copyEngineCount,
                                            info.decoderCount,
                                            info.encoderCount,
                                            info.jpegCount,
                                            info.ofaCount,
                                            info.memorySizeMB,
                                            ""};
    snprintf(to->name, sizeof to->name, "MIG %s", from->name);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfo(nvmlDevice_t device, unsigned int profile,
                                                 nvmlGpuInstanceProfileInfo_t *info)
{
    ON_GPU(device, info && profile < KINDS, put_profile(info, profile_of_kind(call.gpu, profile)));
}

nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfoV(nvmlDevice_t device, unsigned int profile,
                                                  nvmlGpuInstanceProfileInfo_v2_t *info)
{
    ON_GPU(device, info && profile < KINDS, put_profile_v2(info, profile_of_kind(call.gpu, profile)));
}

nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfoByIdV(nvmlDevice_t device, unsigned int profile_id,
                                                      nvmlGpuInstanceProfileInfo_v2_t *info)
{
    ON_GPU(device, info, put_profile_v2(info, profile_of(call.gpu, profile_id)));
}

static nvmlReturn_t remaining(const struct gpu *gpu, const struct profile *profile, unsigned int *count)
{
    struct gpu trial = *gpu; /* filled up, to see how many more there is room for */
    *count = 0;
    if (!gpu->mig || !profile)
        return NVML_ERROR_NOT_SUPPORTED;
    for (number i = 0; i < profile->start_count; i++)
        if (fits(&trial, profile, profile->starts[i]) && add_instance(&trial, profile->id, profile->starts[i]))
            ++*count;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuInstanceRemainingCapacity(nvmlDevice_t device, unsigned int profile_id,
                                                       unsigned int *count)
{
    ON_GPU(device, count, remaining(call.gpu, profile_of(call.gpu, profile_id), count));
}

static nvmlReturn_t put_places(const struct profile *profile, nvmlGpuInstancePlacement_t *to, unsigned int *count)
{
    if (!profile)
        return NVML_ERROR_NOT_SUPPORTED;
    bool room = !to || *count >= profile->start_count;
    *count = (unsigned int)profile->start_count;
    for (number i = 0; to && room && i < profile->start_count; i++)
        to[i] = (nvmlGpuInstancePlacement_t){(unsigned int)profile->starts[i], (unsigned int)profile->size};
    return room ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

nvmlReturn_t nvmlDeviceGetGpuInstancePossiblePlacements_v2(nvmlDevice_t device, unsigned int profile_id,
                                                           nvmlGpuInstancePlacement_t *placements,
                                                           unsigned int *count)
{
    ON_GPU(device, count, put_places(profile_of(call.gpu, profile_id), placements, count));
}
