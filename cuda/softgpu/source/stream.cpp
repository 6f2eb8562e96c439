// The exported functions of memory, copies, streams and events.
#include <string.h>

#include <algorithm>

#include "api.h"
#include "block.h"
#include "memory.h"
#include "report.h"

using namespace softgpu;

namespace {

// order gives the stream's next operation its position in the order, and the operations before it.
uint32_t order(Context *c, Stream *s, const std::string &name) {
    join(s->clock, c->host);
    s->sequence++;
    if (s->clock.size() <= s->number) s->clock.resize(s->number + 1);
    s->clock[s->number] = s->sequence;
    if (!c->checked) return 0;
    Operation operation;
    operation.name = name;
    operation.stream = s->number;
    operation.sequence = s->sequence;
    operation.clock = std::make_shared<Clock>(s->clock);
    return memory().begin(operation);
}

int fail(const std::string &text) {
    finding(text);
    return ILLEGAL_ADDRESS;
}

// touch checks the device side of a copy.
int touch(Context *c, uintptr_t at, uint64_t size, bool write, uint32_t operation, const char *name) {
    if (!c->checked) return memory().covers(at, size) ? 0 : fail(std::string(name) + ": out of bounds: " + memory().describe(at));
    std::string text = memory().touch(at, size, write, operation);
    return text.empty() ? 0 : fail(text);
}

bool valid(Context *c, Stream *s) { return std::find(c->streams.begin(), c->streams.end(), s) != c->streams.end(); }

}  // namespace

namespace softgpu {
uint32_t order_launch(Context *c, Stream *s, const std::string &name) { return order(c, s, name); }
bool valid_stream(Context *c, Stream *s) { return valid(c, s); }
}  // namespace softgpu

SOFTGPU_API cuMemGetInfo_v2(unsigned long *available, unsigned long *total) {
    SOFTGPU_ENTER();
    *total = settings.memory_bytes;
    *available = settings.memory_bytes - std::min(settings.memory_bytes, memory().used());
    return SUCCESS;
}

SOFTGPU_API cuMemAlloc_v2(uintptr_t *out, unsigned long size) {
    SOFTGPU_ENTER();
    if (size == 0) return INVALID_VALUE;
    if (size > settings.memory_bytes || memory().used() > settings.memory_bytes - size) return OUT_OF_MEMORY;
    *out = memory().allocate(size, c->checked);
    return *out == 0 ? OUT_OF_MEMORY : SUCCESS;
}

SOFTGPU_API cuMemFree_v2(uintptr_t base) {
    SOFTGPU_ENTER();
    if (int failed = c->finish(nullptr, nullptr)) return failed;
    return memory().release(base) ? SUCCESS : INVALID_VALUE;
}

SOFTGPU_API cuMemHostAlloc(uintptr_t *out, unsigned long size, unsigned) {
    SOFTGPU_ENTER();
    if (size == 0) return INVALID_VALUE;
    *out = pin(size, c->checked);
    return *out == 0 ? OUT_OF_MEMORY : SUCCESS;
}

SOFTGPU_API cuMemFreeHost(uintptr_t base) {
    SOFTGPU_ENTER();
    if (int failed = c->finish(nullptr, nullptr)) return failed;
    return unpin(base) ? SUCCESS : INVALID_VALUE;
}

SOFTGPU_API cuMemcpyHtoDAsync_v2(uintptr_t to, uintptr_t from, unsigned long size, Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    uint32_t operation = order(c, s, "an upload");
    softgpu::hold({from, size}, false);
    c->held.push_back({{from, size}, false, s->number, s->sequence});
    Work work;
    work.run = [=]() {
        if (int failed = touch(c, to, size, true, operation, "upload")) return failed;
        open_for_copy({from, size});  // a download to the same memory may be queued after it
        memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
        close_again({from, size});
        return 0;
    };
    c->push(s, std::move(work));
    return SUCCESS;
}

SOFTGPU_API cuMemcpyDtoHAsync_v2(uintptr_t to, uintptr_t from, unsigned long size, Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    uint32_t operation = order(c, s, "a download");
    softgpu::hold({to, size}, true);
    c->held.push_back({{to, size}, true, s->number, s->sequence});
    Work work;
    work.run = [=]() {
        if (int failed = touch(c, from, size, false, operation, "download")) return failed;
        open_for_copy({to, size});
        memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
        close_again({to, size});
        return 0;
    };
    c->push(s, std::move(work));
    return SUCCESS;
}

