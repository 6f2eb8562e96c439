package independent_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// The RISC-V machine satisfies the rules of every machine, and its fixed tables equal the page's.
func TestRISCVMachine(t *testing.T) {
	program, err := riscv.Known(circuit.Image{Entry: 0x1000}, 8, 8)
	must(t, err)
	rules, err := independent.RulesOf(program.Machine().Name)
	must(t, err)
	second, err := independent.NewMachine(program.Machine().Canonical(), rules)
	must(t, err)
	for _, hash := range hashes {
		params := protocol.Default()
		params.Hash = hash
		tree, err := setup.ComputeFixedTree(program.Machine(), params)
		must(t, err)
		first := tree.Cap()
		listed, ok := program.Machine().FixedCap(params.Hash, params.LogBlowup, params.CapHeight)
		if !ok || !slices.Equal(listed, first) {
			t.Fatal("the source has another cap")
		}
		nodes, err := second.FixedCap(byte(params.Hash), params.LogBlowup, params.CapHeight)
		must(t, err)
		if len(nodes) != len(first) {
			t.Fatalf("caps of %d and %d nodes", len(first), len(nodes))
		}
		for i := range nodes {
			if nodes[i] != independent.Digest(first[i]) {
				t.Fatalf("%v: node %d differs", hash, i)
			}
		}
	}
}

// A program with private and public input and with output: both verifiers accept its proof, and neither accepts it for
// another input, output, exit code or length.
func TestRISCVProof(t *testing.T) {
	cases := riscvtest.Cases()
	c := cases[slices.IndexFunc(cases, func(c riscvtest.Case) bool { return c.Name == "interpreter" })]
	program, err := riscv.New(riscvtest.Guest(t, c.Guest))
	must(t, err)
	params := protocol.Params{
		LogBlowup:      1,
		Queries:        4,
		GrindingBits:   4,
		LogArity:       3,
		LogFinalLength: 5,
		CapHeight:      4,
		MinLogHeight:   8,
	}
	execution, err := run.Execute(t.Context(), program, run.Input{
		Data: c.Inputs.Private, Public: c.Inputs.Public, MinLogHeight: params.MinLogHeight, Pool: parallel.New(0),
	})
	must(t, err)
	s := proveExecution(t, program.Fillers(), execution, params)
	if !s.accepted(t, s.file, "the proof") {
		t.Fatal("refused")
	}
	input := int(binary.LittleEndian.Uint64(s.proof.Public.Data))
	for name, change := range map[string]func(public *circuit.Public){
		"exit code 1":              func(public *circuit.Public) { public.Values[0] = 1 },
		"a limb of 2^32":           func(public *circuit.Public) { public.Values[1] = 1 << 32 },
		"a cycle less":             func(public *circuit.Public) { public.Values[2]-- },
		"no cycles":                func(public *circuit.Public) { public.Values[2] = 0 },
		"too many cycles":          func(public *circuit.Public) { public.Values[2] = 1<<32 - 1<<10 + 1 },
		"a misaligned access":      func(public *circuit.Public) { public.Values[3]++ },
		"more of them than cycles": func(public *circuit.Public) { public.Values[3] = public.Values[2] + 1 },
		"another input":            func(public *circuit.Public) { public.Data[8] ^= 1 },
		"a longer input":           func(public *circuit.Public) { public.Data[0]++ },
		"another output":           func(public *circuit.Public) { public.Data[8+input+8] ^= 1 },
		"another time":             func(public *circuit.Public) { public.Data[len(public.Data)-8] ^= 1 },
		"a time of 2^34":           func(public *circuit.Public) { public.Data[len(public.Data)-4] |= 4 },
		"a time too many":          func(public *circuit.Public) { public.Data = append(public.Data, make([]byte, 8)...) },
		"nothing":                  func(public *circuit.Public) { public.Data = nil },
	} {
		proof := *s.proof
		proof.Public = circuit.Public{Values: slices.Clone(s.proof.Public.Values), Data: slices.Clone(s.proof.Public.Data)}
		change(&proof.Public)
		file, err := proof.MarshalBinary()
		must(t, err)
		if s.accepted(t, file, name) {
			t.Errorf("%s: accepted", name)
		}
	}
}
