package backendtest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// tourCase is the machine tour, which has every kind of feature, on a backend.
func tourCase(t *testing.T, b backend.Backend) *backendtest.Case {
	t.Helper()
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	return &backendtest.Case{Backend: b, Reference: cpu.New(parallel.New(1)), Fillers: program.Fillers(),
		Execute: func(size int) (machine.Execution, error) {
			return run.Execute(context.Background(), program, run.Input{Size: size, Seed: 7,
				MinLogHeight: preset.Params.MinLogHeight, Pool: parallel.New(1)})
		}, Sizes: [2]int{40, 150}, Params: preset.Params}
}

func onCPU(hooks *backendtest.Hooks) backend.Backend {
	return backendtest.Hooked{Backend: cpu.New(parallel.New(1)), Hooks: hooks}
}

// reopening is a prover that closes a proof to begin the next one.
type (
	reopening       struct{ backend.Backend }
	reopeningProver struct {
		backend.Prover
		open backend.Proof
	}
)

func (r reopening) Open(f *machine.Fillers, layout protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	p, err := r.Backend.Open(f, layout, budget)
	return &reopeningProver{Prover: p}, err
}

func (r *reopeningProver) Begin(instances []circuit.Instance) (p backend.Proof, err error) {
	if r.open != nil {
		r.open.Close()
	}
	r.open, err = r.Prover.Begin(instances)
	return r.open, err
}

// stubborn is a prover that cannot be closed while a proof is open.
type (
	stubborn       struct{ backend.Backend }
	stubbornProver struct {
		backend.Prover
		open int
	}
	stubbornProof struct {
		backend.Proof
		owner *stubbornProver
	}
)

func (s stubborn) Open(f *machine.Fillers, layout protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	p, err := s.Backend.Open(f, layout, budget)
	return &stubbornProver{Prover: p}, err
}

func (s *stubbornProver) Begin(instances []circuit.Instance) (backend.Proof, error) {
	p, err := s.Prover.Begin(instances)
	if err != nil {
		return nil, err
	}
	s.open++
	return &stubbornProof{p, s}, nil
}

func (s *stubbornProver) Close() error {
	if s.open > 0 {
		return backend.ErrOrder
	}
	return s.Prover.Close()
}

func (s *stubbornProof) Close() {
	s.owner.open = 0
	s.Proof.Close()
}

// unwatched replaces the execution of a proof by another one.
func unwatched(t *testing.T) backend.Backend {
	c := tourCase(t, nil)
	var instances []circuit.Instance
	return onCPU(&backendtest.Hooks{
		Begin: func(of []circuit.Instance, _ backend.Proof) error { instances = of; return nil },
		GivenExecution: func(e machine.Execution) machine.Execution {
			if slices.Equal(e.Instances(), instances) {
				return e
			}
			own, err := c.Execute(c.Sizes[1])
			if err != nil {
				t.Fatal(err)
			}
			return own
		},
	})
}

// lax ignores messages that no row answers.
func lax() backend.Backend {
	return onCPU(&backendtest.Hooks{Begin: func(_ []circuit.Instance, p backend.Proof) error {
		access, _ := cpu.AccessTo(p)
		access.IgnoreMisses()
		return nil
	}})
}

// forgetful leaks a part of a proof into the proof after the next.
func forgetful() backend.Backend {
	begun := 0
	return onCPU(&backendtest.Hooks{
		Begin: func([]circuit.Instance, backend.Proof) error { begun++; return nil },
		Count: func(next backend.Columns[backend.Main]) error {
			if access, _ := cpu.AccessTo(next); begun > 2 {
				access.Columns(protocol.Main)[0][0][0]++
			}
			return nil
		},
	})
}

// generous adds missing plans of layers, which a backend must reject.
func generous(t *testing.T) backend.Backend {
	c := tourCase(t, nil)
	var shape *protocol.Shape
	return onCPU(&backendtest.Hooks{
		Begin: func(of []circuit.Instance, _ backend.Proof) error {
			shape = protocol.NewShape(c.Fillers.Machine, c.Params.Layout(), of)
			return nil
		},
		GivenPlans: func(plans *protocol.Plans) *protocol.Plans {
			whole := *plans
			for len(whole.Layers) < len(shape.Schedule) {
				missing, err := merkle.NewPlan(shape.LayerShape(len(shape.Schedule)-len(whole.Layers)-1), []uint64{0})
				if err != nil {
					t.Fatal(err)
				}
				whole.Layers = append([]*merkle.Plan{missing}, whole.Layers...)
			}
			return &whole
		},
	})
}

