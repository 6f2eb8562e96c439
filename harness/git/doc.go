// Package git is the one place from which the harness runs git.
//
// Git does what its configuration says: it starts hooks, filters, monitors and credential helpers, rewrites addresses
// and speaks a dozen protocols. Which of that a caller may have is decided here, once, by the Git that it uses:
//
//   - Desk is for a person's own repository. The person's configuration counts, as it does for their own git; hooks,
//     monitors and background maintenance do not, because they would run in the middle of a measurement. Nor do
//     replaced objects, grafts and filters (but for Git LFS): a commit that is measured is what its hash says.
//   - Executor is for the host that runs strangers' code. Configuration of the system and of the user, their
//     attributes, hooks, filters and credential helpers do not exist, nor does the caller's environment, and no
//     protocol is spoken but that of files: what is not in the bundle cannot be had.
//   - Controller is for a hosted runner that packs commits. As Executor, and https besides; its token goes to one
//     server.
//
// The package also holds the one reading of .gitmodules, so that what a hosted runner packs and what the executor
// checks out cannot differ.
//
// # What it never does
//
// It never sends a token to another host than its own, redirects included. It never runs a program that a revision or
// its .gitmodules names.
package git
