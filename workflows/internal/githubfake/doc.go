// Package githubfake is a GitHub of one repository on a local port, for `harness github simulate` and, with a
// Description, for tests (package githubtest).
//
// It keeps state (comments, reactions, check runs, issues, permissions, artifacts, files of branches) and answers
// commits and comparisons from a real git repository. Each token has the permissions of a workflow's job, and a call
// that needs more is answered 403. It can be told to rate-limit, fail, drop the connection after acting, paginate and
// be slow.
//
// # Why not a library
//
// github.com/migueleliasweb/go-github-mock answers each call with values that are listed beforehand, or with a handler
// that the test writes. It keeps no state: what one call creates, no other call lists or edits. Here the second job of
// a run finds the comment, the check run and the index that the first one made, so every handler below would be
// written anyway; faults, permissions of tokens and the check against GitHub's description would be missing. The
// library also replaces the HTTP client, and what is tested here includes retries, redirects and the store of
// artifacts on another host.
package githubfake
