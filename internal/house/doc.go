// Package house has the repository's own rules as tests: which package may import which, what every package documents,
// and which words no committed file may contain. It has no other code.
//
// A failure names the rule, and the package or the file and line that breaks it.
package house
