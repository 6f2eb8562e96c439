// Package githubtest is package githubfake with checks against GitHub's published OpenAPI description.
//
// Every request and response is checked against that description, trimmed to the calls that package workflows makes
// (folder openapi, with the script that trims it). A call that violates the description is a Violation; tests assert
// that there are none. The package is for tests only: the library that parses the description is not linked into the
// harness.
package githubtest
