// Package fri is the arithmetic of FRI over mixed heights: the folding
// schedule, and what a verifier computes along one query.
//
// # Vocabulary
//
// A codeword of log size l is a function on the powers of w, the root of unity
// of order 2^l, stored in bit-reversed order: entry i is its value at
// w^rev(i). (The protocol's polynomials live on the coset s*<w>; a codeword is
// read as a function of y = x/s, so that every size uses the plain subgroup
// and all heights share one chain.)
//
// Folding by arity a = 2^k writes f(y) as the sum over j < a of y^j f_j(y^a)
// and replaces it by the sum of beta^j f_j, a codeword a times shorter.
// Entries a*i to a*i+a-1 of the old codeword give entry i of the new one: they
// are a row of the layer's Merkle tree. When a codeword of the new size is
// waiting it joins, times beta^a, the next power free.
//
// The [Schedule] is a function of sizes and parameters alone. The last
// codeword is small and sent as the coefficients of its polynomial.
//
// The prover's folding is the backends'; this package never touches whole
// codewords.
package fri
