// Package fib declares the smallest machine: a Fibonacci sequence from two public starting values to a public result.
//
// The table has two columns. Row 0 is (a0, b0), each row (a, b) is followed by (b, a+b), and b in the last row is the
// result. A size is a number of rows and must be a power of two, because the height is part of the claim.
package fib
