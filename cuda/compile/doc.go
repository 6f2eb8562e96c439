// Package compile compiles CUDA sources to cubins and caches them by content.
//
// A [Unit] is one translation unit: a source, its headers and options. Its key is a hash of all of them, the
// architecture and the compiler's identity, so a cached object always corresponds to exactly those sources. An [Object]
// is a cubin with the compiler's report on each kernel: registers, spills, shared memory.
//
// Cache files are written atomically under a lock, and verified against their hash when read; a mismatch causes a
// rebuild. A folder filled ahead of time by [Compiler.Write] serves hosts without a compiler.
//
// The package neither reads the environment nor searches for a compiler: the caller supplies one.
package compile
