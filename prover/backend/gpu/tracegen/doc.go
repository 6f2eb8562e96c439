// Package tracegen fills tables on the device.
//
// A constraint says what is valid, not how to fill it, so each of these kernels is written by hand. A [Generator] expands
// the records of one table (machine.Witness.Records, whose layout the machine documents) to its main columns, or makes a
// table's preprocessed columns out of nothing. Its result equals what the machine's host generator writes, cell by cell; [Compare]
// says where it does not.
//
// # Vocabulary
//
//   - A record is what a device needs to know of one permutation, row or statement.
//   - Rows without a record are padding. They have cells too.
//   - Work is scratch memory of a generator, whose size follows from the height.
//
// A machine may have tables with generators and tables without; those are filled on the host and uploaded.
package tracegen
