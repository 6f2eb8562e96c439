// Package machine says how the tables of a machine are filled. Package circuit says what the tables are, package run
// how programs run.
//
// # Executions
//
// An [Execution] is what the tables of one proof are filled from: public values, the heights of the tables' instances,
// and record sets. A [Shard] is the execution of a part of a run. Each machine has a folder here with its own
// executions; package all lists them.
//
// # Fillers
//
// [Fillers] stand apart from what they fill: for each table one for the host and, optionally, kernels for a device,
// as text. Both write the same cells. A backend takes them when it is opened; a verifier needs none. Count columns
// of lookup tables stay zero: the prover fills them.
package machine
