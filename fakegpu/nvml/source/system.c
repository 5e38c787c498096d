/* The driver, and what errors are called. */
#include "api.h"
#include "state.h"

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    ON_NODE(version, put_text(version, length, node_now()->driver));
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    ON_NODE(version, put_text(version, length, node_now()->nvml));
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    ON_NODE(version, put_int(version, node_now()->cuda));
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    ON_NODE(version, put_int(version, node_now()->cuda));
}

const char *nvmlErrorString(nvmlReturn_t result)
{
    static const char *const texts[] = {
        "Success",
        "Uninitialized",
        "Invalid Argument",
        "Not Supported",
        "Insufficient Permissions",
        "Already Initialized",
        "Not Found",
        "Insufficient Size",
        "Insufficient External Power",
        "Driver Not Loaded",
        "Timeout",
        "Interrupt Request Issue",
        "NVML Shared Library Not Found",
        "Function Not Found",
        "Corrupted infoROM",
        "GPU is lost",
        "GPU requires restart",
        "The operating system has blocked the request.",
        "RM has detected an NVML/RM version mismatch.",
        "In use by another client",
        "Insufficient Memory",
        "No data",
        "VGPU ECC not supported",
        "Insufficient Resources",
        "Frequency not supported",
        "Argument version mismatch",
        "Deprecated",
        "Not ready",
        "GPU not found",
        "Invalid state",
        "Reset type not supported",
    };
    return result < sizeof texts / sizeof *texts ? texts[result] : "Unknown Error";
}
