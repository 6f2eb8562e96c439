package verify

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// verified is a valid proof with the state of a verifier that has accepted it. Tests change the input of a later check,
// bypassing the earlier ones. So each check is tested by itself, whatever else would have detected the change.
func verified(t *testing.T) *verification {
	t.Helper()
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(program.Machine(), preset.Params)
	if err != nil {
		t.Fatal(err)
	}
	prover, err := prove.NewProver(key, program.Fillers(), cpu.New(parallel.New(0)), backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	execution, err := run.Execute(context.Background(), program, run.Input{
		Size:         100,
		Seed:         2,
		MinLogHeight: preset.Params.MinLogHeight,
	})
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := prover.Prove(context.Background(), execution, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := prover.Close(); err != nil {
		t.Fatal(err)
	}
	v := &verification{proof: proof, key: key}
	if err := v.statement(); err != nil {
		t.Fatal(err)
	}
	if err := v.form(); err != nil {
		t.Fatal(err)
	}
	v.begin()
	v.replay()
	for _, check := range []func() error{v.sums, v.constraints, v.nonce} {
		if err := check(); err != nil {
			t.Fatal(err)
		}
	}
	if v.plans, err = protocol.NewPlans(v.shape, v.script.Positions(key.Params.Queries,
		v.shape.MaxLogSize())); err != nil {
		t.Fatal(err)
	}
	if err := v.trees(); err != nil {
		t.Fatal(err)
	}
	if err := v.folds(); err != nil {
		t.Fatal(err)
	}
	return v
}

// sums is the balance of the proof.
func (v *verification) sums() error { return v.sumsWith(v.key.Machine.Messages(v.proof.Public)) }

// sumsWith is the balance with other public messages.
func (v *verification) sumsWith(messages []circuit.Message) error {
	return balance(messages, v.logUp, v.proof.Claimed)
}

// refusedBy requires that a check names itself.
func refusedBy(t *testing.T, err error, want Check, format string, args ...any) {
	t.Helper()
	if check, _ := RejectedBy(err); check != want {
		t.Errorf(format+": %v, want a rejection by %q", append(args, err, want)...)
	}
}

// Every cell of every row that a query opens counts: the folds are checked along each query's chain, from every column
// of every phase and through every layer, and not only along some of them.
func TestEveryOpenedCellCounts(t *testing.T) {
	v := verified(t)
	cells := 0
	each := func(rows merkle.Rows, want Check, check func() error, format string, args ...any) {
		for i := range rows.Cells {
			rows.Cells[i] = rows.Cells[i].Add(1)
			refusedBy(t, check(), want, format+", cell %d", append(args, i)...)
			rows.Cells[i] = rows.Cells[i].Sub(1)
			cells++
		}
	}
	for phase := range v.proof.Trees {
		for m, rows := range v.proof.Trees[phase].Rows {
			each(rows, CheckFolds, v.folds, "%s, matrix %d", protocol.Phase(phase), m)
			each(rows, CheckOpenings, v.trees, "tree of %s, matrix %d", protocol.Phase(phase), m)
		}
	}
	for i, layer := range v.proof.Layers {
		each(layer.Rows[0], CheckFolds, v.folds, "layer %d", i)
		each(layer.Rows[0], CheckLayers, v.trees, "tree of layer %d", i)
	}
	if cells < 2*len(v.plans.Positions)*20 {
		t.Errorf("%d cells", cells)
	}
	if err := v.folds(); err != nil {
		t.Errorf("after all changes were taken back: %v", err)
	}
}

// Every sibling and every node of a cap counts in its tree.
func TestEveryDigestCounts(t *testing.T) {
	v := verified(t)
	each := func(digests []merkle.Digest, want Check, format string, args ...any) {
		for i := range digests {
			digests[i][31] ^= 0x80
			refusedBy(t, v.trees(), want, format+", digest %d", append(args, i)...)
			digests[i][31] ^= 0x80
		}
	}
	for phase := range v.proof.Trees {
		each(v.proof.Trees[phase].Siblings, CheckOpenings, "siblings of %s", protocol.Phase(phase))
	}
	for i, layer := range v.proof.Layers {
		each(layer.Siblings, CheckLayers, "siblings of layer %d", i)
	}
	// If no opened row leads to a node of a cap, nothing constrains it: two nodes, and queries on both sides.
	for _, digests := range [][]merkle.Digest{v.proof.MainCap, v.proof.AuxiliaryCap, v.proof.QuotientCap} {
		each(digests, CheckOpenings, "a cap")
	}
	for i, digests := range v.proof.LayerCaps {
		each(digests, CheckLayers, "the cap of layer %d", i)
	}
}

// The identity of each class holds in the extension field: a difference in any single coordinate is detected.
func TestEveryCoordinateOfTheQuotientCounts(t *testing.T) {
	v := verified(t)
	for c, class := range v.shape.Classes {
		factor := power(v.z, class.LogHeight).SubBase(1).Inverse()
		for k := range 3 {
			var unit goldilocks.Extension
			unit[k] = 1
			at := &v.proof.Openings[protocol.Quotient][c].Current[0]
			before := *at
			*at = before.Add(unit.Mul(factor))
			refusedBy(t, v.constraints(), CheckQuotient, "class %d, coordinate %d", c, k)
			*at = before
		}
	}
	for i := range v.proof.Claimed {
		for k := range 3 {
			v.proof.Claimed[i][k] = v.proof.Claimed[i][k].Add(1)
			refusedBy(t, v.sums(), CheckSums, "claimed sum %d, coordinate %d", i, k)
			v.proof.Claimed[i][k] = v.proof.Claimed[i][k].Sub(1)
		}
	}
	for phase, entries := range v.proof.Openings {
		for i := range entries {
			for _, values := range [][]goldilocks.Extension{entries[i].Current, entries[i].Next} {
				for j := range values {
					for k := range 3 {
						before := values[j][k]
						values[j][k] = before.Add(1)
						refusedBy(t, v.folds(), CheckFolds, "%s, entry %d, value %d, coordinate %d", protocol.Phase(phase), i, j, k)
						values[j][k] = before
					}
				}
			}
		}
	}
}

// Every message of the verifier counts in the balance: omitted, sent in the other direction, duplicated or with another
// value, it does not cancel.
func TestEveryPublicMessageCounts(t *testing.T) {
	v := verified(t)
	all := v.key.Machine.Messages(v.proof.Public)
	if len(all) < 3 {
		t.Fatalf("%d public messages", len(all))
	}
	for i, message := range all {
		changed := slices.Clone(all)
		refusedBy(t, v.sumsWith(slices.Delete(slices.Clone(all), i, i+1)), CheckSums, "message %d left out", i)
		refusedBy(t, v.sumsWith(append(changed, message)), CheckSums, "message %d twice", i)
		changed[i].Kind = 1 - message.Kind
		refusedBy(t, v.sumsWith(changed), CheckSums, "message %d the other way", i)
		changed[i] = message
		for k := range message.Values {
			changed[i].Values = slices.Clone(message.Values)
			changed[i].Values[k] = changed[i].Values[k].Add(1)
			refusedBy(t, v.sumsWith(changed), CheckSums, "message %d with another value %d", i, k)
		}
	}
}
