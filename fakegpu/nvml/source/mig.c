/* MIG mode and GPU instances: what profiles there are, where they fit, and making and ending them. */
#include "api.h"
#include "state.h"

#include <stdio.h>
#include <string.h>

enum { PROFILE_INFO_V2 = 0x2000098, KINDS = 18 };
#define ON_INSTANCE(handle, valid, answer) ON(handle, 1U << GPU_INSTANCE, valid, answer)

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    ON_GPU(device, current && pending,
           call.gpu->profile_count ? (put(current, call.gpu->mig), put(pending, call.gpu->mig))
                                   : NVML_ERROR_NOT_SUPPORTED);
}

nvmlReturn_t nvmlDeviceSetMigMode(nvmlDevice_t device, unsigned int mode, nvmlReturn_t *status)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, device, 1U << GPU, &call);
    if (result == NVML_SUCCESS && (mode > 1 || !status))
        result = NVML_ERROR_INVALID_ARGUMENT;
    if (result == NVML_SUCCESS && !call.gpu->profile_count)
        result = NVML_ERROR_NOT_SUPPORTED;
    if (result == NVML_SUCCESS && !mode && call.gpu->instance_count)
        result = NVML_ERROR_IN_USE;
    if (result == NVML_SUCCESS) {
        call.gpu->mig = mode;
        *status = NVML_SUCCESS; /* at once: no program uses the GPU */
    }
    return leave_change(&call, result);
}

static const struct profile *profile_of(const struct gpu *gpu, unsigned int id)
{
    for (number i = 0; i < gpu->profile_count; i++)
        if (gpu->profiles[i].id == id)
            return &gpu->profiles[i];
    return NULL;
}

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

/* True when a profile fits at a place, beside what is there. */
static bool fits(const struct gpu *gpu, const struct profile *profile, number start)
{
    number of_profile = 0;
    bool free = true;
    for (number i = 0; i < gpu->instance_count; i++) {
        const struct instance *other = &gpu->instances[i];
        of_profile += other->profile.id == profile->id;
        free = free && (other->start >= start + profile->size || start >= other->start + other->profile.size);
    }
    return free && of_profile < profile->instances;
}

static bool can_start(const struct profile *profile, number start)
{
    for (number i = 0; i < profile->start_count; i++)
        if (profile->starts[i] == start)
            return true;
    return false;
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

/* At `start`, or at the first place that is free for ANYWHERE. */
#define ANYWHERE (~0ULL)
static nvmlReturn_t create(struct call *call, unsigned int profile_id, number start, nvmlGpuInstance_t *to)
{
    const struct profile *profile = profile_of(call->gpu, profile_id);
    if (!to)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!call->gpu->mig || !profile)
        return NVML_ERROR_NOT_SUPPORTED;
    for (number i = 0; start == ANYWHERE && i < profile->start_count; i++)
        if (fits(call->gpu, profile, profile->starts[i]))
            start = profile->starts[i];
    if (start != ANYWHERE && !can_start(profile, start))
        return NVML_ERROR_INVALID_ARGUMENT;
    if (start == ANYWHERE || !fits(call->gpu, profile, start))
        return NVML_ERROR_INSUFFICIENT_RESOURCES;
    struct instance *instance = add_instance(call->gpu, profile_id, start);
    if (!instance)
        return NVML_ERROR_INSUFFICIENT_RESOURCES;
    *to = handle_of(GPU_INSTANCE, call->target.slot, (unsigned int)instance->id, 0);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceCreateGpuInstance(nvmlDevice_t device, unsigned int profile_id, nvmlGpuInstance_t *instance)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, device, 1U << GPU, &call);
    return leave_change(&call, result == NVML_SUCCESS ? create(&call, profile_id, ANYWHERE, instance) : result);
}

nvmlReturn_t nvmlDeviceCreateGpuInstanceWithPlacement(nvmlDevice_t device, unsigned int profile_id,
                                                      const nvmlGpuInstancePlacement_t *placement,
                                                      nvmlGpuInstance_t *instance)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, device, 1U << GPU, &call);
    if (result == NVML_SUCCESS && !placement)
        result = NVML_ERROR_INVALID_ARGUMENT;
    return leave_change(&call, result == NVML_SUCCESS ? create(&call, profile_id, placement->start, instance) : result);
}

nvmlReturn_t nvmlGpuInstanceDestroy(nvmlGpuInstance_t instance)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, instance, 1U << GPU_INSTANCE, &call);
    if (result == NVML_SUCCESS && call.instance->compute_count)
        result = NVML_ERROR_IN_USE;
    if (result == NVML_SUCCESS) {
        size_t after = (size_t)(call.gpu->instances + call.gpu->instance_count - call.instance) - 1;
        memmove(call.instance, call.instance + 1, after * sizeof *call.instance);
        call.gpu->instance_count--;
    }
    return leave_change(&call, result);
}

/* `count` goes in as nothing and comes back as how many there are. */
static nvmlReturn_t list(const struct call *call, unsigned int profile_id, nvmlGpuInstance_t *to, unsigned int *count)
{
    *count = 0;
    if (!call->gpu->mig || !profile_of(call->gpu, profile_id))
        return NVML_ERROR_NOT_SUPPORTED;
    for (number i = 0; i < call->gpu->instance_count; i++) {
        const struct instance *instance = &call->gpu->instances[i];
        if (instance->profile.id == profile_id)
            to[(*count)++] = handle_of(GPU_INSTANCE, call->target.slot, (unsigned int)instance->id, 0);
    }
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuInstances(nvmlDevice_t device, unsigned int profile_id, nvmlGpuInstance_t *instances,
                                       unsigned int *count)
{
    ON_GPU(device, instances && count, list(&call, profile_id, instances, count));
}

static nvmlReturn_t give(const struct call *call, unsigned int id, nvmlGpuInstance_t *to)
{
    if (!call->gpu->mig)
        return NVML_ERROR_NOT_SUPPORTED;
    for (number i = 0; i < call->gpu->instance_count; i++)
        if (call->gpu->instances[i].id == id) {
            *to = handle_of(GPU_INSTANCE, call->target.slot, id, 0);
            return NVML_SUCCESS;
        }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetGpuInstanceById(nvmlDevice_t device, unsigned int id, nvmlGpuInstance_t *instance)
{
    ON_GPU(device, instance, give(&call, id, instance));
}

static nvmlReturn_t put_info(const struct call *call, nvmlGpuInstanceInfo_t *to)
{
    const struct instance *from = call->instance;
    *to = (nvmlGpuInstanceInfo_t){handle_of(GPU, call->target.slot, 0, 0),
                                  (unsigned int)from->id,
                                  (unsigned int)from->profile.id,
                                  {(unsigned int)from->start, (unsigned int)from->profile.size}};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceGetInfo(nvmlGpuInstance_t instance, nvmlGpuInstanceInfo_t *info)
{
    ON_INSTANCE(instance, info, put_info(&call, info));
}
