// Package tape evaluates a table's expressions on blocks of rows, fast. The CPU prover uses it to evaluate expression
// graphs (package air).
//
// [Compile] compiles a graph to a [Tape], a list of steps on blocks of rows with registers for intermediate results.
// Patterns common in tables of bits become one step each: packings of bits, exclusive ors, long sums. Weighted
// constraints are accumulated many at a time, and their selectors multiplied in once. A tape is read-only; each
// goroutine runs it with its own [Evaluator], which holds the registers.
//
// A [Block] is the input of a tape: a range of rows of all columns, and of the columns that are read at the next row.
// The tape does not depend on the rows' domain: over the trace domain the values are the table's cells, over a coset
// they determine the quotient.
//
// Low constraints, whose quotient needs half as many points (see air.IsLow), are folded separately:
// [Evaluator.RunApart].
//
// Vector kernels perform the steps if the processor supports them; prover/internal/kernelgen generates them. Results do
// not depend on the kernels.
package tape
