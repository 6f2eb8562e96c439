// Package machine says what can be proven.
//
// A [Machine] is a set of tables (package air) of different heights, tied by
// buses, with public values. A [Program] is a machine together with
// what is needed to use it: how an input becomes a [Witness], how public
// values read to people, and what a proof claims. Each machine has a folder
// here; package all lists them.
//
// # Sizes
//
// Each machine counts its work in units of its own (permutations, rows). A size
// is a number of units; it decides the heights of the tables, together with the
// least height that the proof's parameters allow.
//
// # Statements
//
// A proof claims something about its public values, whatever the layout of the
// tables and the parameters. [ExactStatement] is the digest of that claim with
// its public values in it, [ClassStatement] of the claim for a size, with the
// public values free: what two revisions that prove drawn inputs of one size
// have in common.
//
// # Witnesses
//
// A witness fills the main columns of each table on the host. Where [Witness]
// has records for a table, a device can expand them into the same columns, cell
// by cell. Count columns of lookup tables stay zero: the prover fills them.
package machine