// deaf takes the records of an execution from another one of the same size.
func deaf(t *testing.T) backend.Backend {
	c := tourCase(t, nil)
	return onCPU(&backendtest.Hooks{GivenExecution: func(machine.Execution) machine.Execution {
		own, err := c.Execute(c.Sizes[1])
		if err != nil {
			t.Fatal(err)
		}
		return own
	}})
}

// hasty changes a cell if records grow.
func hasty() backend.Backend {
	grows := false
	return onCPU(&backendtest.Hooks{
		GivenExecution: func(e machine.Execution) machine.Execution { grows = e.Device().Grow != nil; return e },
		Count: func(next backend.Columns[backend.Main]) error {
			if access, _ := cpu.AccessTo(next); grows {
				access.Columns(protocol.Main)[0][0][0]++
			}
			return nil
		},
	})
}

// unchanged ignores changes of columns.
func unchanged() backend.Backend {
	return onCPU(&backendtest.Hooks{GivenExecution: func(e machine.Execution) machine.Execution {
		if changed, ok := e.(*machine.Mutated); ok {
			return changed.Execution
		}
		return e
	}})
}

// recording is a device whose recordings are always the same.
type recording struct {
	backend.Backend
	intervals []backend.Interval
}

func (recording) OnDevice() bool { return true }

func (r recording) StopTrace() ([]backend.Interval, error) { return r.intervals, nil }

func add(e *goldilocks.Extension) { e[1] = e[1].Add(1) }

