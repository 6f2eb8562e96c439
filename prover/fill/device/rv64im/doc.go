// Package rv64im has the RISC-V machine's kernels, which fill the tables from records and replay runs into records, and
// the records in the form that a device receives.
//
// The kernels that fill tables are one file, fill.cu, and its headers. It does not depend on the program, so it is
// compiled once. Each table has a kernel with a thread for each row, and one launch fills all instances of a table. Go
// generates headers with the tables' columns by name (columns.cuh), the structs of package record, and constants.
//
// # Record sets
//
// A set is the memory of a slice of package record. A table's set has the table's number: the records of instruction
// families and of REFRESH, the rows that the boundary must have ([record.Set.Ordered]), the accessed words of the
// private input, the registers' last tokens, the calls of accelerators. After them come [Program], the program's rows;
// [Old] and [Previous], the old contents and the time of the previous access for each access to a word, in the order of
// time; and for each accelerator whose calls take several rows, the words that its calls read, one call after the
// other.
package rv64im
