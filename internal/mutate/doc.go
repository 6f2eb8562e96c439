// Package mutate plants bugs and reports which of them the tests miss.
//
// # Vocabulary
//
//   - A mutation is one small change of one file: a text that occurs once in it, and its replacement. Mutations are
//     kept next to the packages that they change, one per line, in files named mutations.txt.
//   - A mutation is killed if its tests fail; it survives if they pass.
//   - A mutation applies if its text occurs exactly once in its file. A mutation that does not apply, or whose changed
//     file does not build, guards nothing, and fails the tests of this package.
//
// # The list
//
// A line has four columns, separated by tabs: the file, relative to the list's folder; the text; its replacement; and
// the arguments of go test, run in the repository's root: flags, and the packages whose tests must fail. In the texts
// \t, \n and \\ stand for a tab, a line feed and a backslash. Empty lines and lines that start with # are ignored. A
// comment describes each group of mutations.
//
// # Pins
//
// Some tests compare bytes with bytes that the code wrote earlier: package pin marks them. They fail on every change,
// so a mutation that only a pin kills is not really tested. Mutations run with pins off (-tags nopins), and the other
// tests must kill them; flags in a list may not set -tags. CI runs the tests with pins on.
//
// # What it never does
//
// It never changes a file of the work tree: the Go tool gets the changed text instead of the file (go test -overlay).
// It generates no mutations: each in a list is a bug that somebody could have written.
package mutate
