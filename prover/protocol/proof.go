package protocol

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Proof is everything that a prover sends. It is untrusted: the verifier checks or derives each part.
type Proof struct {
	Params        Params
	MachineName   string
	MachineDigest merkle.Digest // of the machine's key, see [Key]
	Instances     []circuit.Instance
	Program       *ProgramKey // nil for a machine without a program's tables
	Public        circuit.Public

	Salt uint64 // protocol 3: a field element; different salts give different challenges

	MainCap      []merkle.Digest
	AuxiliaryCap []merkle.Digest        // nil for a proof without interactions
	Claimed      []goldilocks.Extension // LogUp sums, one per instance with interactions
	QuotientCap  []merkle.Digest
	Openings     Openings

	LayerCaps [][]merkle.Digest      // one per fold
	Final     []goldilocks.Extension // coefficients of the last FRI polynomial
	Nonce     uint64                 // not in the file if Params.GrindingBits is 0

	Trees  [PhaseCount]merkle.Opening // query openings, by phase
	Layers []merkle.Opening           // query openings of each FRI layer

	file []byte // see Written
	part []byte // likewise, for a shard
}

// Written returns the encoded proof, or a shard's part of a set's file, if the backend wrote it because
// prove.Options.Encode was set, else nil. Trees and Layers are then empty. The memory belongs to the prover and is
// valid until its next proof or until it is closed.
func (p *Proof) Written() []byte {
	if p.part != nil {
		return p.part
	}
	return p.file
}

// SetWritten records the encoded proof that a backend wrote, or a shard's part of a set's file.
func (p *Proof) SetWritten(encoded []byte, shard bool) {
	if shard {
		p.part = encoded
	} else {
		p.file = encoded
	}
}
