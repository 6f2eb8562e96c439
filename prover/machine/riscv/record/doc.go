// Package record defines what is kept of a run, for the host and for devices: the trace that the emulator
// writes, and the records that the replay makes of it, from which every table's rows are filled.
//
// All of it is flat: structs of 32- and 64-bit integers without padding, in slices, little-endian, so that the
// same bytes are an array of the same struct in C. The package has no code but for what is needed to read
// records: sizes, shapes, the order of the boundary.
//
// # Trace
//
// A [Trace] is a [Checkpoint] before every 512th cycle (the first before cycle 1, the last behind the last cycle)
// and the load log: in the order of time, every aligned word that an instruction read from memory. A
// load logs one word, a load that crosses into the next word two, a call of an accelerator all words that it reads,
// those that it then replaces included. Stores log nothing: what memory held before is found by sorting.
// So chunk k, the cycles from 512k+1 to 512(k+1), is a function of Checkpoints[k] and Log[Checkpoints[k].Log:],
// and must end in Checkpoints[k+1].
//
// # Records
//
// A [Set] has a slice of records for every table, in the order of cycles. A record's Row is the index of the
// program row that the instruction meets (package program), which has the address, the registers and the
// constants; of a branch it is the row of its outcome. Which shape of record a table has is in [table.Family]; UNAL has
// those of loads for stores too.
//
// Times are 4*cycle + slot. Previous times are those of the token that an access receives: of registers with
// the rows of REFRESH taken into account, so that none is more than 2^20 before.
//
// # Accesses
//
// Every access to an aligned word of memory has a place in [Accesses], in the order of time: a record's Access
// is the index of its first one, and its others follow. There, after the replay, are the time of the word's
// previous access and what the word held; what it holds afterwards is Merge. The list is a struct
// of arrays: a replay on a device sorts (Word, index) pairs, scans, and scatters Previous and Old.
package record
