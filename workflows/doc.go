// Package workflows is the GitHub side of the harness: it answers a comment on a pull request with a measured verdict,
// and never exposes a token to untrusted code.
//
// # Two planes
//
// The controller runs on hosted runners and holds the token; it never runs code of the pull request. The executor runs
// that code on the GPU host and has no token, no secret and no permission. A run has five steps:
//
//   - Gate, in the controller, reads the event of a comment, asks the API for its author and the revisions that it
//     names, pins both revisions and produces a Plan.
//   - Fetch, in the controller, packs the two commits into a git bundle.
//   - FetchDependencies, on a hosted runner without any permission, runs build.fetch of both revisions, isolated, and
//     packs the results.
//   - Measure, on the executor, compares the two revisions of the bundle, always isolated, and writes a result.
//   - Publish, in the controller, checks the result against the Plan and posts the verdict.
//
// # Vocabulary
//
// A parsedCommand is the content of a comment. A Plan is the gate's decision: every name in it comes from the API or
// from a checkout of the default branch's history. It is passed as a file and its hash as an output of the gate's job,
// so that only the gate can write a plan. A result comes from the executor and is untrusted: every string in it is
// escaped before it is shown, and no link, name or number in it decides where anything is posted. A marker is a hidden
// line by which the controller recognizes its own comments; it counts only in comments of the controller's account.
// Other workflows may use that account too, so the index of runs, which decides what a cancel command stops, counts
// only if the check run of one of its lines names it.
//
// An ending is decided if the measurement was completed. A decided ending is final; a later attempt may replace any
// other.
//
// # What it never does
//
// It never trusts the event file: it takes identifiers from the file and reads everything else from the API. It never
// passes user text to a shell. It never posts twice: before it repeats a write, it looks for the write's marker or
// external identifier. It never treats a temporary state as final: it waits for a result that is listed late, and a job
// that cannot read a result fails and is run again. The package does not depend on the prover or on CUDA.
package workflows
