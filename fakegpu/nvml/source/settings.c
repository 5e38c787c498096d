/* What programs set through this library: MIG mode and instances, compute mode. It outlives them, as it does in a driver,
   in a file beside the table, whose lines are those of the table; without that file all is as the table says. */
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static int lock_file = -1;

nvmlReturn_t lock_settings(void)
{
    char path[4096];
    if (!table_path(path, sizeof path, ".set.lock"))
        return NVML_ERROR_UNKNOWN;
    lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_file < 0)
        return NVML_ERROR_NO_PERMISSION;
    return flock(lock_file, LOCK_EX) == 0 ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

void unlock_settings(void)
{
    if (lock_file >= 0)
        close(lock_file);
    lock_file = -1;
}

static void write_gpu(FILE *file, const struct gpu *gpu)
{
    fprintf(file, "gpu\t%llu\t%llu\t%llu\n", gpu->pci.domain, gpu->pci.bus, gpu->pci.device);
    fprintf(file, "mig\t%llu\ncompute_mode\t%llu\n", gpu->mig, gpu->compute_mode);
    for (number i = 0; i < gpu->instance_count; i++) {
        const struct instance *instance = &gpu->instances[i];
        fprintf(file, "instance\t%llu\t%llu\n", instance->profile.id, instance->start);
        for (number j = 0; j < instance->compute_count; j++) {
            const struct compute *compute = &instance->compute[j];
            fprintf(file, "compute\t%llu\t%llu\t%llu\n", compute->profile, compute->start, compute->id);
        }
    }
}

nvmlReturn_t write_settings(void)
{
    char path[4096], scratch[4096];
    if (!table_path(path, sizeof path, ".set") || !table_path(scratch, sizeof scratch, ".set.new"))
        return NVML_ERROR_UNKNOWN;
    FILE *file = fopen(scratch, "we");
    if (!file)
        return NVML_ERROR_NO_PERMISSION;
    for (number i = 0; i < node_now()->gpu_count; i++)
        if (node_now()->gpus[i].changed)
            write_gpu(file, &node_now()->gpus[i]);
    fputs("end\n", file);
    bool written = !ferror(file);
    return fclose(file) == 0 && written && rename(scratch, path) == 0 ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
