// Running the blocks of a launch: one coroutine a thread, barriers, shared memory and warp operations.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "abi.h"
#include "memory.h"

namespace softgpu {

// Launch is a kernel with its launch parameters, which were copied when it was queued.
struct Launch {
    const softgpu_abi::Kernel *kernel;
    std::string name;
    softgpu_abi::Index grid, block;
    uint64_t dynamic_shared;
    std::vector<std::vector<unsigned char>> parameters;
    uint64_t seed;
    bool checked;
    uint32_t operation;  // in checked mode
    uintptr_t code_base, code_end;  // the kernel library's own data: constants
};

// run executes the launch on the worker threads and returns the error, or an empty string. `illegal` distinguishes an
// invalid access from a violated rule.
std::string run(const Launch &launch, bool &illegal);

// start_workers fixes the number of worker threads; later calls do nothing.
void start_workers(unsigned count);
unsigned worker_count();

const softgpu_abi::Host *host_table();

// worker_fault handles a fault of the calling thread if that is a worker inside a kernel, by leaving the kernel.
bool worker_fault(uintptr_t address, void *context);

// draw is the generator of all random orders (splitmix64).
inline uint64_t draw(uint64_t &state) {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

}  // namespace softgpu
