// Package generate writes a machine's declarations as C for the verifier in guests/verifier: limits and columns of the
// tables, the machine's key, and each table's constraints as a program for an accumulator (compile).
//
// The programs come from the same expression graphs as the kernels of package prover/backend/gpu/internal/generate and
// the tapes of package prover/internal/tape, so each constraint is written only once.
package generate
