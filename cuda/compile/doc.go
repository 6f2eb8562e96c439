// Package compile turns CUDA sources into cubins and keeps them in a cache addressed by content.
//
// A [Unit] is one translation unit: a source, the headers it may include, options. Its key is a hash of all of them,
// of the architecture and of the compiler's identity, so a cached object always comes from exactly those sources.
// An [Object] is a cubin with what the compiler said of each kernel: registers, spills, shared memory.
//
// Cached files are written atomically under a lock and checked against their hash when read; one that does not
// match is built again. A folder filled ahead of time by [Compiler.Write] serves hosts without a compiler.
//
// The package never reads the environment and never looks for a compiler: it is given one.
package compile