// wrong are backends that exactly one check must fail, by the check's name, with its message.
func wrong(t *testing.T) map[string][]struct {
	name string
	on   backend.Backend
	says string
} {
	type one = struct {
		name string
		on   backend.Backend
		says string
	}
	const stages = "stages return what the reference's return"
	list := map[string][]one{
		"proofs are equal byte for byte": {{"a changed cell", onCPU(&backendtest.Hooks{
			Count: func(next backend.Columns[backend.Main]) error {
				access, _ := cpu.AccessTo(next)
				access.Columns(protocol.Main)[0][0][0]++
				return nil
			}}), "they differ from byte"}},
		"written files are equal byte for byte": {{"a file of the front alone", onCPU(&backendtest.Hooks{
			Gather: func(_ *protocol.Plans, front func() []byte, gathered *backend.Gathered) error {
				if front != nil {
					*gathered = backend.Gathered{Written: front()}
				}
				return nil
			}}), "they differ from byte"}},
		"proofs follow one another": {{"something left behind", forgetful(), "differ from byte"}},
		"one proof is open at a time": {
			{"a proof that ends another", reopening{onCPU(honest())}, "begins a second proof"},
			{"a prover that waits for its proof", stubborn{onCPU(honest())}, "cannot be closed"}},
		"messages without a row are found":      {{"misses are ignored", lax(), "want ErrLookupMiss"}},
		"executions have the proof's instances": {{"any execution is taken", unwatched(t), "of other instances"}},
		"a plan is needed for every layer":      {{"more layers than planned", generous(t), "one layer too few"}},
		"denominators of zero are found": {{"other challenges", onCPU(&backendtest.Hooks{
			GivenChallenges: func(c protocol.LogUpChallenges) protocol.LogUpChallenges { add(&c.Alpha); return c }}),
			"want ErrZeroDenominator"}},
		"memory is limited": {
			{"no prediction", onCPU(&backendtest.Hooks{Peak: func(uint64, error) (uint64, error) { return 0, nil }}), "Peak"},
			{"less than it takes", onCPU(&backendtest.Hooks{
				Peak: func(n uint64, err error) (uint64, error) { return n - 8, err },
			}), "with the predicted"},
			{"any limit is kept", unlimited{onCPU(honest())}, "want a *backend.MemoryError"},
		},
		"records arrive in any way": {
			{"a run that fails is not noticed", deaf(t), "want the run's"},
			{"records that grow give another trace", hasty(), "record sets that grow: it commits to other"}},
		"changes of columns arrive": {{"the honest columns", unchanged(), "it commits to other"}},
		"recordings are complete": {
			{"nothing is recorded", recording{Backend: onCPU(honest())}, "nothing of the device's work"},
			{"no name", recording{onCPU(honest()), []backend.Interval{{Track: "a"}}}, "want both"},
			{"before the proof", recording{onCPU(honest()), []backend.Interval{{Track: "a", Name: "b"}}}, "ran from"},
			{"another proof", onCPU(&backendtest.Hooks{Count: func(next backend.Columns[backend.Main]) error {
				access, _ := cpu.AccessTo(next)
				access.Columns(protocol.Main)[0][0][0]++
				return nil
			}}), "another one"}},
		"other parameters": {{"another hash", onCPU(&backendtest.Hooks{
			Grind: func(seed [32]byte, bits int, nonce *uint64) error {
				if !transcript.NoncePasses(seed, *nonce, bits) {
					*nonce++ // of BLAKE3
				}
				return nil
			}}), "Grind: "}},
	}
	flip := func(digests []merkle.Digest) {
		if len(digests) > 0 {
			digests[0][3] ^= 1
		}
	}
	for name, h := range map[string]*backendtest.Hooks{
		"Caps": {Caps: func(fixed, program []merkle.Digest) (_, _ []merkle.Digest) { return program, fixed }},
		"LogUp": {LogUp: func(claimed []goldilocks.Extension, _ backend.Columns[backend.Witness]) error {
			add(&claimed[0])
			return nil
		}},
		"Open": {Open: func(o *protocol.Openings, _ backend.Opened) error { add(&o[protocol.Main][0].Next[0]); return nil }},
		"Commit to layer 1": {Layer: func(number int, digests []merkle.Digest, _ backend.Layer) error {
			if number == 1 {
				flip(digests)
			}
			return nil
		}},
		"Final": {Final: func(f []goldilocks.Extension) ([]goldilocks.Extension, error) { add(&f[0]); return f, nil }},
		"Grind": {Grind: func(seed [32]byte, bits int, nonce *uint64) error { // the second that passes
			for *nonce++; !transcript.NoncePasses(seed, *nonce, bits); *nonce++ {
			}
			return nil
		}},
		"Gather": {Gather: func(_ *protocol.Plans, _ func() []byte, g *backend.Gathered) error {
			g.Layers[0].Rows[0].Cells[2]++
			return nil
		}},
	} {
		list[stages] = append(list[stages], one{"a wrong " + name, onCPU(h), name})
	}
	for _, phase := range []protocol.Phase{protocol.Main, protocol.Auxiliary, protocol.Quotient} {
		h := &backendtest.Hooks{Commit: func(of protocol.Phase, digests []merkle.Digest) error {
			if of == phase {
				flip(digests)
			}
			return nil
		}}
		list[stages] = append(list[stages], one{"a wrong " + phase.String() + " cap", onCPU(h),
			"Commit to " + phase.String() + " columns"})
	}
	return list
}

func honest() *backendtest.Hooks { return new(backendtest.Hooks) }

// unlimited ignores limits.
type unlimited struct{ backend.Backend }

func (u unlimited) Open(f *machine.Fillers, layout protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	budget.Limit = 0
	return u.Backend.Open(f, layout, budget)
}

// The CPU backend passes all checks, and every check rejects the backends that violate it.
func TestEveryCheckFailsWrongBackends(t *testing.T) {
	list := wrong(t)
	for _, check := range backendtest.Checks() {
		if err := check.Holds(tourCase(t, onCPU(honest()))); err != nil {
			t.Errorf("%s: a right backend fails: %v", check.Name, err)
		}
		if len(list[check.Name]) == 0 {
			t.Errorf("%s: no wrong backend", check.Name)
		}
		for _, tc := range list[check.Name] {
			if err := check.Holds(tourCase(t, tc.on)); err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s, %s: error %v, want one with %q", check.Name, tc.name, err, tc.says)
			}
		}
		delete(list, check.Name)
	}
	for name := range list {
		t.Errorf("no check named %q", name)
	}
}
