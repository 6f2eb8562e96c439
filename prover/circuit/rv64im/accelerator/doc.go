// Package accelerator defines what an accelerator of the machine is: a call that reads and writes words of memory,
// computes what software would take thousands of cycles for, and is proven by tables of its own.
//
// A guest calls an accelerator by ECALL with its code in a7 and addresses of aligned words in a0 to a2. The call
// accesses words of memory at the slots of its cycle, operands that are only read first ([Operand]). Overlapping
// operands therefore have a defined meaning: everything is read before anything is written.
//
//	code   a0                      a1                  a2
//	0x100  25 words, permuted      0                   0
//	0x101  4 words: the state      8 words: the block  0
//	0x102  4 words: x := x*y mod m 4 words: y          4 words: m
//	0x112  9 words: a := a + x*y   4 words: x          4 words: y
//	0x140  8 words: chaining value 16 words: the block 4 words: end of the first state
//	0x141  4 words: chaining value 8 words: the block  2 words: end of the first state
//	0x160  4 words: a sum          8 words: cells      24 words: their coefficients
//	0x161  3 words: a sum          3 words: a factor   3 words: a factor
//
// States and blocks of SHA-256 are the standard's eight and sixteen 32-bit numbers, two in a word, low half first.
// 256-bit numbers have the least significant word first.
//
// # Adding an accelerator
//
// Each accelerator has a package below this one, which exports a [Kind]. Packages below fill/host/rv64im/accelerator
// and fill/device/rv64im/accelerator fill its tables. Each of the three trees has a package all with the list; nothing
// else names an accelerator. The Kind determines everything else: the emulator, the replay on hosts and devices, the
// table of calls with its memory accesses, the numbers and names of tables, instances, and the estimate of a run.
// Package rv64im declares the columns that every table of calls has.
package accelerator
