// Package githubfake is a fake GitHub with one repository on a local port, for `harness github simulate` and, with a
// Description, for tests (package githubtest).
//
// It keeps state (comments, reactions, check runs, issues, permissions, artifacts, files on branches) and answers
// questions about commits from a real git repository. Each token has the permissions of a workflow's job; a call that
// needs more is answered with 403. The server can rate-limit, fail, drop the connection after acting, paginate, and
// delay.
//
// # Why not a library
//
// github.com/migueleliasweb/go-github-mock answers each call with predefined values or a handler of the test. It keeps
// no state: what one call creates, no other call lists or edits. Here the second job of a run must find the comment,
// the check run and the index that the first one created, so every handler below would still be needed; so would
// faults, token permissions and checks against GitHub's API description. The library also replaces the HTTP client,
// whereas these tests include retries, redirects and artifact storage on another host.
package githubfake
