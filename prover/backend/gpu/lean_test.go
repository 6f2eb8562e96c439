package gpu

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// little limits the scratch memory to a few columns at a time, and makes every proof lean, or only those that do not
// fit otherwise.
func little(t *testing.T, lean bool) {
	t.Helper()
	bytes := coefficientBytes
	t.Cleanup(func() { coefficientBytes, alwaysLean = bytes, false })
	coefficientBytes, alwaysLean = 5*64*wordBytes, lean
}

// A proof that recomputes extensions has the same bytes: with periodic columns, preprocessed columns and many heights.
func TestLeanProofsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("some 6 s of processor time under the race detector")
	}
	little(t, true)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		for _, c := range []claim{{"tour", 40, 3}, {"keccak", 1, 2}, {"fib", 32, 1}} {
			if b.device.Options.Device != SoftwareChecked || c.name != "keccak" { // which would take a minute
				compareLean(t, c, b, true)
			}
		}
	})
}

// compareLean proves a claim and compares with the CPU's proof. The metrics must say whether the proof is lean, and
// that it took the predicted memory.
func compareLean(t *testing.T, c claim, b *Backend, lean bool) {
	t.Helper()
	execution, fillers, params := c.statement(t)
	p, err := prover.New(fillers, params, b, prover.Options{Encode: true})
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := p.Prove(context.Background(), whole(execution), nil)
	figures, counters := b.Report()
	var data []byte
	if err == nil {
		data, err = proof.MarshalBinary()
	}
	if err = errors.Join(err, p.Close()); err != nil {
		t.Fatalf("%v: %v %s", c, err, b.Finding())
	}
	if !bytes.Equal(data, c.onCPU(t)) {
		t.Errorf("%v: the proof differs from byte %d", c, firstDifference(data, c.onCPU(t)))
	}
	if counters["extensions_again"] == 1 != lean {
		t.Errorf("%v: the counter extensions_again is %d", c, counters["extensions_again"])
	}
	if peak, predicted := figures["peak_device_bytes"], figures["predicted_peak_device_bytes"]; peak != predicted {
		t.Errorf("%v: a peak of %.0f bytes, %.0f predicted", c, peak, predicted)
	}
}

// Four cosets: the rows of three are hashed on the way to the first.
func TestLeanProofAtBlowup4(t *testing.T) {
	little(t, true)
	c, params := claim{"tour", 60, 4}, testParams(t)
	params.LogBlowup = 2
	execution := execute(t, c.program(t), c.size, c.seed, params)
	var proofs [][]byte
	for _, alwaysLean = range []bool{false, true} {
		b := openBackend(t, Options{Seed: 5})
		data, _, err := proofOf(c.program(t).Fillers(), params, b, execution)
		if err != nil {
			t.Fatal(err, b.Finding())
		}
		proofs = append(proofs, data)
	}
	if at := firstDifference(proofs[0], proofs[1]); at < len(proofs[0]) {
		t.Errorf("the lean proof differs from byte %d", at)
	}
}

// Memory decides: a proof that does not fit is lean. A proof that does not fit even then is refused with its memory
// needs.
func TestMemoryMakesProofsLean(t *testing.T) {
	little(t, false)
	program, shape := shapeOf(t, "keccak", 150)
	whole, errWhole := PredictPeak(program.Fillers(), shape)
	least, errLeast := PredictLeast(program.Fillers(), shape)
	if err := errors.Join(errWhole, errLeast); err != nil || least >= whole {
		t.Fatalf("%d bytes at least, %d for a proof that computes everything once, %v", least, whole, err)
	}
	for _, tc := range []struct {
		vram uint64
		lean bool
		peak uint64
	}{{whole, false, whole}, {whole - 1, true, least}, {least, true, least}} {
		p := begin(t, openBackend(t, Options{VRAM: tc.vram}), program.Fillers(), shape)
		if peak := p.resident.Budget() + p.arena.Budget(); p.lean != tc.lean || peak != tc.peak {
			t.Errorf("of %d bytes the proof takes %d, lean: %t", tc.vram, peak, p.lean)
		}
	}
	var memory *backend.MemoryError
	little := openProver(t, openBackend(t, Options{VRAM: least - 1}), program.Fillers(), shape.Params)
	_, err := little.Begin(shape.Instances)
	if !errors.As(err, &memory) || memory.NeedBytes != least || memory.HaveBytes != least-1 {
		t.Errorf("error %v, want a need of %d bytes", err, least)
	}
}

// A lean proof of large tables takes little more than half the memory.
func TestLeanMemory(t *testing.T) {
	fillers := programOf(t, "keccak").Fillers()
	shape := protocol.NewShape(fillers.Machine, protocol.Layout{LogBlowup: 1, LogArity: 3, LogFinalLength: 5,
		CapHeight: 4},
		[]circuit.Instance{{Table: 0, LogHeight: 15}, {Table: 1, LogHeight: 19}, {Table: 2, LogHeight: 8}})
	whole, errWhole := PredictPeak(fillers, shape)
	least, errLeast := PredictLeast(fillers, shape)
	if err := errors.Join(errWhole, errLeast); err != nil || 10*least > 6*whole {
		t.Errorf("%d bytes, and %d of a lean proof: want at most six tenths (%v)", whole, least, err)
	}
}
