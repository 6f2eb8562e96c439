// What a compiled kernel library and the software device know of each other. Included by both sides, so it stands
// alone: no CUDA, no C++ library.
#pragma once

namespace softgpu_abi {

struct Index {
    unsigned x, y, z;
};

// Thread is what a kernel's thread knows of itself: the four built-in variables of CUDA.
struct Thread {
    Index thread, block, block_dim, grid_dim;
};

enum AccessKind { READ = 0, WRITE = 1, ATOMIC = 2 };

enum WarpOperation { SHUFFLE = 0, SHUFFLE_XOR = 1, SHUFFLE_UP = 2, SHUFFLE_DOWN = 3, BALLOT = 4, WARP_BARRIER = 5, MATCH = 6 };

// Host is the table of functions that the device gives every kernel library when it is loaded.
struct Host {
    Thread *(*self)();
    void (*barrier)(const char *file, int line);
    unsigned long long (*warp)(int operation, unsigned mask, unsigned long long value, int lane, int width, const char *file, int line);
    void *(*shared)(const void *site, unsigned long size);
    void *(*dynamic_shared)();
    void (*access)(const void *address, unsigned long size, int kind, const void *pc);
    void (*trap)(const char *file, int line);
};

// Kernel describes one entry point. It is exported under the entry point's name.
struct Kernel {
    unsigned magic;  // 'KERN'
    unsigned max_threads;
    unsigned parameter_count;
    const unsigned *parameter_sizes;
    void (*invoke)(void **parameters);
};

constexpr unsigned KERNEL_MAGIC = 0x4b45524e;

}  // namespace softgpu_abi
