package riscv_test

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// trial is a machine with a prover that proves any given columns, and both verifiers.
type trial struct {
	key    *protocol.Key
	prover *prove.Prover
	second *independent.Machine
}

// newTrial opens a machine. Its prover ignores messages that no lookup table answers. If recount is not nil, it writes
// the count columns of an instance of a table.
func newTrial(t testing.TB, m *circuit.Machine, params protocol.Params, rules independent.Rules,
	recount func(table int, columns [][]goldilocks.Element)) *trial {
	t.Helper()
	key, err := setup.NewKey(m, params)
	if err != nil {
		t.Fatal(err)
	}
	lax := *key // the prover's copy allows any number of instances of each table
	lax.Machine = withAnyInstances(m)
	prover, err := prove.NewProver(&lax, givenFillers(lax.Machine),
		recounting(recount), backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { prover.Close() })
	rules.Program = independent.Digest(key.ProgramID())
	rules.FixedCap = func(byte, int, int) (nodes []independent.Digest, ok bool) {
		for _, node := range key.FixedCap {
			nodes = append(nodes, independent.Digest(node))
		}
		return nodes, true
	}
	second, err := independent.NewMachine(m.Canonical(), rules)
	if err != nil {
		t.Fatal(err)
	}
	return &trial{key, prover, second}
}

// withAnyInstances is a machine that allows any number of instances of its tables.
func withAnyInstances(m *circuit.Machine) *circuit.Machine {
	changed := *m
	changed.Tables = nil
	for _, table := range m.Tables {
		declared := *table
		declared.MinInstances, declared.MaxInstances = 0, air.MaxInstances
		changed.Tables = append(changed.Tables, &declared)
	}
	return &changed
}

// givenFillers use the columns of an execution.
func givenFillers(m *circuit.Machine) *machine.Fillers {
	return &machine.Fillers{Machine: m, Tables: slices.Repeat([]machine.Filler{{Fill: fillGiven}}, len(m.Tables))}
}

// judge proves columns and returns the verifiers' results.
func (c *trial) judge(t testing.TB, columns given) (first, second error) {
	t.Helper()
	return c.verify(t, c.prove(t, columns))
}

func (c *trial) prove(t testing.TB, columns given) *protocol.Proof {
	t.Helper()
	proof, _, err := c.prover.Prove(context.Background(), columns, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

func (c *trial) verify(t testing.TB, proof *protocol.Proof) (first, second error) {
	t.Helper()
	file, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return verify.Proof(proof, c.key), c.second.Verify(file)
}

// accepts requires that both verifiers accept a proof of the columns.
func (c *trial) accepts(t testing.TB, columns given, what string) {
	t.Helper()
	if first, second := c.judge(t, columns); first != nil || second != nil {
		t.Errorf("%s: the verifier says %v, the second one %v", what, first, second)
	}
}

// refuses requires that the verifier refuses a proof of the columns by a check, and that the second one refuses it too.
func (c *trial) refuses(t testing.TB, columns given, what string, by verify.Check) {
	t.Helper()
	first, second := c.judge(t, columns)
	if check, ok := verify.RejectedBy(first); !ok || check != by {
		t.Errorf("%s: the verifier says %v, want a rejection by %q", what, first, by)
	}
	if second == nil {
		t.Errorf("%s: the second verifier believes it", what)
	}
}

// given is an execution whose columns exist already.
type given struct {
	machine.OnHost
	public    circuit.Public
	instances []circuit.Instance
	columns   [][][]goldilocks.Element // by instance
}

func (g given) Public() circuit.Public        { return g.public }
func (g given) Instances() []circuit.Instance { return g.instances }
func (g given) Records() [][]uint64           { return nil }

// fillGiven fills an instance of a given execution.
func fillGiven(_ *parallel.Pool, e machine.Execution, instance int, columns [][]goldilocks.Element) error {
	for i, column := range e.(given).columns[instance] {
		copy(columns[i], column)
	}
	return nil
}

// recounting is the CPU backend with other counts of lookups. It ignores messages that no lookup table answers.
func recounting(recount func(table int, columns [][]goldilocks.Element)) backend.Backend {
	var instances []circuit.Instance
	hooks := &backendtest.Hooks{
		Begin: func(of []circuit.Instance, p backend.Proof) error {
			access, _ := cpu.AccessTo(p)
			access.IgnoreMisses()
			instances = of
			return nil
		},
	}
	if recount != nil {
		hooks.Count = func(p backend.Columns[backend.Main]) error {
			access, _ := cpu.AccessTo(p)
			for i, columns := range access.Columns(protocol.Main) {
				var live [][]goldilocks.Element
				for _, column := range columns {
					live = append(live, column[:len(column)>>small.LogBlowup])
				}
				recount(instances[i].Table, live)
			}
			return nil
		}
	}
	return backendtest.Hooked{Backend: cpu.New(parallel.New(1)), Hooks: hooks}
}
