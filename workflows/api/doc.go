// Package api is the controller's way to GitHub: go-github with retries, and writes that happen once.
//
// A call that fails for a passing reason (a rate limit of 403 or 429, a 5xx, a dropped connection) is repeated
// after a wait with jitter. A write that creates something is looked for before it is repeated, by a marker or
// an external identifier, since a connection may drop after the server has acted.
//
// What such a write made is looked for several times, since lists may lag. The token goes to the API's own host and to
// no other; a repository that was renamed is followed there. One client at a time writes what several read and write,
// by a lock that GitHub keeps.
//
// Every method reads or writes one repository, the Client's own. Nothing here decides what is said or whether
// somebody may ask: that is package workflows.
package api
