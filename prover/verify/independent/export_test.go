package independent

// Decode reads a proof file and says what is wrong with it, for tests outside of the package.
func Decode(file []byte) error {
	_, err := parseProof(file)
	return err
}

// LeastAllocated is leastAllocated for tests outside of the package.
func LeastAllocated(work func()) uint64 { return leastAllocated(work) }
