package protocol

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// variant is a version of the protocol. It has all that differs between hash functions, except for trees, which package
// merkle has: limits, labels, digests of keys and programs, the encoding of messages, and grinding.
type variant interface {
	Grinding

	// version is the version of files, and labels are the names of transcripts.
	version() int
	labels() labels
	// maxLogDomain is the maximum of log height + LogBlowup, and maxGrindingBits the maximum of GrindingBits.
	maxLogDomain() int
	maxGrindingBits() int

	// namesHash reports whether encoded parameters end with the number of the hash function.
	namesHash() bool
	// salted reports whether proofs and sets have a salt.
	salted() bool
	// checkNonce and checkProgram reject decoded values that the transcript or the program's ID cannot contain.
	checkNonce(nonce uint64) error
	checkProgram(key *ProgramKey) error

	// keyParams lists the parameters for whose trees a key contains the fixed cap, besides the proof's.
	keyParams(p Params) []Params
	// keyDigest returns the digest of a machine's key. caps are the caps for keyParams, in order.
	keyDigest(k *Key, caps [][]merkle.Digest) merkle.Digest
	// largerTrees returns the number of trees at larger blowups whose roots a program's ID depends on.
	largerTrees(p Params) int
	// programID returns the ID of the key's program.
	programID(k *Key) merkle.Digest

	// newTranscript creates a transcript, which begin starts for a proof, beginShard for a shard, and beginShards for the
	// common challenges of shards.
	newTranscript(label string) Transcript
	begin(t Transcript, key *Key, instances []circuit.Instance, public circuit.Public, salt uint64)
	beginShard(t Transcript, branch [32]byte, number int, salt uint64)
	beginShards(t Transcript, key *Key, public circuit.Public, shards []Commitment, salt uint64)
	// appendElements and appendNonce encode messages.
	appendElements(dst []byte, list []goldilocks.Extension) []byte
	appendNonce(dst []byte, nonce uint64) []byte
	// point samples the point z.
	point(t Transcript) goldilocks.Extension
}

// variants are the versions of the protocol, by hash function.
var variants = [...]variant{merkle.Keccak: new(protocol2), merkle.Blake3: new(protocol3)}

// variant returns the version with the parameters' hash function, and any version for an unknown hash function, which
// [Params.Validate] rejects.
func (p Params) variant() variant { return variantOf(p.Hash) }

func variantOf(hash merkle.Hash) variant {
	if int(hash) < len(variants) {
		return variants[hash]
	}
	return variants[0]
}

// labels are the names of a protocol's transcripts.
type labels struct{ proof, shards, shard string }

// Grinding is the proof of work before the queries.
type Grinding interface {
	// MaxBits is the maximum number of zero bits that can be searched for.
	MaxBits() int
	// Passes reports whether a nonce passes for a seed from [Script.Final].
	Passes(seed [32]byte, nonce uint64, bits int) bool
	// NewSearch returns a search, for one goroutine.
	NewSearch(seed [32]byte, bits int) NonceSearch
}

// NonceSearch returns the smallest nonce that passes among count nonces from first on.
type NonceSearch func(first uint64, count int) (nonce uint64, ok bool)

// GrindingOf returns the proof of work with a hash function.
func GrindingOf(hash merkle.Hash) Grinding { return variantOf(hash) }
