// Checked mode's rules for every load and store of a kernel: inside a live buffer, written before it is read, and in no
// conflict with another thread's access.
#include <algorithm>

#include "fiber.h"
#include "report.h"
#include "worker.h"

namespace softgpu {

namespace {

// shared_bounds reports whether the bytes lie inside one shared array of the block.
bool shared_bounds(const Worker &w, uint64_t offset, uint64_t size) {
    if (offset + size <= w.launch->dynamic_shared) return true;
    for (const SharedArray &array : w.arrays)
        if (offset >= array.offset && offset + size <= array.offset + array.size) return true;
    return false;
}

// own reports whether an address belongs to the device's own data, which a kernel's built-in variables and calls read.
bool own(const Worker &w, uintptr_t at) {
    return at - reinterpret_cast<uintptr_t>(w.fibers.data()) < MAX_THREADS * sizeof(Fiber) || at - reinterpret_cast<uintptr_t>(host_table()) < sizeof(softgpu_abi::Host);
}

const char *place(int kind) { return kind == softgpu_abi::READ ? "read" : kind == softgpu_abi::WRITE ? "write" : "atomic"; }

void check_cells(Worker &w, Cell *cells, uint64_t offset, uint64_t size, int kind, const void *pc, const char *space, uintptr_t base) {
    Fiber &me = *w.current;
    Access access = {w.launch->operation, w.block * 1024 + me.index, w.interval, w.warp_interval[me.index / 32]};
    uint64_t end = offset + size;
    for (uint64_t i = offset / 4; i * 4 < end; i++) {
        uint64_t from = std::max(offset, i * 4) - i * 4, to = std::min(end, i * 4 + 4) - i * 4;
        uint8_t mask = static_cast<uint8_t>(((1u << to) - 1) & ~((1u << from) - 1));
        if (kind != softgpu_abi::WRITE && (cells[i].valid & mask) != mask)
            w.abandon(w.where(me) + "unwritten read of " + space + " memory" + (base == 0 ? " (or a missing barrier)" : "") + source_line(pc) +
                          (base != 0 ? ": " + memory().describe(base + i * 4) : format(": byte %lu", static_cast<unsigned long>(i * 4))), false);
        std::string text = conflict(cells[i], access, mask, kind);
        if (!text.empty())
            w.abandon(w.where(me) + text + ", in " + space + " memory" + source_line(pc) +
                          (base != 0 ? ": " + memory().describe(base + i * 4) : format(": byte %lu", static_cast<unsigned long>(i * 4))), false);
        record(cells[i], access, mask, kind);
    }
}

}  // namespace

void check_access(const void *address, unsigned long size, int kind, const void *pc) {
    Worker &w = *current_worker();
    uintptr_t at = reinterpret_cast<uintptr_t>(address);
    if (at - reinterpret_cast<uintptr_t>(w.stacks) < MAX_THREADS * (STACK_BYTES + GUARD_BYTES)) return;
    uint64_t offset = at - reinterpret_cast<uintptr_t>(w.shared);
    if (offset < SHARED_BYTES) {
        if (!shared_bounds(w, offset, size))
            w.abandon(w.where(*w.current) + format("out of bounds %s of shared memory", place(kind)) + source_line(pc) + format(": byte %lu", static_cast<unsigned long>(offset)), true);
        check_cells(w, w.cells.data(), offset, size, kind, pc, "shared", 0);
        return;
    }
    const Allocation *a = w.recent;
    if (a == nullptr || at - a->base >= a->size) a = memory().find(at);
    if (a != nullptr && size <= a->size - (at - a->base)) {
        w.recent = a;
        if (a->cells != nullptr) check_cells(w, a->cells, at - a->base, size, kind, pc, "global", a->base);
        return;
    }
    if (kind == softgpu_abi::READ && (own(w, at) || (at >= w.launch->code_base && at + size <= w.launch->code_end))) return;
    w.abandon(w.where(*w.current) + format("out of bounds %s of %lu bytes of global memory", place(kind), size) + source_line(pc) + ": " +
                  memory().describe(a != nullptr ? a->base + a->size : at), true);
}

}  // namespace softgpu
