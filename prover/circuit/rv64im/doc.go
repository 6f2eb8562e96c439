// Package rv64im declares the RISC-V machine: its tables and buses, and a program's preprocessed columns. Package
// statement makes a machine of them, with the claims of its proofs.
//
// Each instruction family has a table with a row for each executed instruction; there is no table of all cycles. A
// value of 64 bits is two limbs of 32 bits. Where a formula needs parts of a limb, its halves of 16 bits or its bytes
// are columns. Times are 4 * cycle + slot: first source register 0, second 1, memory 2, destination 3.
//
// # Columns
//
// A struct next to each declaration has the table's columns (package air/columns): [Add] has the columns of ADD. The
// host's filler writes the same struct, field by field, and the kernels get the offsets by the same names in
// columns.cuh. A column that is added or moved is one line of the struct; a filler that leaves it out fails a test of
// package fill/host/rv64im, and a kernel that names a removed column does not compile. [AcceleratorCall] has slices,
// because the number of columns depends on the accelerator.
//
// # Blocks
//
// Most of a row consists of blocks (file row.go), which all families share:
//
//   - state: the row consumes the state (pc, time) and produces the next state.
//   - instruction: the row asks the program's table whether this is the instruction at pc.
//   - access: the row consumes the last token of a register, or of a word of memory, and produces the next one; a range
//     lookup says that the last one was earlier.
//
// Calls of accelerators (file calls.go) have tables with the accesses to their words, and with the columns and
// constraints that the kinds of package accelerator declare.
//
// A row of padding is all zero: every constraint of an instruction table holds there and every multiplicity is zero.
//
// # Guarantees
//
// Columns that the program's table gives (registers, constants, flags) need no constraints: each active row's message
// is a row of that table. Values that are read need no range checks, because every value that was written has limbs in
// range. A row's own constraints and lookups show that what it writes is in range. The comment on each family's
// declaration proves that its constraints allow no other result. W is 2^32, H 2^16, B 2^8, M is W-1 and p = W^2 - W +
// 1.
//
// Equations between integers that differ by less than p hold over the integers when they hold modulo p. A product of
// two limbs is at most M^2 = p - W. Where l + W h = v modulo p with limbs l, h and v at most p - 2, then h != M makes
// it an equation of integers: v + p would need h = M and l of at least 1.
package rv64im
