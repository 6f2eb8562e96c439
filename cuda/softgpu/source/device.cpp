// The exported functions of initialisation, errors, devices and contexts.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <algorithm>

#include "api.h"
#include "block.h"
#include "memory.h"
#include "report.h"

namespace softgpu {

std::recursive_mutex api_lock;
Settings settings;
bool initialised = false;

static __attribute__((tls_model("initial-exec"))) thread_local Context *current_context = nullptr;

Context *current() { return current_context; }
void set_current(Context *c) { current_context = c; }

int ready(Context *&c) {
    if (!initialised) return NOT_INITIALIZED;
    c = current_context;
    if (c == nullptr) return INVALID_CONTEXT;
    return c->error;
}

static struct sigaction previous_segv, previous_bus;

// A fault of a worker in a kernel ends the kernel. A host access to pinned memory in use is reported. All other faults
// are passed to the previous handler, which is Go's.
static void on_fault(int number, siginfo_t *info, void *context) {
    uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
    if (worker_fault(address, context)) return;
    if (const char *text = pinned_fault(address)) finding_raw(text);
    struct sigaction &previous = number == SIGSEGV ? previous_segv : previous_bus;
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
        sigaction(number, &previous, nullptr);  // returning repeats the access, now with the default action
    } else {
        previous.sa_handler(number);
    }
}

static void install_handlers() {
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
}

struct ErrorText {
    int code;
    const char *name, *text;
};

static const ErrorText errors[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int put_text(char *out, int size, const std::string &text) {
    if (out == nullptr || size <= 0) return INVALID_VALUE;
    snprintf(out, static_cast<size_t>(size), "%s", text.c_str());
    return SUCCESS;
}

static const int DEVICES = 2;  // 0: plain, 1: checked

}  // namespace softgpu

using namespace softgpu;

// The two control functions that the driver does not have.
SOFTGPU_API softgpu_configure(unsigned long long seed, unsigned long long memory_bytes, unsigned workers) {
    std::lock_guard<std::recursive_mutex> hold(api_lock);
    settings.seed = seed;
    if (memory_bytes != 0) settings.memory_bytes = memory_bytes;
    if (workers != 0) settings.workers = workers;
    return SUCCESS;
}

SOFTGPU_API softgpu_finding(char *out, int size) { return put_text(out, size, take_finding()); }

SOFTGPU_API cuInit(unsigned flags) {
    std::lock_guard<std::recursive_mutex> hold(api_lock);
    if (flags != 0) return INVALID_VALUE;
    if (initialised) return SUCCESS;
    install_handlers();
    start_workers(settings.workers);
    initialised = true;
    return SUCCESS;
}

SOFTGPU_API cuDriverGetVersion(int *version) {
    *version = 13000;
    return SUCCESS;
}

SOFTGPU_API cuGetErrorName(int code, const char **out) {
    for (const ErrorText &e : errors)
        if (e.code == code) return *out = e.name, SUCCESS;
    *out = nullptr;
    return INVALID_VALUE;
}

SOFTGPU_API cuGetErrorString(int code, const char **out) {
    static thread_local std::string text;
    for (const ErrorText &e : errors) {
        if (e.code != code) continue;
        *out = e.text;
        std::string found = current_finding();
        if ((code == LAUNCH_FAILED || code == ILLEGAL_ADDRESS || code == INVALID_IMAGE) && !found.empty()) {
            text = std::string(e.text) + ": " + found;
            *out = text.c_str();
        }
        return SUCCESS;
    }
    *out = nullptr;
    return INVALID_VALUE;
}

SOFTGPU_API cuDeviceGetCount(int *count) {
    if (!initialised) return NOT_INITIALIZED;
    *count = DEVICES;
    return SUCCESS;
}

SOFTGPU_API cuDeviceGet(int *device, int ordinal) {
    if (!initialised) return NOT_INITIALIZED;
    if (ordinal < 0 || ordinal >= DEVICES) return INVALID_DEVICE;
    *device = ordinal;
    return SUCCESS;
}

SOFTGPU_API cuDeviceGetName(char *out, int size, int device) {
    return put_text(out, size, device == 1 ? "softgpu (checked)" : "softgpu");
}

SOFTGPU_API cuDeviceGetPCIBusId(char *out, int size, int device) { return put_text(out, size, format("ffff:00:%02d.0", device)); }

SOFTGPU_API cuDeviceGetUuid_v2(unsigned char *out, int device) {
    memcpy(out, "softgpu-device-", 15);
    out[15] = static_cast<unsigned char>('0' + device);
    return SUCCESS;
}

SOFTGPU_API cuDeviceTotalMem_v2(unsigned long *bytes, int) {
    *bytes = settings.memory_bytes;
    return SUCCESS;
}

SOFTGPU_API cuDeviceGetAttribute(int *out, int attribute, int device) {
    switch (attribute) {
    case 1: case 2: case 3: *out = 1024; return SUCCESS;             // threads of a block, along x, y
    case 4: *out = 64; return SUCCESS;                               // along z
    case 5: *out = 0x7fffffff; return SUCCESS;                       // grid along x
    case 6: case 7: *out = 65535; return SUCCESS;                    // y, z
    case 8: *out = 48 << 10; return SUCCESS;                         // shared memory of a block
    case 10: *out = 32; return SUCCESS;                              // warp
    case 13: *out = 1000000; return SUCCESS;                         // clock
    case 16: *out = static_cast<int>(worker_count()); return SUCCESS;  // multiprocessors
    case 38: *out = 32 << 20; return SUCCESS;                        // L2
    case 75: *out = 0; return SUCCESS;                               // capability: no NVIDIA device has major 0
    case 76: *out = device; return SUCCESS;
    case 81: *out = 228 << 10; return SUCCESS;                       // shared memory of a multiprocessor
    case 82: *out = 65536; return SUCCESS;                           // registers
    case 97: *out = 227 << 10; return SUCCESS;                       // shared memory of a block that opts in
    }
    return INVALID_VALUE;
}

SOFTGPU_API cuCtxCreate_v2(Context **out, unsigned, int device) {
    std::lock_guard<std::recursive_mutex> hold(api_lock);
    if (!initialised) return NOT_INITIALIZED;
    if (device < 0 || device >= DEVICES) return INVALID_DEVICE;
    Context *c = new Context;
    c->ordinal = device;
    c->checked = device == 1;
    c->random = settings.seed;
    *out = c;
    set_current(c);
    return SUCCESS;
}

SOFTGPU_API cuCtxDestroy_v2(Context *c) {
    std::lock_guard<std::recursive_mutex> hold(api_lock);
    if (c == nullptr) return INVALID_CONTEXT;
    c->finish(nullptr, nullptr);
    if (current() == c) set_current(nullptr);
    for (Stream *s : c->streams) delete s;
    delete c;
    return SUCCESS;
}

SOFTGPU_API cuCtxSetCurrent(Context *c) {
    if (!initialised) return NOT_INITIALIZED;
    set_current(c);
    return SUCCESS;
}

SOFTGPU_API cuCtxGetCurrent(Context **out) {
    if (!initialised) return NOT_INITIALIZED;
    *out = current();
    return SUCCESS;
}

SOFTGPU_API cuCtxSynchronize() {
    SOFTGPU_ENTER();
    return c->finish(nullptr, nullptr);
}
