// A worker: the thread that runs a launch's blocks one at a time, and its state for the current block.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "block.h"
#include "memory.h"

namespace softgpu {

constexpr uint64_t SHARED_BYTES = 256 << 10, SHARED_REDZONE = 64;
constexpr unsigned MAX_THREADS = 1024;

enum class State { RUNNABLE, BARRIER, WARP, DONE };

struct Fiber {
    void *sp;
    State state;
    softgpu_abi::Thread self;
    unsigned index;  // in the block
    const char *file;
    int line;
    // The warp operation that it waits in.
    int operation, lane;
    unsigned mask;
    unsigned long long value;
};

struct SharedArray {
    const void *site;
    uint64_t offset, size;
};

// Worker is a thread that runs one block at a time.
struct Worker {
    char *stacks = nullptr;
    void *scheduler = nullptr;
    Fiber *current = nullptr;
    const Launch *launch = nullptr;
    uint32_t block = 0;
    std::vector<Fiber> fibers = std::vector<Fiber>(MAX_THREADS);
    std::vector<unsigned> order;
    std::vector<SharedArray> arrays;
    unsigned char *shared = nullptr;
    uint64_t shared_used = 0;
    std::vector<Cell> cells;  // of shared memory
    uint16_t interval = 0;
    uint16_t warp_interval[MAX_THREADS / 32] = {};
    const Allocation *recent = nullptr;
    std::string failure;
    bool illegal = false;
    uint64_t random = 0;

    Worker();
    void run_block(uint32_t number);
    bool step();
    bool release_barrier();
    void check_warp();
    void enter(Fiber &fiber);
    [[noreturn]] void abandon(const std::string &why, bool wild);
    std::string where(const Fiber &fiber) const;
};

// current_worker is the calling thread's, or null.
Worker *current_worker();

// check_access is what instrumented loads and stores call in checked mode.
void check_access(const void *address, unsigned long size, int kind, const void *pc);

}  // namespace softgpu
