// Package flame compares the call stacks of two programs: it sums up equal stacks, ranks functions by their change, and
// draws a differential flame graph.
//
// A stack is a list of functions from the outermost to the innermost, with the time sampled in it. A Side holds the
// stacks of one program and the number of proofs that they come from. All times are divided by that number, so the
// totals of two sides are comparable. The self time of a function is the time in which it was the innermost.
//
// In the graph every box is a function below its caller. Its width is head's time, so a function that head no longer
// calls has no box and appears only in the table of functions. Its colour is the change from base: red for longer, blue
// for shorter.
//
// The number of samples n in a function is a Poisson count with standard deviation √n. Each change of a function comes
// with twice the standard deviation of the difference; a smaller change is not significant.
//
// The package does no I/O except to the writer passed to Write.
package flame
