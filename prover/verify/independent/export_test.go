package independent

import (
	"encoding/hex"
	"strings"
)

// Decode reads a proof file and returns its first error, for tests outside of the package.
func Decode(file []byte) error {
	_, err := parseProof(file)
	return err
}

// LeastAllocated is leastAllocated for tests outside of the package.
func LeastAllocated(work func()) uint64 { return leastAllocated(work) }

// HeaderID is the version 3 program id of a program header, with nodes in hexadecimal.
func (p *Program) HeaderID(key Digest, nodes, larger []string) (Digest, error) {
	h := header{entry: p.Entry, image: p.Image, logHeights: []byte{byte(p.wordLog), byte(p.rowLog)}}
	for _, list := range []struct {
		to   *digests
		text []string
	}{{&h.nodes, nodes}, {&h.larger, larger}} {
		bytes, err := hex.DecodeString(strings.Join(list.text, ""))
		if err != nil {
			return Digest{}, err
		}
		*list.to = bytes
	}
	return h.id3(key), nil
}
