// Package machine says how the tables of a machine are filled. Package circuit declares the tables, and package run
// says how programs run.
//
// # Executions
//
// The tables of a proof are filled from an [Execution]: public values, the heights of the tables' instances, and record
// sets. A [Shard] is the execution of a part of a run. Each machine has a folder here with its own executions; package
// all lists them.
//
// # Fillers
//
// [Fillers] are separate from the declarations. A table has a filler for the host and, optionally, kernels for a
// device, as text. Both write the same cells. A backend gets them when it is opened; a verifier needs none. They leave
// the count columns of lookup tables at zero, because the prover fills these.
package machine
