// Package replay makes the records of every table (package record) from a run's trace. It replays chunks in parallel.
//
// [Build] makes two passes over the chunks. The first counts the rows of each table and notes the first and last access
// to each register. Prefix sums then give every chunk its index in every table, and the time of each register's last
// access before the chunk. The second pass writes the records. Then the accesses to memory, which are in the order of
// time, are sorted by word: this gives the previous time and old contents of every access, and the boundary.
//
// The trace is not trusted: a chunk must end in the next checkpoint and use up its part of the load log, and every word
// that was read must have the last value written. Otherwise Build returns an error that names the cycle, and no
// records. Package instruction evaluates instructions, not the emulator's loop, so that each run compares the two.
//
// A run may be replayed in parts, each from its [State]: the checkpoint before the part, the time of each register's
// last access, and of the words that the part accesses the contents and the times of their last accesses.
//
//	          part 0        part 1        part 2
//	run    |-------------|-------------|------------|
//	ledger |--- Place -->|--- Place -->|--- Place ->|   times and contents of every accessed word, once
//	state  0             1             2                what a part needs of them, kept
//	                     |--- Place, Build --> records  at any time, in any order
//
// [Ledger.Place] makes the states in the order of the parts, without records. [State.Place] and [Placed.Build] make the
// records of one part. The state and the inputs are also all that the emulator needs to execute the part.
//
// [Tally] computes the numbers of rows of a proof from the emulator's counts, without a trace or a replay of most
// chunks. A wrong count would be detected when tables are filled: on a host the records would not fit, and on a device
// the replay compares.
package replay
