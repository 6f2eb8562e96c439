// Package memory is the guest's memory: words at the addresses of package memorymap.
//
// Everything that can be accessed can be read and written, is zero where nothing else is said, and is allocated when it
// is first touched: [Flat] by the system, otherwise in pages. Memory keeps whole words; what a byte, a half or a
// misaligned access does to words is the emulator's business.
//
// The package decides nothing about who may write where: stores to the inputs and to code are
// ordinary stores (code never changes what is executed).
package memory
