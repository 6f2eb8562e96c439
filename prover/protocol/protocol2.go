package protocol

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// protocol2 is the protocol with Keccak-256: docs/spec/protocol.md, sections 1 to 13.
type protocol2 struct{}

func (*protocol2) version() int         { return Version }
func (*protocol2) labels() labels       { return labels{Label, LabelShards, LabelShard} }
func (*protocol2) maxLogDomain() int    { return MaxLogDomain }
func (*protocol2) maxGrindingBits() int { return MaxGrindingBits }

func (*protocol2) namesHash() bool                { return false }
func (*protocol2) salted() bool                   { return false }
func (*protocol2) checkNonce(uint64) error        { return nil }
func (*protocol2) checkProgram(*ProgramKey) error { return nil }

// A key contains only the fixed cap of the proof's parameters.
func (*protocol2) keyParams(Params) []Params { return nil }

func (*protocol2) keyDigest(k *Key, _ [][]merkle.Digest) merkle.Digest {
	return keccak.Sum256(appendDigests(k.Machine.Canonical(), k.FixedCap))
}

func (*protocol2) largerTrees(Params) int { return 0 }

// programLabel is the prefix of a program ID's preimage.
const programLabel = "chiasmus.program/1"

func (*protocol2) programID(k *Key) merkle.Digest {
	b := append([]byte(programLabel), k.Digest[:]...)
	b = append(b, byte(k.Params.LogBlowup), byte(k.Params.CapHeight))
	b = binary.LittleEndian.AppendUint64(b, k.Program.Entry)
	b = append(b, k.Program.Image[:]...)
	for _, h := range k.Program.LogHeights {
		b = append(b, byte(h))
	}
	return keccak.Sum256(appendDigests(b, k.Program.Cap))
}

func (*protocol2) newTranscript(label string) Transcript { return transcript.New(label) }

func (v *protocol2) begin(t Transcript, key *Key, instances []circuit.Instance, public circuit.Public, _ uint64) {
	v.machine(t, key)
	t.Absorb(TagInstances, appendInstances(nil, instances))
	v.public(t, key, public)
}

func (*protocol2) beginShard(t Transcript, branch [32]byte, number int, _ uint64) {
	t.Absorb(TagBranch, binary.LittleEndian.AppendUint32(branch[:], uint32(number)))
}

func (v *protocol2) beginShards(t Transcript, key *Key, public circuit.Public, shards []Commitment, _ uint64) {
	v.machine(t, key)
	v.public(t, key, public)
	t.Absorb(TagShards, binary.LittleEndian.AppendUint32(nil, uint32(len(shards))))
	for _, shard := range shards {
		t.Absorb(TagInstances, appendInstances(nil, shard.Instances))
		t.Absorb(TagMainCap, appendDigests(nil, shard.MainCap))
	}
}

// machine absorbs the parameters, the machine and the program.
func (*protocol2) machine(t Transcript, key *Key) {
	t.Absorb(TagParams, key.Params.append(nil))
	t.Absorb(TagMachine, key.Digest[:])
	if key.Program != nil {
		id := key.ProgramID()
		t.Absorb(TagProgram, id[:])
	}
}

// public absorbs the statement.
func (*protocol2) public(t Transcript, key *Key, public circuit.Public) {
	t.Absorb(TagPublic, appendElements(nil, public.Values))
	if key.Machine.HasData {
		t.Absorb(TagData, public.Data)
	}
}

func (*protocol2) appendElements(dst []byte, list []goldilocks.Extension) []byte {
	return appendExtensions(dst, list)
}

func (*protocol2) appendNonce(dst []byte, nonce uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, nonce)
}

// Sampling is repeated while z is in Fp, where a denominator on the coset or the trace domain could be zero.
func (*protocol2) point(t Transcript) goldilocks.Extension {
	for {
		if z := t.Extension(); !z.IsBase() {
			return z
		}
	}
}

// MaxBits is the largest number of bits that a nonce of 64 bits can find.
func (*protocol2) MaxBits() int { return 63 }

func (*protocol2) Passes(seed [32]byte, nonce uint64, bits int) bool {
	return transcript.NoncePasses(seed, nonce, bits)
}

func (*protocol2) NewSearch(seed [32]byte, bits int) NonceSearch {
	return transcript.NewNonceSearch(seed, bits).In
}