SOFTGPU_API cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, unsigned long size, Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    uint32_t operation = order(c, s, "a device copy");
    Work work;
    work.run = [=]() {
        if (int failed = touch(c, from, size, false, operation, "copy")) return failed;
        if (int failed = touch(c, to, size, true, operation, "copy")) return failed;
        memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
        return 0;
    };
    c->push(s, std::move(work));
    return SUCCESS;
}

SOFTGPU_API cuMemsetD8Async(uintptr_t to, unsigned char value, unsigned long size, Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    uint32_t operation = order(c, s, "a fill");
    Work work;
    work.run = [=]() {
        if (int failed = touch(c, to, size, true, operation, "fill")) return failed;
        memset(reinterpret_cast<void *>(to), value, size);
        return 0;
    };
    c->push(s, std::move(work));
    return SUCCESS;
}

SOFTGPU_API cuMemsetD32Async(uintptr_t to, unsigned value, unsigned long count, Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    uint32_t operation = order(c, s, "a fill");
    Work work;
    work.run = [=]() {
        if (int failed = touch(c, to, count * 4, true, operation, "fill")) return failed;
        std::fill_n(reinterpret_cast<unsigned *>(to), count, value);
        return 0;
    };
    c->push(s, std::move(work));
    return SUCCESS;
}

// Priorities have no effect here: queued work runs in a random order.
SOFTGPU_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    SOFTGPU_ENTER();
    *least = 0, *greatest = -1;
    return SUCCESS;
}

SOFTGPU_API cuStreamCreateWithPriority(Stream **out, unsigned, int priority) {
    SOFTGPU_ENTER();
    if (priority < -1 || priority > 0) return INVALID_VALUE;  // CUDA would use the nearest
    Stream *s = new Stream;
    s->number = c->next_stream++;
    c->streams.push_back(s);
    *out = s;
    return SUCCESS;
}

SOFTGPU_API cuStreamDestroy_v2(Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    int failed = c->finish(s, nullptr);
    c->streams.erase(std::find(c->streams.begin(), c->streams.end(), s));
    delete s;
    return failed;
}

SOFTGPU_API cuStreamSynchronize(Stream *s) {
    SOFTGPU_ENTER();
    return valid(c, s) ? c->finish(s, nullptr) : INVALID_HANDLE;
}

// A query lets the device make progress; otherwise a host that polls would wait forever.
SOFTGPU_API cuStreamQuery(Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    if (!s->queue.empty() && draw(c->random) % 2 == 0) return NOT_READY;
    return c->finish(s, nullptr);
}

SOFTGPU_API cuStreamWaitEvent(Stream *s, Event *e, unsigned) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    if (e->mark == nullptr) return SUCCESS;
    join(s->clock, e->mark->clock);
    Work work;
    work.waits = e->mark;
    c->push(s, std::move(work));
    return SUCCESS;
}

SOFTGPU_API cuEventCreate(Event **out, unsigned flags) {
    SOFTGPU_ENTER();
    *out = new Event;
    (*out)->timed = (flags & 2) == 0;
    return SUCCESS;
}

SOFTGPU_API cuEventDestroy_v2(Event *e) {
    SOFTGPU_ENTER();
    delete e;
    return SUCCESS;
}

SOFTGPU_API cuEventRecord(Event *e, Stream *s) {
    SOFTGPU_ENTER();
    if (!valid(c, s)) return INVALID_HANDLE;
    e->mark = std::make_shared<Mark>();
    join(s->clock, c->host);
    e->mark->clock = s->clock;
    e->mark->stream = s->number;
    Work work;
    work.reaches = e->mark;
    c->push(s, std::move(work));
    return SUCCESS;
}

SOFTGPU_API cuEventSynchronize(Event *e) {
    SOFTGPU_ENTER();
    return e->mark == nullptr ? SUCCESS : c->finish(nullptr, e->mark);
}

SOFTGPU_API cuEventQuery(Event *e) {
    SOFTGPU_ENTER();
    if (e->mark == nullptr) return SUCCESS;
    if (!e->mark->reached && draw(c->random) % 2 == 0) return NOT_READY;
    return c->finish(nullptr, e->mark);
}

SOFTGPU_API cuEventElapsedTime(float *out, Event *start, Event *end) {
    SOFTGPU_ENTER();
    if (!start->timed || !end->timed || start->mark == nullptr || end->mark == nullptr) return INVALID_HANDLE;
    if (!start->mark->reached || !end->mark->reached) return NOT_READY;
    *out = static_cast<float>(end->mark->milliseconds - start->mark->milliseconds);
    return SUCCESS;
}
