/* Reads the table: one record a line, its words divided by tabs, the last line `end`. */
#include "node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 40, LONGEST = 4096 };

struct reading {
    struct node *node;
    struct gpu *gpu; /* the lines are about this one, or about the node */
    bool settings;   /* lines of GPUs that are not there any more are passed by */
    bool skip;
};

struct key {
    const char *name;
    size_t offset, size; /* size 0: a number */
};

#define TEXT(member) {#member, offsetof(struct gpu, member), sizeof(((struct gpu *)0)->member)}
#define NUMBER(member) {#member, offsetof(struct gpu, member), 0}
static const struct key keys[] = {
    TEXT(uuid), TEXT(name), TEXT(serial), TEXT(root), TEXT(pcie_switch), TEXT(cluster), NUMBER(pci_id),
    NUMBER(pci_subsystem), NUMBER(minor), NUMBER(architecture), NUMBER(brand), NUMBER(major),
    NUMBER(minor_capability), NUMBER(memory), NUMBER(reserved), NUMBER(lost), NUMBER(has_numa), NUMBER(numa),
    NUMBER(has_memory_numa), NUMBER(memory_numa), NUMBER(multiprocessors), NUMBER(cores), NUMBER(memory_bus),
    NUMBER(pcie_generation), NUMBER(pcie_width), NUMBER(power), NUMBER(sm_clock), NUMBER(memory_clock),
    NUMBER(nvlink_version), NUMBER(nvlink_speed), NUMBER(nvlinks), NUMBER(coherent), NUMBER(has_fabric), NUMBER(clique),
    NUMBER(corrected), NUMBER(uncorrected), NUMBER(corrected_ever), NUMBER(uncorrected_ever), NUMBER(temperature),
    NUMBER(throttle), NUMBER(recovery), NUMBER(mig), NUMBER(compute_mode),
};

static bool set_number(number *to, const char *word)
{
    char *end;
    errno = 0;
    *to = strtoull(word, &end, 0);
    return errno == 0 && end != word && *end == '\0';
}

static bool set_text(char *to, size_t size, const char *word)
{
    if (strlen(word) >= size)
        return false;
    strcpy(to, word);
    return true;
}

/* `count` numbers from words to fields that lie one behind the other. */
static bool set_numbers(number *to, char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!set_number(to + i, words[i]))
            return false;
    return true;
}

static bool read_gpu(struct reading *reading, char **words, size_t count)
{
    struct node *node = reading->node;
    struct pci pci;
    if (count != 4 || !set_numbers(&pci.domain, words + 1, 3))
        return false;
    reading->gpu = gpu_at(node, pci);
    reading->skip = reading->settings && !reading->gpu;
    if (reading->settings) {
        if (reading->gpu) {
            reading->gpu->instance_count = 0;
            reading->gpu->changed = 1;
        }
        return true;
    }
    if (reading->gpu || node->gpu_count == MOST_GPUS)
        return false;
    reading->gpu = &node->gpus[node->gpu_count++];
    reading->gpu->pci = pci;
    return true;
}

static bool read_fail(struct failures *failures, char **words, size_t count)
{
    if (count != 3 || failures->count == MOST_FAILURES)
        return false;
    struct failure *failure = &failures->rows[failures->count++];
    return set_text(failure->function, sizeof failure->function, words[1]) && set_number(&failure->code, words[2]);
}

static bool read_profile(struct gpu *gpu, char **words, size_t count)
{
    if (count < 15 || count > 14 + MOST_STARTS || gpu->profile_count == MOST_PROFILES)
        return false;
    struct profile *profile = &gpu->profiles[gpu->profile_count++];
    profile->start_count = count - 14;
    return set_text(profile->name, sizeof profile->name, words[1]) && set_numbers(&profile->id, words + 2, 12) &&
           set_numbers(profile->starts, words + 14, profile->start_count);
}

static bool read_link(struct gpu *gpu, char **words, size_t count)
{
    if (count != 5 || gpu->link_count == MOST_LINKS)
        return false;
    return set_numbers(&gpu->links[gpu->link_count++].to_switch, words + 1, 4);
}

