// Package replay makes the records of every table (package record) from a run's trace, chunk by chunk, chunks in
// parallel.
//
// [Build] goes over the chunks twice. The first pass counts the rows of each table and notes when each register is
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
// [Tally] says how many rows a proof would take, from what the emulator saw: without a trace, and without a second look
// at the instructions. A count that were wrong would be found by who fills the tables: on a host the records do not fit
// them, on a device the replay compares.
package replay
