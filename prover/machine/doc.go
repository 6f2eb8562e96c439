// Package machine says how machines run and how their tables are filled. Package circuit says what they are.
//
// A [Program] is a machine (a [circuit.Machine]) with its inputs: it turns an input into an [Execution], and has the
// [Fillers] of the machine's tables. Each machine has a folder here; package all lists them.
//
// # Executions
//
// Executing comes first: it finds the public values, the record sets that tables are filled from, and the heights of
// the tables' instances.
//
// # Fillers
//
// [Fillers] stand apart from what they fill: for each table one for the host and, optionally, kernels for a device,
// as text. Both write the same cells. A backend takes them when it is opened; a verifier needs none. Count columns
// of lookup tables stay zero: the prover fills them.
package machine
