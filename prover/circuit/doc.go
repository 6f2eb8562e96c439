// Package circuit defines what can be proven: machines, independently of how they run.
//
// A [Machine] is a set of tables (package air), connected by buses, with public values. [Claims] describes what its
// proofs claim. Nothing here executes, fills or proves: prover, verifier and backends all read the same declarations.
// Package machine runs programs and fills tables.
//
// # Instances
//
// An [Instance] is one appearance of a table in a proof, with its own height. The table's limits determine how many
// instances a proof may have. Only buses connect instances: constraints on the next, first or last row are within one
// instance.
//
// # Machines of programs
//
// Preprocessed columns belong to the machine (fixed: one height, part of the machine's digest) or to a program (found
// when the program is loaded, part of its id). A machine with columns of a program is a value made for that program. If
// a verifier knows only the id, nothing fills these columns.
//
// # Statements
//
// What a proof claims about its public values depends neither on the layout of the tables nor on the parameters.
// [ExactStatement] is the digest of that claim, public values included. [ClassStatement] is the digest of the claim for
// a size or a program, with the public values free: two revisions that prove random inputs of one size share it.
package circuit
