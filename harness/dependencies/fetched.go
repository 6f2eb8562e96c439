package dependencies

// A Fetched names the archive of what build.fetch of a revision left on the host that has a network.
type Fetched struct {
	Archive string `json:"archive"`
	// SHA256 is the digest that the archive must have.
	SHA256 string `json:"sha256"`
}
