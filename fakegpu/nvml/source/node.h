/* A node's GPUs as the table says that they are, and the reading of the table. table.py beside this folder writes it. */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_GPUS = 64, MOST_LINKS = 36, MOST_PROFILES = 18, MOST_STARTS = 16, MOST_INSTANCES = 16, MOST_COMPUTE = 8 };
enum { MOST_FAILURES = 64, MOST_EVENTS = 128, MOST_NODES = 64, CPU_WORDS = 16 };

typedef unsigned long long number;

struct pci {
    number domain, bus, device;
};

struct link {
    number to_switch;
    struct pci to;
};

struct profile {
    char name[32];
    number id, kind, slices, instances, size, memory, multiprocessors, copy_engines, decoders, encoders, jpegs, ofas;
    number start_count, starts[MOST_STARTS];
};

struct compute {
    number id, profile, start, slices;
};

struct instance {
    number id, start;
    struct profile profile;
    number compute_count;
    struct compute compute[MOST_COMPUTE];
};

enum { HANG = 1000 }; /* a code of ours: the function does not return as long as it is said */

struct failure {
    char function[64];
    number code;
};

struct failures {
    number count;
    struct failure rows[MOST_FAILURES];
};

struct gpu {
    struct pci pci;
    char uuid[512], name[512], serial[512], root[64], pcie_switch[512], cluster[64];
    number pci_id, pci_subsystem, minor, architecture, brand, major, minor_capability, memory, reserved, lost;
    number has_numa, numa, has_memory_numa, memory_numa, multiprocessors, cores, memory_bus, pcie_generation, pcie_width;
    number power, sm_clock, memory_clock, nvlink_version, nvlink_speed, nvlinks, coherent, has_fabric, clique;
    number corrected, uncorrected, corrected_ever, uncorrected_ever, temperature, throttle, recovery;
    number mig, compute_mode, changed;
    number link_count, profile_count, instance_count;
    struct link links[MOST_LINKS];
    struct profile profiles[MOST_PROFILES];
    struct instance instances[MOST_INSTANCES];
    struct failures failures;
};

struct event {
    number sequence, type, data;
    struct pci gpu;
    number instance, compute;
};

struct node {
    char driver[512], nvml[512];
    number cuda, gpu_count, event_count, cpu_count;
    number cpus[MOST_NODES][CPU_WORDS];
    struct failures failures;
    struct event events[MOST_EVENTS];
    struct gpu gpus[MOST_GPUS];
};

/* Reads a table into a node; false, with a line on standard error, when it cannot be understood. `settings` is what this
   library itself wrote down: it is laid over GPUs that are there already. */
bool read_table(const char *path, struct node *node, bool settings);

/* The GPU at an address, or NULL. */
struct gpu *gpu_at(struct node *node, struct pci pci);

/* Slices of a kind of compute instance, or 0 when there is none. */
number compute_slices(number profile);

/* The profile of an id, or NULL; whether one more instance of it fits at a place, beside those that there are. */
const struct profile *profile_of(const struct gpu *gpu, number id);
bool fits(const struct gpu *gpu, const struct profile *profile, number start);

/* Adds a GPU instance; NULL when there is no such profile or no room in the arrays. */
struct instance *add_instance(struct gpu *gpu, number profile_id, number start);

/* Adds a compute instance of an id, or of one that is free for ANY; NULL as above. */
#define ANY (~0ULL)
struct compute *add_compute(struct instance *instance, number profile, number start, number id);

#endif
