// Package soundness turns a proof's parameters and shape into proven bits.
//
// It does not depend on how proofs are made: a [Shape] contains only numbers, and [Analyze] returns a [Report] with one
// [Term] per round of the protocol, each with its formula, theorem and publication. docs/spec/soundness.md derives the
// terms; this page defines the vocabulary.
//
// # Vocabulary
//
//   - q is the size of the challenge field, p^3 with p = 2^64 - 2^32 + 1.
//   - An instance is one occurrence of a table in a proof, with its own height. All instances of one height are a
//     class: they share a domain, a quotient and a DEEP codeword.
//   - rho is the rate, 2^-LogBlowup: an instance of k rows is extended to n = k/rho.
//   - alpha is the agreement: words that agree with every valid proof on at most a fraction alpha of the positions are
//     detected. One query misses them with probability alpha. 1 - alpha is the proximity parameter. One alpha applies
//     to all rounds and heights.
//   - m is the multiplicity that determines alpha above the Johnson bound: alpha = sqrt(rho) (1 + 1/(2m)). A larger m
//     makes queries stronger and the other rounds weaker; [Analyze] takes the best one of 3 to 2^20.
//   - L is the list size: the number of tuples of polynomials that can agree with the commitments on a fraction alpha.
//   - rho+ = (k+2)/n is the rate of the polynomials that opened columns are known to be, for the smallest instance.
//     Lists are counted at rho+.
//   - P is the number of proofs that share LogUp's challenges and balance together; 1 for a single proof.
//   - A regime is a choice of alpha with the corresponding theorem.
//
// The bits of a regime are the minimum over its rounds: the rounds are made non-interactive by hashing, and a cheating
// prover can retry each round separately (round-by-round soundness). The proven bits are those of the best regime,
// rounded down, and at most 128, the collision resistance of the hash.
//
// # What it never does
//
// It uses no conjectures and does not choose the number of queries: if a shape has too few bits, the error names the
// terms.
package soundness
