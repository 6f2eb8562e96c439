#include "queue.h"

#include <time.h>

#include <algorithm>

#include "block.h"
#include "memory.h"

namespace softgpu {

void join(Clock &into, const Clock &from) {
    if (into.size() < from.size()) into.resize(from.size());
    for (size_t i = 0; i < from.size(); i++) into[i] = std::max(into[i], from[i]);
}

double milliseconds_now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

void Context::push(Stream *s, Work work) {
    work.sequence = s->sequence;
    s->queue.push_back(std::move(work));
}

bool Context::runnable(const Stream *s) const {
    return !s->queue.empty() && (s->queue.front().waits == nullptr || s->queue.front().waits->reached);
}

int Context::run_front(Stream *s) {
    Work work = std::move(s->queue.front());
    s->queue.pop_front();
    int result = work.run ? work.run() : 0;
    if (work.reaches != nullptr) {
        work.reaches->reached = true;
        work.reaches->milliseconds = milliseconds_now();
    }
    return result;
}

int Context::finish(Stream *until, const std::shared_ptr<Mark> &mark) {
    for (;;) {
        if (error != 0) return error;
        bool pending = mark != nullptr ? !mark->reached : false;
        std::vector<Stream *> ready;
        for (Stream *s : streams) {
            if (mark == nullptr && (until == nullptr || until == s)) pending = pending || !s->queue.empty();
            if (runnable(s)) ready.push_back(s);
        }
        if (!pending) break;
        if (ready.empty()) return 999;  // streams that wait for each other: the API cannot make them
        int result = run_front(ready[draw(random) % ready.size()]);
        if (result != 0) error = result;
    }
    if (mark != nullptr) {
        observe(mark->clock);
    } else {
        for (Stream *s : streams)
            if (until == nullptr || until == s) observe(s->clock);
    }
    return error;
}

void Context::observe(const Clock &clock) {
    join(host, clock);
    auto seen = [&](const Held &h) {
        if (h.stream >= host.size() || host[h.stream] < h.sequence) return false;
        let_go(h.range, h.device_writes);
        return true;
    };
    held.erase(std::remove_if(held.begin(), held.end(), seen), held.end());
}

}  // namespace softgpu
