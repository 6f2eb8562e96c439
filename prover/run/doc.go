// Package run defines how programs run: what a run states, how it is cut into shards, and how a prover receives the
// shards.
//
// A [Program] is a machine (a [circuit.Machine]) with its claims, its fillers and its inputs. Program.Run starts a run
// of an [Input] and returns a [Run]:
//
//	Input                              Run
//	  Data, Public, Size, Seed           Public()    what the run states; waits for its end
//	  Cut: whole, parts, while running   Instances   of each shard, if known before the end
//	  Plan: no proof follows             Shards      an iterator: each shard once it is available
//	  Speculate: predict the instances   Report()    statistics of the run
//	    from the previous run
//
// A whole run is a stream of one shard. Proving takes the same steps however the run is cut, and however much of it is
// known when Program.Run returns. There is no other way to find out what a run supports. If a machine does not support
// what an input requests, it either returns an error ([ErrWhole], [ErrRunFirst]) or ignores the request, provided that
// the proof is the same.
//
// # What is known when
//
// Program.Run returns as soon as it can. Runs differ only in what a reader has to wait for:
//
//	                     Instances       Shards               Public
//	the run has ended    known           at once              at once
//	its outcome is known known           at once; filling     at once
//	                                     their tables waits
//	speculative          those of the    at once; filling     waits
//	                     previous run    their tables waits
//	cut while it runs    nil             each waits           waits
//
// If a speculative run turns out to have other instances, a device continues with these if the run's rows fit the
// predicted ones. Else filling the tables fails with [ErrSpeculation]. The run is known by then, so running it again
// needs no speculation.
//
// # Example
//
// Proving any program:
//
//	r, err := program.Run(ctx, run.Input{Data: input, MinLogHeight: params.MinLogHeight})
//	if err != nil { ... }
//	proof, _, err := prover.Prove(ctx, r, nil)
//
// [Execute] and [Shards] are shorter if the whole run is needed at once.
package run
