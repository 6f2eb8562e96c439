#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "report.h"

namespace softgpu {

static const uint64_t PAGE = 4096;
// Fresh memory is filled with this, so that code that relies on zeros fails. It is not a canonical field element.
static const int FRESH = 0xfa, STALE = 0xfc;
static const uint64_t FILL_LIMIT = 64 << 20;  // larger plain allocations are left as the system provides them

Memory &memory() {
    static Memory all;
    return all;
}

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

static uint64_t shadow_bytes(uint64_t size) { return round_up(size, 4) / 4 * sizeof(Cell); }

uintptr_t Memory::allocate(uint64_t size, bool checked) {
    uint64_t mapped = round_up(size, PAGE) + PAGE;  // the last page stays inaccessible
    void *p = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return 0;
    mprotect(static_cast<char *>(p) + mapped - PAGE, PAGE, PROT_NONE);
    if (checked || size <= FILL_LIMIT) memset(p, FRESH, size);
    Allocation a = {reinterpret_cast<uintptr_t>(p), size, mapped, nullptr, checked, false};
    if (checked) {
        void *shadow = mmap(nullptr, shadow_bytes(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (shadow == MAP_FAILED) {
            munmap(p, mapped);
            return 0;
        }
        a.cells = static_cast<Cell *>(shadow);
    }
    live_[a.base] = a;
    used_ += size;
    return a.base;
}

void Memory::adopt(uintptr_t base, uint64_t size, bool checked) {
    if (live_.count(base) != 0) return;
    Allocation a = {base, size, size, nullptr, checked, true};
    if (checked) {
        void *shadow = mmap(nullptr, shadow_bytes(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (shadow != MAP_FAILED) a.cells = static_cast<Cell *>(shadow);
    }
    live_[base] = a;
}

void Memory::disown(uintptr_t from, uintptr_t to) {
    for (auto at = live_.lower_bound(from); at != live_.end() && at->first < to;) {
        if (at->second.cells != nullptr) munmap(at->second.cells, shadow_bytes(at->second.size));
        at = live_.erase(at);
    }
}

bool Memory::release(uintptr_t base) {
    auto at = live_.find(base);
    if (at == live_.end() || at->second.adopted) return false;
    Allocation a = at->second;
    live_.erase(at);
    used_ -= a.size;
    if (!a.checked) {
        munmap(reinterpret_cast<void *>(a.base), a.mapped);
        return true;
    }
    munmap(a.cells, shadow_bytes(a.size));
    // The address stays reserved and inaccessible; its pages return to the system.
    mmap(reinterpret_cast<void *>(a.base), a.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    gone_[a.base] = a;
    return true;
}

const Allocation *Memory::find(uintptr_t address) const {
    auto at = live_.upper_bound(address);
    if (at == live_.begin()) return nullptr;
    const Allocation &a = (--at)->second;
    return address - a.base < a.size ? &a : nullptr;
}

bool Memory::covers(uintptr_t address, uint64_t size) const {
    const Allocation *a = find(address);
    return a != nullptr && size <= a->size - (address - a->base);
}

std::string Memory::describe(uintptr_t address) const {
    auto old = gone_.upper_bound(address);
    if (old != gone_.begin() && address - std::prev(old)->second.base < std::prev(old)->second.size)
        return format("inside a buffer of %lu bytes that was freed", static_cast<unsigned long>(std::prev(old)->second.size));
    auto at = live_.upper_bound(address);
    if (at != live_.begin()) {
        const Allocation &a = std::prev(at)->second;
        uint64_t past = address - a.base;
        if (past < a.size + a.mapped)
            return past < a.size ? format("byte %lu of a buffer of %lu bytes", static_cast<unsigned long>(past), static_cast<unsigned long>(a.size))
                                 : format("%lu bytes past the end of a buffer of %lu bytes", static_cast<unsigned long>(past - a.size), static_cast<unsigned long>(a.size));
    }
    if (at != live_.end() && at->second.base - address < PAGE)
        return format("%lu bytes before a buffer of %lu bytes", static_cast<unsigned long>(at->second.base - address), static_cast<unsigned long>(at->second.size));
    return format("address 0x%lx, in no buffer", static_cast<unsigned long>(address));
}

uint32_t Memory::begin(const Operation &operation) {
    operations_.push_back(operation);
    return static_cast<uint32_t>(operations_.size() - 1);
}

bool Memory::before(uint32_t earlier, uint32_t later) const {
    const Operation &a = operations_[earlier], &b = operations_[later];
    if (a.stream == b.stream) return a.sequence <= b.sequence;
    return a.stream < b.clock->size() && (*b.clock)[a.stream] >= a.sequence;
}

static const char *verb(bool write) { return write ? "writes" : "reads"; }

// unordered describes an access of one operation that is not ordered after another operation's.
static std::string unordered(uint32_t earlier, bool earlier_writes, uint32_t later, bool later_writes) {
    const Operation &a = memory().operation(earlier), &b = memory().operation(later);
    return format("missing event wait: %s on stream %u %s memory that %s on stream %u %s, and no event orders them", b.name.c_str(), b.stream,
                  verb(later_writes), a.name.c_str(), a.stream, verb(earlier_writes));
}

// beside describes two accesses of one launch that no barrier separates.
static std::string beside(const Access &a, bool a_writes, const Access &b, bool b_writes) {
    uint32_t block_a = a.thread / 1024, block_b = b.thread / 1024, thread_a = a.thread % 1024, thread_b = b.thread % 1024;
    if (block_a != block_b)
        return format("conflict between blocks: thread %u of block %u %s what thread %u of block %u %s in the same launch", thread_b, block_b,
                      verb(b_writes), thread_a, block_a, verb(a_writes));
    return format("race: thread %u %s what thread %u %s in block %u with no barrier between", thread_b, verb(b_writes), thread_a, verb(a_writes), block_a);
}

static std::string against(const Access &old, uint8_t old_mask, bool old_writes, const Access &now, uint8_t mask, bool writes) {
    if (old.operation == 0 || (old_mask & mask) == 0) return "";
    if (old.operation != now.operation)
        return memory().before(old.operation, now.operation) ? "" : unordered(old.operation, old_writes, now.operation, writes);
    if (old.thread == now.thread) return "";
    if (old.thread / 1024 == now.thread / 1024) {
        if (old.interval != now.interval) return "";
        if (old.thread / 32 == now.thread / 32 && old.warp_interval != now.warp_interval) return "";
    }
    return beside(old, old_writes, now, writes);
}

std::string conflict(const Cell &cell, const Access &access, uint8_t mask, int kind) {
    bool writes = kind != softgpu_abi::READ;
    // Atomics may overlap, within a launch and across launches: their result does not depend on the order.
    if (!(kind == softgpu_abi::ATOMIC && cell.write_atomic)) {
        std::string text = against(cell.write, cell.write_mask, true, access, mask, writes);
        if (!text.empty()) return text;
    }
    if (!writes) return "";
    std::string text = against(cell.read, cell.read_mask, false, access, mask, true);
    if (text.empty()) text = against(cell.read_before, cell.read_before_mask, false, access, mask, true);
    if (text.empty() && cell.read_other != 0 && cell.read_other != access.operation && !memory().before(cell.read_other, access.operation))
        text = unordered(cell.read_other, false, access.operation, true);
    return text;
}

void record(Cell &cell, const Access &access, uint8_t mask, int kind) {
    if (kind != softgpu_abi::READ) {
        cell.write = access;
        cell.write_mask = mask;
        cell.write_atomic = kind == softgpu_abi::ATOMIC;
        cell.valid |= mask;
        return;
    }
    if (cell.read.operation != 0 && cell.read.operation != access.operation) {
        cell.read_other = cell.read.operation;
    }
    if (cell.read.operation != access.operation || cell.read.thread != access.thread) {
        cell.read_before = cell.read;
        cell.read_before_mask = cell.read_mask;
    }
    cell.read = access;
    cell.read_mask = mask;
}

static uint8_t byte_mask(uint64_t offset, uint64_t end, uint64_t cell) {
    uint64_t from = std::max(offset, cell * 4) - cell * 4, to = std::min(end, cell * 4 + 4) - cell * 4;
    return static_cast<uint8_t>(((1u << to) - 1) & ~((1u << from) - 1));
}

std::string Memory::touch(uintptr_t address, uint64_t size, bool write, uint32_t operation) {
    const Allocation *a = find(address);
    const std::string &name = operations_[operation].name;
    if (a == nullptr || size > a->size - (address - a->base))
        return name + ": out of bounds: " + describe(a == nullptr ? address : a->base + a->size);
    if (a->cells == nullptr) return "";
    uint64_t offset = address - a->base, end = offset + size;
    Access access = {operation, 0, 0, 0};
    int kind = write ? softgpu_abi::WRITE : softgpu_abi::READ;
    for (uint64_t i = offset / 4; i * 4 < end; i++) {
        Cell &cell = a->cells[i];
        uint8_t mask = byte_mask(offset, end, i);
        if (!write && (cell.valid & mask) != mask) return name + ": unwritten read: " + describe(a->base + i * 4);
        std::string text = conflict(cell, access, mask, kind);
        if (!text.empty()) return text + " (" + describe(a->base + i * 4) + ")";
        record(cell, access, mask, kind);
    }
    return "";
}

// ---- pinned host memory

static std::map<uintptr_t, Pinned> pinned;

uintptr_t pin(uint64_t size, bool checked) {
    uint64_t mapped = round_up(size, PAGE);
    void *p = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return 0;
    Pinned entry;
    entry.size = size, entry.mapped = mapped, entry.checked = checked;
    if (checked) {
        memset(p, STALE, size);
        entry.pages.resize(mapped / PAGE);
    }
    pinned[reinterpret_cast<uintptr_t>(p)] = entry;
    return reinterpret_cast<uintptr_t>(p);
}

static std::map<uintptr_t, Pinned>::iterator holder(uintptr_t address) {
    auto at = pinned.upper_bound(address);
    if (at == pinned.begin()) return pinned.end();
    --at;
    return address - at->first < at->second.mapped ? at : pinned.end();
}

// for_pages calls body with every page of a range that checked mode watches, and the page's address.
template <class Body> static void for_pages(PinnedRange range, Body body) {
    auto at = holder(range.address);
    if (at == pinned.end() || !at->second.checked || range.size == 0) return;
    uint64_t first = (range.address - at->first) / PAGE, last = (range.address - at->first + range.size - 1) / PAGE;
    for (uint64_t i = first; i <= last && i < at->second.pages.size(); i++)
        body(at->second.pages[i], reinterpret_cast<void *>(at->first + i * PAGE));
}

static void protect(const Pinned::Page &page, void *address) {
    mprotect(address, PAGE, page.writing > 0 ? PROT_NONE : page.reading > 0 ? PROT_READ : PROT_READ | PROT_WRITE);
}

bool unpin(uintptr_t base) {
    auto at = pinned.find(base);
    if (at == pinned.end()) return false;
    munmap(reinterpret_cast<void *>(base), at->second.mapped);
    pinned.erase(at);
    return true;
}

static void count(PinnedRange range, bool device_writes, int by) {
    for_pages(range, [=](Pinned::Page &page, void *address) {
        (device_writes ? page.writing : page.reading) += by;
        protect(page, address);
    });
}

void hold(PinnedRange range, bool device_writes) { count(range, device_writes, 1); }
void let_go(PinnedRange range, bool device_writes) { count(range, device_writes, -1); }

void open_for_copy(PinnedRange range) {
    for_pages(range, [](Pinned::Page &, void *address) { mprotect(address, PAGE, PROT_READ | PROT_WRITE); });
}

void close_again(PinnedRange range) {
    for_pages(range, [](Pinned::Page &page, void *address) { protect(page, address); });
}

const char *pinned_fault(uintptr_t address) {
    const char *what = nullptr;
    for_pages({address, 1}, [&](Pinned::Page &page, void *) {
        if (page.writing > 0)
            what = "result read before its synchronise: the host touches pinned memory that a queued download writes";
        else if (page.reading > 0)
            what = "staging reused before its upload: the host writes pinned memory that a queued upload reads";
    });
    return what;
}

void Memory::copy_validity(uintptr_t to, uintptr_t from, uint64_t size) {
    const Allocation *a = find(to), *b = find(from);
    if (a == nullptr || b == nullptr || a->cells == nullptr || b->cells == nullptr) return;
    if ((to - a->base) % 4 != 0 || (from - b->base) % 4 != 0) return;
    for (uint64_t i = 0; i < (size + 3) / 4; i++)
        a->cells[(to - a->base) / 4 + i].valid = b->cells[(from - b->base) / 4 + i].valid;
}

}  // namespace softgpu
