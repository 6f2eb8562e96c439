package merkle

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/blake3"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// Hash identifies a hash function of trees. Parameters encode its number.
type Hash uint8

// The hash functions. Keccak-256 is used by protocol 2 and by verifiers on Ethereum. Inside a proof, BLAKE3's
// compression takes a tenth of the cells of Keccak-256; on a host, a third of the time.
const (
	Keccak Hash = iota
	Blake3
	Hashes // their number
)

// hashes describes the hash functions.
var hashes = [...]struct {
	name, title         string
	elements, extension function // for trees over rows of elements, and of elements of the extension
}{
	Keccak: {"keccak", "Keccak-256", keccakTree{}, keccakTree{}},
	Blake3: {"blake3", "BLAKE3", blake3Tree{}, blake3ExtensionTree{}},
}

// String returns the name of the hash function in flags.
func (h Hash) String() string {
	if int(h) < len(hashes) {
		return hashes[h].name
	}
	return fmt.Sprintf("hash %d", uint8(h))
}

// Title returns the name of the hash function in prose.
func (h Hash) Title() string {
	if int(h) < len(hashes) {
		return hashes[h].title
	}
	return h.String()
}

// Validate rejects unknown hash functions.
func (h Hash) Validate() error {
	if int(h) >= len(hashes) {
		return fmt.Errorf("merkle: unknown hash function %d, want %d (%v) or %d (%v)",
			uint8(h), Keccak, Keccak, Blake3, Blake3)
	}
	return nil
}

// ParseHash returns the hash function with the given name.
func ParseHash(name string) (Hash, error) {
	for h, own := range hashes {
		if own.name == name {
			return Hash(h), nil
		}
	}
	return 0, fmt.Errorf("unknown hash function %q, want %v or %v", name, Keccak, Blake3)
}

// Kind is a method of hashing rows and nodes.
type Kind struct {
	Hash Hash

	// Extension is set if rows are elements of the cubic extension, three columns each, lowest coordinate first. BLAKE3
	// then aligns elements in blocks; Keccak-256 hashes both kinds identically.
	Extension bool
}

// function is the interface of a hash function for trees. protocol.Transcript is the other half: a new hash implements
// both. Trees hash many rows at once, so rows takes columns.
type function interface {
	// rows sets dst[i] to the digest of row first+i of the columns.
	rows(dst []Digest, columns [][]goldilocks.Element, first int)
	// nodes sets dst[i] to the parent of children 2i and 2i+1, joined by the row digest extra[i] unless extra is nil.
	nodes(dst, children, extra []Digest)
	// rowWork and nodeWork count the permutations or compressions for a row of n words and for a node.
	rowWork(n int) int
	nodeWork(joined bool) int
}

// function returns the implementation. k must be valid.
func (k Kind) function() function {
	if k.Extension {
		return hashes[k.Hash].extension
	}
	return hashes[k.Hash].elements
}

type keccakTree struct{}

func (keccakTree) rows(dst []Digest, columns [][]goldilocks.Element, first int) {
	keccak.HashRows(dst, columns, first)
}
func (keccakTree) nodes(dst, children, extra []Digest) { keccak.HashNodes(dst, children, extra) }
func (keccakTree) rowWork(n int) int                   { return keccak.Permutations(wordBytes * n) }
func (keccakTree) nodeWork(bool) int                   { return 1 } // 64 or 96 bytes are less than a block

type blake3Tree struct{}

func (blake3Tree) rows(dst []Digest, columns [][]goldilocks.Element, first int) {
	blake3.HashRows(dst, columns, first)
}
func (blake3Tree) nodes(dst, children, extra []Digest) { blake3.HashNodes(dst, children, extra) }
func (blake3Tree) rowWork(n int) int                   { return blake3.Compressions(n) }
func (blake3Tree) nodeWork(joined bool) int {
	if joined {
		return 2
	}
	return 1
}

type blake3ExtensionTree struct{ blake3Tree }

func (blake3ExtensionTree) rows(dst []Digest, columns [][]goldilocks.Element, first int) {
	blake3.HashExtensionRows(dst, columns, first)
}

// An extension element takes four words of a block, with the last one zero.
func (t blake3ExtensionTree) rowWork(n int) int { return t.blake3Tree.rowWork(n / 3 * 4) }

// Parents returns the parents of a layer with an even number of nodes and no joining rows.
func Parents(hash Hash, layer []Digest) []Digest {
	parents := make([]Digest, len(layer)/2)
	Kind{Hash: hash}.function().nodes(parents, layer, nil)
	return parents
}
