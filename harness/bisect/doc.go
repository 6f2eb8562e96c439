// Package bisect finds the commit that made a prover slower, by measuring.
//
// It follows first parents from a good revision to a bad one. First the two are compared: without a proven
// difference there is nothing to find. Half of that difference is the threshold: a commit in between is bad when its
// difference from the good revision lies beyond it, and good when it lies short of it. Each commit is measured
// against the good revision in paired rounds until the answer is clear at the wanted confidence or the rounds are
// used up, and then the more likely side is taken and its confidence printed. A commit that does not build is
// skipped, and where the culprit may be one of the skipped, a range is named. The culprit is confirmed against its
// parent with fresh seeds.
//
// Every decision is a line of the log, synced before the next measurement, and a search that is started again with
// the same log continues from it.
//
// A search of n commits makes about log2 n decisions, each of which may be wrong with probability at most 1 minus
// its confidence: the printed confidence of the whole is the product.
package bisect
