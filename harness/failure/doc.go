// Package failure says how a run can end other than with a verdict, and which exit code each end has.
//
// # Vocabulary
//
//   - A Failure names the step, arm, workload and cause that ended a run; it is part of report.json. An Error carries
//     one.
//   - A UsageError is an error that the caller must correct.
//   - A passing failure says nothing about the revisions: the run can be resumed.
//
// If several exit codes apply, the first of 130 (interrupted), 2 (usage), 3 (failed), 4 (environment), 1 (regression)
// and 0 counts.
package failure
