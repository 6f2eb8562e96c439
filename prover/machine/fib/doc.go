// Package fib runs the machine of package circuit/fib, the smallest one. It is for tests and for reading.
//
// An input file is text: three decimal numbers, a0, b0 and the number of rows.
//
// An execution has one record set: a0 and b0.
package fib
