package dependencies

// A Fetched names the archive of the files that a revision's build.fetch downloaded.
type Fetched struct {
	Archive string `json:"archive"`
	// SHA256 is the required digest of the archive.
	SHA256 string `json:"sha256"`
}
