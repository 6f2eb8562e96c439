// Package cli implements the command line of the harness: it parses flags, calls package harness, and prints the
// results.
//
// Reports go to standard output, progress and errors to standard error, so that a report can be piped. Long texts for
// users are in text.go, text_run.go and text_github.go. Each command has its own file.
package cli
