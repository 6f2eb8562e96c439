// Package pipeline connects `harness ci` to continuous integration: which two commits a job compares, and where to post
// its verdict. It supports GitLab CI, GitHub Actions and plain shells.
//
// The caller reads the variables from the environment and passes them to Detect. On GitLab, one note on the merge
// request is posted and then edited on every later run.
package pipeline
