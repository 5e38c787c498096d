/* Compute instances: parts of a GPU instance that share its memory and divide its multiprocessors. */
#include "api.h"
#include "state.h"

#include <stdio.h>
#include <string.h>

enum { PROFILE_INFO_V2 = 0x2000088, KINDS = 9, ENGINES = 1 };
#define ON_INSTANCE(handle, valid, answer) ON(handle, 1U << GPU_INSTANCE, valid, answer)

/* Slices of a kind that this instance can hold, or 0. */
static number slices_in(const struct instance *instance, unsigned int profile)
{
    number slices = compute_slices(profile);
    return slices <= instance->profile.slices ? slices : 0;
}

static nvmlReturn_t put_profile(nvmlComputeInstanceProfileInfo_t *to, const struct instance *in, unsigned int profile)
{
    number slices = slices_in(in, profile);
    if (!slices)
        return NVML_ERROR_NOT_SUPPORTED;
    *to = (nvmlComputeInstanceProfileInfo_t){
        .id = profile,
        .sliceCount = (unsigned int)slices,
        .instanceCount = (unsigned int)(in->profile.slices / slices),
        .multiprocessorCount = (unsigned int)(in->profile.multiprocessors * slices / in->profile.slices),
        .sharedCopyEngineCount = (unsigned int)in->profile.copy_engines,
        .sharedDecoderCount = (unsigned int)in->profile.decoders,
        .sharedEncoderCount = (unsigned int)in->profile.encoders,
        .sharedJpegCount = (unsigned int)in->profile.jpegs,
        .sharedOfaCount = (unsigned int)in->profile.ofas,
    };
    return NVML_SUCCESS;
}

static nvmlReturn_t put_profile_v2(nvmlComputeInstanceProfileInfo_v2_t *to, const struct instance *in,
                                   unsigned int profile)
{
    nvmlComputeInstanceProfileInfo_t info;
    if (to->version != PROFILE_INFO_V2)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (put_profile(&info, in, profile) != NVML_SUCCESS)
        return NVML_ERROR_NOT_SUPPORTED;
    *to = (nvmlComputeInstanceProfileInfo_v2_t){PROFILE_INFO_V2,
                                                info.id,
                                                info.sliceCount,
                                                info.instanceCount,
                                                info.multiprocessorCount,
                                                info.sharedCopyEngineCount,
                                                info.sharedDecoderCount,
                                                info.sharedEncoderCount,
                                                info.sharedJpegCount,
                                                info.sharedOfaCount,
                                                ""};
    if (info.sliceCount < in->profile.slices)
        snprintf(to->name, sizeof to->name, "MIG %uc.%s", info.sliceCount, in->profile.name);
    else
        snprintf(to->name, sizeof to->name, "MIG %s", in->profile.name);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstanceProfileInfo(nvmlGpuInstance_t instance, unsigned int profile,
                                                          unsigned int engine, nvmlComputeInstanceProfileInfo_t *info)
{
    ON_INSTANCE(instance, info && profile < KINDS && engine < ENGINES, put_profile(info, call.instance, profile));
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstanceProfileInfoV(nvmlGpuInstance_t instance, unsigned int profile,
                                                           unsigned int engine,
                                                           nvmlComputeInstanceProfileInfo_v2_t *info)
{
    ON_INSTANCE(instance, info && profile < KINDS && engine < ENGINES, put_profile_v2(info, call.instance, profile));
}

static bool has_room(const struct instance *instance, number start, number slices)
{
    for (number i = 0; i < instance->compute_count; i++) {
        const struct compute *other = &instance->compute[i];
        if (other->start < start + slices && start < other->start + other->slices)
            return false;
    }
    return start + slices <= instance->profile.slices;
}

static nvmlReturn_t remaining(const struct instance *instance, unsigned int profile, unsigned int *count)
{
    number slices = slices_in(instance, profile);
    if (!slices)
        return NVML_ERROR_NOT_SUPPORTED;
    *count = 0;
    for (number start = 0; start + slices <= instance->profile.slices; start += slices)
        *count += has_room(instance, start, slices);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstanceRemainingCapacity(nvmlGpuInstance_t instance, unsigned int profile_id,
                                                                unsigned int *count)
{
    ON_INSTANCE(instance, count, remaining(call.instance, profile_id, count));
}

static nvmlReturn_t put_places(const struct instance *instance, unsigned int profile,
                               nvmlComputeInstancePlacement_t *to, unsigned int *count)
{
    number slices = slices_in(instance, profile);
    if (!slices)
        return NVML_ERROR_NOT_SUPPORTED;
    unsigned int places = (unsigned int)(instance->profile.slices / slices);
    bool room = !to || *count >= places;
    *count = places;
    for (unsigned int i = 0; to && room && i < places; i++)
        to[i] = (nvmlComputeInstancePlacement_t){i * (unsigned int)slices, (unsigned int)slices};
    return room ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstancePossiblePlacements(nvmlGpuInstance_t instance, unsigned int profile_id,
                                                                 nvmlComputeInstancePlacement_t *placements,
                                                                 unsigned int *count)
{
    ON_INSTANCE(instance, count, put_places(call.instance, profile_id, placements, count));
}

static void *handle(const struct call *call, const struct compute *compute)
{
    return handle_of(COMPUTE_INSTANCE, call->target.slot, (unsigned int)call->instance->id, (unsigned int)compute->id);
}

static nvmlReturn_t create(struct call *call, unsigned int profile, number start, nvmlComputeInstance_t *to)
{
    number slices = slices_in(call->instance, profile);
    if (!to)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!slices)
        return NVML_ERROR_NOT_SUPPORTED;
    for (number at = 0; start == ANY && at + slices <= call->instance->profile.slices; at += slices)
        if (has_room(call->instance, at, slices))
            start = at;
    if (start == ANY || !has_room(call->instance, start, slices))
        return NVML_ERROR_INSUFFICIENT_RESOURCES;
    const struct compute *compute = add_compute(call->instance, profile, start, ANY);
    if (!compute)
        return NVML_ERROR_INSUFFICIENT_RESOURCES;
    *to = handle(call, compute);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceCreateComputeInstance(nvmlGpuInstance_t instance, unsigned int profile_id,
                                                  nvmlComputeInstance_t *compute)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, instance, 1U << GPU_INSTANCE, &call);
    return leave_change(&call, result == NVML_SUCCESS ? create(&call, profile_id, ANY, compute) : result);
}

nvmlReturn_t nvmlGpuInstanceCreateComputeInstanceWithPlacement(nvmlGpuInstance_t instance, unsigned int profile_id,
                                                               const nvmlComputeInstancePlacement_t *placement,
                                                               nvmlComputeInstance_t *compute)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, instance, 1U << GPU_INSTANCE, &call);
    if (result == NVML_SUCCESS && !placement)
        result = NVML_ERROR_INVALID_ARGUMENT;
    return leave_change(&call, result == NVML_SUCCESS ? create(&call, profile_id, placement->start, compute) : result);
}

