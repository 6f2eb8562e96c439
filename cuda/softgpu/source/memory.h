// Device memory, pinned host memory, and the shadow that checked mode keeps of device and shared memory.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "abi.h"

namespace softgpu {

// Access is one access in the shadow's format. The operation is its launch or copy.
struct Access {
    uint32_t operation;  // 0: none
    uint32_t thread;     // block * 1024 + thread in block, of this launch
    uint16_t interval;   // barriers the block has passed
    uint16_t warp_interval;
};

// Cell shadows four bytes: the last write, the last two reads by different threads, the last read of another
// operation, and which bytes were ever written.
struct Cell {
    Access write, read, read_before;
    uint32_t read_other;
    uint8_t valid, write_mask, read_mask, read_before_mask;
    bool write_atomic;
};

struct Allocation {
    uintptr_t base;
    uint64_t size;
    uint64_t mapped;
    Cell *cells;  // checked mode only
    bool checked;
    bool adopted;
};

// Operation is a launch or a copy in the shadow's order: a happens before b if b's clock has reached a.
struct Operation {
    std::string name;
    uint32_t stream, sequence;
    std::shared_ptr<std::vector<uint32_t>> clock;
};

// Memory is all device memory of the process, guarded by the driver's lock.
class Memory {
  public:
    uintptr_t allocate(uint64_t size, bool checked);
    bool release(uintptr_t base);
    // adopt registers a kernel library's variable as a buffer; disown removes the variables in a range of addresses.
    void adopt(uintptr_t base, uint64_t size, bool checked);
    void disown(uintptr_t from, uintptr_t to);
    uint64_t used() const { return used_; }
    const Allocation *find(uintptr_t address) const;
    // covers reports whether the bytes lie inside one live allocation.
    bool covers(uintptr_t address, uint64_t size) const;
    std::string describe(uintptr_t address) const;

    uint32_t begin(const Operation &operation);
    const Operation &operation(uint32_t id) const { return operations_[id]; }
    bool before(uint32_t earlier, uint32_t later) const;

    // touch records a copy's or fill's access to a range and returns the error, or an empty string.
    std::string touch(uintptr_t address, uint64_t size, bool write, uint32_t operation);
    void copy_validity(uintptr_t to, uintptr_t from, uint64_t size);

  private:
    std::map<uintptr_t, Allocation> live_;
    std::map<uintptr_t, Allocation> gone_;  // checked allocations stay reserved, so that a use after free is detected
    std::vector<Operation> operations_ = std::vector<Operation>(1);
    uint64_t used_ = 0;
};

Memory &memory();

// conflict explains why an access conflicts with the recorded ones in the cell, or returns an empty string.
std::string conflict(const Cell &cell, const Access &access, uint8_t mask, int kind);
// record puts the access into the cell.
void record(Cell &cell, const Access &access, uint8_t mask, int kind);

// A pinned host allocation. In checked mode the pages of a range are inaccessible to the host while a copy that uses it
// is queued.
struct Pinned {
    struct Page {
        int reading = 0, writing = 0;  // queued copies that read it (uploads) and write it (downloads)
    };
    uint64_t size, mapped;
    bool checked;
    std::vector<Page> pages;  // in checked mode
};

uintptr_t pin(uint64_t size, bool checked);
bool unpin(uintptr_t base);
// A range of pinned memory.
struct PinnedRange {
    uintptr_t address;
    uint64_t size;
};
// hold and let_go enclose the time from queueing a copy to the host's synchronisation with it.
void hold(PinnedRange range, bool device_writes);
void let_go(PinnedRange range, bool device_writes);
// open_for_copy makes the pages accessible to the copy itself; close_again restores the protection.
void open_for_copy(PinnedRange range);
void close_again(PinnedRange range);
// pinned_fault describes a host access to closed pages; for signal handlers.
const char *pinned_fault(uintptr_t address);

}  // namespace softgpu
