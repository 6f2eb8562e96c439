/* A stand-in for libnvidia-ml.so.1. Every call reads the file "state" beside the library, of lines
 * "key value", so that a test can change the device while a program watches it. Signatures are those of nvml.h, written
 * here again from its documentation and not taken from the binding under test. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fake *nvmlDevice_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned long long referenceTime, violationTime; } nvmlViolationTime_t;
typedef struct {
    unsigned int pid;
    unsigned long long usedGpuMemory;
    unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;

typedef struct {
    unsigned int pid;
    unsigned long long timeStamp;
    unsigned int smUtil, memUtil, encUtil, decUtil;
} nvmlProcessUtilizationSample_t;

enum { NOT_FOUND = 6, SUCCESS = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, INSUFFICIENT_SIZE = 7, GPU_IS_LOST = 15 };

static int initialized;

/* value of a key, or NULL; a device's own key is "N.key". */
static const char *state(nvmlDevice_t d, const char *key, char *line, size_t size) {
    char full[128];
    if (d) snprintf(full, sizeof full, "%ld.%s ", (long)d - 1, key);
    else snprintf(full, sizeof full, "%s ", key);
    Dl_info self;
    char path[4096];
    if (!dladdr((void *)&initialized, &self)) return NULL;
    snprintf(path, sizeof path, "%.*sstate", (int)(strrchr(self.dli_fname, '/') + 1 - self.dli_fname), self.dli_fname);
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    const char *found = NULL;
    while (!found && fgets(line, size, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, full, strlen(full))) found = line + strlen(full);
    }
    fclose(f);
    return found;
}

static int number(nvmlDevice_t d, const char *key, unsigned long long *out) {
    char line[4096];
    if (!initialized) return UNINITIALIZED;
    const char *text = state(d, key, line, sizeof line);
    if (!text) return NOT_SUPPORTED;
    if (!strcmp(text, "lost")) return GPU_IS_LOST;
    *out = strtoull(text, NULL, 0);
    return SUCCESS;
}

static int number32(nvmlDevice_t d, const char *key, unsigned int *out) {
    unsigned long long wide;
    int code = number(d, key, &wide);
    if (code == SUCCESS) *out = (unsigned int)wide;
    return code;
}

static int text(nvmlDevice_t d, const char *key, char *out, unsigned int size) {
    char line[4096];
    if (!initialized) return UNINITIALIZED;
    const char *found = state(d, key, line, sizeof line);
    if (!found) return NOT_SUPPORTED;
    if (strlen(found) + 1 > size) return INSUFFICIENT_SIZE;
    strcpy(out, found);
    return SUCCESS;
}

