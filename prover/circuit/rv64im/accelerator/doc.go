// Package accelerator defines the accelerators of the machine. A call of an accelerator reads and writes words of
// memory, replaces thousands of cycles of software, and is proven by separate tables.
//
// A guest calls an accelerator by ECALL with its code in a7 and addresses of aligned words in a0 to a2. Words at these
// addresses may hold further addresses ([Pointer]). The call accesses words of memory at the slots of its cycle: first
// the operands that are only read ([Operand]). Overlapping operands therefore have a defined meaning: everything is
// read before anything is written.
//
//	code   a0                          a1                  a2
//	0x100  25 words, permuted          0                   0
//	0x101  4 words: the state          8 words: the block  0
//	0x102  4 words: x := x*y mod m     4 words: y          4 words: m
//	0x103  25 words: the state         18 words           the block's first byte, 0 to 7
//	0x110  4 words: x                  8 words: y, z       5 words: the modulus, the operation
//	0x111  6 words: x                  12 words: y, z      7 words: the modulus, the operation
//	0x112  9 words: a := a + x*y       4 words: x          4 words: y
//	0x120  8 words: a point, added to  8 words: a point    the curve's number
//	0x121  8 words: a point, doubled   the curve's number  0
//	0x122  12 words, like 0x120        12 words            the curve's number
//	0x123  12 words, like 0x121        the curve's number  0
//	0x130  8 words: x                  8 words: y          the operation
//	0x131  12 words, like 0x130        12 words            the operation
//	0x132  8 words: z := z + x*y       8 words: x          8 words: y
//	0x133  12 words, like 0x132        12 words            12 words
//	0x140  8 words: chaining value     16 words: the block 4 words: end of the first state
//	0x141  4 words: chaining value     8 words: the block  2 words: end of the first state
//	0x160  4 words: a sum              8 words: cells      24 words: their coefficients
//	0x161  3 words: a sum              3 words: a factor   3 words: a factor
//
// Packages absorb (0x103), field (0x110, 0x111), ec (0x120 to 0x123) and fp2 (0x130 to 0x133) define the operations
// and the curves' numbers.
//
// States and blocks of SHA-256 are the standard's eight and sixteen 32-bit numbers, two in a word, low half first.
// Long numbers have the least significant word first.
//
// # Adding an accelerator
//
// Each accelerator has a package below this one, which exports a [Kind]. Packages below fill/host/rv64im/accelerator
// and fill/device/rv64im/accelerator fill its tables. Each of the three trees has a package all with the list; nothing
// else names an accelerator. The Kind determines everything else: the emulator, the replay on hosts and devices, the
// table of calls with its memory accesses, the numbers and names of tables, instances, and the estimate of a run.
// Package rv64im declares the columns that every table of calls has.
package accelerator
