// Package pipeline is what `harness ci` needs of continuous integration: which two commits a job is about, and where
// its verdict is posted. It knows GitLab CI, GitHub Actions, and plain shells.
//
// Detect reads variables that the caller has taken from the environment; nothing here reads the environment itself. A
// GitLab posts one note on a merge request and edits it at every later run.
package pipeline
