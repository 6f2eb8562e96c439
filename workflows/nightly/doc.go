// Package nightly follows a prover from night to night: is today's revision slower than the last good one?
//
// A night has four steps, so that the two planes of package workflows stay apart. Prepare decides what is
// compared, from the History and today's head. Measure compares and, where a regression is suspected, measures
// again with a fresh seed and more pairs. Conclude turns the night into records and says what the issue of each
// workload must become. Publish carries that out.
//
// # Vocabulary
//
// The last good revision of a workload is the newest one that a healthy night measured. A night is healthy when
// its comparison ended with improvement, equivalent, negligible or inconclusive; a borderline night is not, and
// leaves the last good where it is. A regression is suspected when one comparison says so and confirmed when a
// second, with another seed and twice the pairs, says so too. The baseline is a fixed revision, such as a release:
// comparing with it as well catches slow creep, of which every single night is too small to see.
//
// A night without commits compares the revision with itself and records the noise floor.
//
// # What it never does
//
// It never moves the last good revision on a failed or regressed night; people do that by accepting, and it is
// recorded who was believed and why. It never rewrites the history: lines are only added.
package nightly
