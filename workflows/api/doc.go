// Package api is the controller's client of the GitHub API: go-github with retries and idempotent writes.
//
// A call that fails for a transient reason (a rate limit, status 403 or 429; a 5xx; a dropped connection) is retried
// after a wait with jitter. A connection may drop after the server has acted, so before retrying a write that creates
// something, the client searches for the result by a marker or an external ID. It searches several times, because lists
// may lag.
//
// The token is sent only to the API's own host. The client follows redirects of renamed repositories there. A lock
// stored on GitHub serializes clients that read and write the same data.
//
// Every method accesses the client's own repository. Package workflows decides what to say and who has permission.
package api
