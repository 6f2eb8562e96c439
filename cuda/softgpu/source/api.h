// What the exported driver functions share.
#pragma once
#include <mutex>
#include <string>

#include "queue.h"

#define SOFTGPU_API extern "C" __attribute__((visibility("default"))) int

namespace softgpu {

// The results that the functions return; the names are CUDA's.
enum Result {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_IMAGE = 200, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600,
    ILLEGAL_ADDRESS = 700, LAUNCH_OUT_OF_RESOURCES = 701, LAUNCH_FAILED = 719, UNKNOWN = 999
};

struct Settings {
    uint64_t seed = 1;
    uint64_t memory_bytes = 16ull << 30;
    unsigned workers = 0;
};

extern std::recursive_mutex api_lock;
extern Settings settings;
extern bool initialised;

// current is the calling thread's context, or null.
Context *current();
void set_current(Context *c);
// ready returns the error that prevents a call on the current context: none, or a sticky failure.
int ready(Context *&c);

struct Module;
struct Function;

}  // namespace softgpu

#define SOFTGPU_ENTER()                                                                                                \
    std::lock_guard<std::recursive_mutex> hold(softgpu::api_lock);                                                     \
    softgpu::Context *c = nullptr;                                                                                     \
    if (int failed = softgpu::ready(c)) return failed
