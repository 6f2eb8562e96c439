package protocol

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// protocol3 is the protocol with BLAKE3: docs/spec/protocol.md, section 14. Its digests are digests of lists: see
// lists.go. Its transcript is [chained].
type protocol3 struct{}

// The tags of protocol 3 that differ from protocol 2's.
const (
	tagPlan      = 0x01 // with the key, or the key and the program
	tagStatement = 0x02
	tagSalt      = 0x03
	tagSpan      = 0x04
	tagNumber    = 0x11
)

func (*protocol3) version() int   { return VersionBlake3 }
func (*protocol3) labels() labels { return labels{Label3, LabelShards3, LabelShard3} }

// Positions are sampled from 32-bit words.
func (*protocol3) maxLogDomain() int    { return transcript.MaxPositionBits }
func (*protocol3) maxGrindingBits() int { return transcript.MaxGrindBits }

func (*protocol3) namesHash() bool { return true }

// Challenges are refused if they are not elements. The prover then changes the salt.
func (*protocol3) salted() bool { return true }

// The transcript absorbs the nonce as an element.
func (*protocol3) checkNonce(nonce uint64) error {
	if nonce >= goldilocks.Modulus {
		return fmt.Errorf("nonce %d is not below p = %d", nonce, goldilocks.Modulus)
	}
	return nil
}

// [ProgramKey.root] computes the root above the cap.
func (*protocol3) checkProgram(key *ProgramKey) error {
	if nodes := len(key.Cap); nodes&(nodes-1) != 0 {
		return fmt.Errorf("the program's cap has %d nodes, want a power of two", nodes)
	}
	return nil
}

// A key contains one fixed cap for each blowup.
func (*protocol3) keyParams(p Params) (list []Params) {
	for p.CapHeight, p.LogBlowup = KeyCapHeight, 1; p.LogBlowup <= MaxLogBlowup; p.LogBlowup++ {
		list = append(list, p)
	}
	return list
}

func (*protocol3) keyDigest(k *Key, caps [][]merkle.Digest) merkle.Digest {
	digests := []merkle.Digest{canonicalDigest(k.Machine)}
	for _, nodes := range caps {
		digests = append(digests, listDigest(listCap, digestItems(nodes...)))
	}
	return listDigest(listKey, digestItems(digests...))
}

func (*protocol3) largerTrees(p Params) int { return MaxLogBlowup - p.LogBlowup }

// The ID is the same for all parameters.
func (*protocol3) programID(k *Key) merkle.Digest {
	header := listDigest(listHeader, transcript.Bytes(k.Program.header()))
	return listDigest(listProgram, digestItems(k.Digest, header, k.Program.Image, k.Program.root()))
}

// All transcripts begin with BLAKE3's initial chaining value.
func (*protocol3) newTranscript(string) Transcript { return &chained{blake: transcript.NewBlake3()} }

func (*protocol3) begin(t Transcript, key *Key, instances []circuit.Instance, public circuit.Public, salt uint64) {
	t.Absorb(tagPlan, appendDigests(nil, []merkle.Digest{planDigest(key.Params, instances), key.Digest}))
	t.Absorb(tagStatement, appendDigests(nil, []merkle.Digest{key.ProgramID(), statementDigest(key.Machine, public, 1)}))
	t.Absorb(tagSalt, appendNumbers(nil, salt))
}

func (*protocol3) beginShard(t Transcript, branch [32]byte, number int, salt uint64) {
	t.Absorb(TagBranch, branch[:])
	t.Absorb(tagNumber, appendNumbers(nil, uint64(number)))
	t.Absorb(tagSalt, appendNumbers(nil, salt))
}

func (*protocol3) beginShards(t Transcript, key *Key, public circuit.Public, shards []Commitment, salt uint64) {
	root, span := shardsRoot(key.Params, shards)
	statement := statementDigest(key.Machine, public, len(shards))
	t.Absorb(tagPlan, appendDigests(nil, []merkle.Digest{key.Digest, key.ProgramID()}))
	t.Absorb(tagStatement, appendDigests(nil, []merkle.Digest{statement, root}))
	t.Absorb(tagSpan, appendNumbers(nil, uint64(len(shards)), uint64(span)))
	t.Absorb(tagSalt, appendNumbers(nil, salt))
}

func (*protocol3) appendElements(dst []byte, list []goldilocks.Extension) []byte {
	return appendItems(dst, list)
}

func (*protocol3) appendNonce(dst []byte, nonce uint64) []byte { return appendNumbers(dst, nonce) }

// z is sampled once. Verifiers reject proofs with a zero denominator.
func (*protocol3) point(t Transcript) goldilocks.Extension { return t.Extension() }

func (*protocol3) MaxBits() int { return transcript.MaxGrindBits }

func (*protocol3) Passes(seed [32]byte, nonce uint64, bits int) bool {
	return transcript.Blake3At(seed).Grind(TagNonce, nonce, bits)
}

func (*protocol3) NewSearch(seed [32]byte, bits int) NonceSearch {
	state := transcript.Blake3At(seed)
	return func(first uint64, count int) (uint64, bool) { return state.FindNonce(TagNonce, bits, first, count) }
}
