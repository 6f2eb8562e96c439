// Package cuts says where to cut a run into shards, so that devices prove it soonest that wait for the program and
// for each other: see [Rates.Cut].
package cuts
