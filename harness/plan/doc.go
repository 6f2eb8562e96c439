// Package plan decides what a run measures and how, before anything is measured.
//
// # Vocabulary
//
//   - Options are what the caller asks for: revisions or commands, workloads, the number of pairs.
//   - A Plan is the statistical design: pairs, order, seed, alpha, margin, interim analyses, processes and builds.
//   - A Decision is a whole run as decided: revisions with their commits, the bench.yaml, the workloads, the plan. It
//     is stored as run.json. The journal and the decision together give the report.
//   - An Identity is the part of a decision that a resumed run may not change.
//   - A Forecast predicts how many proofs and how much time a decision takes, from earlier runs of the same folder.
//
// # Use
//
// [Decide] reads bench.yaml, resolves revisions and checks the plan: a plan that cannot find any change is refused with
// the smallest changes to it that could. For two commands without a given number of pairs, the caller times them once
// and passes the result to [Decision.Probed]. [Read] loads a stored decision, and [PredictAll] makes the forecast.
//
// # What it never does
//
// It starts no process except git, opens no session, and reads no measured time of the run that it plans. Nothing that
// differs between the arms influences a plan.
package plan
