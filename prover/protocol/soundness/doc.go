// Package soundness turns a proof's parameters and shape into proven bits.
//
// It knows nothing of how proofs are made: a [Shape] holds numbers only, and
// [Analyze] returns a [Report] with one [Term] for every round of the protocol,
// each with its formula, its theorem and where that is published. docs/spec/soundness.md
// derives the terms; this page is the vocabulary.
//
// # Vocabulary
//
//   - q is the size of the challenge field, p^3 with p = 2^64 - 2^32 + 1.
//   - An instance is one appearance of a table in a proof, with a height of its own. All instances of one height are
//     a class: they share a domain, a quotient and a DEEP codeword.
//   - rho is the rate, 2^-LogBlowup: an instance of k rows is extended to n = k/rho.
//   - alpha is the agreement: the analysis shows that words that agree with
//     no valid proof on a share alpha of the positions are caught. One query
//     misses them with probability alpha. 1 - alpha is the proximity parameter,
//     and one alpha holds for all rounds and heights.
//   - m is the multiplicity that fixes alpha above the Johnson bound:
//     alpha = sqrt(rho) (1 + 1/(2m)). A larger m makes queries stronger and
//     the other rounds weaker; [Analyze] takes the best one of 3 to 2^20.
//   - L is the list size: how many proofs' worth of polynomials can agree with the
//     commitments on a share alpha.
//   - rho+ = (k+2)/n is the rate of the polynomials that opened columns are
//     known to be, for the smallest instance. Lists are counted at rho+.
//   - P is how many proofs share LogUp's challenges and one balance, 1 for a proof that stands alone.
//   - A regime is a way to choose alpha and the theorem that goes with it.
//
// The bits of a regime are the minimum over its rounds, because the rounds are
// turned into a non-interactive proof by hashing and a cheating prover may retry
// each on its own (round-by-round soundness). The proven bits are those of the
// best regime, rounded down, at most 128, where the hash's collisions are.
//
// # What it never does
//
// It makes no use of conjectures, and no query count of its own: a shape
// that falls short is an error that names the terms, never a silent change.
package soundness
