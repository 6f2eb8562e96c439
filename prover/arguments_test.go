package prover_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// Wrong arguments are errors that name them: the public API does not panic.
func TestWrongArguments(t *testing.T) {
	ctx, program, params, options := t.Context(), lookup(t, "fib"), preset(t, "test"), prover.Options{}
	guest, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	host, fillers := cpu.New(parallel.New(1)), program.Fillers()
	p := newProver(t, program, params, options)
	cut := func(count int) error {
		_, err := run.Shards(ctx, guest, run.Input{}, run.Even(count))
		return err
	}
	proveRun := func(r *run.Run) error {
		_, _, err := p.Prove(ctx, r, nil)
		return err
	}
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"New, fillers": {second(prover.New(nil, params, host, options)), "fillers is nil"},
		"New, zero fillers": {second(prover.New(&machine.Fillers{}, params, host, options)),
			"fillers is nil or has no machine"},
		"New, backend":    {second(prover.New(fillers, params, nil, options)), "backend is nil"},
		"New, parameters": {second(prover.New(fillers, prover.Params{}, host, options)), "LogBlowup is 0"},
		"NewOf, key":      {second(prover.NewOf(nil, fillers, host, options)), "key is nil"},
		"NewOf, zero key": {second(prover.NewOf(&protocol.Key{}, fillers, host, options)),
			"key is nil or has no machine"},
		"Prove, nil":         {proveRun(nil), "the run is nil"},
		"Prove, zero run":    {proveRun(new(run.Run)), "the run is nil or has no shards"},
		"Prove, no shards":   {proveRun(run.Known(circuit.Public{})), "the run is nil or has no shards"},
		"Execute, program":   {second(run.Execute(ctx, nil, run.Input{})), "program is nil"},
		"Shards, program":    {second(run.Shards(ctx, nil, run.Input{}, run.Even(2))), "program is nil"},
		"Shards, none":       {cut(0), "too short for 0 shards"},
		"Shards, too many":   {cut(1 << 62), "a run in 4611686018427387904 shards, want at most 1048576"},
		"Run, negative size": {second(guest.Run(ctx, run.Input{Size: -1})), "input of -1 bytes, want 0 to"},
		"Run, large size": {second(guest.Run(ctx, run.Input{Size: 1 << 62})),
			"input of 4611686018427387904 bytes"},
		"Estimate, like": {second(guest.Estimate(9, 8, &run.Sample{})), "estimated like 0 cycles"},
		"Estimate, size": {second(guest.Estimate(-9, 8, &run.Sample{Size: 1})), "-9 cycles"},
		"Estimate, table": {second(guest.Estimate(9, 8, &run.Sample{Size: 1, Instances: []circuit.Instance{{Table: 99}}})),
			"table 99"},
		"verify.Proof, proof": {verify.Proof(nil, p.Key()), "the proof is nil"},
		"verify.Proof, key":   {verify.Proof(new(protocol.Proof), nil), "the key is nil"},
		"verify.Set, set":     {verify.Set(nil, p.Key()), "the set or one of its shards is nil"},
		"verify.Set, shards": {verify.Set(&protocol.Set{Shards: make([]*prover.Proof, 2)}, p.Key()),
			"one of its shards is nil"},
		"verify.Set, no shards": {verify.Set(new(protocol.Set), p.Key()), "0 shards, want 2 to 256"},
		"Set.MarshalBinary":     {second(new(protocol.Set).MarshalBinary()), "a set without shards"},
		"Inspect":               {second(prover.Inspect(nil)), "ends too early"},
		"Verify": {second(prover.Verify(ctx, nil, prover.VerifyOptions{MinBits: -7, Workers: -9})),
			"ends too early"},
	} {
		if tc.err == nil || !strings.Contains(tc.err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q", name, tc.err, tc.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
