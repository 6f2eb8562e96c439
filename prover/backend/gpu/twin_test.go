package gpu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// pair is a stage of a proof on both sides.
type pair[Stage any] struct{ cpu, device Stage }

// twin is one proof computed twice, step by step: on the CPU and on the device. After each step the results are
// compared, and the memory, word by word.
type twin struct {
	*proof
	t         *testing.T
	begun     pair[backend.Proof]
	access    cpu.Access
	execution machine.Execution
	seed      uint64 // of random values

	coefficients protocol.Openings
	trees        [protocol.PhaseCount][]merkle.Digest // caps
	layerCaps    [][]merkle.Digest
}

func newTwin(t *testing.T, b *Backend, c claim, params protocol.Layout) *twin {
	t.Helper()
	program := programOf(t, c.name)
	w := &twin{t: t, execution: execute(t, program, c.size, c.seed, testParams(t)), seed: 1 << 32}
	shape := protocol.NewShape(program.Machine(), params, w.execution.Instances())
	owner, err := cpu.New(parallel.New(0)).Open(program.Fillers(), shape.Params, backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	onCPU, err := owner.Begin(shape.Instances)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		onCPU.Close()
		if err := owner.Close(); err != nil {
			t.Error(err)
		}
	})
	w.access, _ = cpu.AccessTo(onCPU)
	w.proof = begin(t, b, program.Fillers(), shape)
	w.begun = pair[backend.Proof]{onCPU, w.proof}
	fixed, ofProgram := w.openMachine.Caps()
	w.trees[protocol.Fixed], w.trees[protocol.Program] = owner.Caps()
	if !slices.Equal(fixed, w.trees[protocol.Fixed]) || !slices.Equal(ofProgram, w.trees[protocol.Program]) {
		t.Error("the caps of preprocessed columns are not the CPU's")
	}
	for _, phase := range []protocol.Phase{protocol.Fixed, protocol.Program} {
		w.compareColumns(phase, true)
	}
	return w
}

// both pairs the results of a stage, and fails the test if it failed on either side.
func both[Stage any](w *twin, stage string, onCPU Stage, errCPU error, onDevice Stage, err error) pair[Stage] {
	w.t.Helper()
	if errCPU != nil || err != nil {
		w.t.Fatalf("%s: on the CPU %v, on the device %v %s", stage, errCPU, err, w.backend.Finding())
	}
	return pair[Stage]{onCPU, onDevice}
}

// downloaded reads the first rows of a column.
func downloaded(t testing.TB, p *proof, from kernels.Columns, column, rows uint64) (words []uint64) {
	t.Helper()
	err := p.stage("test", func(*cuda.Scope) error {
		part, err := from.Part(uint32(column), 1, rows)
		if err != nil {
			return err
		}
		words, err = p.download(part.Span)
		return err
	})
	if err != nil {
		t.Fatal(err, p.backend.Finding())
	}
	return words
}

func words(elements []goldilocks.Element) []uint64 {
	words := make([]uint64, len(elements))
	for i, e := range elements {
		words[i] = uint64(e)
	}
	return words
}

// compareColumns compares all columns of a phase, in the trace's rows or in the whole extension.
func (w *twin) compareColumns(phase protocol.Phase, extended bool) {
	w.t.Helper()
	for _, matrix := range w.shape.Matrices(phase) {
		want, got := w.access.Columns(phase)[matrix.Index], w.phases[phase].list[matrix.Index]
		if len(want) != int(got.Count) {
			w.t.Fatalf("%s, entry %d: %d columns, the CPU has %d", phase, matrix.Index, got.Count, len(want))
		}
		rows := 1 << matrix.LogHeight
		if extended {
			rows = len(want[0])
		}
		for k, column := range want {
			if !slices.Equal(downloaded(w.t, w.proof, got, uint64(k), uint64(rows)), words(column[:rows])) {
				w.t.Fatalf("%s, entry %d, column %d: not the CPU's (extended: %t)", phase, matrix.Index, k, extended)
			}
		}
	}
}

