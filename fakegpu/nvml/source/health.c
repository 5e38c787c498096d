/* How a GPU is: temperature, clocks and what slows them, power, ECC errors. */
#include "api.h"
#include "state.h"

enum { THRESHOLDS = 8, SHUTDOWN = 95, SLOWDOWN = 90, GPU_MAX = 87 };
enum { CLOCK_GRAPHICS, CLOCK_SM, CLOCK_MEMORY, CLOCK_VIDEO, CLOCKS };
enum { TEMPERATURE_V1 = 0x100000C, AMPERE = 7, UNKNOWN = 0xff };
enum { CORRECTED, UNCORRECTED, ERRORS, VOLATILE = 0, AGGREGATE, COUNTERS, DEVICE_MEMORY = 2, LOCATIONS = 8 };
/* All that slows clocks, but for idleness and what was set. */
#define SLOWING 0xfcULL
#define ALL_REASONS 0x1ffULL

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, unsigned int sensor, unsigned int *temperature)
{
    ON_GPU(device, temperature && sensor == 0, put(temperature, call.gpu->temperature));
}

static nvmlReturn_t put_temperature(nvmlTemperature_v1_t *to, number temperature)
{
    if (to->version != TEMPERATURE_V1)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    to->temperature = (int)temperature;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_v1_t *temperature)
{
    ON_GPU(device, temperature && temperature->sensorType == 0, put_temperature(temperature, call.gpu->temperature));
}

static nvmlReturn_t put_threshold(unsigned int *to, unsigned int threshold)
{
    static const unsigned int known[] = {SHUTDOWN, SLOWDOWN, SLOWDOWN, GPU_MAX};
    return threshold < sizeof known / sizeof *known ? put(to, known[threshold]) : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, unsigned int threshold, unsigned int *temperature)
{
    ON_GPU(device, temperature && threshold < THRESHOLDS, put_threshold(temperature, threshold));
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    ON_GPU(device, reasons, put_long(reasons, call.gpu->throttle ? call.gpu->throttle : 1)); /* 1: it is idle */
}

nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    ON_GPU(device, reasons, put_long(reasons, ALL_REASONS));
}

/* What these were called before. */
nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    return nvmlDeviceGetSupportedClocksEventReasons(device, reasons);
}

static number max_clock(const struct gpu *gpu, unsigned int type)
{
    if (type == CLOCK_MEMORY)
        return gpu->memory_clock;
    return type == CLOCK_VIDEO ? gpu->sm_clock * 4 / 5 : gpu->sm_clock;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, unsigned int type, unsigned int *clock)
{
    ON_GPU(device, clock && type < CLOCKS, put(clock, max_clock(call.gpu, type)));
}

/* Half of what the model can while something slows it. */
static number clock_now(const struct gpu *gpu, unsigned int type)
{
    bool slowed = gpu->throttle & SLOWING && type != CLOCK_MEMORY;
    return max_clock(gpu, type) / (slowed ? 2 : 1);
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, unsigned int type, unsigned int *clock)
{
    ON_GPU(device, clock && type < CLOCKS, put(clock, clock_now(call.gpu, type)));
}

nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, unsigned int *state)
{
    ON_GPU(device, state, put(state, 0));
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *milliwatts)
{
    ON_GPU(device, milliwatts, put(milliwatts, call.gpu->power * 100)); /* idle: a tenth of what it may take */
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    ON_GPU(device, milliwatts, put(milliwatts, call.gpu->power * 1000));
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    ON_GPU(device, milliwatts, put(milliwatts, call.gpu->power * 1000));
}

static nvmlReturn_t put_rates(nvmlUtilization_t *to)
{
    *to = (nvmlUtilization_t){0, 0};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates)
{
    ON_GPU(device, rates, call.gpu->mig ? NVML_ERROR_NOT_SUPPORTED : put_rates(rates));
}

nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned int *count)
{
    ON_GPU(device, count, put(count, 0));
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                     nvmlProcessInfo_v2_t *processes)
{
    (void)processes; /* no program runs on made-up GPUs */
    ON(device, 1U << GPU | 1U << MIG_DEVICE, count, put(count, 0));
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    ON_GPU(device, current && pending, (put(current, 1), put(pending, 1)));
}

nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, unsigned int *mode)
{
    ON_GPU(device, mode, put(mode, 1));
}

number ecc_errors(const struct gpu *gpu, unsigned int error, unsigned int counter)
{
    if (counter == AGGREGATE)
        return error == CORRECTED ? gpu->corrected_ever : gpu->uncorrected_ever;
    return error == CORRECTED ? gpu->corrected : gpu->uncorrected;
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, unsigned int error, unsigned int counter,
                                         unsigned long long *count)
{
    ON_GPU(device, count && error < ERRORS && counter < COUNTERS, put_long(count, ecc_errors(call.gpu, error, counter)));
}

/* All errors are in the device's memory. */
static nvmlReturn_t put_counts(nvmlEccErrorCounts_t *to, number count)
{
    *to = (nvmlEccErrorCounts_t){0, 0, count, 0};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, unsigned int error, unsigned int counter,
                                            nvmlEccErrorCounts_t *counts)
{
    ON_GPU(device, counts && error < ERRORS && counter < COUNTERS,
           put_counts(counts, ecc_errors(call.gpu, error, counter)));
}

nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, unsigned int error, unsigned int counter,
                                             unsigned int location, unsigned long long *count)
{
    ON_GPU(device, count && error < ERRORS && counter < COUNTERS && location < LOCATIONS,
           put_long(count, location == DEVICE_MEMORY ? ecc_errors(call.gpu, error, counter) : 0));
}

/* Rows of memory are remapped from Ampere on, pages are retired before. */
static bool remaps(const struct gpu *gpu)
{
    return gpu->architecture >= AMPERE && gpu->architecture < UNKNOWN;
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *corrected, unsigned int *uncorrected,
                                       unsigned int *pending, unsigned int *failed)
{
    ON_GPU(device, corrected && uncorrected && pending && failed,
           !remaps(call.gpu) ? NVML_ERROR_NOT_SUPPORTED
                             : (put(corrected, 0), put(uncorrected, call.gpu->uncorrected_ever),
                                put(pending, call.gpu->uncorrected != 0), put(failed, 0)));
}

nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device, unsigned int *pending)
{
    ON_GPU(device, pending,
           remaps(call.gpu) ? NVML_ERROR_NOT_SUPPORTED : put(pending, call.gpu->uncorrected != 0));
}
