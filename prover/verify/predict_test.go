package verify

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// The predicted lists of a proof equal the proof's. With the positions that were sampled, the prediction is exact to
// the byte; with other positions it is close, although sizes with 20 queries vary by several percent.
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
