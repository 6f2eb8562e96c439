// The interface between a compiled kernel library and the software device. Both sides include it, so it stands alone:
// no CUDA, no C++ library.
#pragma once

namespace softgpu_abi {

struct Index {
    unsigned x, y, z;
};

// Thread has the data of a kernel's thread: the four built-in variables of CUDA.
struct Thread {
    Index thread, block, block_dim, grid_dim;
};

enum AccessKind { READ = 0, WRITE = 1, ATOMIC = 2 };

enum WarpOperation {
    SHUFFLE = 0, SHUFFLE_XOR = 1, SHUFFLE_UP = 2, SHUFFLE_DOWN = 3, BALLOT = 4, WARP_BARRIER = 5, MATCH = 6,
    MULTIPLY_BYTES = 7
};

// ByteTile is lane 4g + t's operands of a product of matrices of bytes, 16 x 32 by 32 x 8, and its part of the sums.
// Its words of a are in rows g and g + 8, its word of b is in column g, and c has columns 2t and 2t + 1 of both rows.
struct ByteTile {
    unsigned long long a[2], b;
    unsigned *c;
};

// Host is the table of functions that the device gives every kernel library when it is loaded.
struct Host {
    Thread *(*self)();
    void (*barrier)(const char *file, int line);
    unsigned long long (*warp)(int operation, unsigned mask, unsigned long long value, int lane, int width,
        const char *file, int line);
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
