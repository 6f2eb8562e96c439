// Package git runs git for the harness. No other package of the harness starts git.
//
// Git obeys its configuration: it starts hooks, filters, monitors and credential helpers, rewrites URLs and speaks a
// dozen protocols. The Git value that a caller uses decides which of these are allowed:
//
//   - Desk is for a user's own repository. The user's configuration applies. Hooks, monitors and background maintenance
//     are off, because they would run during a measurement. Replaced objects, grafts and filters (except Git LFS) are
//     off, so that a measured commit has the contents of its hash.
//   - Executor is for the host that runs untrusted code. It ignores the configuration of the system and of the user,
//     their attributes, hooks, filters and credential helpers, and the caller's environment. It allows only the file
//     protocol, so every object must come from a bundle.
//   - Controller is for a hosted runner that packs commits. It is Executor with https. Its token is sent to one server
//     only.
//
// The package also contains the only parser of .gitmodules, so that a hosted runner packs exactly the submodules that
// the executor checks out.
//
// # What it never does
//
// It never sends a token to another server, not even after a redirect. It never runs a program that a revision or its
// .gitmodules names.
package git