nvmlReturn_t nvmlComputeInstanceDestroy(nvmlComputeInstance_t compute)
{
    struct call call;
    nvmlReturn_t result = enter_change(__func__, compute, 1U << COMPUTE_INSTANCE, &call);
    if (result == NVML_SUCCESS) {
        struct instance *in = call.instance;
        size_t after = (size_t)(in->compute + in->compute_count - call.compute) - 1;
        memmove(call.compute, call.compute + 1, after * sizeof *call.compute);
        in->compute_count--;
    }
    return leave_change(&call, result);
}

static nvmlReturn_t list(const struct call *call, unsigned int profile, nvmlComputeInstance_t *to, unsigned int *count)
{
    *count = 0;
    for (number i = 0; i < call->instance->compute_count; i++)
        if (call->instance->compute[i].profile == profile)
            to[(*count)++] = handle(call, &call->instance->compute[i]);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstances(nvmlGpuInstance_t instance, unsigned int profile_id,
                                                nvmlComputeInstance_t *computes, unsigned int *count)
{
    ON_INSTANCE(instance, computes && count && profile_id < KINDS, list(&call, profile_id, computes, count));
}

static nvmlReturn_t give(const struct call *call, unsigned int id, nvmlComputeInstance_t *to)
{
    for (number i = 0; i < call->instance->compute_count; i++)
        if (call->instance->compute[i].id == id) {
            *to = handle(call, &call->instance->compute[i]);
            return NVML_SUCCESS;
        }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlGpuInstanceGetComputeInstanceById(nvmlGpuInstance_t instance, unsigned int id,
                                                   nvmlComputeInstance_t *compute)
{
    ON_INSTANCE(instance, compute, give(&call, id, compute));
}

static nvmlReturn_t put_info(const struct call *call, nvmlComputeInstanceInfo_t *to)
{
    *to = (nvmlComputeInstanceInfo_t){handle_of(GPU, call->target.slot, 0, 0),
                                      handle_of(GPU_INSTANCE, call->target.slot, call->target.instance, 0),
                                      (unsigned int)call->compute->id,
                                      (unsigned int)call->compute->profile,
                                      {(unsigned int)call->compute->start, (unsigned int)call->compute->slices}};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlComputeInstanceGetInfo_v2(nvmlComputeInstance_t compute, nvmlComputeInstanceInfo_t *info)
{
    ON(compute, 1U << COMPUTE_INSTANCE, info, put_info(&call, info));
}
