// Package replay makes the records of every table (package record) from a run's trace, chunk by chunk, chunks in
// parallel.
//
// [Build] goes over the chunks twice: [Count], which says what a proof will take, and [Counted.Build]. The first pass counts the rows of each table and notes when each register is
// accessed first and last; prefix sums then give every chunk its place in every table, and the time of each
// register's last access before it. The second pass writes the records. The accesses to memory, which both
// passes leave in the order of time, are then sorted by word: that gives every access the time of the one
// before and what the word held, and at last the boundary.
//
// Nothing is taken on trust: a chunk must end in the next checkpoint, use up its part of the load log, and every
// word that was read must be what the accesses before it left there. Otherwise Build returns an error that
// names the cycle; a set of records is whole or not returned. Instructions are evaluated by package instruction,
// not by the emulator's loop, so that each run compares the two.
//
// [Tally] does the first pass alone, while a program runs: how many rows a proof would take, without a trace.
package replay
