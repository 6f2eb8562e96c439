package aggregate

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// The roles of an aggregator: enum aggregate_role of guests/verifier/aggregate.h.
const (
	roleStatements = 0
	roleLift       = 1
	roleJoin       = 2
	roleRoot       = 3
)

// place is the position of a lift's shards in their run, and the challenges that all shards share: struct
// verifier_place of guests/verifier/verifier.h.
type place struct {
	shards, first, span int
	common              protocol.Common
}

func (p *place) append(text []byte) []byte {
	for _, n := range []int{p.shards, p.first, p.span} {
		text = binary.LittleEndian.AppendUint64(text, uint64(n))
	}
	for _, e := range []goldilocks.Extension{p.common.LogUp.Alpha, p.common.LogUp.Beta} {
		for _, coordinate := range e {
			text = binary.LittleEndian.AppendUint64(text, uint64(coordinate))
		}
	}
	return append(text, p.common.Branch[:]...)
}

// head returns the beginning of an input: the aggregator's own id, the role, the number of children, and 0, which
// permits calls for rows (see spared).
func head(self [32]byte, role, children int) []byte {
	text := binary.LittleEndian.AppendUint64(self[:], uint64(role))
	text = binary.LittleEndian.AppendUint64(text, uint64(children))
	return binary.LittleEndian.AppendUint64(text, 0)
}

// spared changes an input to one that forbids accelerator calls for rows, so that the proof does not open their table.
func spared(input []byte) []byte {
	binary.LittleEndian.PutUint64(input[32+2*8:], 1)
	return input
}

// appendFile appends a file in words, after their length in bytes.
func appendFile(text, file []byte) []byte {
	words := InWords(file)
	return append(binary.LittleEndian.AppendUint64(text, uint64(len(words))), words...)
}

// statementsInput returns the private input for the statements of proofs.
func statementsInput(self [32]byte, proofs [][]byte) []byte {
	text := head(self, roleStatements, len(proofs))
	for _, proof := range proofs {
		text = appendFile(text, proof)
	}
	return text
}

// liftInput returns the private input for the lift of some shards. set has only these.
func liftInput(self [32]byte, at *place, set []byte) []byte {
	return appendFile(at.append(head(self, roleLift, 0)), set)
}

// joinInput returns the private input for a join or a root of the given arity over adjacent parts.
func joinInput(self [32]byte, role, arity int, parts [][]byte) []byte {
	text := binary.LittleEndian.AppendUint64(head(self, role, len(parts)), uint64(arity))
	for _, part := range parts {
		text = appendFile(text, part)
	}
	return text
}

// rootInput returns the private input for the root over parts. set has no shards.
func rootInput(self [32]byte, arity int, parts [][]byte, set []byte) []byte {
	return appendFile(joinInput(self, roleRoot, arity, parts), set)
}
