// Package bisect finds the commit that made a prover slower, by measurement.
//
// It follows first parents from a good revision to a bad one. It first compares the two: without a proven difference
// there is nothing to find. Half of that difference is the threshold: a commit is bad if its difference from the good
// revision exceeds the threshold, and good otherwise. Each commit is measured against the good revision in paired
// rounds until the decision reaches the required confidence or the rounds are used up; then the more likely side is
// taken, and its confidence is reported. A commit that does not build is skipped; if the culprit may be a skipped
// commit, the result is a range. The culprit is confirmed against its parent with fresh seeds.
//
// Every decision is a line of the log, synced before the next measurement. A search that is restarted with the same log
// continues from it.
//
// A search of n commits makes about log2 n decisions, each of which is wrong with probability at most 1 minus its
// confidence. The reported overall confidence is the product.
package bisect