int nvmlInit_v2(void) {
    char line[4096];
    if (state(NULL, "refuse", line, sizeof line)) return 9; /* NVML_ERROR_DRIVER_NOT_LOADED */
    initialized++;
    return SUCCESS;
}
int nvmlShutdown(void) {
    if (!initialized) return UNINITIALIZED;
    initialized--;
    return SUCCESS;
}
const char *nvmlErrorString(int code) {
    switch (code) {
    case 9: return "Driver Not Loaded";
    case GPU_IS_LOST: return "GPU is lost";
    default: return "Other";
    }
}
int nvmlSystemGetDriverVersion(char *out, unsigned int size) { return text(NULL, "driver", out, size); }
int nvmlSystemGetCudaDriverVersion_v2(int *out) { return number32(NULL, "cuda", (unsigned int *)out); }
int nvmlDeviceGetCount_v2(unsigned int *out) { return number32(NULL, "count", out); }
int nvmlDeviceGetHandleByIndex_v2(unsigned int i, nvmlDevice_t *out) {
    unsigned int n, bad;
    if (number32(NULL, "count", &n) != SUCCESS || i >= n) return INVALID_ARGUMENT;
    *out = (nvmlDevice_t)(long)(i + 1);
    return number32(*out, "handle", &bad) == GPU_IS_LOST ? GPU_IS_LOST : SUCCESS;
}
int nvmlDeviceGetName(nvmlDevice_t d, char *out, unsigned int size) { return text(d, "name", out, size); }
int nvmlDeviceGetUUID(nvmlDevice_t d, char *out, unsigned int size) { return text(d, "uuid", out, size); }
static int clock_of(nvmlDevice_t d, const char *prefix, int type, unsigned int *out) {
    char key[64];
    snprintf(key, sizeof key, "%s%d", prefix, type);
    return number32(d, key, out);
}
int nvmlDeviceGetClockInfo(nvmlDevice_t d, int type, unsigned int *out) { return clock_of(d, "clock", type, out); }
int nvmlDeviceGetMaxClockInfo(nvmlDevice_t d, int type, unsigned int *out) { return clock_of(d, "maxclock", type, out); }
int nvmlDeviceGetPowerUsage(nvmlDevice_t d, unsigned int *out) { return number32(d, "power", out); }
int nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t d, unsigned int *out) { return number32(d, "limit", out); }
int nvmlDeviceGetTemperature(nvmlDevice_t d, int sensor, unsigned int *out) { return sensor ? INVALID_ARGUMENT : number32(d, "temperature", out); }
int nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t d, unsigned long long *out) { return number(d, "energy", out); }
/* The name before driver 535: the binding has to fall back to it. */
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t d, unsigned long long *out) { return number(d, "throttle", out); }
int nvmlDeviceGetViolationStatus(nvmlDevice_t d, int policy, nvmlViolationTime_t *out) { return policy == 1 ? number(d, "thermal", &out->violationTime) : NOT_SUPPORTED; }
int nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *out) {
    int code = number(d, "memory_total", &out->total);
    if (code == SUCCESS) code = number(d, "memory_used", &out->used);
    if (code == SUCCESS) out->free = out->total - out->used;
    return code;
}
int nvmlDeviceGetEccMode(nvmlDevice_t d, unsigned int *current, unsigned int *pending) { *pending = 0; return number32(d, "ecc", current); }
int nvmlDeviceGetMigMode(nvmlDevice_t d, unsigned int *current, unsigned int *pending) { *pending = 0; return number32(d, "mig", current); }
int nvmlDeviceGetTotalEccErrors(nvmlDevice_t d, int kind, int counter, unsigned long long *out) { return kind == 1 && counter == 0 ? number(d, "errors", out) : NOT_SUPPORTED; }
int nvmlDeviceGetPersistenceMode(nvmlDevice_t d, unsigned int *out) { return number32(d, "persistence", out); }

/* "processes 10:4096 20:-" lists pid:bytes. */
static int processes(nvmlDevice_t d, const char *key, unsigned int *count, nvmlProcessInfo_t *list) {
    char line[65536];
    if (!initialized) return UNINITIALIZED;
    const char *found = state(d, key, line, sizeof line);
    if (!found) return NOT_SUPPORTED;
    char copy[65536];
    strcpy(copy, found);
    unsigned int n = 0;
    for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "), n++) {
        if (n >= *count) continue;
        char *colon = strchr(p, ':');
        memset(&list[n], 0, sizeof list[n]);
        list[n].pid = (unsigned int)atoi(p);
        list[n].usedGpuMemory = colon[1] == '-' ? ~0ULL : strtoull(colon + 1, NULL, 0);
    }
    int fits = n <= *count;
    *count = n;
    return fits ? SUCCESS : INSUFFICIENT_SIZE;
}
int nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t d, unsigned int *count, nvmlProcessInfo_t *list) { return processes(d, "processes", count, list); }
int nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t d, unsigned int *count, nvmlProcessInfo_t *list) { return processes(d, "graphics", count, list); }

/* "utilization 10:40:5 20:100:-3" lists pid:percentage:seconds after the time that the caller names. */
int nvmlDeviceGetProcessUtilization(nvmlDevice_t d, nvmlProcessUtilizationSample_t *list, unsigned int *count, unsigned long long since) {
    char line[65536];
    if (!initialized) return UNINITIALIZED;
    const char *found = state(d, "utilization", line, sizeof line);
    if (!found) return NOT_SUPPORTED;
    char copy[65536];
    strcpy(copy, found);
    unsigned int n = 0;
    for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "), n++) {
        if (n >= *count) continue;
        unsigned int pid, percent;
        int after;
        if (sscanf(p, "%u:%u:%d", &pid, &percent, &after) != 3) return INVALID_ARGUMENT;
        memset(&list[n], 0, sizeof list[n]);
        list[n].pid = pid;
        list[n].smUtil = percent;
        list[n].timeStamp = since + after * 1000000LL;
    }
    int fits = n <= *count;
    *count = n;
    if (n == 0) return NOT_FOUND;
    return fits ? SUCCESS : INSUFFICIENT_SIZE;
}
