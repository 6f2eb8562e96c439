// Package sampling finds out in which functions a program and all that it starts spend their CPU time.
//
// # How
//
// The kernel interrupts every thread of the program once for each period of CPU time that it takes (perf_event_open(2),
// PERF_COUNT_SW_CPU_CLOCK, which needs no counters of the processor and works in most virtual machines). It writes down
// the addresses that the frame pointers lead to. A Sampler opens its events on the thread that starts the program: they
// are inherited by every process and thread that comes of it, from its first instruction on. Only time in user mode is
// sampled, as far as kernel.perf_event_paranoid 2 lets everybody look at their own programs.
//
// Addresses become names by what the kernel said of mapped files, which makes position-independent executables and
// shared libraries no special case. Symbols are those of the file's symbol table, of its dynamic one, or of Go's own
// table, which is there in stripped programs, too. C++ and Rust names are demangled.
//
// # What it cannot see
//
// Without frame pointers (-fno-omit-frame-pointer in C and C++, -C force-frame-pointers=yes in Rust; Go has them) the
// innermost function of a sample is right and its callers are not there. An innermost function without a frame of
// its own hides its direct caller. Functions that were inlined count for the
// function that they were inlined into. A file without symbols is one function by its name.
package sampling
