// Package record defines the data of a run, for the host and for devices: the trace that the emulator writes, and the
// records that the replay makes from it, from which every table's rows are filled.
//
// All data is flat: slices of structs of 32- and 64-bit integers, little-endian and without padding, so that the same
// bytes are an array of the same struct in C. The package has only the code needed to read records: sizes, shapes, the
// order of the boundary.
//
// # Trace
//
// A [Trace] is a [Checkpoint] before every 512th cycle (the first before cycle 1, the last after the last cycle) and
// the load log: in the order of time, every aligned word that an instruction read from memory. A load logs one word, a
// load that crosses into the next word two, and a call of an accelerator all words that it reads, including those that
// it then replaces. Stores log nothing: sorting finds the old contents. So chunk k, the cycles from 512k+1 to 512(k+1),
// is a function of Checkpoints[k] and Log[Checkpoints[k].Log:], and must end in Checkpoints[k+1].
//
// # Records
//
// A [Set] has a slice of records for every table, in the order of cycles. A record's Row is the index of the
// instruction's program row (package program), which has the address, the registers and the constants; for a branch it
// is the row of its outcome. [table.Family] has the shape of a table's records; UNAL has records of loads for stores
// too.
//
// Times are 4*cycle + slot. A previous time is the time of the token that an access receives. For registers it includes
// the rows of REFRESH, so it is at most 2^20 earlier. Records have its low 32 bits: see [Before].
//
// # Accesses
//
// Every access to an aligned word of memory is in [Accesses], in the order of time: a record's Access is the index of
// its first access, and its other accesses follow. The replay finds the time of the word's previous access and its old
// contents; Merge gives the new contents. The list is a struct of arrays: a replay on a device sorts (Word, index)
// pairs, scans, and scatters Previous and Old.
package record
