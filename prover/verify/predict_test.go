package verify

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// What a proof's size is predicted from is what the proof has, list by list: with the positions that were drawn not a
// byte is missing, and with others few, though 20 queries scatter by several percent.
func TestProofBytes(t *testing.T) {
	v := verified(t)
	p, size := v.proof, 0
	extensions := func(list []goldilocks.Extension) { size += 24 * len(list) }
	digests := func(list []merkle.Digest) { size += 32 * len(list) }
	opened := func(o merkle.Opening) {
		digests(o.Siblings)
		for _, rows := range o.Rows {
			size += 8 * len(rows.Cells)
		}
	}
	digests(p.MainCap)
	digests(p.AuxiliaryCap)
	digests(p.QuotientCap)
	extensions(p.Claimed)
	for _, phase := range p.Openings {
		for _, entry := range phase {
			extensions(entry.Current)
			extensions(entry.Next)
		}
	}
	for i, layerCap := range p.LayerCaps {
		digests(layerCap)
		opened(p.Layers[i])
	}
	for _, tree := range p.Trees {
		opened(tree)
	}
	extensions(p.Final)
	if predicted := v.key.ProofBytesWith(v.shape, v.plans); predicted != size {
		t.Errorf("predicted are %d bytes, the proof has %d", predicted, size)
	}
	predicted, err := v.key.ProofBytes(p.Instances)
	if err != nil || max(predicted-size, size-predicted) > size/12 {
		t.Errorf("with other positions predicted are %d bytes, the proof has %d, %v", predicted, size, err)
	}
}
