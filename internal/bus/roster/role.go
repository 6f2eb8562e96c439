package roster

// Role is what one member may do. Answers to its requests arrive at an inbox of its own, which it alone may subscribe
// to.
type Role struct {
	// Publish and Subscribe are subjects, with NATS's wildcards.
	Publish, Subscribe []string

	// Trusted members share the account that has the streams. Every other is in an account of its own, where Publish and
	// Subscribe are imported: the reply subject of a request is then one of that account. Without, an answer of the
	// server could be sent to any subject, with content that the member chose: into another's inbox, or a stream.
	Trusted bool
}
