package prove_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// wideMachine has one table with the given number of columns, and up to 16 instances of it.
func wideMachine(t *testing.T, columns int) *machine.Fillers {
	t.Helper()
	b := air.NewTable("wide")
	b.Instances(0, air.MaxInstances)
	for i, c := range b.MainColumns("c", columns) {
		b.AssertBoolean(fmt.Sprintf("c[%d] is boolean", i), c)
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &circuit.Machine{Name: "wide", Unit: "row", Tables: []*air.Table{table}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return &machine.Fillers{Machine: m} // nothing is proven
}

// The work caused by a list of instances is limited before the rest of the proof is read. A proof within these limits
// that is otherwise empty fails the next check.
func TestWorkIsBounded(t *testing.T) {
	const columns = 4093 // of an instance; the class has six more
	for _, tc := range []struct {
		instances, queries int
		by                 verify.Check
		want               string
	}{
		{8, 256, verify.CheckShape, "nodes of the main cap"}, // 32,750 columns, 8,384,000 cells
		{9, 1, verify.CheckInstances, "36843 columns in all trees, want at most 32768"},
		{8, 257, verify.CheckInstances, "257 queries open 8416750 cells, want at most 8388608"},
		{4, 512, verify.CheckShape, "nodes of the main cap"}, // 8,385,536 cells
	} {
		params := testParams(t)
		params.Queries = tc.queries
		key := newKey(t, wideMachine(t, columns), params)
		proof := &protocol.Proof{Params: params, MachineName: "wide", MachineDigest: key.Digest,
			Instances: slices.Repeat([]circuit.Instance{{LogHeight: 5}}, tc.instances)}
		err := verify.Proof(proof, key)
		if check, _ := verify.RejectedBy(err); check != tc.by || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%d instances, %d queries: %v, want a rejection by %q that says %q", tc.instances, tc.queries, err, tc.by,
				tc.want)
		}
		second, err := independent.NewMachine(key.Machine.Canonical(), independent.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		limited := tc.by == verify.CheckInstances
		if err := second.Verify(encode(t, proof)); err == nil || strings.Contains(err.Error(), " columns and ") != limited {
			t.Errorf("%d instances, %d queries: the second verifier says %v", tc.instances, tc.queries, err)
		}
	}
}
