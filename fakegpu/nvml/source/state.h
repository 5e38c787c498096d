/* What all functions of the interface share: the lock, the table as it is now, and handles.

   A handle is a number: which initialisation it is of, what it stands for, and which one. So a handle that is stale or
   made up is told from a good one without looking behind it. GPUs keep the place that they had when the library was
   initialised; those that come later are not seen, and those that are gone are lost. */
#ifndef STATE_H
#define STATE_H

#include "node.h"
#include "types.h"

enum kind { GPU = 1, MIG_DEVICE, GPU_INSTANCE, COMPUTE_INSTANCE, EVENT_SET };

struct target {
    enum kind kind;
    unsigned int slot; /* place of the GPU, or of the event set */
    unsigned int instance, compute; /* ids */
};

/* What a call is about. All pointers are good until `leave`. */
struct call {
    struct target target;
    struct gpu *gpu;
    struct instance *instance;
    struct compute *compute;
};

/* Takes the lock and reads the table anew if it has changed; for functions that are about no GPU. */
nvmlReturn_t enter(const char *function);

/* As above, and finds what a handle stands for: one of these kinds, a set of bits 1 << kind. */
nvmlReturn_t enter_on(const char *function, const void *handle, unsigned int kinds, struct call *call);

/* Gives the lock back and passes the result on. */
nvmlReturn_t leave(nvmlReturn_t result);

/* The handle of something, for as long as the library stays initialised. */
void *handle_of(enum kind kind, unsigned int slot, unsigned int instance, unsigned int compute);

/* What a handle stands for; false for one that is none. */
bool target_of(const void *handle, struct target *target);

/* With the lock held: the table, how many GPUs there were at the start, and each of these, NULL when it is gone. */
struct node *node_now(void);
unsigned int slots(void);
struct gpu *gpu_in(unsigned int slot);
struct pci slot_address(unsigned int slot);
nvmlReturn_t refresh(void); /* reads the table anew if it has changed */

/* Waits a moment without the lock; not successful when the library was shut down meanwhile. */
nvmlReturn_t pause_unlocked(void);

/* Like `enter_on` and `leave`, around a change that this library makes: meanwhile no other process makes one, and when it
   was successful the GPU's settings are written down. */
nvmlReturn_t enter_change(const char *function, const void *handle, unsigned int kinds, struct call *call);
nvmlReturn_t leave_change(struct call *call, nvmlReturn_t result);

/* The path of the table with something behind it; false when there is none. */
bool table_path(char *to, size_t size, const char *suffix);

/* Of events.c: those who listened are gone. */
void forget_events(void);

/* Of settings.c: the lock between processes, and the writing down. */
nvmlReturn_t lock_settings(void);
void unlock_settings(void);
nvmlReturn_t write_settings(void);

/* Short forms for what almost every function does. `answer` may use `call`. */
#define ON(handle, kinds, valid, answer)                                                                               \
    do {                                                                                                               \
        struct call call;                                                                                              \
        nvmlReturn_t result = enter_on(__func__, handle, kinds, &call);                                                \
        if (result == NVML_SUCCESS)                                                                                    \
            result = (valid) ? (answer) : NVML_ERROR_INVALID_ARGUMENT;                                                 \
        return leave(result);                                                                                          \
    } while (0)
#define ON_GPU(handle, valid, answer) ON(handle, 1U << GPU, valid, answer)
#define ON_NODE(valid, answer)                                                                                         \
    do {                                                                                                               \
        nvmlReturn_t result = enter(__func__);                                                                         \
        if (result == NVML_SUCCESS)                                                                                    \
            result = (valid) ? (answer) : NVML_ERROR_INVALID_ARGUMENT;                                                 \
        return leave(result);                                                                                          \
    } while (0)

static inline nvmlReturn_t put(unsigned int *to, number value)
{
    *to = (unsigned int)value;
    return NVML_SUCCESS;
}

static inline nvmlReturn_t put_int(int *to, number value)
{
    *to = (int)value;
    return NVML_SUCCESS;
}

static inline nvmlReturn_t put_long(unsigned long long *to, number value)
{
    *to = value;
    return NVML_SUCCESS;
}

/* The UUID of a MIG device, which follows from the GPU's and from where it is. */
void mig_uuid(const struct gpu *gpu, const struct instance *instance, const struct compute *compute, char *to,
              size_t size);

/* ECC errors: uncorrected ones for `error` 1, those of the GPU's whole life for `counter` 1. */
number ecc_errors(const struct gpu *gpu, unsigned int error, unsigned int counter);

/* NVLinks: whether one carries anything, and whether two GPUs are joined by any, also through a switch. */
bool link_is_active(const struct gpu *gpu, number link);
bool linked(const struct gpu *one, const struct gpu *other);

/* An address in all the forms that NVML has for it; the rest of the record is zeros. */
nvmlReturn_t write_bus_id(struct pci pci, nvmlPciInfo_t *to);

/* A text with its end, if the buffer has room for both. */
nvmlReturn_t put_text(char *to, size_t size, const char *text);

#endif
