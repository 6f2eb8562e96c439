// Package journal keeps the durable state of a run: its directory, the journal of everything observed, and the lock
// that permits one measurement at a time on a host.
//
// A journal is a file of JSON Lines that is only appended to. Each record is on disk before [Journal.Append] returns,
// so a harness that is killed loses at most the record in progress. The last line may be torn; [Read] ignores such a
// tail and [Open] cuts it off before it appends. Each record ends with a SHA-256 over the record and the checksum of
// the previous record. A flipped bit, or a line that was changed, lost, moved or repeated, is an error that names the
// line. The number and the checksum of the last record are also kept in a second file, so that lines lost at the end
// are detected, too. The checksums have no key: they detect damage and manual edits, but not a forger who recomputes
// them.
//
// The package does not interpret the records.
package journal
