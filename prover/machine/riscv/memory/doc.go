// Package memory is the guest's memory: words at the addresses of package memorymap.
//
// All accessible memory can be read and written, is zero at first, and is allocated when it is first touched: by the
// system if it is [Flat], otherwise in pages. Memory stores whole words; the emulator implements accesses to bytes and
// halves and misaligned accesses.
//
// The package does not restrict writes: stores to the inputs and to code are ordinary stores (and stores to code do not
// change the executed code).
package memory
