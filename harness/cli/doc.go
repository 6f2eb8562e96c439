// Package cli is the command line of the harness: it reads flags, calls the package harness, and writes what comes
// back.
//
// Reports go to standard output, progress and errors to standard error, so that a report can be piped. Every text for
// users stands in text.go, or where a number goes into it beside that number. One file holds one command.
package cli
