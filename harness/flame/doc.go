// Package flame compares the call stacks of two programs: it adds equal stacks up, says which functions changed most,
// and draws a differential flame graph.
//
// A stack is a list of functions from the outermost to the innermost, with the time that was seen in it. A Side is the
// stacks of one program with the number of proofs that they come from: all times are divided by it, so that the totals
// of two sides compare. The self time of a function is the time in which it was the innermost.
//
// In the graph every box is a function below its caller. Its width is head's time, so that a function that head no
// longer calls has none: the table of functions has it. Its colour is the change from base: red took longer, blue less.
//
// Samples are counts: of n samples about the root of n is chance. Each change of a function comes with twice the
// standard deviation that this makes, and one that is smaller says nothing.
//
// The package does no I/O but to the writer that it is given.
package flame
