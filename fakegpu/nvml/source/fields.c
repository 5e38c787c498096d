/* The values that NVML gives by the number of a field. */
#include "api.h"
#include "state.h"

#include <time.h>

enum { UNSIGNED_INT = 1, UNSIGNED_LONG_LONG = 3 };
enum {
    ECC_CURRENT = 1,
    ECC_PENDING = 2,
    ECC_FIRST = 3, /* corrected and uncorrected since the driver was loaded, then both ever */
    ECC_LAST = 6,
    MEMORY_TEMPERATURE = 82,
    SPEED_L0 = 84,
    SPEED_L5 = 89,
    SPEED_COMMON = 90,
    LINK_COUNT = 91,
    PCIE_REPLAYS = 94,
    SPEED_L6 = 132,
    SPEED_L11 = 137,
    REMAPPED_CORRECTED = 142,
    REMAPPED_UNCORRECTED = 143,
    REMAPPED_PENDING = 144,
    REMAPPED_FAILURE = 145,
    LINK_SPEED = 164,
    LINK_STATE = 165,
    LINK_VERSION = 166,
    C2C_COUNT = 170,
    RESETLESS_MIG = 184,
    RECOVERY_ACTION = 230,
    HOPPER = 9
};

static nvmlReturn_t of_link(const struct gpu *gpu, number link, number value, number *to)
{
    if (link >= gpu->nvlinks)
        return gpu->nvlinks ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_SUPPORTED;
    *to = link_is_active(gpu, link) ? value : 0;
    return NVML_SUCCESS;
}

static nvmlReturn_t set(number *to, number value)
{
    *to = value;
    return NVML_SUCCESS;
}

static nvmlReturn_t value_of(const struct gpu *gpu, unsigned int field, unsigned int scope, number *to)
{
    if (field == ECC_CURRENT || field == ECC_PENDING)
        return set(to, 1);
    if (field >= ECC_FIRST && field <= ECC_LAST)
        return set(to, ecc_errors(gpu, (field - ECC_FIRST) % 2, (field - ECC_FIRST) / 2));
    if (field == MEMORY_TEMPERATURE)
        return set(to, gpu->temperature + 5);
    if (field >= SPEED_L0 && field <= SPEED_L5)
        return of_link(gpu, field - SPEED_L0, gpu->nvlink_speed, to);
    if (field >= SPEED_L6 && field <= SPEED_L11)
        return of_link(gpu, field - SPEED_L6 + 6, gpu->nvlink_speed, to);
    if (field == SPEED_COMMON)
        return of_link(gpu, 0, gpu->nvlink_speed, to);
    if (field == LINK_COUNT)
        return gpu->nvlinks ? set(to, gpu->nvlinks) : NVML_ERROR_NOT_SUPPORTED;
    if (field == PCIE_REPLAYS || field == REMAPPED_CORRECTED || field == REMAPPED_FAILURE)
        return set(to, 0);
    if (field == REMAPPED_UNCORRECTED)
        return set(to, gpu->uncorrected_ever);
    if (field == REMAPPED_PENDING)
        return set(to, gpu->uncorrected != 0);
    if (field == LINK_SPEED)
        return of_link(gpu, scope, gpu->nvlink_speed, to);
    if (field == LINK_STATE)
        return of_link(gpu, scope, 1, to);
    if (field == LINK_VERSION)
        return of_link(gpu, scope, gpu->nvlink_version, to);
    if (field == C2C_COUNT)
        return gpu->coherent ? set(to, 1) : NVML_ERROR_NOT_SUPPORTED;
    if (field == RECOVERY_ACTION)
        return set(to, gpu->recovery);
    if (field == RESETLESS_MIG)
        return set(to, gpu->profile_count && gpu->architecture >= HOPPER);
    return NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t fill(const struct gpu *gpu, int count, nvmlFieldValue_t *values)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (nvmlFieldValue_t *value = values; value < values + count; value++) {
        number found = 0;
        value->nvmlReturn = value_of(gpu, value->fieldId, value->scopeId, &found);
        value->timestamp = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
        value->latencyUsec = 0;
        bool counts = value->fieldId >= ECC_FIRST && value->fieldId <= ECC_LAST;
        value->valueType = counts ? UNSIGNED_LONG_LONG : UNSIGNED_INT;
        value->value.ullVal = found; /* little end first: also right for who reads uiVal */
    }
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    ON_GPU(device, values && count > 0, fill(call.gpu, count, values));
}
