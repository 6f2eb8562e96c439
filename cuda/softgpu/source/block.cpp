#include "worker.h"

#include <emmintrin.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "fiber.h"
#include "report.h"

namespace softgpu {

using softgpu_abi::Index;
using softgpu_abi::Thread;

namespace {

__attribute__((tls_model("initial-exec"))) thread_local Worker *worker = nullptr;

}  // namespace

Worker *current_worker() { return worker; }

Worker::Worker() {
    uint64_t bytes = MAX_THREADS * (STACK_BYTES + GUARD_BYTES);
    stacks = static_cast<char *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
    for (unsigned i = 0; i < MAX_THREADS; i++) mprotect(stacks + i * (STACK_BYTES + GUARD_BYTES), GUARD_BYTES, PROT_NONE);
    shared = static_cast<unsigned char *>(mmap(nullptr, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

std::string Worker::where(const Fiber &fiber) const {
    return format("kernel %s, block %u, thread %u: ", launch->name.c_str(), block, fiber.index);
}

void Worker::abandon(const std::string &why, bool wild) {
    failure = why;
    illegal = wild;
    void *gone;
    softgpu_switch(&gone, scheduler);
    __builtin_unreachable();
}

static void fiber_main() {
    Worker *w = worker;
    void *addresses[64];
    const Launch &launch = *w->launch;
    for (size_t i = 0; i < launch.parameters.size(); i++) addresses[i] = const_cast<unsigned char *>(launch.parameters[i].data());
    launch.kernel->invoke(addresses);
    w->current->state = State::DONE;
    softgpu_switch(&w->current->sp, w->scheduler);
    __builtin_unreachable();
}

void Worker::enter(Fiber &fiber) {
    current = &fiber;
    softgpu_switch(&scheduler, fiber.sp);
    current = nullptr;
}

// step runs every runnable thread once, in a random order, and reports whether there was one.
bool Worker::step() {
    size_t live = 0;
    for (size_t i = 0; i < order.size(); i++)
        if (fibers[order[i]].state != State::DONE) order[live++] = order[i];
    order.resize(live);
    for (size_t i = live; i > 1; i--) std::swap(order[i - 1], order[(draw(random) >> 32) * i >> 32]);
    bool ran = false;
    for (unsigned index : order) {
        Fiber &fiber = fibers[index];
        if (fiber.state != State::RUNNABLE) continue;
        enter(fiber);
        ran = true;
        if (!failure.empty()) return false;
    }
    return ran;
}

// release_barrier continues the block when all its threads wait at one barrier. Otherwise it returns why they cannot
// continue.
bool Worker::release_barrier() {
    unsigned threads = launch->block.x * launch->block.y * launch->block.z;
    const Fiber *first = nullptr, *stuck = nullptr, *done = nullptr;
    for (unsigned i = 0; i < threads; i++) {
        Fiber &fiber = fibers[i];
        if (fiber.state == State::DONE) done = &fiber;
        if (fiber.state == State::WARP) stuck = &fiber;
        if (fiber.state != State::BARRIER) continue;
        if (first == nullptr) first = &fiber;
        if (fiber.line != first->line || strcmp(fiber.file, first->file) != 0) {
            failure = where(fiber) + format("divergent barrier: it waits at %s:%d, thread %u at %s:%d", fiber.file, fiber.line, first->index, first->file, first->line);
            return false;
        }
    }
    if (stuck != nullptr) {
        failure = where(*stuck) + format("divergent warp operation at %s:%d: not all threads of its mask 0x%x arrive", stuck->file, stuck->line, stuck->mask);
        return false;
    }
    if (first == nullptr) return false;
    if (done != nullptr) {
        failure = where(*first) + format("divergent barrier: it waits at %s:%d, thread %u has returned", first->file, first->line, done->index);
        return false;
    }
    for (unsigned i = 0; i < threads; i++) fibers[i].state = State::RUNNABLE;
    interval++;
    return true;
}

void Worker::run_block(uint32_t number) {
    block = number;
    const Index &grid = launch->grid, &dim = launch->block;
    unsigned threads = dim.x * dim.y * dim.z;
    random = launch->seed ^ (uint64_t(number) * 0x9e3779b97f4a7c15ull);
    interval = 0;
    memset(warp_interval, 0, sizeof warp_interval);
    arrays.clear();
    shared_used = (launch->dynamic_shared + 15) / 16 * 16 + SHARED_REDZONE;
    if (launch->checked) cells.resize(SHARED_BYTES / 4);
    memset(shared, 0xfa, launch->dynamic_shared);
    Index at = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
    order.resize(threads);
    for (unsigned i = 0; i < threads; i++) {
        Fiber &fiber = fibers[i];
        fiber.index = order[i] = i;
        fiber.state = State::RUNNABLE;
        fiber.self = {{i % dim.x, i / dim.x % dim.y, i / dim.x / dim.y}, at, dim, grid};
        fiber.sp = prepare(stacks + (i + 1) * (STACK_BYTES + GUARD_BYTES), fiber_main);
    }
    do {
        while (step()) {
        }
    } while (failure.empty() && release_barrier());
    // No access beyond the block's shared memory is recorded, because shared_bounds rejects it.
    if (launch->checked) std::fill_n(cells.begin(), shared_used / 4, Cell());
}

// ---- functions that kernels call

namespace {

Thread *self() { return &worker->current->self; }

void leave(State state, const char *file, int line) {
    Fiber *fiber = worker->current;
    fiber->state = state, fiber->file = file, fiber->line = line;
    softgpu_switch(&fiber->sp, worker->scheduler);
}

void barrier(const char *file, int line) { leave(State::BARRIER, file, line); }

void trap(const char *file, int line) { worker->abandon(worker->where(*worker->current) + format("trap at %s:%d", file, line), false); }

// inner_product is the sum of the products of eight bytes each, as numbers of 16 bits in SSE2, which every x86-64 has.
unsigned inner_product(unsigned long long a, unsigned long long b) {
    auto wide = [](unsigned long long bytes) { return _mm_unpacklo_epi8(_mm_cvtsi64_si128(static_cast<long long>(bytes)), _mm_setzero_si128()); };
    __m128i sums = _mm_madd_epi16(wide(a), wide(b));  // of two products each
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1)));
    return static_cast<unsigned>(_mm_cvtsi128_si32(sums));
}

// multiply_bytes adds a lane's part of the product of a warp's bytes to its sums. Word t of a row or column is in lane t of its quad.
void multiply_bytes(const Fiber *warp, unsigned lanes, const Fiber &me) {
    auto tile = [&](unsigned lane) { return reinterpret_cast<const softgpu_abi::ByteTile *>(warp[lane].value); };
    unsigned lane = me.index % 32;
    for (unsigned sum = 0; sum < 4 && lanes == 32; sum++)
        for (unsigned t = 0; t < 4; t++)
            tile(lane)->c[sum] += inner_product(tile(lane / 4 * 4 + t)->a[sum / 2], tile((lane % 4 * 2 + sum % 2) * 4 + t)->b);
}

// result is what a thread receives from a warp operation once all threads of its mask have arrived.
unsigned long long result(const Fiber *warp, unsigned lanes, const Fiber &me) {
    unsigned lane = me.index % 32, from = lane;
    switch (me.operation) {
    case softgpu_abi::SHUFFLE: from = me.lane % 32; break;
    case softgpu_abi::SHUFFLE_XOR: from = lane ^ me.lane; break;
    case softgpu_abi::SHUFFLE_UP: from = lane - me.lane; break;  // out of range below: its own
    case softgpu_abi::SHUFFLE_DOWN: from = lane + me.lane; break;
    case softgpu_abi::MULTIPLY_BYTES: multiply_bytes(warp, lanes, me); break;
    case softgpu_abi::MATCH: {
        unsigned long long same = 0;
        for (unsigned i = 0; i < lanes; i++)
            if ((me.mask >> i & 1) != 0 && warp[i].value == me.value) same |= 1ull << i;
        return same;
    }
    }
    return from < lanes ? warp[from].value : me.value;
}

unsigned long long warp(int operation, unsigned mask, unsigned long long value, int lane, int, const char *file, int line) {
    Worker *w = worker;
    Fiber *me = w->current;
    unsigned threads = w->launch->block.x * w->launch->block.y * w->launch->block.z;
    unsigned first = me->index / 32 * 32, lanes = std::min(32u, threads - first);
    if (lanes < 32) mask &= (1u << lanes) - 1;
    me->operation = operation, me->mask = mask, me->value = value, me->lane = lane;
    me->file = file, me->line = line;
    Fiber *all = &w->fibers[first];
    if ((mask >> (me->index % 32) & 1) == 0)
        w->abandon(w->where(*me) + format("divergent warp operation at %s:%d: the thread is not in its own mask 0x%x", file, line, mask), false);
    bool complete = true;
    for (unsigned i = 0; i < lanes && complete; i++)
        if ((mask >> i & 1) != 0 && &all[i] != me)
            complete = all[i].state == State::WARP && all[i].line == line && all[i].mask == mask && all[i].operation == operation;
    if (!complete) {
        leave(State::WARP, file, line);
        return me->value;
    }
    unsigned long long results[32], votes = 0;
    for (unsigned i = 0; i < lanes; i++)
        if ((mask >> i & 1) != 0 && all[i].value != 0) votes |= 1ull << i;
    for (unsigned i = 0; i < lanes; i++)
        if ((mask >> i & 1) != 0) results[i] = operation == softgpu_abi::BALLOT ? votes : result(all, lanes, all[i]);
    for (unsigned i = 0; i < lanes; i++)
        if ((mask >> i & 1) != 0) all[i].value = results[i], all[i].state = State::RUNNABLE;
    if (operation == softgpu_abi::WARP_BARRIER) w->warp_interval[first / 32]++;
    return me->value;
}

void *shared(const void *site, unsigned long size) {
    Worker *w = worker;
    for (const SharedArray &array : w->arrays)
        if (array.site == site) return w->shared + array.offset;
    uint64_t offset = (w->shared_used + 15) / 16 * 16;
    if (offset + size + SHARED_REDZONE > SHARED_BYTES) w->abandon(w->where(*w->current) + "too much shared memory", false);
    w->arrays.push_back({site, offset, size});
    w->shared_used = offset + size + SHARED_REDZONE;
    return w->shared + offset;
}

void *dynamic_shared() { return worker->shared; }

const softgpu_abi::Host table = {self, barrier, warp, shared, dynamic_shared, check_access, trap};

// ---- the worker threads

struct Pool {
    std::mutex lock;
    std::condition_variable begin, end;
    const Launch *launch = nullptr;
    uint64_t round = 0, blocks = 0, step = 1, shift = 0;
    std::atomic<uint64_t> next{0};
    std::atomic<bool> failed{false};
    unsigned count = 0, limit = 0, busy = 0;
    std::string failure;
    bool illegal = false;
};

Pool &pool() {
    static Pool *p = new Pool;  // never destroyed: the threads outlive main
    return *p;
}

void work(Worker &w, const Launch &launch) {
    Pool &p = pool();
    w.launch = &launch;
    w.recent = nullptr;
    while (!p.failed.load()) {
        uint64_t i = p.next.fetch_add(1);
        if (i >= p.blocks) break;
        w.failure.clear();
        w.illegal = false;
        w.run_block(static_cast<uint32_t>((i * p.step + p.shift) % p.blocks));
        if (w.failure.empty()) continue;
        std::lock_guard<std::mutex> hold(p.lock);
        if (!p.failed.exchange(true)) p.failure = w.failure, p.illegal = w.illegal;
    }
    w.launch = nullptr;
}

void worker_main(unsigned number) {
    Worker *w = new Worker;
    worker = w;
    stack_t alternate = {};
    alternate.ss_size = 64 << 10;
    alternate.ss_sp = mmap(nullptr, alternate.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&alternate, nullptr);
    Pool &p = pool();
    uint64_t seen = 0;
    for (;;) {
        const Launch *launch;
        {
            std::unique_lock<std::mutex> hold(p.lock);
            p.begin.wait(hold, [&] { return p.round != seen; });
            seen = p.round;
            launch = number < p.limit ? p.launch : nullptr;
        }
        if (launch != nullptr) work(*w, *launch);
        std::lock_guard<std::mutex> hold(p.lock);
        if (--p.busy == 0) p.end.notify_all();
    }
}

uint64_t gcd(uint64_t a, uint64_t b) { return b == 0 ? a : gcd(b, a % b); }

}  // namespace

const softgpu_abi::Host *host_table() { return &table; }

void start_workers(unsigned count) {
    Pool &p = pool();
    if (p.count != 0) return;
    if (count == 0) count = std::min(8u, std::max(1u, std::thread::hardware_concurrency()));
    p.count = count;
    // Signals are for Go's threads. Faults of the thread itself cannot be blocked and go to the handler.
    sigset_t all, old;
    sigfillset(&all);
    for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, s);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (unsigned i = 0; i < count; i++) std::thread(worker_main, i).detach();
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

unsigned worker_count() { return pool().count; }

std::string run(const Launch &launch, bool &illegal) {
    Pool &p = pool();
    std::unique_lock<std::mutex> hold(p.lock);
    p.launch = &launch;
    p.blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
    // Blocks run in the order i * step + shift, with a step prime to their number: each once, in a random order.
    uint64_t state = launch.seed;
    p.shift = draw(state) % p.blocks;
    do p.step = draw(state) % 65521 + 1;
    while (gcd(p.step, p.blocks) != 1);
    p.next = 0;
    p.failed = false;
    p.failure.clear();
    p.illegal = false;
    p.busy = p.count;
    p.limit = launch.checked ? 1 : p.count;  // the shadow does not support concurrent access
    p.round++;
    p.begin.notify_all();
    p.end.wait(hold, [&] { return p.busy == 0; });
    illegal = p.illegal;
    return p.failure;
}

bool worker_fault(uintptr_t address, void *context) {
    Worker *w = worker;
    if (w == nullptr || w->current == nullptr) return false;
    // The kernel is abandoned. The scheduler's stack is intact, so it can allocate strings.
    uintptr_t stack = address - reinterpret_cast<uintptr_t>(w->stacks);
    bool overflow = stack < MAX_THREADS * (STACK_BYTES + GUARD_BYTES) && stack % (STACK_BYTES + GUARD_BYTES) < GUARD_BYTES;
    w->failure = w->where(*w->current) + (overflow ? std::string("stack overflow: its local memory exceeds 64 KiB")
                                                   : "illegal access: " + memory().describe(address));
    w->illegal = true;
    ucontext_t *c = static_cast<ucontext_t *>(context);
    c->uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(w->scheduler);
    c->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(softgpu_resume);
    return true;
}

}  // namespace softgpu