// draw replaces a phase's columns on both sides by random values over the trace domain, or coefficients.
func (w *twin) draw(phase protocol.Phase) {
	w.t.Helper()
	err := w.stage("test", func(*cuda.Scope) error {
		for _, matrix := range w.shape.Matrices(phase) {
			for k, column := range w.access.Columns(phase)[matrix.Index] {
				w.seed++
				n := copy(column, randomElements(w.seed, 1<<matrix.LogHeight))
				part, err := w.phases[phase].list[matrix.Index].Part(uint32(k), 1, uint64(n))
				if err != nil {
					return err
				}
				if err := w.upload(part.Span, words(column[:n])); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *twin) extension() goldilocks.Extension {
	w.seed++
	return goldilocks.Extension(randomElements(w.seed, protocol.ExtensionDegree))
}

func (w *twin) trace() pair[backend.Columns[backend.Main]] {
	w.t.Helper()
	onCPU, errCPU := w.begun.cpu.Trace(w.execution)
	onDevice, err := w.begun.device.Trace(w.execution)
	traced := both(w, "trace", onCPU, errCPU, onDevice, err)
	messages := w.machine.Messages(w.execution.Public())
	columnsCPU, errCPU := traced.cpu.Count(messages)
	columns, err := traced.device.Count(messages)
	counted := both(w, "count", columnsCPU, errCPU, columns, err)
	w.compareColumns(protocol.Main, false)
	return counted
}

func commitTo[Next any](w *twin, phase protocol.Phase, columns pair[backend.Columns[Next]]) pair[Next] {
	w.t.Helper()
	want, nextCPU, errCPU := columns.cpu.Commit()
	got, next, err := columns.device.Commit()
	committed := both(w, "commit "+phase.String(), nextCPU, errCPU, next, err)
	if w.trees[phase] = want; !slices.Equal(got, want) {
		w.t.Fatalf("the cap of the %s columns is not the CPU's", phase)
	}
	w.compareColumns(phase, true)
	return committed
}

func (w *twin) sumUp(main pair[backend.Main]) pair[backend.Columns[backend.Witness]] {
	w.t.Helper()
	challenges := protocol.LogUpChallenges{Alpha: w.extension(), Beta: w.extension()}
	want, nextCPU, errCPU := main.cpu.LogUp(challenges)
	got, next, err := main.device.LogUp(challenges)
	summed := both(w, "logup", nextCPU, errCPU, next, err)
	if !slices.Equal(got, want) {
		w.t.Fatalf("the claimed sums are %v, the CPU's %v", got, want)
	}
	w.compareColumns(protocol.Auxiliary, false)
	return summed
}

// divide computes the quotients. If columns violate the constraints, the quotients are not polynomials, and backends
// may differ.
func (w *twin) divide(witness pair[backend.Witness], honest bool) pair[backend.Columns[backend.Committed]] {
	w.t.Helper()
	constraint := w.extension()
	onCPU, errCPU := witness.cpu.Quotient(constraint)
	onDevice, err := witness.device.Quotient(constraint)
	divided := both(w, "quotient", onCPU, errCPU, onDevice, err)
	if honest {
		w.compareColumns(protocol.Quotient, false)
	} else {
		w.draw(protocol.Quotient)
	}
	return divided
}

func sameOpened(a, b protocol.Opened) bool {
	return slices.Equal(a.Current, b.Current) && slices.Equal(a.Next, b.Next)
}

func (w *twin) evaluateAll(committed pair[backend.Committed]) pair[backend.Opened] {
	w.t.Helper()
	z := w.extension()
	want, nextCPU, errCPU := committed.cpu.Open(z)
	got, next, err := committed.device.Open(z)
	opened := both(w, "open", nextCPU, errCPU, next, err)
	for phase, entries := range want {
		if !slices.EqualFunc(entries, got[phase], sameOpened) {
			w.t.Fatalf("the opened values of the %s columns are not the CPU's", protocol.Phase(phase))
		}
		for _, entry := range entries {
			drawn := protocol.Opened{}
			for range entry.Current {
				drawn.Current = append(drawn.Current, w.extension())
			}
			for range entry.Next {
				drawn.Next = append(drawn.Next, w.extension())
			}
			w.coefficients[phase] = append(w.coefficients[phase], drawn)
		}
	}
	return opened
}

// compareCodeword compares a codeword on the device with the CPU's.
func (w *twin) compareCodeword(on backend.Codeword, logSize int, want goldilocks.ExtensionVector) {
	w.t.Helper()
	got := on.(*foldable).folding.Codeword(logSize)
	for k, coordinate := range want.C {
		if !slices.Equal(downloaded(w.t, w.proof, got, uint64(k), 1<<logSize), words(coordinate)) {
			w.t.Fatalf("coordinate %d of the codeword of 2^%d is not the CPU's", k, logSize)
		}
	}
}

// passedOver are coefficients of a stream with words that are not elements, which has probability 2^-32: not the ones
// that a device samples.
type passedOver struct{ protocol.Openings }

func (passedOver) Stream() (state [32]byte, ok bool) { return [32]byte{7}, true }

func (c passedOver) Draw() (all protocol.Openings, passed bool) { return c.Openings, true }

func (w *twin) combineAll(opened pair[backend.Opened]) pair[backend.Codeword] {
	w.t.Helper()
	onCPU, errCPU := opened.cpu.Deep(w.coefficients)
	onDevice, err := opened.device.Deep(passedOver{w.coefficients})
	codewords := both(w, "deep", onCPU, errCPU, onDevice, err)
	access, _ := cpu.AccessTo(onCPU)
	w.compareCodeword(onDevice, w.shape.MaxLogSize(), access.Current())
	for _, class := range w.shape.Classes[1:] {
		logSize := class.LogHeight + w.shape.Params.LogBlowup
		joining, ok := access.Joining(1 << logSize)
		if !ok {
			w.t.Fatalf("the CPU has no codeword of 2^%d", logSize)
		}
		w.compareCodeword(onDevice, logSize, joining)
	}
	return codewords
}

func (w *twin) foldAll(codeword pair[backend.Codeword]) pair[backend.Queries] {
	w.t.Helper()
	logSize := w.shape.MaxLogSize()
	for round, logArity := range w.shape.Schedule {
		want, layerCPU, errCPU := codeword.cpu.Commit(logArity)
		got, layer, err := codeword.device.Commit(logArity)
		committed := both(w, "layer", layerCPU, errCPU, layer, err)
		if w.layerCaps = append(w.layerCaps, want); !slices.Equal(got, want) {
			w.t.Fatalf("the cap of layer %d is not the CPU's", round)
		}
		beta := w.extension()
		onCPU, errCPU := committed.cpu.Fold(beta)
		onDevice, err := committed.device.Fold(beta)
		codeword = both(w, "fold", onCPU, errCPU, onDevice, err)
		logSize -= logArity
		access, _ := cpu.AccessTo(onCPU)
		w.compareCodeword(onDevice, logSize, access.Current())
	}
	want, nextCPU, errCPU := codeword.cpu.Final()
	got, next, err := codeword.device.Final()
	end := both(w, "final", nextCPU, errCPU, next, err)
	if !slices.Equal(got, want) {
		w.t.Fatal("the final polynomial is not the CPU's")
	}
	return end
}

func (w *twin) search(end pair[backend.Queries]) {
	w.t.Helper()
	const bits = 7
	seed := [32]byte{3, 1, 4}
	want, _, errCPU := end.cpu.Grind(seed, bits)
	got, hashes, err := end.device.Grind(seed, bits)
	both(w, "grind", want, errCPU, got, err)
	if got != want || hashes != want+1 {
		w.t.Fatalf("the nonce is %d after %d hashes, the CPU's %d", got, hashes, want)
	}
}

// plan opens random rows with repeats.
func (w *twin) plan(shape merkle.Shape) *merkle.Plan {
	w.t.Helper()
	w.seed++
	var positions []uint64
	for _, e := range randomElements(w.seed, 3*tree.MostRows/4) {
		positions = append(positions, uint64(e)%(1<<shape.LogHeight()))
	}
	plan, err := merkle.NewPlan(shape, positions)
	if err != nil {
		w.t.Fatal(err)
	}
	return plan
}

func sameOpening(a, b merkle.Opening) bool {
	sameRows := func(a, b merkle.Rows) bool { return a.Width == b.Width && slices.Equal(a.Cells, b.Cells) }
	return slices.EqualFunc(a.Rows, b.Rows, sameRows) && slices.Equal(a.Siblings, b.Siblings)
}

// gatherAll opens all trees and checks the openings against the caps.
func (w *twin) gatherAll(end pair[backend.Queries]) {
	w.t.Helper()
	var plans protocol.Plans
	for phase := range protocol.Phase(protocol.PhaseCount) {
		if w.shape.Present(phase) {
			plans.Phases[phase] = w.plan(w.shape.TreeShape(phase))
		}
	}
	for i := range w.shape.Schedule {
		plans.Layers = append(plans.Layers, w.plan(w.shape.LayerShape(i)))
	}
	want, errCPU := end.cpu.Gather(&plans, nil)
	got, err := end.device.Gather(&plans, nil)
	both(w, "gather", want, errCPU, got, err)
	for phase, plan := range plans.Phases {
		if !sameOpening(want.Phases[phase], got.Phases[phase]) {
			w.t.Fatalf("the opened rows and siblings of the %s tree are not the CPU's", protocol.Phase(phase))
		}
		if plan == nil {
			continue
		}
		if err := plan.Verify(w.trees[phase], got.Phases[phase]); err != nil {
			w.t.Errorf("%s: %v", protocol.Phase(phase), err)
		}
	}
	for i, plan := range plans.Layers {
		if !sameOpening(want.Layers[i], got.Layers[i]) {
			w.t.Fatalf("the opened rows and siblings of layer %d are not the CPU's", i)
		}
		if err := plan.Verify(w.layerCaps[i], got.Layers[i]); err != nil {
			w.t.Errorf("layer %d: %v", i, err)
		}
	}
}

// prove takes every step. A dishonest proof commits to random columns.
func (w *twin) prove(honest bool) {
	w.t.Helper()
	counted := w.trace()
	if !honest {
		w.draw(protocol.Main)
	}
	summed := w.sumUp(commitTo(w, protocol.Main, counted))
	divided := w.divide(commitTo(w, protocol.Auxiliary, summed), honest)
	opened := w.evaluateAll(commitTo(w, protocol.Quotient, divided))
	end := w.foldAll(w.combineAll(opened))
	w.search(end)
	w.gatherAll(end)
	if finding := w.backend.Finding(); finding != "" {
		w.t.Error(finding)
	}
}

var twinClaims = []claim{{"fib", 32, 1}, {"tour", 40, 2}, {"keccak", 2, 3}}

// Every step of an honest proof leaves the same on the device as on the CPU.
func TestEveryStepIsTheCPUs(t *testing.T) {
	comparesOnly(t)
	proveTwins(t, true)
}

// The same holds, with random columns, for every step that accepts any columns. Random columns have no small values,
// and all rows differ.
func TestStepsOnRandomColumns(t *testing.T) { proveTwins(t, false) }

func proveTwins(t *testing.T, honest bool) {
	for _, c := range twinClaims {
		t.Run(fmt.Sprint(c.name, " ", c.size), func(t *testing.T) {
			_, shape := shapeOf(t, c.name, c.size) // for the parameters of tests
			if c.name == "keccak" {                // takes as long as all the others
				newTwin(t, openBackend(t, Options{Seed: 1}), c, shape.Params).prove(honest)
				return
			}
			everyDevice(t, true, func(t *testing.T, b *Backend) { newTwin(t, b, c, shape.Params).prove(honest) })
		})
	}
}

// Blowups, arities, lengths of the final polynomial and heights of caps that the tests' preset lacks.
func TestStepsWithOtherParameters(t *testing.T) {
	b := openBackend(t, Options{Seed: 5})
	for _, params := range []protocol.Layout{
		{LogBlowup: 1, LogArity: 4, LogFinalLength: 0, CapHeight: 0},
		{LogBlowup: 1, LogArity: 1, LogFinalLength: 3, CapHeight: 2},
		{LogBlowup: 2, LogArity: 3, LogFinalLength: 1, CapHeight: 1},
		{LogBlowup: 3, LogArity: 2, LogFinalLength: 2, CapHeight: 9}, // all leaves of the lower trees
		{LogBlowup: 4, LogArity: 3, LogFinalLength: 1, CapHeight: 6, Hash: merkle.Blake3},
	} {
		for _, c := range []claim{{"fib", 64, 1}, {"tour", 100, 2}} {
			t.Run(fmt.Sprintf("%s %d %+v", c.name, c.size, params), func(t *testing.T) { newTwin(t, b, c, params).prove(false) })
		}
	}
}

// Trees of BLAKE3, with rows that arrive in parts, and its nonces.
func TestStepsWithBLAKE3(t *testing.T) {
	little(t, false)
	smallParts(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		_, shape := shapeOf(t, "tour", 40)
		params := shape.Params
		params.Hash = merkle.Blake3
		newTwin(t, b, claim{"tour", 40, 2}, params).prove(false)
	})
}
