/* What GPUs tell: a set holds the GPUs that a program listens to, and gives it what happened to them since, in order. */
#include "api.h"
#include "state.h"

#include <string.h>
#include <time.h>

enum { MOST_SETS = 64, SINGLE_BIT = 1, DOUBLE_BIT = 2, P_STATE = 4, XID = 8, CLOCK = 16, MIG_CHANGE = 0x100 };

struct listening {
    struct pci gpu;
    number types, since; /* what happened up to then is past */
};

static struct {
    bool used;
    unsigned int count;
    struct listening rows[MOST_GPUS];
    number given; /* the event that was given last */
} sets[MOST_SETS];
static number known; /* the last event in the table when it was last looked at */

static number last_event(void)
{
    const struct node *node = node_now();
    return node->event_count ? node->events[node->event_count - 1].sequence : 0;
}

void forget_events(void)
{
    memset(sets, 0, sizeof sets);
    known = last_event();
}

/* A table that begins anew with its events: nothing that is in it is news. */
static void notice_new_table(void)
{
    number last = last_event();
    for (unsigned int i = 0; last < known && i < MOST_SETS; i++) {
        sets[i].given = sets[i].given < last ? sets[i].given : last;
        for (unsigned int row = 0; row < sets[i].count; row++)
            sets[i].rows[row].since = last;
    }
    known = last;
}

static bool set_of(nvmlEventSet_t handle, unsigned int *set)
{
    struct target target;
    if (!target_of(handle, &target) || target.kind != EVENT_SET || target.slot >= MOST_SETS)
        return false;
    *set = target.slot;
    return sets[*set].used;
}

static nvmlReturn_t create(nvmlEventSet_t *to)
{
    for (unsigned int i = 0; i < MOST_SETS; i++)
        if (!sets[i].used) {
            memset(&sets[i], 0, sizeof sets[i]);
            sets[i].used = true;
            *to = handle_of(EVENT_SET, i, 0, 0);
            return NVML_SUCCESS;
        }
    return NVML_ERROR_INSUFFICIENT_RESOURCES;
}

nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t *set)
{
    ON_NODE(set, create(set));
}

static nvmlReturn_t release(nvmlEventSet_t handle)
{
    unsigned int set;
    if (!set_of(handle, &set))
        return NVML_ERROR_INVALID_ARGUMENT;
    sets[set].used = false;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set)
{
    ON_NODE(set, release(set));
}

static number supported(const struct gpu *gpu)
{
    return SINGLE_BIT | DOUBLE_BIT | P_STATE | XID | CLOCK | (gpu->profile_count ? MIG_CHANGE : 0);
}

nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *types)
{
    ON_GPU(device, types, put_long(types, supported(call.gpu)));
}

static nvmlReturn_t listen_to(const struct gpu *gpu, number types, nvmlEventSet_t handle)
{
    unsigned int set;
    if (!set_of(handle, &set))
        return NVML_ERROR_INVALID_ARGUMENT;
    if (types & ~supported(gpu))
        return NVML_ERROR_NOT_SUPPORTED;
    if (sets[set].count == MOST_GPUS)
        return NVML_ERROR_INSUFFICIENT_RESOURCES;
    notice_new_table();
    sets[set].rows[sets[set].count++] = (struct listening){gpu->pci, types, last_event()};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set)
{
    ON_GPU(device, set, listen_to(call.gpu, types, set));
}

static bool same(struct pci one, struct pci other)
{
    return one.domain == other.domain && one.bus == other.bus && one.device == other.device;
}

static bool wanted(unsigned int set, const struct event *event)
{
    for (unsigned int row = 0; row < sets[set].count; row++) {
        const struct listening *listening = &sets[set].rows[row];
        if (same(listening->gpu, event->gpu) && listening->types & event->type && event->sequence > listening->since)
            return true;
    }
    return false;
}

static nvmlDevice_t handle_at(struct pci pci)
{
    for (unsigned int slot = 0; slot < slots(); slot++)
        if (same(slot_address(slot), pci))
            return handle_of(GPU, slot, 0, 0);
    return NULL;
}

/* The oldest event that was not given yet; with none, a GPU of the set that is lost is an error, else time passes. */
static nvmlReturn_t next(nvmlEventSet_t handle, nvmlEventData_t *to)
{
    unsigned int set;
    if (!set_of(handle, &set))
        return NVML_ERROR_INVALID_ARGUMENT;
    notice_new_table();
    const struct node *node = node_now();
    for (number i = 0; i < node->event_count; i++) {
        const struct event *event = &node->events[i];
        if (event->sequence <= sets[set].given || !wanted(set, event))
            continue;
        sets[set].given = event->sequence;
        *to = (nvmlEventData_t){handle_at(event->gpu), event->type, event->data, (unsigned int)event->instance,
                                (unsigned int)event->compute};
        return NVML_SUCCESS;
    }
    for (unsigned int row = 0; row < sets[set].count; row++) {
        const struct gpu *gpu = gpu_at(node_now(), sets[set].rows[row].gpu);
        if (!gpu || gpu->lost)
            return NVML_ERROR_GPU_IS_LOST;
    }
    return NVML_ERROR_TIMEOUT;
}

static int64_t milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int milliseconds)
{
    int64_t end = milliseconds_now() + milliseconds;
    nvmlReturn_t result = enter(__func__);
    if (result == NVML_SUCCESS && (!set || !data))
        result = NVML_ERROR_INVALID_ARGUMENT;
    while (result == NVML_SUCCESS) {
        result = next(set, data);
        if (result != NVML_ERROR_TIMEOUT || milliseconds_now() >= end)
            break;
        result = pause_unlocked();
    }
    return leave(result);
}