static bool read_instance(struct gpu *gpu, char **words, size_t count)
{
    number values[2];
    return count == 3 && set_numbers(values, words + 1, 2) && add_instance(gpu, values[0], values[1]);
}

static bool read_compute(struct gpu *gpu, char **words, size_t count)
{
    number values[3];
    return count == 4 && gpu->instance_count && set_numbers(values, words + 1, 3) &&
           add_compute(&gpu->instances[gpu->instance_count - 1], values[0], values[1], values[2]);
}

static bool read_of_gpu(struct gpu *gpu, char **words, size_t count)
{
    if (!strcmp(words[0], "link"))
        return read_link(gpu, words, count);
    if (!strcmp(words[0], "profile"))
        return read_profile(gpu, words, count);
    if (!strcmp(words[0], "instance"))
        return read_instance(gpu, words, count);
    if (!strcmp(words[0], "compute"))
        return read_compute(gpu, words, count);
    if (!strcmp(words[0], "fail"))
        return read_fail(&gpu->failures, words, count);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *field = (char *)gpu + keys[i].offset;
        if (count == 2 && !strcmp(words[0], keys[i].name))
            return keys[i].size ? set_text(field, keys[i].size, words[1]) : set_number((number *)field, words[1]);
    }
    return false;
}

static bool read_of_node(struct node *node, char **words, size_t count)
{
    if (!strcmp(words[0], "driver"))
        return count == 2 && set_text(node->driver, sizeof node->driver, words[1]);
    if (!strcmp(words[0], "nvml"))
        return count == 2 && set_text(node->nvml, sizeof node->nvml, words[1]);
    if (!strcmp(words[0], "cuda"))
        return count == 2 && set_number(&node->cuda, words[1]);
    if (!strcmp(words[0], "cpus"))
        return count <= 1 + CPU_WORDS && node->cpu_count < MOST_NODES &&
               set_numbers(node->cpus[node->cpu_count++], words + 1, count - 1);
    if (!strcmp(words[0], "event"))
        return count == 9 && node->event_count < MOST_EVENTS &&
               set_numbers(&node->events[node->event_count++].sequence, words + 1, 8);
    return !strcmp(words[0], "fail") && read_fail(&node->failures, words, count);
}

static size_t split(char *line, char **words)
{
    size_t count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *word = line; word && count < MOST_WORDS; count++) {
        words[count] = word;
        word = strchr(word, '\t');
        if (word)
            *word++ = '\0';
    }
    return count;
}

static bool read_line(struct reading *reading, char *line, bool *ended)
{
    char *words[MOST_WORDS];
    size_t count = split(line, words);
    *ended = count == 1 && !strcmp(words[0], "end");
    if (*ended)
        return true;
    if (!strcmp(words[0], "gpu"))
        return read_gpu(reading, words, count);
    if (reading->skip)
        return true;
    return reading->gpu ? read_of_gpu(reading->gpu, words, count) : read_of_node(reading->node, words, count);
}

bool read_table(const char *path, struct node *node, bool settings)
{
    struct reading reading = {node, NULL, settings, false};
    char line[LONGEST];
    int row = 0;
    bool ended = false;
    FILE *file = fopen(path, "re");
    if (!file) {
        if (!settings)
            fprintf(stderr, "fake libnvidia-ml: cannot read %s: %s\n", path, strerror(errno));
        return settings;
    }
    while (!ended && fgets(line, sizeof line, file)) {
        row++;
        if (!read_line(&reading, line, &ended)) {
            fprintf(stderr, "fake libnvidia-ml: cannot understand %s, line %d; let fakegpu write it\n", path, row);
            break;
        }
    }
    if (!ended && feof(file))
        fprintf(stderr, "fake libnvidia-ml: %s is cut off; let fakegpu write it\n", path);
    fclose(file);
    return ended;
}

struct gpu *gpu_at(struct node *node, struct pci pci)
{
    for (number i = 0; i < node->gpu_count; i++) {
        struct pci *other = &node->gpus[i].pci;
        if (other->domain == pci.domain && other->bus == pci.bus && other->device == pci.device)
            return &node->gpus[i];
    }
    return NULL;
}
