// Package cpu is the reference backend: every stage of a proof on the host's
// cores, in parallel over a pool, with the vector kernels of package
// goldilocks.
//
// # Memory
//
// A prover has one arena for its proofs, cut anew for each: the extensions of the main and of
// the auxiliary columns, and a workspace. It is allocated anew only where a proof needs a larger one, so proofs of any
// heights follow one another at no cost. Preprocessed columns have memory of their own, which lasts.
//
// A trace is written into the first 2^h entries of its columns' extensions and
// extended in place, so a proof peaks little above the extensions that it
// commits to. Columns that LogUp still reads over the trace domain are copied before,
// to where its own will be extended, and as many as are more than these into the workspace that later stages
// use again: the quotient's extensions, codewords, and layers of FRI, which take their codewords' place.
//
// The workers' registers are kept from one proof to the next too.
// [NewOnce] is for a process that makes
// one proof: pages are taken when they are first used, and given back when the proof has no use for them any more.
//
// Columns lie at a distance that is no power of two: otherwise the same rows of
// all columns would fall into the same few sets of the caches.
//
// # Domains
//
// All extension domains are cosets s*<w>, in bit-reversed order. In that order
// the point of entry i depends on i alone, not on the size of the domain, so
// one list of points serves all heights; and the first 2^h entries are
// the coset s*H of the trace domain, on which openings and DEEP sums are
// computed: a polynomial of degree below 2^h is determined there.
//
// Results do not depend on the number of workers.
package cpu
