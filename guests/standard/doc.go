// Package standard tests the functions of eth-act/zkvm-standards that guests call, in the guest and natively, against
// others' vectors and implementations. It contains only tests. The functions are in guests/library.
package standard
