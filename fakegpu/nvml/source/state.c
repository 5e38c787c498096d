/* The lock, the table as it is now, and how often the library is initialised. */
#include "state.h"
#include "api.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PAUSE = 10000000 }; /* nanoseconds between looks at the table while somebody waits for an event */

_Static_assert(sizeof(void *) == 8, "a handle has 64 bits");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *node;
static unsigned int users;
static unsigned int generation;
static unsigned int slot_count;
static struct pci slot_pci[MOST_GPUS];
static struct stat seen[2]; /* of the table and of the settings */

bool table_path(char *to, size_t size, const char *suffix)
{
    const char *table = getenv("FAKEGPU_NVML");
    return table && *table && snprintf(to, size, "%s%s", table, suffix) < (int)size;
}

static bool same(const struct stat *one, const struct stat *other)
{
    return one->st_ino == other->st_ino && one->st_size == other->st_size &&
           one->st_mtim.tv_sec == other->st_mtim.tv_sec && one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

/* True when a file is not as it was when it was last read; `now` is how it is, zeros when it is not there. */
static bool changed(const char *path, const struct stat *before, struct stat *now)
{
    memset(now, 0, sizeof *now);
    if (stat(path, now) != 0)
        memset(now, 0, sizeof *now);
    return !same(now, before);
}

nvmlReturn_t refresh(void)
{
    char path[2][4096];
    struct stat now[2];
    if (!table_path(path[0], sizeof path[0], "") || !table_path(path[1], sizeof path[1], ".set")) {
        fputs("fake libnvidia-ml: FAKEGPU_NVML must name the table that python -m fakegpu wrote\n", stderr);
        return NVML_ERROR_DRIVER_NOT_LOADED;
    }
    bool table = changed(path[0], &seen[0], &now[0]), settings = changed(path[1], &seen[1], &now[1]);
    if (node && !table && !settings)
        return NVML_SUCCESS;
    struct node *read = calloc(1, sizeof *read);
    if (!read)
        return NVML_ERROR_MEMORY;
    memcpy(seen, now, sizeof seen); /* a complaint about a file is made once */
    if (read_table(path[0], read, false) && read_table(path[1], read, true)) {
        free(node);
        node = read;
    } else {
        free(read); /* what is wrong changes nothing */
    }
    return node ? NVML_SUCCESS : NVML_ERROR_DRIVER_NOT_LOADED;
}

/* True when a rule of the table names this function: with or without its version, nvmlInit for all that begin so. */
static bool names(const char *rule, const char *function)
{
    size_t length = strlen(rule);
    if (!strcmp(rule, "*") || !strcmp(rule, function))
        return true;
    if (!strcmp(rule, "nvmlInit"))
        return !strncmp(function, rule, length);
    return !strncmp(function, rule, length) && function[length] == '_' && function[length + 1] == 'v';
}

static nvmlReturn_t failure(const struct failures *failures, const char *function)
{
    for (number i = 0; i < failures->count; i++)
        if (names(failures->rows[i].function, function))
            return (nvmlReturn_t)failures->rows[i].code;
    return NVML_SUCCESS;
}

/* How a function fails, once it does not hang any more. */
static nvmlReturn_t failure_of_node(const char *function)
{
    nvmlReturn_t result = NVML_SUCCESS, how;
    while (result == NVML_SUCCESS && (how = failure(&node->failures, function)) == HANG)
        result = pause_unlocked();
    return result == NVML_SUCCESS ? how : result;
}

static nvmlReturn_t start(const char *function)
{
    pthread_mutex_lock(&lock);
    if (users == 0) {
        free(node); /* what was there when the library was last in use says nothing */
        node = NULL;
        memset(seen, 0, sizeof seen);
    }
    nvmlReturn_t result = refresh();
    if (result == NVML_SUCCESS)
        result = failure_of_node(function);
    if (result != NVML_SUCCESS || users++ > 0)
        return leave(result);
    generation++;
    forget_events();
    slot_count = (unsigned int)node->gpu_count;
    for (unsigned int i = 0; i < slot_count; i++)
        slot_pci[i] = node->gpus[i].pci;
    return leave(NVML_SUCCESS);
}

nvmlReturn_t nvmlInit(void)
{
    return start(__func__);
}

nvmlReturn_t nvmlInit_v2(void)
{
    return start(__func__);
}

nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    (void)flags;
    return start(__func__);
}

