/* MIG mode and GPU instances: making, finding and ending them. */
#include "api.h"
#include "state.h"

#include <string.h>

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

static bool can_start(const struct profile *profile, number start)
{
    for (number i = 0; i < profile->start_count; i++)
        if (profile->starts[i] == start)
            return true;
    return false;
}

/* At `start`, or at the first place that is free for ANY. */
static nvmlReturn_t create(struct call *call, unsigned int profile_id, number start, nvmlGpuInstance_t *to)
{
    const struct profile *profile = profile_of(call->gpu, profile_id);
    if (!to)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!call->gpu->mig || !profile)
        return NVML_ERROR_NOT_SUPPORTED;
    for (number i = 0; start == ANY && i < profile->start_count; i++)
        if (fits(call->gpu, profile, profile->starts[i]))
            start = profile->starts[i];
    if (start != ANY && !can_start(profile, start))
        return NVML_ERROR_INVALID_ARGUMENT;
    if (start == ANY || !fits(call->gpu, profile, start))
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
    return leave_change(&call, result == NVML_SUCCESS ? create(&call, profile_id, ANY, instance) : result);
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
