// Package mutate plants bugs and says which of them the tests do not find.
//
// # Vocabulary
//
//   - A mutation is one small change of one file: a text that occurs once in it, and what takes its place. Mutations
//     are kept beside the packages that they change, one a line, in files named mutations.txt.
//   - A mutation is killed when the tests named beside it fail, or no longer build; it survives when they pass.
//   - A mutation applies while its text occurs exactly once in its file. One that no longer does guards nothing: the
//     package's own test, which runs with all others, names it.
//
// # The list
//
// A line has four columns, separated by tabs: the file, seen from the list's folder; the text; what takes its place;
// and the packages whose tests must notice, separated by spaces, as go test takes them from the repository's root, with
// any of its flags. In the texts \t, \n and \\ stand for a tab, a line feed and a backslash. Empty lines and lines that
// begin with # are comments: each family of mutations says what it is about.
//
// # Pins
//
// Some tests compare bytes with bytes that the code wrote before: package pin marks them. They fail on every change, so
// a mutation that they alone kill is one that no test understands. Mutations run with pins off (-tags nopins), and the
// rest of the tests must kill them; the list's flags may not set -tags. CI runs the tests with pins on.
//
// # What it never does
//
// It never changes a file of the work tree: the Go tool is handed the changed text in place of the file
// (go test -overlay). It draws no mutations by itself: each in a list is a bug that somebody could have written.
package mutate
