// Package circuit says what can be proven: what a machine is, apart from how it runs.
//
// A [Machine] is a set of tables (package air), tied by buses, with public values. [Claims] says what its proofs
// claim. Nothing here executes, fills or proves: prover, verifier and backends all read the same declarations. How
// programs run and how tables are filled is package machine's.
//
// # Instances
//
// An [Instance] is one appearance of a table in a proof, with a height of its own. A table may have none, one or
// several, within its limits, and only buses tie them. Constraints that look at the next row, or at the first or the
// last, mean those of the instance.
//
// # Machines of programs
//
// Preprocessed columns belong to the machine (fixed: one height, part of the machine's digest) or to a program
// (found when the program is loaded, part of its id). A machine with columns of a program is a value made for that
// program. Where a verifier knows only the id, nothing fills them.
//
// # Statements
//
// A proof claims something about its public values, whatever the layout of the tables and the parameters.
// [ExactStatement] is the digest of that claim with its public values in it. [ClassStatement] is the digest of the
// claim for a size or a program, with the public values free: two revisions that prove random inputs of one size
// share it.
package circuit
