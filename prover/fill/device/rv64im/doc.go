// Package rv64im has what a device does for the RISC-V machine: kernels that fill the tables from records, and the
// records as a device gets them.
//
// The kernels are one file, fill.cu with its headers, and so are compiled once a machine whatever the program: a kernel
// a table, a thread a row, all instances of a table in one launch. What Go declares comes to them as text that Go
// writes: the tables' columns by their names, the structs of package record, the few constants.
//
// # Record sets
//
// A set is a slice of package record as it lies in memory. Sets of tables have the tables' numbers: the records of
// instruction families and of REFRESH, the rows that the boundary must have ([record.Set.Ordered]), the accessed words
// of the private input, the registers' last tokens, the calls of accelerators. Behind them come [Program], the
// program's rows, and for the accesses to words, in the order of time, [Old], what each word held, and [Previous], when
// it was accessed before; and of each accelerator with a table of several rows a call, the words that its calls read,
// one behind the other.
package rv64im
