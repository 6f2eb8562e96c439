package aggregate

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// The kinds of lists that the aggregator hashes: guests/verifier/aggregate.c.
const (
	listBatch = 9
	listRun   = 10
)

// Statement is a proof's statement about a run of a program.
type Statement struct {
	ProgramID [32]byte
	Image     [32]byte // digest of the program's image
	Exit      uint64
	Cycles    uint64
	Input     []byte // public
	Output    []byte // public
}

// statementOf returns the statement of a proof of the program with this id, or of the first shard of a run.
func statementOf(id [32]byte, proof *protocol.Proof) (*Statement, error) {
	run, err := statement.Read(proof.Public)
	if err != nil {
		return nil, err
	}
	return &Statement{id, proof.Program.Image, run.Exit, run.Cycles, run.Input, run.Output}, nil
}

// statementBytes is the length of a statement in the aggregator's output.
const statementBytes = 144

// Bytes returns the statement as the aggregator writes it: inputs and outputs are digests.
func (s *Statement) Bytes() []byte {
	text := append(append(make([]byte, 0, statementBytes), s.ProgramID[:]...), s.Image[:]...)
	text = binary.LittleEndian.AppendUint64(text, s.Exit)
	text = binary.LittleEndian.AppendUint64(text, s.Cycles)
	for _, data := range [][]byte{s.Input, s.Output} {
		sum := sha256.Sum256(data)
		text = append(text, sum[:]...)
	}
	return text
}

// Tree is the statement of a proof: of a run, or of a batch of at least two trees. In an opening, hidden trees are
// digests.
type Tree struct {
	Run      *Statement // nil for a batch
	Hidden   *[32]byte  // the digest of a tree that an opening hides
	Children []*Tree
}

// Digest returns the Merkle root over the statements.
func (t *Tree) Digest() [32]byte {
	if t.Hidden != nil {
		return *t.Hidden
	}
	if t.Run != nil {
		return transcript.List(listRun, transcript.Bytes(t.Run.Bytes())...)
	}
	items := make([]transcript.Item, len(t.Children))
	for i, child := range t.Children {
		items[i] = transcript.DigestItem(child.Digest())
	}
	return transcript.List(listBatch, items...)
}

// Runs returns the statements in order, except those that are hidden.
func (t *Tree) Runs() []*Statement {
	if t.Run != nil {
		return []*Statement{t.Run}
	}
	var list []*Statement
	for _, child := range t.Children {
		list = append(list, child.Runs()...)
	}
	return list
}

// The kinds of outputs: enum aggregate_kind of guests/verifier/aggregate.h.
const (
	kindRun   = 1
	kindBatch = 2
	kindPart  = 3
)

// outputPrefix is the length of the common beginning of all outputs: the aggregator's id, the kind, and the number of
// runs.
const outputPrefix = 48

// Output returns the public output of an aggregator with this id that states the tree. Nothing in the tree may be
// hidden.
func (t *Tree) Output(self [32]byte) []byte { return t.output(self, len(t.Runs())) }

// output is like Output for a tree with this number of runs, shown and hidden.
func (t *Tree) output(self [32]byte, runs int) []byte {
	kind := uint64(kindBatch)
	if t.Run != nil {
		kind = kindRun
	}
	text := binary.LittleEndian.AppendUint64(self[:], kind)
	text = binary.LittleEndian.AppendUint64(text, uint64(runs))
	if t.Run != nil {
		return append(text, t.Run.Bytes()...)
	}
	root := t.Digest()
	return append(text, root[:]...)
}

// difference returns an error that names the first difference between an output and the expected output of the tree
// with this id and number of runs, or nil.
func (t *Tree) difference(self [32]byte, all int, output []byte) error {
	want := t.output(self, all)
	if len(output) < outputPrefix {
		return fmt.Errorf("an output of %d bytes, want %d", len(output), len(want))
	}
	kind, runs := binary.LittleEndian.Uint64(output[32:]), binary.LittleEndian.Uint64(output[40:])
	switch {
	case string(output) == string(want):
		return nil
	case [32]byte(output[:32]) != self:
		return fmt.Errorf("it verified proofs of the aggregator %x, and belongs to the aggregator %x", output[:32], self)
	case kind == kindPart:
		return fmt.Errorf("it is about a part of a run's shards, which states nothing by itself")
	case kind != binary.LittleEndian.Uint64(want[32:]):
		return fmt.Errorf("its output is of kind %d, and the file's of kind %d", kind, binary.LittleEndian.Uint64(want[32:]))
	case runs != uint64(all):
		return fmt.Errorf("it is about %d runs, and the file lists %d", runs, all)
	}
	return fmt.Errorf("it is about %x, and the file's statements are %x", output[outputPrefix:], want[outputPrefix:])
}
