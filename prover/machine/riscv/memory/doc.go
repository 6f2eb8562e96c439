// Package memory is the guest's memory: words at the addresses of package memorymap.
//
// All accessible memory can be read and written, starts as zeros, and is allocated on first touch: by the system if it
// is [Flat], otherwise in pages. Memory stores whole words; the emulator implements accesses to bytes and halves and
// misaligned accesses.
//
// The package does not restrict writes: stores to the inputs and to code are ordinary stores (and stores to code do not
// change the executed code).
package memory
