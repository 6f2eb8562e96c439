// Package cpu is the reference backend: every stage of a proof on the host's
// cores, in parallel over a pool, with the vector kernels of package
// goldilocks.
//
// # Memory
//
// Each phase has one slab, which holds the extensions of all its columns. A
// trace is written into the first 2^h entries of its columns' extensions and
// extended in place, so a proof peaks little above the extensions that it
// commits to. Columns that LogUp still reads over the trace domain are copied before. A
// context keeps its slabs from one proof to the next.
//
// Columns lie at a distance that is no power of two: otherwise the same rows of
// all columns would fall into the same few sets of the caches.
//
// # Domains
//
// All extension domains are cosets s*<w>, in bit-reversed order. In that order
// the point of entry i depends on i alone, not on the size of the domain, so
// one vector of points serves all heights; and the first 2^h entries are
// the coset s*H of the trace domain, on which openings and DEEP sums are
// computed: a polynomial of degree below 2^h is determined there.
//
// Results do not depend on the number of workers.
package cpu
