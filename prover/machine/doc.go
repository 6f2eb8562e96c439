// Package machine says what can be proven.
//
// A [Machine] is a set of tables (package air) with what fills them, tied by
// buses, with public values. A [Program] is a machine together with
// what is needed to use it: how an input becomes an [Execution], how public
// values read to people, and what a proof claims. Each machine has a folder
// here; package all lists them.
//
// # Executions and instances
//
// Executing comes first: it finds the public values, the record sets that tables are filled from, and how high the
// tables are. An [Instance] is one appearance of a table in a proof, with a height of its own; a table may have none,
// one or several, within its limits, and only buses tie them. Constraints that look at the next row, or at the first
// or the last, mean those of the instance.
//
// # Machines of programs
//
// Preprocessed columns belong to the machine (fixed: one height, part of the machine's digest) or to a program
// (found when the program is loaded, part of its id). A machine with columns of a program is a value made for that
// program. Where a verifier knows only the id, nothing fills them.
//
// # Statements
//
// A proof claims something about its public values, whatever the layout of the
// tables and the parameters. [ExactStatement] is the digest of that claim with
// its public values in it, [ClassStatement] of the claim for a size (or a program), with the
// public values free: what two revisions that prove drawn inputs of one size
// have in common.
//
// # Fillers
//
// [Fillers] stand apart from what they fill: for each table one for the host and, optionally, kernels for a device, as
// text. Both write the same cells. A backend takes them when it is opened; a verifier needs none. Count
// columns of lookup tables stay zero: the prover fills them.
package machine
