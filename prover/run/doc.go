// Package run says how programs run: what a run states, into which shards it is cut, and how its shards reach whoever
// proves them.
//
// A [Program] is a machine (a [circuit.Machine]) with its claims, its fillers and its inputs. Program.Run begins a run
// of an [Input] and returns a [Run]:
//
//	Input                              Run
//	  Data, Public, Size, Seed           Public()    what the run states; waits for its end
//	  Cut: whole, parts, while it runs   Instances   of each shard, if known before the end
//	  Plan: no proof follows             Shards      an iterator: each shard when it is there
//	  Speculate: instances may be        Report()    how the run went beside the proof
//	    those of the run before
//
// A whole run is a stream of one shard: proving a run takes the same steps however it is cut, and however much of it is
// known when Program.Run returns. There is no other way to learn what a run can do. A machine that cannot do what an
// input asks for says so by an error ([ErrWhole], [ErrRunFirst]), or does without, where the proof is the same.
//
// # What is known when
//
// Program.Run returns as soon as it can. Three kinds of runs differ only in what a reader has to wait for:
//
//	                     Instances       Shards               Public
//	the run has ended    known           at once              at once
//	its outcome is known known           at once; filling     at once
//	                                     their tables waits
//	speculative          those of the    at once; filling     waits
//	                     run before      their tables waits
//	cut while it runs    nil             each waits           waits
//
// A speculative run fails with [ErrSpeculation] when its tables are filled, if it had other instances. The run is known
// then: running it again is no speculation.
//
// # Example
//
// Proving a program, whatever it is:
//
//	r, err := program.Run(ctx, run.Input{Data: input, MinLogHeight: params.MinLogHeight})
//	if err != nil { ... }
//	proof, _, err := prover.Prove(ctx, r, nil)
//
// [Execute] and [Shards] are shorter where all of a run is wanted at once.
package run