nvmlReturn_t nvmlShutdown(void)
{
    pthread_mutex_lock(&lock);
    if (users == 0)
        return leave(NVML_ERROR_UNINITIALIZED);
    generation += --users == 0; /* handles of before stand for nothing any more, and who waits is told */
    return leave(NVML_SUCCESS);
}

nvmlReturn_t enter(const char *function)
{
    pthread_mutex_lock(&lock);
    if (users == 0)
        return NVML_ERROR_UNINITIALIZED;
    nvmlReturn_t result = refresh();
    return result == NVML_SUCCESS ? failure_of_node(function) : result;
}

nvmlReturn_t leave(nvmlReturn_t result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

static nvmlReturn_t find_parts(struct call *call)
{
    struct target *target = &call->target;
    call->instance = NULL;
    call->compute = NULL;
    for (number i = 0; target->kind != GPU && i < call->gpu->instance_count; i++)
        if (call->gpu->instances[i].id == target->instance)
            call->instance = &call->gpu->instances[i];
    for (number i = 0; call->instance && i < call->instance->compute_count; i++)
        if (call->instance->compute[i].id == target->compute)
            call->compute = &call->instance->compute[i];
    bool whole = target->kind == MIG_DEVICE || target->kind == COMPUTE_INSTANCE;
    if ((target->kind != GPU && !call->instance) || (whole && !call->compute))
        return NVML_ERROR_INVALID_ARGUMENT; /* it was destroyed */
    return NVML_SUCCESS;
}

static nvmlReturn_t find(const char *function, const void *handle, unsigned int kinds, struct call *call)
{
    if (!target_of(handle, &call->target) || call->target.kind == EVENT_SET)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!(kinds & 1U << call->target.kind))
        return call->target.kind == MIG_DEVICE ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t result = NVML_SUCCESS, how = HANG;
    while (result == NVML_SUCCESS && how == HANG) {
        call->gpu = gpu_in(call->target.slot);
        if (!call->gpu || call->gpu->lost)
            return NVML_ERROR_GPU_IS_LOST;
        how = failure(&call->gpu->failures, function);
        result = how == HANG ? pause_unlocked() : how;
    }
    return result == NVML_SUCCESS ? find_parts(call) : result;
}

nvmlReturn_t enter_on(const char *function, const void *handle, unsigned int kinds, struct call *call)
{
    nvmlReturn_t result = enter(function);
    return result == NVML_SUCCESS ? find(function, handle, kinds, call) : result;
}

nvmlReturn_t enter_change(const char *function, const void *handle, unsigned int kinds, struct call *call)
{
    nvmlReturn_t result = enter(function);
    if (result == NVML_SUCCESS)
        result = lock_settings();
    if (result == NVML_SUCCESS)
        result = refresh();
    return result == NVML_SUCCESS ? find(function, handle, kinds, call) : result;
}

nvmlReturn_t leave_change(struct call *call, nvmlReturn_t result)
{
    if (result == NVML_SUCCESS) {
        call->gpu->changed = 1;
        result = write_settings();
        if (result != NVML_SUCCESS)
            memset(seen, 0, sizeof seen); /* what was not written down has not happened: read all anew */
    }
    unlock_settings();
    return leave(result);
}

void *handle_of(enum kind kind, unsigned int slot, unsigned int instance, unsigned int compute)
{
    uintptr_t bits = (uintptr_t)generation << 32 | (uintptr_t)kind << 24 | slot << 16 | instance << 8 | compute;
    return (void *)bits;
}

bool target_of(const void *handle, struct target *target)
{
    uintptr_t bits = (uintptr_t)handle;
    target->kind = (enum kind)(bits >> 24 & 0xff);
    target->slot = bits >> 16 & 0xff;
    target->instance = bits >> 8 & 0xff;
    target->compute = bits & 0xff;
    return bits >> 32 == generation && (target->kind == EVENT_SET || target->slot < slot_count);
}

struct node *node_now(void)
{
    return node;
}

unsigned int slots(void)
{
    return slot_count;
}

struct gpu *gpu_in(unsigned int slot)
{
    return gpu_at(node, slot_pci[slot]);
}

struct pci slot_address(unsigned int slot)
{
    return slot_pci[slot];
}

nvmlReturn_t pause_unlocked(void)
{
    unsigned int before = generation;
    struct timespec moment = {0, PAUSE};
    pthread_mutex_unlock(&lock);
    nanosleep(&moment, NULL);
    pthread_mutex_lock(&lock);
    return generation != before ? NVML_ERROR_UNINITIALIZED : refresh();
}

nvmlReturn_t put_text(char *to, size_t size, const char *text)
{
    if (strlen(text) >= size)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}
