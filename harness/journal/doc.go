// Package journal keeps what a run must not lose: its directory, the journal of everything that was seen, and the lock
// that lets one measurement run on a host at a time.
//
// A journal is a file of JSON Lines that is only ever appended to. Each record is on the disk before [Journal.Append]
// returns, so that a harness that is killed at any moment has lost at most what it was just doing. The line that it was
// writing may be torn; [Read] leaves such a tail out and [Open] cuts it off before going on. Each record ends with a
// SHA-256 over itself and the checksum of the record before it: a digit that flipped, a line that was changed, lost,
// moved or repeated is an error that names the line. The number and the checksum of the last record also lie beside the
// journal, so that lines which are lost at its end are missed, too. The checksums have no key. They find damage and
// edits by hand, and no forger who computes them again.
//
// The package does not know what the records mean.
package journal
