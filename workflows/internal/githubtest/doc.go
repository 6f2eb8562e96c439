// Package githubtest is a GitHub of one repository on a local port, for tests and for `harness github simulate`.
//
// It keeps state (comments, reactions, check runs, issues, permissions, artifacts, files of branches) and answers
// commits and comparisons from a real git repository. Every request and every answer is checked against GitHub's
// published OpenAPI description, trimmed to the calls that package workflows makes (folder openapi, with the script
// that trims it); a call that breaks the description is a Violation, which tests assert to be none. Each token has
// the permissions of a workflow's job, and a call that needs more is answered 403, as GitHub does and no schema says.
//
// It can be told to rate-limit, fail, drop the connection after acting, paginate and be slow.
package githubtest
