// Package mutate plants bugs and reports which of them the tests miss.
//
// # Vocabulary
//
//   - A mutation is one small change of one file: a text that occurs once in it, and its replacement. Mutations are
//     kept next to the packages that they change, one a line, in files named mutations.txt.
//   - A mutation is killed if its tests fail or no longer build; it survives if they pass.
//   - A mutation applies while its text occurs exactly once in its file. One that does not apply guards nothing; the
//     test of this package names it.
//
// # The list
//
// A line has four columns, separated by tabs: the file, relative to the list's folder; the text; its replacement; and
// the packages whose tests must notice, separated by spaces, as go test takes them in the repository's root, with any
// flags. In the texts \t, \n and \\ stand for a tab, a line feed and a backslash. Empty lines and lines that start with
// # are comments: each family of mutations says what it is about.
//
// # Pins
//
// Some tests compare bytes with bytes that the code wrote before: package pin marks them. They fail on every change, so
// if only a pin kills a mutation, no test understands it. Mutations run with pins off (-tags nopins), and the other
// tests must kill them; flags in a list may not set -tags. CI runs the tests with pins on.
//
// # What it never does
//
// It never changes a file of the work tree: the Go tool gets the changed text instead of the file (go test -overlay).
// It generates no mutations: each in a list is a bug that somebody could have written.
package mutate
