// Package cpu is the reference backend. It computes every stage of a proof on the host's cores, in parallel over a
// pool, with the vector kernels of package goldilocks.
//
// # Memory
//
// A prover has one arena that its proofs use one after another. Each proof divides it into the extensions of the main
// columns, those of the auxiliary columns, and a workspace. The arena is reallocated only if a proof needs a larger
// one, so proofs of different heights follow one another at no cost. Preprocessed columns have their own memory, which
// lives as long as the prover.
//
// A trace is written into the first 2^h entries of its columns' extensions and extended in place, so the peak memory of
// a proof is little above the extensions that it commits to. LogUp still reads some columns over the trace domain after
// they are extended. These are copied to where the auxiliary columns will be extended, and any that do not fit there go
// to the workspace. Later stages reuse the workspace for the quotient's extensions, the codewords and the FRI layers,
// each of which overwrites its codeword.
//
// The workers' registers are also kept from one proof to the next. [NewOnce] is for a process that makes one proof: it
// populates pages just before their first use, and returns them to the system when the proof no longer needs them.
//
// The distance between columns is not a power of two: otherwise the same rows of all columns would map to the same few
// cache sets.
//
// # Domains
//
// All extension domains are cosets s*<w>, in bit-reversed order. In that order the point of entry i depends on i alone,
// not on the size of the domain, so one list of points serves all heights. The first 2^h entries are the coset s*H of
// the trace domain, which determines a polynomial of degree below 2^h. Openings and DEEP sums are computed there.
//
// Results do not depend on the number of workers.
package cpu
