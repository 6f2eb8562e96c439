// Package sampling finds the functions in which a program and its children spend their CPU time.
//
// # How
//
// The kernel interrupts every thread of the program after each period of CPU time (perf_event_open(2),
// PERF_COUNT_SW_CPU_CLOCK, which needs no hardware counters and works in most virtual machines) and records the call
// chain that it finds by frame pointers. A Sampler opens its events on the thread that starts the program, so that
// every process and thread of the program inherits them from its first instruction on. It samples only user mode, which
// kernel.perf_event_paranoid up to 2 allows.
//
// The kernel also records mapped files, so addresses in position-independent executables and shared libraries can be
// resolved. Symbols come from the file's symbol table, its dynamic symbol table, or Go's function table, which stripped
// programs keep. C++ and Rust names are demangled.
//
// # Limits
//
// Without frame pointers (-fno-omit-frame-pointer in C and C++, -C force-frame-pointers=yes in Rust; Go always has
// them) the innermost function of a sample is right and its callers are missing. A leaf function without a frame hides
// its direct caller. The time of inlined functions counts for the function that contains them. A file without symbols
// counts as one function named after the file.
package sampling
