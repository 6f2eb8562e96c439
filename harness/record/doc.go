// Package record defines the records of a run's journal, and folds them into the state of the run.
//
// # Vocabulary
//
//   - A record kind (KindSample, KindVerified, ...) names the type of a record's data. The kinds and the JSON of their
//     data are a file format: fields may be added, never changed or removed.
//   - A History is the fold of all records of a run, a Progress the fold of the records of one workload.
//   - An Attempt is one measurement of a pair. A pair that was dropped is measured again and has several.
//
// # What it never does
//
// It writes no journal: package measure does. It reads no times to decide which pairs count.
package record
