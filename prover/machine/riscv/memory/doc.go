// Package memory is the guest's memory map and its memory.
//
// Addresses are 32 bits wide. Everything between [First] and [End] can be read and written, is zero
// where nothing else is said, and is given out when it is first touched: [Flat] by the system, otherwise in pages.
// Memory keeps whole words; what a byte, a half or a misaligned access does to words is the
// emulator's business.
//
//	0x0000_0000  nothing: an access is a trap
//	as linked    code, data, zeros, heap
//	0x8000_0000  the stack ends here and grows down; the private input begins: its length, its bytes
//	0xa000_0000  the public input: its length, its bytes
//	0xb000_0000  the public output: its length, its bytes
//	0xffff_f800  nothing
//
// The package decides nothing about who may write where: stores to the inputs and to code are
// ordinary stores (code never changes what is executed).
package memory
