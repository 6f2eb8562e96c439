// Streams and events. Work is queued and runs late: when the host waits for it, in a random order (by the seed) among
// the orders that streams and events allow.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "memory.h"

namespace softgpu {

typedef std::vector<uint32_t> Clock;  // per stream, how far

// Mark is one recording of an event.
struct Mark {
    bool reached = false;
    double milliseconds = 0;
    Clock clock;
    uint32_t stream = 0;
};

struct Work {
    std::function<int()> run;      // returns a CUresult; empty for waits and marks
    std::shared_ptr<Mark> waits;   // may run once this is reached
    std::shared_ptr<Mark> reaches;
    uint32_t sequence = 0;
};

struct Event {
    std::shared_ptr<Mark> mark;  // of the last recording
    bool timed = true;
};

// Held is pinned memory that a queued copy uses, until the host has synchronised with the copy.
struct Held {
    PinnedRange range;
    bool device_writes;
    uint32_t stream, sequence;
};

struct Stream {
    uint32_t number;
    uint32_t sequence = 0;  // of the last work queued
    Clock clock;            // the operations that the last work is ordered after, including itself
    std::deque<Work> queue;
};

struct Context {
    int ordinal = 0;
    bool checked = false;
    int error = 0;  // sticky
    std::vector<Stream *> streams;
    uint32_t next_stream = 1;
    Clock host;  // what the host has synchronised with
    std::vector<Held> held;
    uint64_t random = 0;

    void push(Stream *s, Work work);
    // finish runs queued work in a random order until the stream (or every stream, for null) is empty, or the mark, if
    // given, is reached. Then the host has synchronised with all of it.
    int finish(Stream *until, const std::shared_ptr<Mark> &mark);
    void observe(const Clock &clock);

  private:
    bool runnable(const Stream *s) const;
    int run_front(Stream *s);
};

void join(Clock &into, const Clock &from);
double milliseconds_now();

}  // namespace softgpu
