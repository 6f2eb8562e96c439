// Package cuts computes where to cut a run into shards so that the proof is complete as early as possible, given that
// devices wait for the program and for each other: see [Rates.Cut].
package cuts
