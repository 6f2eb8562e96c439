// Package fib is the smallest machine: a Fibonacci sequence from two public
// starting values to a public result. It is for tests and for reading.
//
// The table has two columns. Row 0 is (a0, b0), each row (a, b) is followed by
// (b, a+b), and b in the last row is the result. A size is a number of rows and
// must be a power of two, because the height is part of the claim.
//
// An input file is text: three decimal numbers, a0, b0 and the number of rows.
//
// An execution has one record set: a0 and b0.
package fib
