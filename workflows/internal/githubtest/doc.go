// Package githubtest is the GitHub of package githubfake, checked against GitHub's published OpenAPI description.
//
// Every request and every answer is checked against that description, trimmed to the calls that package workflows
// makes (folder openapi, with the script that trims it); a call that breaks the description is a Violation, which
// tests assert to be none. It is for tests alone: the library that reads the description is not linked into the
// harness.
package githubtest
