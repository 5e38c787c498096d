/* The GPU instances and compute instances of a GPU, and their numbers, which follow from where they are. */
#include "node.h"

number compute_slices(number profile)
{
    static const number slices[] = {1, 2, 3, 4, 7, 8, 6};
    return profile < sizeof slices / sizeof *slices ? slices[profile] : 0;
}

/* The larger, the smaller the number; unique on a GPU because instances do not overlap. */
static number instance_id(const struct profile *profile, number start)
{
    if (profile->size >= 8)
        return 0;
    if (profile->size >= 4)
        return 1 + start / 4;
    return profile->size >= 2 ? 3 + start / 2 : 7 + start;
}

static number free_id(const struct instance *instance)
{
    for (number id = 0;; id++) {
        bool taken = false;
        for (number i = 0; i < instance->compute_count; i++)
            taken |= instance->compute[i].id == id;
        if (!taken)
            return id;
    }
}

struct instance *add_instance(struct gpu *gpu, number profile_id, number start)
{
    for (number i = 0; i < gpu->profile_count && gpu->instance_count < MOST_INSTANCES; i++)
        if (gpu->profiles[i].id == profile_id) {
            struct instance *instance = &gpu->instances[gpu->instance_count++];
            *instance = (struct instance){.start = start, .profile = gpu->profiles[i]};
            instance->id = instance_id(&gpu->profiles[i], start);
            return instance;
        }
    return NULL;
}

struct compute *add_compute(struct instance *instance, number profile, number start, number id)
{
    number slices = compute_slices(profile);
    if (!slices || instance->compute_count == MOST_COMPUTE)
        return NULL;
    if (id == ANY)
        id = free_id(instance);
    struct compute *compute = &instance->compute[instance->compute_count++];
    *compute = (struct compute){.id = id, .profile = profile, .start = start, .slices = slices};
    return compute;
}

const struct profile *profile_of(const struct gpu *gpu, number id)
{
    for (number i = 0; i < gpu->profile_count; i++)
        if (gpu->profiles[i].id == id)
            return &gpu->profiles[i];
    return NULL;
}

bool fits(const struct gpu *gpu, const struct profile *profile, number start)
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
