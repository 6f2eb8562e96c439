package merkle

import (
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// Verify checks that an opening at the positions belongs to the tree of the
// given shape and cap. The error says what is wrong; with nil, row
// position >> (L - l) of every matrix of height 2^l is the one committed.
func Verify(shape Shape, cap []Digest, positions []uint64, opening Opening) error {
	plan, err := NewPlan(shape, positions)
	if err != nil {
		return err
	}
	return plan.Verify(cap, opening)
}

// Verify is the function of that name for a plan already made.
func (p *Plan) Verify(cap []Digest, opening Opening) error {
	if err := p.check(cap, opening); err != nil {
		return err
	}
	siblings := opening.Siblings
	top := p.Shape.LogHeight()
	known := sortedNodes(p.Positions)
	digests := p.hashRows(top, opening)
	for logSize := top - 1; logSize >= p.Shape.LogCap(); logSize-- {
		extra := p.hashRows(logSize, opening)
		parents := make(map[uint64]Digest, len(digests))
		next := known[:0:0]
		for i := 0; i < len(known); i++ {
			x := known[i]
			var pair [2]Digest
			pair[x&1] = digests[x]
			if i+1 < len(known) && known[i+1] == x^1 {
				pair[1] = digests[x^1]
				i++
			} else {
				pair[x&1^1] = siblings[0]
				siblings = siblings[1:]
			}
			parents[x>>1] = hashNode(pair, extra, x>>1)
			next = append(next, x>>1)
		}
		known, digests = next, parents
	}
	for _, x := range known {
		if digests[x] != cap[x] {
			return fmt.Errorf("merkle: the opening gives another digest than the cap at %d", x)
		}
	}
	return nil
}

func hashNode(pair [2]Digest, extra map[uint64]Digest, x uint64) Digest {
	input := append(pair[0][:], pair[1][:]...)
	if rows, ok := extra[x]; ok {
		input = append(input, rows[:]...)
	}
	return keccak.Sum256(input)
}

// check compares every count in the opening with the plan and the range of
// every element.
func (p *Plan) check(cap []Digest, opening Opening) error {
	if len(cap) != 1<<p.Shape.LogCap() {
		return fmt.Errorf("merkle: a cap of %d digests, want %d", len(cap), 1<<p.Shape.LogCap())
	}
	if len(opening.Siblings) != len(p.Siblings) {
		return fmt.Errorf("merkle: %d siblings, want %d", len(opening.Siblings), len(p.Siblings))
	}
	if len(opening.Rows) != len(p.Rows) {
		return fmt.Errorf("merkle: rows of %d matrices, want %d", len(opening.Rows), len(p.Rows))
	}
	for m, rows := range opening.Rows {
		if rows.Width != p.Shape.Widths[m] {
			return fmt.Errorf("merkle: matrix %d: %d columns, want %d", m, rows.Width, p.Shape.Widths[m])
		}
		if len(rows.Cells) != rows.Width*len(p.Rows[m]) {
			return fmt.Errorf("merkle: matrix %d: %d rows, want %d", m, rows.Count(), len(p.Rows[m]))
		}
		for i, e := range rows.Cells {
			if _, ok := goldilocks.FromCanonical(uint64(e)); !ok {
				return fmt.Errorf("merkle: matrix %d, row %d, column %d: %d is not below the modulus", m, p.Rows[m][i/rows.Width],
					i%rows.Width, uint64(e))
			}
		}
	}
	return nil
}

// hashRows is the digests of the opened rows of the matrices of height 2^l, by
// row, empty when there are none.
func (p *Plan) hashRows(l int, opening Opening) map[uint64]Digest {
	matrices := p.Shape.matricesOf(l)
	if len(matrices) == 0 {
		return nil
	}
	rows := p.Rows[matrices[0]]
	digests := make(map[uint64]Digest, len(rows))
	var input []byte
	for k, x := range rows {
		input = input[:0]
		for _, m := range matrices {
			input = appendRow(input, opening.Rows[m].Row(k))
		}
		digests[x] = keccak.Sum256(input)
	}
	return digests
}

func appendRow(input []byte, row []goldilocks.Element) []byte {
	for _, e := range row {
		input = binary.LittleEndian.AppendUint64(input, uint64(e))
	}
	return input
}
