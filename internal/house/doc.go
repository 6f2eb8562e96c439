// Package house holds the repository's own rules as tests: who may import whom,
// what every package documents, and what no committed file says. It has no code.
//
// A rule that fails names the package or the file and line, and the rule.
package house
