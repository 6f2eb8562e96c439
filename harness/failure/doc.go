// Package failure says how a run can end other than with a verdict, and which exit code each end has.
//
// # Vocabulary
//
//   - A Failure names the step, arm, workload and cause that ended a run; it is part of report.json. An Error carries
//     one.
//   - A UsageError is something that the caller has to change.
//   - A passing failure says nothing of the revisions: the run can be resumed.
//
// Where several exit codes apply, the order is 130 (interrupted), 2 (usage), 3 (failed), 4 (environment), 1
// (regression), 0.
package failure
