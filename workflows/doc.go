// Package workflows is the GitHub side of the harness: a comment on a pull request becomes a measured verdict
// under it, without a stranger's code ever seeing a token.
//
// # Two planes
//
// The controller runs on hosted runners and holds the token; it never runs code of the pull request. The
// executor runs that code on the GPU host and has no token, no secret and no permission. Three steps of the
// controller, one of the executor and one of neither make a run:
//
//   - Gate reads the event of a comment, asks the API who wrote it and what it names, pins both revisions
//     and hands on a Plan.
//   - Fetch packs the two commits into a git bundle.
//   - FetchDependencies runs build.fetch of both, isolated, on a hosted runner that holds nothing, and packs what it
//     leaves.
//   - Measure, on the executor, compares the two revisions of the bundle, isolated or not at all, and writes a Result.
//   - Publish checks the Result against the Plan and posts the verdict.
//
// # Vocabulary
//
// A Command is what a comment asks for. A Plan is the gate's decision: every name in it was asked from the API or from
// a checkout of the default branch's history. It travels as a file, and its hash as an output of the gate's job, so
// that nobody else can write one. A Result is what comes back from the executor: it is data of a stranger, so every
// string in it is escaped before it is shown and no link, name or number of it decides where something is posted. A
// marker is a hidden line by which the controller finds its own comments again; a marker counts only in a comment of
// the controller's own account. That account may be every workflow's, so the index, by which runs are cancelled, counts
// only where the check run of one of its lines names it.
//
// An ending is decided when the measurement reached its end. A decided ending stands; one that is not may be followed
// by a later attempt's.
//
// # What it never does
//
// It never believes the event file: identifiers are taken from it and everything else is read from the API. It never
// runs a shell over user text. It never posts twice: before a write is repeated, its marker or external identifier is
// looked for. It never takes for final what may pass: a result that is listed late is waited for, and a job that cannot
// read one fails and is run again. It knows neither prover nor CUDA.
package workflows
