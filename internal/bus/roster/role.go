package roster

// Role has the permissions of a member. Answers to its requests arrive at an inbox to which only the member may
// subscribe.
type Role struct {
	// Publish and Subscribe are subjects, with NATS wildcards.
	Publish, Subscribe []string

	// Trusted members share the account that owns the streams. Any other member has an account of its own, into which
	// Publish and Subscribe are imported, so that the reply subject of a request belongs to that account. Without that,
	// a member could make the server send an answer, with content of the member's choice, to any subject: to another
	// member's inbox, or into a stream.
	Trusted bool
}
