package protocol

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Proof is everything a prover sends. Nothing in it is trusted: the verifier
// checks or derives each part.
type Proof struct {
	Params        Params
	MachineName   string
	MachineDigest merkle.Digest // of the machine's key, see [Key]
	Instances     []circuit.Instance
	Program       *ProgramKey // nil for a machine without a program's tables
	Public        circuit.Public

	Salt uint64 // of protocol 3, an element: another one draws other challenges

	MainCap      []merkle.Digest
	AuxiliaryCap []merkle.Digest        // nil for a proof without interactions
	Claimed      []goldilocks.Extension // LogUp sums, one an instance with interactions
	QuotientCap  []merkle.Digest
	Openings     Openings

	LayerCaps [][]merkle.Digest      // one a fold
	Final     []goldilocks.Extension // coefficients of the last FRI polynomial
	Nonce     uint64                 // absent from the file when Params.GrindingBits is 0

	Trees  [PhaseCount]merkle.Opening // what the queries open, by phase
	Layers []merkle.Opening           // and of each FRI layer

	file []byte // see Written
	part []byte // likewise, of a shard
}

// Written is the encoded proof, or of a shard its part of a set's file, where the backend wrote it, which it does where
// it can when [Options] ask for it; else nil. Trees and Layers are empty then. The memory is the prover's: it stays
// until its next proof, or until it is closed.
func (p *Proof) Written() []byte {
	if p.part != nil {
		return p.part
	}
	return p.file
}

// SetWritten notes the encoded proof that a backend wrote; of a shard its part of a set's file.
func (p *Proof) SetWritten(encoded []byte, shard bool) {
	if shard {
		p.part = encoded
	} else {
		p.file = encoded
	}
}
